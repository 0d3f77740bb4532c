#include "colis/testing/properties.h"

#include <algorithm>
#include <fmt/format.h>

#include "colis/card_source.h"
#include "colis/from_shell.h"
#include "colis/printer.h"
#include "colis/symbolic.h"
#include "colis/testing/random_programs.h"
#include "colis/to_shell.h"
#include "simulate/scene.h"

namespace nacre::colis {

namespace {

using world::FileKind;
using world::FileTree;

const FileTree& system_tree() {
  static const FileTree kTree = [] {
    FileTree tree;
    simulate::complete_system(tree);
    return tree;
  }();
  return kTree;
}

TreeValue random_tree(RandomPrograms& random, int depth, bool links) {
  TreeValue result;
  for (const char* name : {"a", "b", "c", "d"}) {
    TreeValue entry;
    switch (random.below(links ? 7 : 6)) {
      case 0:
      case 1: continue;
      case 2:
      case 3:
        entry.kind = FileKind::kRegular;
        entry.bytes = random.below(3) == 0 ? "" : "text";
        entry.is_executable = random.below(3) == 0;
        break;
      case 6:
        entry.kind = FileKind::kLink;
        entry.bytes = random.below(2) == 0 ? "/w/b" : "c";
        break;
      default:
        if (depth == 0) continue;
        entry = random_tree(random, depth - 1, links);
    }
    result.entries.emplace(name, std::move(entry));
  }
  return result;
}

constexpr size_t kMaxStates = 150;

// The bound on states was reached: what was not followed is not told by any state.
bool is_cut(const Outcome<SymbolicFiles>& state) {
  return !state.state.log.empty() && state.state.log.back().starts_with("[INCOMPLETE] State limit");
}

struct End {
  bool is_complete = false;
  bool result = false;
  std::string output;
  TreeValue tree;
  std::string why = {};  // it is not complete
};

End run_once(const Program& program, FileTree tree, uint64_t loop_limit = UINT64_MAX) {
  ConcreteOptions options;
  options.loop_limit = loop_limit;
  ConcreteState state;
  state.files = std::move(tree);
  state.context = initial_context({"u v", "w"}, {});
  ConcreteRun run = run_concrete(program, "program", std::move(state), options);
  if (!run.outcome || run.outcome->behaviour == Behaviour::kFailure) {
    const bool has_log = run.outcome && !run.outcome->state.log.empty();
    End end;
    end.why = run.abort ? run.abort->message : has_log ? run.outcome->state.log.back() : "";
    return end;
  }
  return {true, run.outcome->state.context.result, run.outcome->state.stdout_text,
          read_tree(run.outcome->state.files, "/")};
}

SymbolicRun run_all(const Program& program, bool links) {
  SymbolicOptions options;
  options.considers_links = links;
  options.loop_limit = options.stack_size = 50;
  options.unknown = UnknownBehaviour::kIncomplete;
  options.bounds.max_states = kMaxStates;
  return run_symbolic(program, "program", initial_state(options, initial_context({"u v", "w"}, {})),
                      options);
}

std::string below_w(const TreeValue& tree) {
  auto w = tree.entries.find("w");
  return w == tree.entries.end() ? "no /w" : fmt::format("{}", fmt::join(lines_of(w->second), " "));
}

std::string difference(const Outcome<SymbolicFiles>& state, const TreeValue& after,
                       const End& end) {
  if (state.state.context.result != end.result) return "another result";
  if (state.state.stdout_text != end.output) return "another output";
  if (after == end.tree) return "";
  return fmt::format("another tree: {} instead of {}", below_w(after), below_w(end.tree));
}

FileTree with_tree(const TreeValue& value) {
  FileTree tree = system_tree();
  write_tree(tree, "/", value);
  return tree;
}

// The directories of the path and the file.
TreeValue with_file(const std::string& path, const std::string& text) {
  const size_t slash = path.find('/');
  TreeValue child;
  if (slash == std::string::npos) {
    child.kind = FileKind::kRegular;
    child.bytes = text;
  } else {
    child = with_file(path.substr(slash + 1), text);
  }
  TreeValue result;
  result.entries.emplace(path.substr(0, slash), std::move(child));
  return result;
}

void report(PropertyResult& result, const Program& program, const std::string& what,
            const TreeValue& tree) {
  constexpr size_t kShown = 5;
  if (result.violations.size() < kShown) {
    result.violations.push_back(
        fmt::format("{}\nfirst tree below /w: {}\n{}", what, below_w(tree), print(program)));
  } else {
    result.violations.emplace_back("(not shown)");
  }
}

// An `exit previous`, and an `embed` in an argument: the shell's $? is the status of the latter.
struct Seen {
  bool previous = false, embedded = false;
};
void look_at(const Instruction& i, Seen& seen) {
  seen.previous =
      seen.previous || (i.kind == Instruction::kExit && i.code == ResultCode::kPrevious);
  for (const ListFragment& item : i.list) {
    seen.embedded = seen.embedded || !item.value.embedded.empty();
    for (const Instruction& inner : item.value.embedded) look_at(inner, seen);
  }
  for (const Instruction& inner : i.value.embedded) look_at(inner, seen);
  for (const Instruction& part : i.parts) look_at(part, seen);
}

// What docs/colis.md lists as different from the shell.
struct Around {
  bool negation = false;  // a `not`
  bool process = false;   // a process of its own: an exit is not that of the program
  bool caller = false;    // a function or the last member of a pipe: the shell looks at its status
};

bool differs_from_shell(const Instruction& i, Around around);

bool differs_from_shell(const StringExpression& e) {
  return std::any_of(e.parts.begin(), e.parts.end(),
                     [](const StringExpression& part) { return differs_from_shell(part); }) ||
         std::any_of(e.embedded.begin(), e.embedded.end(), [](const Instruction& inner) {
           return differs_from_shell(inner, {false, true, false});
         });
}

// `cd a/..`: the rules take the component away, the shell looks first whether it is a directory.
bool goes_up(const StringExpression& e) {
  return e.text.find("..") != std::string::npos ||
         std::any_of(e.parts.begin(), e.parts.end(), goes_up);
}

bool differs_from_shell(const Instruction& i, Around around) {
  const bool is_odd_return = around.negation || around.process || i.code != ResultCode::kSuccess;
  if (i.kind == Instruction::kReturn && is_odd_return) return true;
  if (i.kind == Instruction::kExit && around.process) return true;
  if (i.kind == Instruction::kNot && around.caller) return true;
  if (i.kind == Instruction::kCd && goes_up(i.value)) return true;
  if (differs_from_shell(i.value)) return true;
  for (const ListFragment& item : i.list) {
    if (differs_from_shell(item.value)) return true;
  }
  const bool is_pipe = i.kind == Instruction::kPipe;
  around.negation = around.negation || i.kind == Instruction::kNot;
  around.process = around.process || is_pipe || i.kind == Instruction::kProcess;
  around.caller = around.caller || is_pipe;
  return std::any_of(i.parts.begin(), i.parts.end(),
                     [&](const Instruction& part) { return differs_from_shell(part, around); });
}

}  // namespace

PropertyResult check_over_approximation(uint32_t seed, size_t programs, bool links) {
  PropertyResult result;
  RandomPrograms random(seed);
  for (; result.programs < programs; ++result.programs) {
    const Program program = random.file_program();
    const SymbolicRun run = run_all(program, links);
    for (int i = 0; i < 3; ++i) {
      TreeValue value;
      value.entries.emplace("w", random_tree(random, 2, links));
      FileTree tree = with_tree(value);
      const TreeValue before = read_tree(tree, "/");
      const End end = run_once(program, tree);
      if (!end.is_complete) continue;
      bool is_covered = false, is_complete = false;
      std::string wrong;
      for (const Outcome<SymbolicFiles>& state : run.outcomes) {
        auto reached = after(state.state.files, before);
        is_covered = is_covered || reached || is_cut(state);
        if (!reached) continue;
        if (state.behaviour == Behaviour::kFailure) continue;
        is_complete = true;
        if (std::string what = difference(state, *reached, end); !what.empty()) wrong = what;
      }
      ++result.checks;
      if (!is_complete) ++result.incomplete;
      if (!is_covered)
        report(result, program, "no state allows this tree", before);
      else if (!wrong.empty())
        report(result, program, wrong, before);
    }
  }
  return result;
}

PropertyResult check_under_approximation(uint32_t seed, size_t programs) {
  PropertyResult result;
  RandomPrograms random(seed);
  constexpr size_t kStates = 12;
  for (; result.programs < programs; ++result.programs) {
    const Program program = random.file_program();
    size_t looked_at = 0;
    for (const Outcome<SymbolicFiles>& state : run_all(program, false).outcomes) {
      if (state.behaviour == Behaviour::kFailure || ++looked_at > kStates) continue;
      FileTree tree = with_tree(model_of(state.state.files));
      const TreeValue before = read_tree(tree, "/");
      auto reached = after(state.state.files, before);
      ++result.checks;
      if (!reached) {
        report(result, program, "the model does not satisfy its own clause", before);
        continue;
      }
      const End end = run_once(program, tree);
      std::string wrong =
          end.is_complete ? difference(state, *reached, end) : "the run does not end: " + end.why;
      if (!wrong.empty()) report(result, program, wrong, before);
    }
  }
  return result;
}

PropertyResult check_shell_agreement(uint32_t seed, size_t programs) {
  PropertyResult result;
  RandomPrograms random(seed);
  while (result.programs < programs) {
    const Program program = random.below(2) == 0 ? random.string_program() : random.file_program();
    bool differs = differs_from_shell(program.body, {});
    Seen seen;
    look_at(program.body, seen);
    for (const FunctionDefinition& function : program.functions) {
      differs = differs || differs_from_shell(function.body, {false, false, true});
      look_at(function.body, seen);
    }
    if (differs || (seen.previous && seen.embedded)) continue;
    ++result.programs;
    TreeValue value;
    value.entries.emplace("w", random_tree(random, 2, false));
    FileTree tree = with_tree(value);
    const End end = run_once(program, tree);
    simulate::Scene scene;
    scene.tree = tree;
    scene.environment = {"PATH=/usr/bin"};
    scene.script_name = "program";
    scene.script = to_shell(program);
    scene.arguments = {"program", "u v", "w"};
    simulate::Outcome outcome = simulate::play(scene);
    if (!end.is_complete || !outcome.has_ended) continue;
    ++result.checks;
    const bool is_alike = (outcome.status == 0) == end.result && outcome.output == end.output &&
                          read_tree(outcome.tree, "/") == end.tree;
    if (!is_alike) {
      report(result, program,
             fmt::format("shell: status {}, output '{}'; CoLiS: {}, '{}'\n{}", outcome.status,
                         outcome.output, end.result, end.output, scene.script),
             value);
    }
  }
  return result;
}

PropertyResult check_bounds(uint32_t seed, size_t programs) {
  PropertyResult result;
  RandomPrograms random(seed);
  for (; result.programs < programs; ++result.programs) {
    const Program program = random.string_program();
    const FileTree& tree = system_tree();
    const End whole = run_once(program, tree);
    bool was_complete = false;
    for (uint64_t limit = 0; limit <= 5; ++limit) {
      const End bounded = run_once(program, tree, limit);
      ++result.checks;
      const bool is_right = !bounded.is_complete
                                ? !was_complete
                                : bounded.result == whole.result && bounded.output == whole.output;
      if (!is_right) report(result, program, fmt::format("loop limit {}", limit), {});
      was_complete = bounded.is_complete;
    }
    // Three rounds at most: a limit of five is enough.
    if (!was_complete) report(result, program, "a limit that is large enough stops the run", {});
  }
  return result;
}

std::optional<std::string> check_translation(const std::string& script,
                                             const std::vector<std::string>& arguments) {
  // What `.` reads is on a card: the shell needs it as a file.
  FileTree tree = system_tree();
  TranslationOptions options;
  options.arguments = arguments;
  options.sources = [&](const std::string& path) {
    std::optional<std::string> text = card_source(path);
    if (text) write_tree(tree, "/", with_file(path.substr(1), *text));
    return text;
  };
  const shell::ParseResult parsed = shell::parse_file(SourceFile("t", script), shell::Dialect::kSh);
  if (!parsed.is_valid()) return std::nullopt;
  auto program = from_shell(parsed.tree, options);
  if (!program) return std::nullopt;
  ConcreteState state;
  state.files = tree;
  state.context = initial_context(arguments, {"PATH=/usr/bin"});
  ConcreteRun run = run_concrete(*program, "t", std::move(state), {});
  if (!run.outcome || run.outcome->behaviour == Behaviour::kFailure) return std::nullopt;
  simulate::Scene scene;
  scene.tree = tree;
  scene.environment = {"PATH=/usr/bin"};
  scene.script_name = "t";
  scene.script = script;
  scene.options = {"-e"};
  scene.arguments = {"t"};
  scene.arguments.insert(scene.arguments.end(), arguments.begin(), arguments.end());
  simulate::Outcome outcome = simulate::play(scene);
  if (!outcome.has_ended || !outcome.not_modelled.empty()) return std::nullopt;
  ConcreteState& end = run.outcome->state;
  if ((outcome.status == 0) != end.context.result)
    return fmt::format("status {} in the shell: {}", outcome.status, outcome.errors);
  if (outcome.output != end.stdout_text)
    return fmt::format("output '{}' in the shell, '{}' in CoLiS", outcome.output, end.stdout_text);
  return read_tree(outcome.tree, "/") == read_tree(end.files, "/") ? "" : "another tree";
}

std::string check_fact(const std::vector<std::string>& words, const TreeValue& before, bool is_true,
                       const TreeValue& after_it) {
  SymbolicOptions options;
  options.unknown = UnknownBehaviour::kIncomplete;
  SymbolicState state = initial_state(options, {});
  state.context.cwd = "/t";
  Clause& clause = state.files.clause;
  (void)clause.feature(state.files.root, "t", clause.fresh(kDirectory));
  const UtilityCall call{words[0], {words.begin() + 1, words.end()}};
  const UtilityAnswer<SymbolicFiles> answer = symbolic_utilities(options)(call, std::move(state));
  TreeValue whole, wanted;
  const FileTree& base = system_tree();
  FileTree tree = base;
  whole = read_tree(tree, "/");
  wanted = whole;
  whole.entries["t"] = before;
  wanted.entries["t"] = after_it;
  size_t matching = 0;
  std::string wrong;
  for (const UtilityCase<SymbolicFiles>& one : answer.cases) {
    auto reached = after(one.state.files, whole);
    if (!reached) continue;
    ++matching;
    if (one.result == UtilityResult::kIncomplete)
      wrong = "incomplete: " + one.state.log.back();
    else if ((one.result == UtilityResult::kTrue) != is_true)
      wrong = "another status";
    else if (*reached != wanted)
      wrong = fmt::format("another tree: {}", fmt::join(lines_of(reached->entries["t"]), " "));
  }
  if (matching != 1) return fmt::format("{} cases", matching);
  return wrong;
}

}  // namespace nacre::colis
