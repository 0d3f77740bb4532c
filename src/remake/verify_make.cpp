#include "remake/verify_make.h"

#include <algorithm>
#include <fmt/format.h>

#include "make/read.h"
#include "make/text.h"
#include "world/tree_diff.h"

namespace nacre::remake {

namespace {

// The first path that differs in more than its times; empty if none does.
std::string first_difference(world::FileTree before, world::FileTree after) {
  for (const world::Change& change : world::compare(before, after)) {
    const bool is_real =
        change.kind != world::Change::kChanged || change.contents || change.mode || change.owner;
    if (is_real) return change.path;
  }
  return "";
}

// Phony targets run each time; that is what they are for.
MakeProperty second_make(const MakeOutcome& again, const std::vector<std::string>& phony) {
  MakeProperty result{"second-make", Verdict::kHolds, ""};
  std::vector<std::string> files;
  for (const std::string& target : again.ran) {
    if (std::find(phony.begin(), phony.end(), target) == phony.end()) files.push_back(target);
  }
  if (files.empty()) return result;
  result.verdict = Verdict::kRefuted;
  result.witness = "a second make runs the recipe of " + make::join_words(files) + " again";
  return result;
}

MakeProperty idempotence(const MakeOutcome& first, const MakeOutcome& again) {
  MakeProperty result{"idempotence", Verdict::kHolds, ""};
  if (again.status != 0) {
    result.verdict = Verdict::kRefuted;
    result.witness = "a second make fails: " + again.errors;
  } else if (std::string path = first_difference(first.tree, again.tree); !path.empty()) {
    result.verdict = Verdict::kRefuted;
    result.witness = "a second make changes " + path;
  }
  return result;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"holds", "refuted", "open"};
  return kNames[static_cast<size_t>(verdict)];
}

MakeReport verify_make(const SourceFile& makefile, const simulate::Scene& scene,
                       const commands::CardLibrary& cards, const MakeCall& call,
                       const VerifyOptions& options) {
  MakeReport report;
  report.first = run_make(makefile, scene, cards, call);
  if (report.first.status != 0) {
    for (std::string_view name : {"second-make", "idempotence", "parallel"}) {
      report.properties.push_back(
          {name, Verdict::kOpen, "the first make fails: " + report.first.errors});
    }
    return report;
  }
  simulate::Scene after = scene;
  after.tree = report.first.tree;
  const MakeOutcome again = run_make(makefile, after, cards, call);
  const std::vector<std::string> phony = make::read_makefile(makefile, {}).listed(".PHONY");
  report.properties.push_back(second_make(again, phony));
  report.properties.push_back(idempotence(report.first, again));
  MakeProperty parallel{"parallel", Verdict::kHolds, ""};
  for (unsigned schedule = 1; schedule <= options.schedules && parallel.verdict == Verdict::kHolds;
       schedule++) {
    MakeCall other = call;
    other.jobs = options.jobs;
    other.schedule = schedule;
    const MakeOutcome outcome = run_make(makefile, scene, cards, other);
    const std::string path =
        outcome.status == 0 ? first_difference(report.first.tree, outcome.tree) : "";
    if (outcome.status == 0 && path.empty()) continue;
    parallel.verdict = Verdict::kRefuted;
    parallel.witness =
        fmt::format("with -j{} --schedule {} {}", options.jobs, schedule,
                    outcome.status != 0 ? "make fails: " + outcome.errors : path + " differs");
  }
  report.properties.push_back(std::move(parallel));
  return report;
}

}  // namespace nacre::remake
