#include "explore/outcome.h"

#include <algorithm>
#include <fmt/format.h>

#include "world/tree_diff.h"

namespace nacre::explore {

using world::Change;
using world::FileKind;
using world::FileTree;

namespace {

std::string last_line(std::string_view text) {
  constexpr size_t kMaxMessage = 200;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const size_t begin = text.rfind('\n');
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + 1, kMaxMessage));
}

std::string shown(FileTree& tree, world::InodeId id, const std::string& path) {
  const std::string registers = fmt::format("/{}/", world::kRegisters);
  if (path.starts_with(registers)) return fmt::format("[{}]", path.substr(registers.size()));
  if (id == world::kNoInode) return path;
  const world::Inode& inode = tree.at(id);
  if (inode.kind == FileKind::kDirectory) return path + "/";
  if (inode.kind == FileKind::kLink) return fmt::format("{} -> {}", path, inode.bytes);
  return path;
}

std::string describe(FileTree& before, FileTree& after, const Change& change) {
  switch (change.kind) {
    case Change::kCreated: return "makes " + shown(after, change.after, change.path);
    case Change::kRemoved: return "removes " + shown(before, change.before, change.path);
    case Change::kReplaced:
      return "replaces " + shown(before, change.before, change.path) + " by " +
             shown(after, change.after, change.path);
    case Change::kChanged: break;
  }
  const world::Inode& old = before.at(change.before);
  const world::Inode& now = after.at(change.after);
  std::string what;
  if (change.contents) what += ", contents";
  if (change.mode) what += fmt::format(", mode {:04o} to {:04o}", old.mode, now.mode);
  if (change.owner)
    what += fmt::format(", owner {}:{} to {}:{}", old.owner, old.group, now.owner, now.group);
  return fmt::format("changes {} ({})", shown(after, change.after, change.path), what.substr(2));
}

void learn_condition(Outcome& outcome, const std::vector<Decision>& decisions) {
  const bool is_first = outcome.runs == 0;
  std::set<std::pair<Decision::Kind, std::string>> asked;
  for (const Decision& each : decisions) {
    auto question = std::pair(each.kind, each.subject);
    asked.insert(question);
    if (!is_first && !outcome.condition.contains(question)) continue;
    Answers& answers = outcome.condition[question];
    answers.taken.insert(each.answer().text);
    answers.possible = std::max(answers.possible, each.answers.size());
  }
  std::erase_if(outcome.condition, [&](const auto& entry) { return !asked.contains(entry.first); });
}

}  // namespace

Fact fact_of(Decision::Kind kind, const std::string& subject, const Answers& answers) {
  if (answers.taken.size() == 1) return {kind, subject, *answers.taken.begin()};
  const bool is_there = kind == Decision::kEntry && !answers.taken.contains("absent");
  return {kind, subject, is_there ? "there" : fmt::format("{}", fmt::join(answers.taken, " or "))};
}

std::string Fact::text() const {
  if (kind == Decision::kCommand) return fmt::format("`{}` {}", subject, answer);
  if (kind == Decision::kValue) return fmt::format("${} {}", subject, answer);
  if (kind == Decision::kListing) return fmt::format("in {}: {}", subject, answer);
  if (kind == Decision::kContents) return fmt::format("{} holds {}", subject, answer);
  if (answer == "absent" || answer == "no command") return "no " + subject;
  return fmt::format("{}{}", subject,
                     answer == "a directory" ? "/"
                     : answer == "a file"    ? ""
                                             : " is " + answer);
}

std::string Outcome::how() const {
  switch (end) {
    case Run::kEndless: return "never ends";
    case Run::kTooLong: return "does not end soon";
    case Run::kStuck: return "waits for ever";
    case Run::kTooBig: return "needs too much memory";
    case Run::kUnmodelled: return "not known";
    case Run::kMerged: return "goes on as another run";
    case Run::kExited: break;
  }
  return status == 0 ? "ok" : "fails";
}

std::vector<std::string> describe_changes(FileTree& before, FileTree& after) {
  std::vector<std::string> result;
  std::string gone;  // a directory whose contents need not be listed
  for (const Change& change : world::compare(before, after)) {
    const bool is_below = !gone.empty() && change.path.starts_with(gone);
    if (is_below && change.kind == Change::kRemoved) continue;
    const bool is_directory =
        change.kind == Change::kRemoved && before.at(change.before).kind == FileKind::kDirectory;
    if (is_directory) gone = change.path + "/";
    result.push_back(describe(before, after, change));
  }
  return result;
}

void Collector::add(Run&& run) {
  FileTree before = first_tree(start_.tree, run.decisions, run.after.memory);
  std::vector<std::string> changes = describe_changes(before, run.after.tree);
  std::string message = run.succeeded() ? "" : last_line(run.errors);
  const uint32_t line = run.succeeded() ? 0 : run.last.line;
  Key key{run.end, run.status, line, message, fmt::format("{}", fmt::join(changes, "\n"))};
  auto found = outcomes_.find(key);
  if (found == outcomes_.end() && outcomes_.size() >= max_) {
    report_.bounds.insert(fmt::format("only {} different outcomes are kept", max_));
    return;
  }
  Outcome& outcome = outcomes_[key];
  std::vector<Fact> facts;
  for (const Decision& each : run.decisions) {
    facts.push_back({each.kind, each.subject, each.answer().text});
    if (!each.is_sample()) continue;
    report_.assumed.insert(each.kind == Decision::kListing    ? "other names in directories"
                           : each.kind == Decision::kContents ? "the contents of files"
                                                              : "arguments and variables");
  }
  for (const Decision& each : run.decisions) {
    if (each.kind == Decision::kCommand)
      report_.assumed.insert(fmt::format("{} prints nothing and changes no files",
                                         each.subject.substr(0, each.subject.find(' '))));
  }
  for (const std::string& each : run.not_modelled)
    report_.unmodelled.insert(each.substr(0, each.find(' ')));
  learn_condition(outcome, run.decisions);
  const bool is_better = outcome.runs == 0 || run.rank < outcome.rank ||
                         (run.rank == outcome.rank && run.deviations < outcome.deviations);
  ++outcome.runs;
  if (!is_better) return;
  outcome.end = run.end;
  outcome.status = run.status;
  outcome.last = std::move(run.last);
  outcome.changed = std::move(run.changed);
  outcome.message = std::move(message);
  outcome.is_deliberate = outcome.last.text.starts_with("exit");
  outcome.changes = std::move(changes);
  outcome.rank = run.rank;
  outcome.deviations = run.deviations;
  outcome.facts = std::move(facts);
  outcome.decisions = std::move(run.decisions);
  outcome.after = std::move(run.after);
  outcome.not_modelled = std::move(run.not_modelled);
}

Report Collector::take() {
  for (auto& [key, outcome] : outcomes_) report_.outcomes.push_back(std::move(outcome));
  outcomes_.clear();
  std::stable_sort(report_.outcomes.begin(), report_.outcomes.end(),
                   [](const Outcome& a, const Outcome& b) {
                     return std::tuple(!a.succeeded(), a.rank, a.deviations, a.last.line) <
                            std::tuple(!b.succeeded(), b.rank, b.deviations, b.last.line);
                   });
  return std::move(report_);
}

Report report_on(const Script& script, const World& start, const Budget& budget,
                 size_t max_outcomes) {
  Collector collector(start, max_outcomes);
  Exploration all =
      explore(script, start, budget, Merge::kNo, [&](Run&& run) { collector.add(std::move(run)); });
  Report report = collector.take();
  report.script = script.name;
  report.arguments = script.arguments;
  report.runs = all.runs;
  report.steps = all.steps;
  report.bounds.insert(all.bounds.begin(), all.bounds.end());
  return report;
}

}  // namespace nacre::explore
