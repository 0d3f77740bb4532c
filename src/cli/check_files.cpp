#include "cli/check_files.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <system_error>
#include <thread>

#include "base/emitter.h"
#include "cli/read_operand.h"
#include "cli/watchdog.h"
#include "cli/write_file.h"
#include "project/check.h"

namespace nacre::cli {

namespace {

constexpr int kMaxFixRounds = 10;  // a fix may make room for another one

struct Outcome {
  project::Checked checked;
  bool is_fixed = false;
};

Result<SourceFile> read_task(const FileTask& task, const CheckPlan& plan) {
  const project::Target& target = task.target;
  if (!target.error.empty()) return fail({}, target.error);
  const std::string& name = target.name == "-" ? plan.stdin_name : target.name;
  return read_operand(target.name, name, task.settings.max_bytes);
}

// Not subject to --select: a file that cannot be read or analysed is always reported.
Outcome failed(std::string_view code, const std::string& name, std::string message) {
  Outcome outcome;
  outcome.checked.ending = project::Ending::kIncomplete;
  outcome.checked.findings = {
      finding(code, SourceFile(name, ""), {}, std::move(message), Confidence::kCertain)};
  return outcome;
}

Outcome unreadable(const std::string& name, const std::string& reason) {
  return failed("S001", name, "cannot be read: " + reason);
}

Outcome not_analysed(const std::string& name, std::string reason) {
  return failed("S006", name, std::move(reason));
}

Outcome check_and_fix(SourceFile file, const FileTask& task, const CheckPlan& plan,
                      project::Workspace& workspace) {
  Outcome outcome{project::check({file, task.language}, task.settings, workspace)};
  bool is_changed = false;
  const SourceFile original = file;
  for (int round = 0; round < kMaxFixRounds; round++) {
    std::vector<Edit> edits = choose_edits(file, outcome.checked.findings, plan.fix_kind);
    if (edits.empty()) break;
    is_changed = true;
    file = SourceFile(file.name(), apply_edits(file, edits));
    outcome.checked = project::check({file, task.language}, task.settings, workspace);
    // Do not write a text whose last check did not finish.
    if (outcome.checked.ending == project::Ending::kOutOfMemory) return outcome;
  }
  if (!is_changed) return outcome;
  if (auto written = rewrite_file(task.target.name, original.bytes(), file.bytes()); !written) {
    // Report the findings of the text on disk, not of the fixed text that could not be written.
    Outcome kept{project::check({original, task.language}, task.settings, workspace)};
    Outcome failure = not_analysed(file.name(), "cannot be fixed: " + written.error().message);
    std::move(failure.checked.findings.begin(), failure.checked.findings.end(),
              std::back_inserter(kept.checked.findings));
    kept.checked.ending = project::Ending::kIncomplete;
    return kept;
  }
  outcome.is_fixed = true;
  return outcome;
}

Outcome check_task(const FileTask& task, const CheckPlan& plan, project::Workspace& workspace) {
  auto file = read_task(task, plan);
  if (!file) return unreadable(task.target.name, file.error().message);
  if (plan.fixes) return check_and_fix(*std::move(file), task, plan, workspace);
  return {project::check({*std::move(file), task.language}, task.settings, workspace)};
}

// A failure in one file becomes a finding of that file; the other files are still reported.
Outcome check_alone(const FileTask& task, const CheckPlan& plan, project::Workspace& workspace) {
  const watchdog::Subject subject(task.target.name);
  try {
    return check_task(task, plan, workspace);
  } catch (const std::bad_alloc&) {
    Outcome outcome = not_analysed(task.target.name, "not enough memory to analyse this file");
    outcome.checked.ending = project::Ending::kOutOfMemory;
    return outcome;
  } catch (const std::exception& error) {
    return not_analysed(task.target.name, std::string("internal error: ") + error.what());
  }
}

std::vector<Outcome> run_all(const std::vector<FileTask>& tasks, const CheckPlan& plan,
                             project::Workspace& workspace) {
  std::vector<Outcome> outcomes(tasks.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    const watchdog::Stack stack;
    for (size_t at = next++; at < tasks.size(); at = next++)
      outcomes[at] = check_alone(tasks[at], plan, workspace);
  };
  size_t extra = std::min<size_t>(plan.threads, tasks.size());
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < extra; i++) threads.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads: the ones that exist do the work
  }
  work();
  for (std::thread& thread : threads) thread.join();
  // The files that were checked at the same time may have used the memory: try these alone.
  for (size_t at = 0; at < tasks.size() && extra > 1; at++) {
    if (outcomes[at].checked.ending == project::Ending::kOutOfMemory &&
        tasks[at].target.name != "-")
      outcomes[at] = check_alone(tasks[at], plan, workspace);
  }
  return outcomes;
}

}  // namespace

CheckResult check_files(const std::vector<FileTask>& tasks, const CheckPlan& plan,
                        project::Workspace& workspace) {
  CheckResult result;
  for (const FileTask& task : tasks) {
    result.report.files.push_back(task.target.name == "-" ? plan.stdin_name : task.target.name);
  }
  for (auto& [checked, is_fixed] : run_all(tasks, plan, workspace)) {
    result.report.is_finished &= checked.ending == project::Ending::kFinished;
    result.fixed_files += is_fixed ? 1 : 0;
    std::move(checked.findings.begin(), checked.findings.end(),
              std::back_inserter(result.report.findings));
    std::move(checked.remarks.begin(), checked.remarks.end(), std::back_inserter(result.remarks));
  }
  sort_and_unify(result.report.findings);
  std::sort(result.remarks.begin(), result.remarks.end());
  result.remarks.erase(std::unique(result.remarks.begin(), result.remarks.end()),
                       result.remarks.end());
  return result;
}

}  // namespace nacre::cli
