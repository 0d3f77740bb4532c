#include "cli/check_files.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <thread>

#include "base/emitter.h"
#include "base/read_source.h"
#include "cli/write_file.h"
#include "project/analyse.h"

namespace nacre::cli {

namespace {

constexpr int kMostFixRounds = 10;  // a fix may make module for another one

struct Outcome {
  std::vector<Diagnostic> findings;
  std::vector<std::string> remarks;
  bool is_finished = true;
  bool is_fixed = false;
};

Result<SourceFile> read_task(const FileTask& task, const CheckPlan& plan) {
  const project::Target& target = task.target;
  if (!target.error.empty()) return fail({}, target.error);
  if (target.name == "-") return read_stdin(plan.stdin_name, task.settings.max_bytes);
  return read_source(target.name, target.name, task.settings.max_bytes);
}

// Not a matter of choice: what could not be read is always said.
Outcome unreadable(const std::string& name, const std::string& reason) {
  Outcome outcome;
  outcome.is_finished = false;
  outcome.findings = {
      finding("S001", SourceFile(name, ""), {}, "cannot be read: " + reason, Confidence::kCertain)};
  return outcome;
}

Outcome check_source(const SourceFile& file, const project::Settings& settings) {
  project::FileAnalysis result = project::analyse(file, settings);
  Outcome outcome;
  outcome.is_finished = result.analysis.is_finished;
  outcome.remarks = std::move(result.remarks);
  outcome.findings = emit(std::move(result.analysis), settings.choice);
  std::erase_if(outcome.findings,
                [&](const Diagnostic& each) { return each.severity > settings.threshold; });
  return outcome;
}

Outcome check_and_fix(SourceFile file, const FileTask& task, const CheckPlan& plan) {
  Outcome outcome = check_source(file, task.settings);
  bool is_changed = false;
  for (int round = 0; round < kMostFixRounds; round++) {
    std::vector<Edit> edits = choose_edits(file, outcome.findings, plan.fix_kind);
    if (edits.empty()) break;
    is_changed = true;
    file = SourceFile(file.name(), apply_edits(file, edits));
    outcome = check_source(file, task.settings);
  }
  if (!is_changed) return outcome;
  if (auto written = write_file(task.target.name, file.bytes()); !written) {
    return unreadable(file.name(), "cannot be fixed: " + written.error().message);
  }
  outcome.is_fixed = true;
  return outcome;
}

Outcome check_task(const FileTask& task, const CheckPlan& plan) {
  auto file = read_task(task, plan);
  if (!file) return unreadable(task.target.name, file.error().message);
  if (plan.fixes) return check_and_fix(*std::move(file), task, plan);
  return check_source(*file, task.settings);
}

std::vector<Outcome> run_all(const std::vector<FileTask>& tasks, const CheckPlan& plan) {
  std::vector<Outcome> outcomes(tasks.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t at = next++; at < tasks.size(); at = next++)
      outcomes[at] = check_task(tasks[at], plan);
  };
  size_t extra = std::min<size_t>(plan.threads, tasks.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < extra; i++) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace

CheckResult check_files(const std::vector<FileTask>& tasks, const CheckPlan& plan) {
  CheckResult result;
  for (const FileTask& task : tasks) {
    result.report.files.push_back(task.target.name == "-" ? plan.stdin_name : task.target.name);
  }
  for (Outcome& outcome : run_all(tasks, plan)) {
    result.report.is_finished &= outcome.is_finished;
    result.fixed_files += outcome.is_fixed ? 1 : 0;
    std::move(outcome.findings.begin(), outcome.findings.end(),
              std::back_inserter(result.report.findings));
    std::move(outcome.remarks.begin(), outcome.remarks.end(), std::back_inserter(result.remarks));
  }
  sort_and_unify(result.report.findings);
  std::sort(result.remarks.begin(), result.remarks.end());
  result.remarks.erase(std::unique(result.remarks.begin(), result.remarks.end()),
                       result.remarks.end());
  return result;
}

}  // namespace nacre::cli
