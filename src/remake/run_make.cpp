#include "remake/run_make.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <set>

#include "make/calls.h"
#include "make/read.h"
#include "remake/graph.h"
#include "shell/builtins.h"
#include "utilities/utility.h"

namespace nacre::remake {

namespace {

constexpr std::string_view kStubs = "/.nacre-stubs";
constexpr std::string_view kLog = "/.nacre-stubs/.log";  // calls whose effect is not known
constexpr std::string_view kStubText =
    "#!/bin/sh\n"
    "out= last=\n"
    "for word do [ \"$last\" = -o ] && out=$word; last=$word; done\n"
    "if [ -n \"$out\" ]; then printf '%s\\n' \"${0##*/} $*\" > \"$out\"\n"
    "else printf '%s\\n' \"${0##*/}\" >> /.nacre-stubs/.log; fi\n";

// The world that the recipes run in, one shell after the other.
class World {
 public:
  World(const simulate::Scene& scene, MakeOutcome& outcome) : scene_(scene), outcome_(outcome) {
    scene_.input = nullptr;
    scene_.output = nullptr;
    scene_.errors = nullptr;
  }

  [[nodiscard]] simulate::Scene& scene() { return scene_; }

  // Its status; what it prints is added to the outcome, or returned where `printed` is given.
  int run(const std::string& text, std::string* printed = nullptr) {
    scene_.script_name = "sh";
    scene_.script = text;
    scene_.arguments = {"sh"};
    simulate::Outcome result = simulate::play(scene_);
    scene_.tree = std::move(result.tree);
    (printed != nullptr ? *printed : outcome_.output) += result.output;
    outcome_.errors += result.errors;
    return result.has_ended && result.ending == world::Ending::kFinished ? result.status : 2;
  }

  // When the file was changed; nothing if it is not there.
  [[nodiscard]] std::optional<int64_t> changed_at(const std::string& path) {
    world::InodeId id = world::kNoInode;
    if (scene_.tree.find(scene_.actor, path, true, id) != 0) return std::nullopt;
    return scene_.tree.at(id).modified;
  }

  // What is in the file, which is empty then.
  [[nodiscard]] std::string drain(std::string_view path) {
    world::InodeId id = world::kNoInode;
    if (scene_.tree.find(world::Actor(), path, true, id) != 0) return "";
    std::string bytes = scene_.tree.bytes(id);
    if (!bytes.empty()) (void)scene_.tree.truncate(id, 0);
    return bytes;
  }

  void remove(const std::string& path) { (void)scene_.tree.unlink(scene_.actor, path); }

  // Names in one directory that match, sorted; patterns in directories are not followed.
  [[nodiscard]] std::vector<std::string> glob(std::string_view pattern) {
    const size_t slash = pattern.rfind('/');
    const std::string directory(slash == std::string_view::npos ? ""
                                                                : pattern.substr(0, slash + 1));
    const std::string_view name = pattern.substr(directory.size());
    std::vector<std::string> found;
    if (pattern.find_first_of("*?[") == std::string_view::npos) {
      if (changed_at(std::string(pattern))) found.emplace_back(pattern);
      return found;
    }
    world::InodeId id = world::kNoInode;
    if (scene_.tree.find(scene_.actor, directory.empty() ? "." : directory, true, id) != 0)
      return found;
    std::vector<std::string> names;
    for (const auto& [entry, inode] : scene_.tree.entries(id)) names.push_back(entry);
    for (const std::string& entry : names) {
      if (entry.starts_with('.') && !name.starts_with('.')) continue;
      if (fits(name, entry)) found.push_back(directory + entry);
    }
    return found;
  }

 private:
  // `*` and `?` only.
  static bool fits(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) return name.empty();
    if (pattern[0] == '*') {
      return fits(pattern.substr(1), name) || (!name.empty() && fits(pattern, name.substr(1)));
    }
    if (name.empty()) return false;
    return (pattern[0] == '?' || pattern[0] == name[0]) && fits(pattern.substr(1), name.substr(1));
  }

  simulate::Scene scene_;
  MakeOutcome& outcome_;
};

struct Line {
  std::string text;
  bool is_silent = false;
  bool ignores_errors = false;
};

// A target whose recipe is being run.
struct Job {
  size_t node = 0;
  std::vector<Line> lines;
  size_t next = 0;
};

class Maker {
 public:
  Maker(const SourceFile& makefile, const simulate::Scene& scene,
        const commands::CardLibrary& cards, const MakeCall& call)
      : cards_(cards), call_(call), world_(scene, outcome_), random_(call.schedule) {
    options_.environment.emplace();
    for (const std::string& entry : scene.environment) {
      const size_t equals = entry.find('=');
      if (equals != std::string::npos)
        options_.environment->emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
    }
    options_.command_line = call.variables;
    options_.shell = [this](std::string_view command) { return shell(command); };
    options_.wildcard = [this](std::string_view pattern) {
      return std::optional(world_.glob(pattern));
    };
    options_.read_include = [this](const std::string& name) { return include(name); };
    database_ = make::read_makefile(makefile, options_);
  }

  MakeOutcome run() {
    if (!database_.is_accepted) {
      return stop(database_.findings.empty() ? "the Makefile stops make"
                                             : database_.findings.front().message);
    }
    std::vector<std::string> goals = call_.goals;
    if (goals.empty() && !database_.default_goal.empty()) goals = {database_.default_goal};
    if (goals.empty()) return stop("No targets.");
    add_stubs();
    const std::string set = make::recipe_shell(database_, options_).options;
    if (!set.empty()) prologue_ = set + "\n";
    make::TargetExpander expander(database_, options_);
    expander_ = &expander;
    const FileExists exists = [this](const std::string& path) {
      return world_.changed_at(path).has_value();
    };
    graph_ = make_graph(database_, builtin_rules(), expander, exists, goals);
    for (const std::string& each : graph_.dropped) {
      outcome_.errors += fmt::format("make: Circular {} dependency dropped.\n", each);
    }
    states_.assign(graph_.nodes.size(), State::kNew);
    is_new_.assign(graph_.nodes.size(), false);
    make_all();
    return finish();
  }

 private:
  enum class State : uint8_t { kNew, kRunning, kDone };

  MakeOutcome stop(const std::string& message) {
    outcome_.errors += "make: *** " + message + "\n";
    outcome_.status = 2;
    return finish();
  }
  MakeOutcome finish() {
    remove_stubs();
    outcome_.tree = world_.scene().tree;
    return std::move(outcome_);
  }

  std::optional<std::string> shell(std::string_view command) {
    outcome_.calls_shell = true;
    std::string printed;
    world_.run(std::string(command), &printed);
    return printed;
  }

  std::optional<SourceFile> include(const std::string& name) {
    simulate::Scene& scene = world_.scene();
    world::InodeId id = world::kNoInode;
    if (scene.tree.find(scene.actor, name, true, id) != 0) return std::nullopt;
    return SourceFile(name, scene.tree.bytes(id));
  }

  // A script in place of each command that no one models.
  void add_stubs() {
    std::vector<Diagnostic> ignored;
    std::set<std::string> names;
    for (const make::Recipe& recipe : make::read_recipes(database_, options_, ignored)) {
      for (const make::ShellLine& line : recipe.lines) {
        for (const make::Call& call : make::facts_of(line, cards_).calls) {
          if (make::is_known(call.words[0])) names.insert(call.words[0]);
        }
      }
    }
    outcome_.commands = names;
    // Those of the built-in rules.
    make::TargetExpander expander(database_, options_);
    for (std::string_view compiler : {"$(CC)", "$(CXX)"}) {
      const std::string value = expander.expand(compiler, {}).bytes;
      for (std::string_view word : make::words_of(value)) names.emplace(word);
    }
    simulate::Scene& scene = world_.scene();
    world::Actor root;
    root.file_mask = 0;
    (void)scene.tree.make_directory(root, kStubs, 0755);
    world::InodeId log = world::kNoInode;
    (void)scene.tree.open(root, kLog, O_WRONLY | O_CREAT, 0666, log);
    for (const std::string& name : names) {
      const bool is_modelled = utilities::find_utility(name) != nullptr ||
                               shell::builtin_named(name) != nullptr || name == "sh" ||
                               name.empty();
      if (is_modelled || world_.changed_at("./" + name)) continue;
      world::InodeId id = world::kNoInode;
      const std::string path = fmt::format("{}/{}", kStubs, name);
      if (scene.tree.open(root, path, O_WRONLY | O_CREAT, 0755, id) != 0) continue;
      (void)scene.tree.write(root, id, 0, kStubText);
      stubs_.insert(name);
    }
    for (std::string& entry : scene.environment) {
      if (entry.starts_with("PATH=")) entry.insert(5, std::string(kStubs) + ":");
    }
  }

  void remove_stubs() {
    const world::Actor root;
    world::FileTree& tree = world_.scene().tree;
    for (const std::string& name : stubs_) {
      (void)tree.unlink(root, fmt::format("{}/{}", kStubs, name));
    }
    (void)tree.unlink(root, kLog);
    (void)tree.remove_directory(root, kStubs);
  }

  // --- order
  void make_all() {
    std::vector<Job> running;
    while (outcome_.status == 0) {
      start_jobs(running);
      if (running.empty()) return;
      const size_t at = choose(running.size());
      step(running[at]);
      if (running[at].next == running[at].lines.size() || outcome_.status != 0) {
        finish_job(running[at]);
        running.erase(running.begin() + static_cast<ptrdiff_t>(at));
      }
    }
  }

  size_t choose(size_t count) {
    const size_t point = outcome_.alternatives.size();
    outcome_.alternatives.push_back(count);
    if (call_.schedule != 0) return next_random() % count;
    return point < call_.choices.size() ? call_.choices[point] : 0;
  }

  [[nodiscard]] bool is_ready(const Node& node) const {
    const auto is_done = [&](size_t each) { return states_[each] == State::kDone; };
    return std::all_of(node.needs.begin(), node.needs.end(), is_done) &&
           std::all_of(node.order_only.begin(), node.order_only.end(), is_done);
  }

  // Nodes are numbered in the order of a serial make.
  void start_jobs(std::vector<Job>& running) {
    const bool is_serial = database_.has_special(".NOTPARALLEL");
    const size_t slots = is_serial ? 1 : std::max(1u, call_.jobs);
    bool has_changed = true;
    while (has_changed && running.size() < slots && outcome_.status == 0) {
      has_changed = false;
      for (size_t i = 0; i < graph_.nodes.size() && running.size() < slots; i++) {
        if (states_[i] != State::kNew || !is_ready(graph_.nodes[i])) continue;
        has_changed = true;
        start(i, running);
        if (outcome_.status != 0) return;
      }
    }
  }

  void start(size_t number, std::vector<Job>& running) {
    const Node& node = graph_.nodes[number];
    std::vector<std::string> newer;
    if (!is_out_of_date(node, newer)) {
      states_[number] = State::kDone;
      return;
    }
    is_new_[number] = true;
    if (node.rule == nullptr || node.rule->recipe.empty()) {
      states_[number] = State::kDone;
      if (!node.is_target && !world_.changed_at(node.name)) {
        outcome_.errors +=
            fmt::format("make: *** No rule to make target '{}'.  Stop.\n", node.name);
        outcome_.status = 2;
      }
      return;
    }
    states_[number] = State::kRunning;
    outcome_.ran.push_back(node.name);
    if (outcome_.ran.size() > call_.max_recipes) outcome_.status = 2;
    Job job{number, {}, 0};
    if (node.double_rules.empty()) job.lines = lines_of(node, *node.rule, newer);
    for (const make::Rule* rule : node.double_rules) {
      if (!is_wanted(node, *rule)) continue;
      for (Line& line : lines_of(node, *rule, newer)) job.lines.push_back(std::move(line));
    }
    running.push_back(std::move(job));
  }

  // `newer` gets the prerequisites that `$?` lists.
  bool is_out_of_date(const Node& node, std::vector<std::string>& newer) {
    const auto changed = world_.changed_at(node.name);
    const bool has_free_rule =
        std::any_of(node.double_rules.begin(), node.double_rules.end(),
                    [](const make::Rule* rule) { return rule->prerequisites.empty(); });
    bool is_old = node.is_phony || !changed || has_free_rule;
    for (size_t need : node.needs) {
      const Node& other = graph_.nodes[need];
      const auto time = world_.changed_at(other.name);
      const bool is_newer =
          !changed || (is_new_[need] && (!time || other.is_phony)) || (time && *time > *changed);
      if (is_newer) newer.push_back(other.name);
      is_old |= is_newer;
    }
    return is_old;
  }

  // A double-colon rule looks at its own prerequisites only; without any it always runs.
  bool is_wanted(const Node& node, const make::Rule& rule) {
    const auto changed = world_.changed_at(node.name);
    return !changed || node.is_phony || rule.prerequisites.empty() ||
           std::any_of(rule.prerequisites.begin(), rule.prerequisites.end(),
                       [&](const std::string& need) {
                         const auto time = world_.changed_at(need);
                         return !time || *time > *changed;
                       });
  }

  std::vector<Line> lines_of(const Node& node, const make::Rule& rule,
                             const std::vector<std::string>& newer) {
    make::VariableMap scope = expander_->scope_of(rule, node.name, node.stem);
    set_lists(node, newer, scope);
    std::vector<Line> lines;
    for (const make::RecipeLine& each : rule.recipe) {
      std::string text = expander_->expand(without_prefixes(each.text), scope).bytes;
      std::string_view rest = make::skip_space(text);
      Line line;
      while (!rest.empty() && std::string_view("@-+ \t").find(rest[0]) != std::string_view::npos) {
        line.is_silent |= rest[0] == '@';
        line.ignores_errors |= rest[0] == '-';
        rest.remove_prefix(1);
      }
      line.text = rest;
      if (!line.text.empty()) lines.push_back(std::move(line));
    }
    if (!database_.has_special(".ONESHELL") || lines.empty()) return lines;
    Line all = lines.front();
    for (size_t i = 1; i < lines.size(); i++) all.text += "\n" + lines[i].text;
    return {all};
  }

  // The prefix of continued lines is not part of them.
  [[nodiscard]] std::string without_prefixes(std::string_view text) const {
    std::string out;
    for (size_t i = 0; i < text.size(); i++) {
      const bool is_prefix = i > 1 && text[i - 1] == '\n' && text[i] == database_.recipe_prefix;
      if (!is_prefix) out += text[i];
    }
    return out;
  }

  // What is known now: the names of all prerequisites, and which are newer.
  void set_lists(const Node& node, const std::vector<std::string>& newer,
                 make::VariableMap& scope) {
    std::vector<std::string> names;
    for (size_t need : node.needs) names.push_back(graph_.nodes[need].name);
    const auto set = [&](const char* name, std::string value) {
      scope[name] = {
          .value = std::move(value), .is_recursive = false, .origin = make::Origin::kAutomatic};
    };
    set("<", names.empty() ? "" : names.front());
    set("^", make::join_words(names));
    set("+", make::join_words(names));
    set("?", make::join_words(newer));
    set("*", node.stem);
  }

  void step(Job& job) {
    if (job.next == job.lines.size()) return;
    const Line& line = job.lines[job.next++];
    if (!line.is_silent) outcome_.output += line.text + "\n";
    outcome_.lines.push_back(graph_.nodes[job.node].name);
    note_uninterpreted(line.text);
    const int status = world_.run(prologue_ + line.text);
    note_unknown(graph_.nodes[job.node].name);
    if (status == 0 || line.ignores_errors) return;
    const Node& node = graph_.nodes[job.node];
    outcome_.errors += fmt::format("make: *** [{}] Error {}\n", node.name, status);
    outcome_.status = 2;
    if (database_.has_special(".DELETE_ON_ERROR") && !node.is_phony) world_.remove(node.name);
  }

  void note_unknown(const std::string& target) {
    const std::string calls = world_.drain(kLog);
    for (std::string_view name : make::words_of(calls)) {
      auto& known = outcome_.unknown[target];
      if (std::find(known.begin(), known.end(), name) == known.end()) known.emplace_back(name);
    }
  }

  void note_uninterpreted(std::string_view text) {
    auto& known = outcome_.uninterpreted;
    for (std::string_view word : make::words_of(text)) {
      const std::string name(make::file_part(word));
      const bool is_new = std::find(known.begin(), known.end(), name) == known.end();
      if (is_new && stubs_.contains(name)) known.push_back(name);
    }
  }

  void finish_job(const Job& job) { states_[job.node] = State::kDone; }

  // A small linear congruential generator: the same schedule gives the same order everywhere.
  uint64_t next_random() {
    random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return random_ >> 33;
  }

  const commands::CardLibrary& cards_;
  const MakeCall& call_;
  MakeOutcome outcome_;
  World world_;
  make::ReadOptions options_;
  make::Database database_;
  make::TargetExpander* expander_ = nullptr;
  Graph graph_;
  std::vector<State> states_;
  std::vector<bool> is_new_;  // made in this run
  std::set<std::string> stubs_;
  std::string prologue_;  // what .SHELLFLAGS sets
  uint64_t random_;
};

}  // namespace

MakeOutcome run_make(const SourceFile& makefile, const simulate::Scene& scene,
                     const commands::CardLibrary& cards, const MakeCall& call) {
  return Maker(makefile, scene, cards, call).run();
}

}  // namespace nacre::remake
