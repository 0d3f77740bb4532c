// Code that does not stand in the script as code: what `eval` and `trap` are given, and files that
// are sourced.
//
// A constant text that the script holds is interpreted in its place. The places of other code (a
// sourced file, a text put together by the script) are all that of the command which runs it, and
// nothing is reported there: a file is checked when it is given it
#include "flow/other_code.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/expect_heap.h"
#include "base/path.h"
#include "flow/assigned.h"
#include "flow/expansion.h"
#include "flow/function_calls.h"
#include "flow/interpreter.h"
#include "flow/own_path.h"
#include "flow/run.h"
#include "flow/tested.h"
#include "flow/variables.h"

namespace nacre::flow {

namespace {

Ran run_tree(Run& run, const shell::Tree& tree, Environment& environment, const Io& io) {
  return interpret(run, tree.program(), environment, io);
}

constexpr size_t kHeapPerByte = 2;  // of a text, for the tree without bodies

const shell::SimpleCommand* simple_of(const Command* command) {
  if (!command) return nullptr;
  const auto* pipeline = std::get_if<shell::Pipeline>(&command->node);
  if (pipeline && pipeline->items.size() == 1) return simple_of(pipeline->items[0].command);
  return std::get_if<shell::SimpleCommand>(&command->node);
}

// Parses a text and gives it a share of the budget; null if it is not valid.
const shell::Tree* parse_program(Run& run, const SourceFile& text, Span place, bool defers_bodies) {
  expect_heap(kHeapPerByte * text.bytes().size());
  shell::ParseOptions options{.dialect = run.tree.dialect(), .defers_bodies = defers_bodies};
  const auto bodies = defers_bodies && run.options.bodies != nullptr
                          ? run.options.bodies->index_of(text, options.dialect)
                          : nullptr;
  options.bodies = bodies.get();
  auto result = shell::parse_elsewhere(run.tree.file(), place, text.bytes(), options);
  if (!result.is_valid()) return nullptr;
  const auto& kept = run.programs.texts.emplace_back(Programs::Text{text, std::move(result.tree)});
  run.limits.add_commands(kept.tree.commands_read());
  return &kept.tree;
}

const shell::Tree* keep_program(Run& run, const SourceFile& text, Span place) {
  if (run.programs.count >= run.options.max_sourced) {
    run.limits.note_exhausted(place, "a sourced file or an evaluated text");
    return nullptr;
  }
  run.programs.count++;
  return parse_program(run, text, place, true);
}

// Code that is not known runs in this very shell. That it sets the arguments is not assumed.
Ran run_unknown(Run& run, Call& call) {
  forget_variables(run, call.environment, call.node.span);
  call.environment.files = {};
  call.environment.status = uncertain(call.node.span);
  return run.opaque();
}

Ran run_text(Run& run, const std::string& text, Call& call) {
  const shell::Tree* tree = keep_program(run, {"", text}, call.node.span);
  if (!tree) {
    call.environment.has_evaluated = true;
    return run_unknown(run, call);
  }
  return run_elsewhere(run, [&] { return run_tree(run, *tree, call.environment, call.io); });
}

const shell::Tree* sourced_program(Run& run, const std::string& path, Span place) {
  const auto [known, is_new] = run.programs.sourced.try_emplace(path, nullptr);
  if (is_new) {
    const auto text = read_source(*run.options.files, joined_path(run.options.directory, path),
                                  path, run.options.max_bytes);
    if (text) known->second = keep_program(run, *text, place);
  }
  return known->second;
}

Ran run_sourced(Run& run, const std::string& path, Call& call) {
  const shell::Tree& tree = *run.programs.sourced.at(path);
  const auto is_running =
      std::count(run.programs.paths.begin(), run.programs.paths.end(), path) > 0;
  if (is_running || !run.limits.spend(call.environment)) return run_unknown(run, call);
  run.programs.paths.push_back(path);
  run.frames.emplace_back();
  Ran ran = run_elsewhere(run, [&] { return run_tree(run, tree, call.environment, call.io); });
  ran.ends.reset();
  call.environment = join(run.values, call.environment, merged(run, run.frames.back().ends));
  run.frames.pop_back();
  run.programs.paths.pop_back();
  return ran;
}

bool is_named(const shell::SimpleCommand* simple, std::string_view name) {
  return simple && !simple->words.empty() && simple->words[0].is_literal() &&
         simple->words[0].literal() == name;
}

// Such code may run at any time: each variable that it sets may have that value wherever it has
// another one.
void interrupt_with(Run& run, const shell::Tree& trap, Environment& environment) {
  std::vector<Name> names;
  std::set<const shell::Function*> called;
  for (const Assigned& each : assigned_in(trap.program())) names.push_back(run.names[each.name]);
  for (const shell::Item& item : trap.program().items) {
    const auto* simple = simple_of(item.command);
    const bool is_named = simple && !simple->words.empty() && simple->words[0].is_literal();
    if (const auto* function =
            is_named ? run.function_named(simple->words[0].literal(), environment) : nullptr)
      called.insert(function);
  }
  for (const shell::Function* each : reached_from(run, std::move(called))) {
    const auto& assigned = effects_of(run, *each).assigned;
    names.insert(names.end(), assigned.begin(), assigned.end());
  }
  for (const Name name : names) {
    run.trapped.insert(name);
    run.put(name, run.values.join(run.lookup(name, environment), run.set_elsewhere), environment);
  }
}

std::optional<std::string> own_path_of(Run& run, const shell::Word& word,
                                       const Environment& environment) {
  return value_again(run, word, environment).own_path;
}

}  // namespace

const shell::Tree* embedded_in(Run& run, const Command& node, shell::EmbeddedKind kind) {
  const auto known = run.programs.embedded.find(&node);
  const bool is_known = known != run.programs.embedded.end() && known->second.kind == kind;
  return is_known ? &known->second.program.tree : nullptr;
}

// Libraries have many functions and scripts call few of them.
const Command* body_of(Run& run, const shell::Function& function) {
  if (function.body) return function.body;
  const auto [known, is_new] = run.programs.bodies.try_emplace(&function, nullptr);
  if (is_new) {
    const SourceFile text("", std::string(function.unread));
    if (const shell::Tree* tree = parse_program(run, text, function.name->span, false))
      known->second = tree->program().items[0].command;
  }
  return known->second;
}

Ran run_elsewhere(Run& run, const std::function<Ran()>& body) {
  const Findings::Muted muted(run.findings);
  const Scoped elsewhere(run.where.elsewhere, run.where.elsewhere + 1);
  return body();
}

Ran run_eval(Run& run, Call& call) {
  if (const shell::Tree* tree = embedded_in(run, call.node, shell::EmbeddedKind::kEval))
    return run_tree(run, *tree, call.environment, call.io);
  std::string text;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    if (!field.argument.text) {
      if (call.fields[1].argument.prefix.starts_with("set")) call.environment.positional = {};
      call.environment.has_evaluated = true;
      return run_unknown(run, call);
    }
    (text += *field.argument.text) += ' ';
  }
  return run_text(run, text, call);
}

// A file below the script's directory is followed; of others, anything may come.
Ran run_source(Run& run, Call& call) {
  if (call.fields.size() > 1 && run.options.files) {
    const shell::Word* word = call.fields[1].word;
    auto path = word ? own_path_of(run, *word, call.environment) : std::nullopt;
    if (!path) path = call.fields[1].argument.text;
    const bool is_near = path && !path->starts_with('/');
    if (is_near && sourced_program(run, *path, call.node.span))
      return run_sourced(run, *path, call);
  }
  return run_unknown(run, call);
}

Ran run_trap(Run& run, Call& call) {
  call.environment.status = succeeded(call.node.span);
  const shell::Tree* tree = embedded_in(run, call.node, shell::EmbeddedKind::kTrap);
  const auto is_end = [](const Field& field) {
    return field.argument.text == "EXIT" || field.argument.text == "0";
  };
  // `trap cleanup EXIT INT`: what also runs at the end is meant to end the script.
  if (tree && std::none_of(call.fields.begin() + 2, call.fields.end(), is_end))
    interrupt_with(run, *tree, call.environment);
  Frame& frame = run.process_frame();
  if (tree && (frame.is_subshell || !run.findings.is_muted())) {
    auto& traps = frame.traps;
    if (std::find(traps.begin(), traps.end(), tree) == traps.end()) traps.push_back(tree);
    frame.untrapped = join(run.values, frame.untrapped, merged(run, frame.ends));
    frame.ends = {unreachable(), unreachable()};
  }
  return call.fields.size() == 1 ? run.opaque() : run.none();
}

// Traps run when the shell ends, whichever way; its status is that with which they `exit`. The
// result is what they print.
Stream run_traps(Run& run, Environment& last, const Io& io) {
  const std::vector<const shell::Tree*> traps = std::exchange(run.frames.back().traps, {});
  Stream output = run.none();
  for (const shell::Tree* trap : traps) {
    run.frames.back().ends = {unreachable(), unreachable()};
    Environment environment = last;
    environment.status = uncertain({});
    Stream printed = run_tree(run, *trap, environment, io).output;
    printed.count.lower(0);  // it may be the trap of a signal
    output = run.followed(io, output, printed);
    environment.status = last.status;
    last =
        join(run.values, join(run.values, last, environment), merged(run, run.frames.back().ends));
  }
  return output;
}

// dirname X, readlink -f X, realpath X, and `cd X && pwd`.
std::optional<std::string> own_path_printed(Run& run, const shell::Sequence& body,
                                            const Environment& environment) {
  if (body.items.size() != 1 || !body.items[0].command) return std::nullopt;
  const Command& command = *body.items[0].command;
  if (const auto* list = std::get_if<shell::AndOr>(&command.node)) {
    const auto* cd = simple_of(list->items[0].command);
    const auto* pwd = simple_of(list->items.back().command);
    const bool is_cd = list->items.size() == 2 && is_named(cd, "cd") && is_named(pwd, "pwd");
    return is_cd ? own_path_of(run, cd->words.back(), environment) : std::nullopt;
  }
  const auto* simple = simple_of(&command);
  if (!simple || simple->words.size() < 2) return std::nullopt;
  const bool is_directory = is_named(simple, "dirname");
  if (!is_directory && !is_named(simple, "readlink") && !is_named(simple, "realpath"))
    return std::nullopt;
  const auto path = own_path_of(run, simple->words.back(), environment);
  return path && is_directory ? directory_of(*path) : path;
}

}  // namespace nacre::flow
