// Playing a scenario. The worlds that reach a state wait there; a state is played when nothing
// before it can bring more (the automata have no cycles: states are taken in the order in which
// they are written, each once). Each world is a tree with open parts, what else was decided, and
// the decisions that led to it. Two worlds with equal trees have the same future, so the likelier
// one goes on for both.
#include <algorithm>
#include <fmt/format.h>

#include "base/embedded.h"
#include "commands/effect_words.h"
#include "explore/digest.h"
#include "explore/open_scene.h"
#include "explore/prepare.h"
#include "explore/scenario.h"
#include "shell/parse.h"
#include "world/tree_diff.h"

namespace nacre {

std::span<const EmbeddedFile> embedded_scenarios();

}  // namespace nacre

namespace nacre::explore {

using world::FileKind;
using world::FileTree;

namespace {

constexpr std::string_view kBroken[] = {"Half-Installed", "Half-Configured"};

// A world on its way through a scenario.
struct Traveller {
  World world;
  std::vector<Decision> decisions;  // since the scenario began
  unsigned rank = 0;
  Place last;          // where the last script failed
  std::string script;  // that failed last
  std::string message;

  // Something on the way is assumed: what a command without a model does, or that one is missing.
  [[nodiscard]] bool is_made_up() const {
    return std::any_of(decisions.begin(), decisions.end(), [](const Decision& each) {
      return each.kind == Decision::kCommand || each.answer().text == "no command";
    });
  }
};

// Everything that a later script could see of a tree.
void add_to(Digest& digest, FileTree& tree, world::InodeId id) {
  const world::Inode& inode = tree.at(id);
  mix(digest, uint64_t{inode.mode} << 8 | static_cast<uint64_t>(inode.kind));
  mix(digest, uint64_t{inode.owner} << 32 | inode.group);
  mix(digest, inode.open != nullptr ? std::string_view(*inode.open) : std::string_view());
  if (inode.kind != FileKind::kDirectory) return mix(digest, inode.bytes);
  for (const std::string& name : inode.absent) {
    if (!inode.entries.contains(name)) mix(digest, name);
  }
  mix(digest, inode.entries.size());
  for (const auto& [name, child] : inode.entries) {
    mix(digest, name);
    add_to(digest, tree, child);
  }
}

const std::set<std::string, std::less<>>& essential_commands() {
  static const auto kNames = [] {
    std::set<std::string, std::less<>> names;
    for (const EmbeddedFile& file : embedded_scenarios()) {
      if (!file.name.ends_with(".list")) continue;
      std::string_view rest = file.bytes;
      while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (line.starts_with('#')) continue;
        while (!line.empty()) {
          const size_t end = std::min(line.find(' '), line.size());
          if (end > 0) names.emplace(line.substr(0, end));
          line.remove_prefix(std::min(line.size(), end + 1));
        }
      }
    }
    return names;
  }();
  return kNames;
}

// It is in the same package as a command that the script asks for, or is a function of a library
// that the script sources.
bool comes_with_asked(std::string_view name, const Expectations& expected) {
  constexpr std::pair<std::string_view, std::string_view> kTogether[] = {
      {"ucfr", "ucf"}, {"ucfq", "ucf"}, {"deb-systemd-invoke", "deb-systemd-helper"}};
  if (name.find('_') != name.npos) return true;
  return std::any_of(std::begin(kTogether), std::end(kTogether), [&](const auto& pair) {
    return pair.first == name && expected.optional_commands.contains(pair.second);
  });
}

class Player {
 public:
  Player(const Scenario& scenario, const Package& package, const ScenarioBudget& budget)
      : scenario_(scenario), package_(package), budget_(budget) {
    result_.scenario = scenario.name;
  }

  ScenarioResult run() {
    Traveller first;
    first.world = open_world();
    base_ = first.world.tree;
    add_questions(first.world.tree, package_);
    if (scenario_.begin == Scenario::kInstalled) unpack(first.world.tree, package_);
    if (scenario_.begin == Scenario::kConfigured) add_conffiles(first.world.tree, package_);
    start_ = first.world;
    result_.states[scenario_.steps[0].label] = 1;
    waiting_[scenario_.steps[0].label].emplace(Digest{}, std::move(first));
    // A state may lead to one that is written above it: then another round is needed.
    for (bool is_moving = true; is_moving;) {
      is_moving = false;
      for (const Step& step : scenario_.steps) {
        auto travellers = std::move(waiting_[step.label]);
        waiting_[step.label].clear();
        is_moving |= !travellers.empty();
        for (auto& [key, traveller] : travellers) play(step, std::move(traveller));
      }
    }
    for (auto& [label, end] : ends_) result_.ends.push_back(end);
    judge_ends();
    return std::move(result_);
  }

 private:
  void play(const Step& step, Traveller&& traveller) {
    const std::string& action = step.words[0];
    if (action == "unpack") unpack(traveller.world.tree, package_);
    if (action == "remove-files") remove_files(traveller.world.tree, package_, base_);
    if (action == "remove-conffiles") remove_conffiles(traveller.world.tree, package_, base_);
    const bool is_own = action == "unpack" || action.starts_with("remove-");
    auto script = package_.scripts.find(action);
    if (is_own || script == package_.scripts.end()) {
      result_.has_started = true;
      return arrive(step.on_success, std::move(traveller));
    }
    play_script(step, script->second, std::move(traveller));
  }

  [[nodiscard]] std::vector<std::string> arguments_of(const Step& step) const {
    std::vector<std::string> result;
    for (size_t i = 1; i < step.words.size(); ++i) {
      const std::string& word = step.words[i];
      result.push_back(word == "OLD"        ? "0.0~"
                       : word == "NEW"      ? package_.version
                       : word == "TRIGGERS" ? package_.triggers
                                            : word);
    }
    return result;
  }

  void play_script(const Step& step, const SourceFile& file, Traveller&& traveller) {
    Given given;
    given.arguments = arguments_of(step);
    given.has_arguments = true;
    given.has_variables = true;  // dpkg sets no others
    for (const auto& [name, value] : environment(step.words[0])) given.values[name] = value;
    auto script = prepare(file, given, traveller.world);
    if (!script) {
      result_.problems.insert(fmt::format("{}: {}", step.words[0], script.error().message));
      return;
    }
    script->name = step.words[0];
    learn_commands(step, *script);
    Budget budget = budget_.call;
    budget.runs = std::min(budget.runs, budget_.runs - std::min(budget_.runs, result_.runs));
    // What is not complete any more needs no more than the likeliest runs.
    if (!result_.problems.empty()) budget.runs = std::min(budget.runs, budget_.runs_of_rest);
    if (budget.runs == 0) {
      result_.problems.insert("the budget of runs ended");
      return;
    }
    Exploration all = explore(*script, traveller.world, budget, Merge::kYes, [&](Run&& run) {
      if (run.end == Run::kExited) result_.has_started = true;
      after_run(step, traveller, std::move(run));
    });
    result_.runs += all.runs;
    result_.steps += all.steps;
    for (const std::string& bound : all.bounds) {
      const bool is_budget =
          bound.find("budget") != std::string::npos || bound.find("memory") != std::string::npos;
      const std::string_view what =
          bound.find(" steps ended") != std::string::npos ? "steps" : "runs";
      if (bound.starts_with("the budget of"))  // of how many is no matter to the statistics
        result_.problems.insert(fmt::format("the budget of {} ended", what));
      else
        (is_budget ? result_.problems : result_.representatives).insert(bound);
    }
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment(
      const std::string& script) const {
    return {{"DPKG_MAINTSCRIPT_PACKAGE", package_.name},
            {"DPKG_MAINTSCRIPT_NAME", script},
            {"DPKG_MAINTSCRIPT_ARCH", "all"},
            {"DPKG_MAINTSCRIPT_PACKAGE_REFCOUNT", "1"},
            {"DPKG_RUNNING_VERSION", "1.21.22"},
            {"DPKG_ADMINDIR", "/var/lib/dpkg"},
            {"DPKG_ROOT", ""},
            {"DEBIAN_FRONTEND", "noninteractive"}};
  }

  // All scripts of a package agree on where a command is. Only essential packages are sure to be
  // there when postrm runs.
  void learn_commands(const Step& step, Script& script) {
    if (!has_places_) {
      for (const auto& [name, file] : package_.scripts)
        places_.merge(expectations_of(shell::parse_file(file, shell::detect_dialect(file).value_or(
                                                                  shell::Dialect::kSh))
                                          .tree)
                          .program_dirs);
      has_places_ = true;
    }
    script.expected.program_dirs.insert(places_.begin(), places_.end());
    if (step.words[0] == "postrm") {
      for (const std::string& name : commands::scripted_commands()) {
        if (!comes_with_asked(name, script.expected))
          script.expected.optional_commands.insert(name);
      }
    }
    std::erase_if(script.expected.optional_commands,
                  [](const std::string& name) { return essential_commands().contains(name); });
  }

  void after_run(const Step& step, const Traveller& from, Run&& run) {
    for (const std::string& line : run.not_modelled)
      result_.unmodelled.insert(line.substr(0, line.find(' ')));
    for (const Decision& each : run.decisions) {
      if (each.kind == Decision::kCommand)
        result_.unmodelled.insert(each.subject.substr(0, each.subject.find(' ')));
      if (each.kind == Decision::kListing) result_.representatives.insert("names in directories");
      if (each.kind == Decision::kContents) result_.representatives.insert("contents of files");
    }
    if (run.end == Run::kUnmodelled || run.end == Run::kMerged) return;
    if (run.end != Run::kExited) {
      result_.problems.insert(fmt::format("{} does not end", step.label));
      return;
    }
    Traveller next;
    next.rank = from.rank + run.rank;
    next.decisions = from.decisions;
    next.decisions.insert(next.decisions.end(), run.decisions.begin(), run.decisions.end());
    const bool succeeded = run.status == 0;
    next.script = succeeded ? from.script : step.words[0];
    next.last = succeeded ? from.last : run.last;
    next.message = succeeded ? from.message : run.errors;
    if (!succeeded) judge_failure(step, run);
    if (succeeded && step.label.ends_with("#2")) judge_second_run(step, from, run);
    next.world = std::move(run.after);
    arrive(succeeded ? step.on_success : step.on_failure, std::move(next));
  }

  void arrive(const std::string& label, Traveller&& traveller) {
    if (label.empty()) return;
    ++result_.states[label];
    Digest key{1, 2};
    add_to(key, traveller.world.tree, world::kRootInode);
    const bool is_end = label[0] >= 'A' && label[0] <= 'Z';
    if (is_end) {
      StateResult& end = ends_[label];
      end.label = label;
      ++end.worlds;
      if (!end.rank || traveller.rank < *end.rank) end.rank = traveller.rank;
    }
    auto& there = is_end ? ended_[label] : waiting_[label];
    auto found = there.find(key);
    if (found != there.end()) {
      if (traveller.rank < found->second.rank) found->second = std::move(traveller);
      return;
    }
    if (there.size() >= budget_.worlds) {
      // The least likely one remains.
      auto worst = std::max_element(there.begin(), there.end(), [](const auto& a, const auto& b) {
        return a.second.rank < b.second.rank;
      });
      result_.representatives.insert(
          fmt::format("the {} likeliest worlds of each state", budget_.worlds));
      if (worst->second.rank <= traveller.rank) return;
      there.erase(worst);
    }
    there.emplace(key, std::move(traveller));
  }

  void report(std::string code, const std::string& script, const Place& place, std::string message,
              unsigned rank, const std::vector<Decision>& decisions) {
    std::string before;
    for (const Decision& each : decisions) {
      const Fact fact{each.kind, each.subject, each.answer().text};
      if (each.chosen > 0 && before.size() < 300)
        before += (before.empty() ? "" : ", ") + fact.text();
    }
    for (Finding& known : result_.findings) {
      if (known.code != code || known.script != script || known.place.line != place.line) continue;
      if (rank < known.rank) {
        known.rank = rank;
        known.message = std::move(message);
        known.before = std::move(before);
      }
      return;
    }
    result_.findings.push_back(
        {std::move(code), script, place, std::move(message), rank, std::move(before), {}});
  }

  static std::string last_line(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const size_t begin = text.rfind('\n');
    return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + 1, 160));
  }

  // F206: a command that was there when the package was installed.
  void judge_failure(const Step& step, const Run& run) {
    const bool is_missing =
        run.status == 127 && step.words[0] == "postrm" &&
        std::any_of(run.decisions.begin(), run.decisions.end(),
                    [](const Decision& each) { return each.answer().text == "no command"; });
    if (!is_missing) return;
    report("F206", step.words[0], run.last,
           fmt::format("`{}` may be gone when {} runs: {}", run.last.text, step.label,
                       last_line(run.errors)),
           0, run.decisions);
  }

  // F203: the second of two successful runs.
  void judge_second_run(const Step& step, const Traveller& from, Run& run) {
    FileTree before = first_tree(from.world.tree, run.decisions, run.after.memory);
    const auto changes = describe_changes(before, run.after.tree);
    if (changes.empty()) return;
    report("F203", step.words[0], run.changed,
           fmt::format("the second run of {} changes something again: {}", joined(step.words),
                       changes[0]),
           from.rank + run.rank, run.decisions);
  }

  void judge_ends() {
    for (auto& [label, travellers] : ended_) {
      for (auto& [key, traveller] : travellers) {
        if (traveller.is_made_up()) continue;
        if (std::find(std::begin(kBroken), std::end(kBroken), label) != std::end(kBroken)) {
          report("F205", traveller.script, traveller.last,
                 fmt::format("in scenario {} the package ends {}: {}", scenario_.name, label,
                             last_line(traveller.message)),
                 // A package that is there from the beginning may have been set up otherwise.
                 traveller.rank + (scenario_.begin == Scenario::kAbsent ? 0 : 1),
                 traveller.decisions);
        }
        if (label == "Not-Idempotent") {
          report("F201", traveller.script.empty() ? scenario_.steps[0].words[0] : traveller.script,
                 traveller.last,
                 fmt::format("{}: the second run ends differently from the first: {}",
                             scenario_.steps[0].label, last_line(traveller.message)),
                 traveller.rank, traveller.decisions);
        }
        if (label == "Purged") judge_rest("F204", "purge leaves", traveller);
        const bool is_undone =
            label == "Not-Installed" && scenario_.name == "install" && !traveller.script.empty();
        if (is_undone) judge_rest("F207", "abort-install leaves", traveller);
      }
    }
  }

  static std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
  }

  // What was not there when the scenario began. Accounts may stay, and what dpkg itself keeps.
  void judge_rest(const std::string& code, std::string_view what, Traveller& traveller) {
    FileTree before = first_tree(start_.tree, traveller.decisions, traveller.world.memory);
    std::vector<std::string> left;
    bool has_file = false;
    for (const world::Change& change : world::compare(before, traveller.world.tree)) {
      if (change.kind != world::Change::kCreated) continue;
      const std::string& path = change.path;
      const bool is_kept = path.starts_with("/var/lib/dpkg/") || path.starts_with("/tmp/") ||
                           path.starts_with("/%/trigger/") || path.starts_with("/home/");
      if (is_kept) continue;
      left.push_back(path.starts_with("/%/") ? "[" + path.substr(3) + "]" : path);
      // What is in a directory says more than the directory.
      const bool is_file = traveller.world.tree.at(change.after).kind != FileKind::kDirectory;
      if (is_file && !has_file) std::swap(left.front(), left.back());
      has_file |= is_file;
    }
    if (left.empty()) return;
    const std::string more = left.size() == 1 ? "" : fmt::format(" and {} more", left.size() - 1);
    report(code, "postrm", {}, fmt::format("{} {}{}", what, left.front(), more), traveller.rank,
           traveller.decisions);
  }

  const Scenario& scenario_;
  const Package& package_;
  const ScenarioBudget& budget_;
  FileTree base_;  // without the package
  World start_;
  std::map<std::string, std::string, std::less<>> places_;  // of commands
  bool has_places_ = false;
  std::map<std::string, std::map<Digest, Traveller>> waiting_;
  std::map<std::string, std::map<Digest, Traveller>> ended_;
  std::map<std::string, StateResult> ends_;
  ScenarioResult result_;
};

}  // namespace

ScenarioResult play_scenario(const Scenario& scenario, const Package& package,
                             const ScenarioBudget& budget) {
  return Player(scenario, package, budget).run();
}

}  // namespace nacre::explore
