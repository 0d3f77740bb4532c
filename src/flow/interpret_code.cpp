// Code that does not stand in the script as code: what `eval` and `trap` are given, and files that
// are sourced.
//
// A constant text that the script holds is interpreted in its place. The places of other code (a
// sourced file, a text put together by the script) are all that of the command which runs it, and
// nothing is reported there: a file is checked when it is given itself.
#include <algorithm>

#include "base/expect_heap.h"
#include "base/path.h"
#include "flow/assigned.h"
#include "flow/interpreter.h"
#include "flow/own_path.h"

namespace nacre::flow {

namespace {

constexpr size_t kHeapPerByte = 2;  // of a text, for the tree without bodies

const shell::SimpleCommand* simple_of(const Command* command) {
  if (!command) return nullptr;
  const auto* pipeline = std::get_if<shell::Pipeline>(&command->node);
  if (pipeline && pipeline->items.size() == 1) return simple_of(pipeline->items[0].command);
  return std::get_if<shell::SimpleCommand>(&command->node);
}

bool is_named(const shell::SimpleCommand* simple, std::string_view name) {
  return simple && !simple->words.empty() && simple->words[0].is_literal() &&
         simple->words[0].literal() == name;
}

}  // namespace

Ran Interpreter::run_tree(const shell::Tree& tree, Environment& environment, const Io& io) {
  return sequence(tree.program(), environment, io);
}

const shell::Tree* Interpreter::embedded_in(const Command& node, shell::EmbeddedKind kind) const {
  const auto known = embedded_.find(&node);
  const bool is_known = known != embedded_.end() && known->second.kind == kind;
  return is_known ? &known->second.program.tree : nullptr;
}

// Parses a text and gives it a share of the budget; null if it is not valid.
const shell::Tree* Interpreter::parsed(const SourceFile& text, Span place, bool defers_bodies) {
  expect_heap(kHeapPerByte * text.bytes().size());
  auto result =
      shell::parse_elsewhere(tree_.file(), place, text.bytes(),
                             {.dialect = tree_.dialect(), .defers_bodies = defers_bodies});
  if (!result.is_valid()) return nullptr;
  const Text& kept = texts_.emplace_back(Text{text, std::move(result.tree)});
  const uint64_t commands = kept.tree.commands_read();
  steps_left_ += commands * options_.rounds;
  limit_questions(commands);
  return &kept.tree;
}

const shell::Tree* Interpreter::keep(const SourceFile& text, Span place) {
  if (programs_ >= options_.most_sourced) {
    is_exhausted_ = true;
    return nullptr;
  }
  programs_++;
  return parsed(text, place, true);
}

// Libraries have many functions and scripts call few of them.
const Command* Interpreter::body_of(const shell::Function& function) {
  if (function.body) return function.body;
  const auto [known, is_new] = bodies_.try_emplace(&function, nullptr);
  if (is_new) {
    const SourceFile text("", std::string(function.unread));
    if (const shell::Tree* tree = parsed(text, function.name->span, false))
      known->second = tree->program().items[0].command;
  }
  return known->second;
}

Ran Interpreter::run_text(const std::string& text, Call& call) {
  const shell::Tree* tree = keep({"", text}, call.node.span);
  if (!tree) {
    call.environment.has_evaluated = true;
    return run_unknown(call);
  }
  return run_elsewhere([&] { return run_tree(*tree, call.environment, call.io); });
}

// Code that is not known runs in this very shell. That it sets the arguments is not assumed.
Ran Interpreter::run_unknown(Call& call) {
  forget_variables(call.environment, call.node.span);
  call.environment.files = {};
  call.environment.status = uncertain(call.node.span);
  return opaque();
}

Ran Interpreter::run_elsewhere(const std::function<Ran()>& run) {
  const Findings::Muted muted(findings_);
  const Scoped elsewhere(where_.elsewhere, where_.elsewhere + 1);
  return run();
}

Ran Interpreter::run_eval(Call& call) {
  if (const shell::Tree* tree = embedded_in(call.node, shell::EmbeddedKind::kEval))
    return run_tree(*tree, call.environment, call.io);
  std::string text;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    if (!field.argument.text) {
      if (call.fields[1].argument.prefix.starts_with("set")) call.environment.positional = {};
      call.environment.has_evaluated = true;
      return run_unknown(call);
    }
    (text += *field.argument.text) += ' ';
  }
  return run_text(text, call);
}

const shell::Tree* Interpreter::sourced(const std::string& path, Span place) {
  const auto [known, is_new] = sourced_.try_emplace(path, nullptr);
  if (is_new) {
    const auto text = read_source(*options_.files, joined_path(options_.directory, path), path,
                                  options_.max_bytes);
    if (text) known->second = keep(*text, place);
  }
  return known->second;
}

// A file below the script's directory is followed; of others, anything may come.
Ran Interpreter::run_source(Call& call) {
  if (call.fields.size() > 1 && options_.files) {
    const shell::Word* word = call.fields[1].word;
    auto path = word ? own_path_of(*word, call.environment) : std::nullopt;
    if (!path) path = call.fields[1].argument.text;
    const bool is_near = path && !path->starts_with('/');
    if (is_near && sourced(*path, call.node.span)) return run_sourced(*path, call);
  }
  return run_unknown(call);
}

Ran Interpreter::run_sourced(const std::string& path, Call& call) {
  const shell::Tree& tree = *sourced_.at(path);
  const auto is_running = std::count(script_paths_.begin(), script_paths_.end(), path) > 0;
  if (is_running || !spend(call.environment)) return run_unknown(call);
  script_paths_.push_back(path);
  frames_.emplace_back();
  Ran ran = run_elsewhere([&] { return run_tree(tree, call.environment, call.io); });
  ran.ends.reset();
  call.environment = join(values_, call.environment, merge(frames_.back().ends));
  frames_.pop_back();
  script_paths_.pop_back();
  return ran;
}

Ran Interpreter::run_trap(Call& call) {
  call.environment.status = succeeded(call.node.span);
  const shell::Tree* tree = embedded_in(call.node, shell::EmbeddedKind::kTrap);
  const auto is_end = [](const Field& field) {
    return field.argument.text == "EXIT" || field.argument.text == "0";
  };
  // `trap cleanup EXIT INT`: what also runs at the end is meant to end the script.
  if (tree && std::none_of(call.fields.begin() + 2, call.fields.end(), is_end))
    interrupt(*tree, call.environment);
  Frame& frame = process_frame();
  if (tree && (frame.is_subshell || !findings_.is_muted())) {
    auto& traps = frame.traps;
    if (std::find(traps.begin(), traps.end(), tree) == traps.end()) traps.push_back(tree);
    frame.untrapped = join(values_, frame.untrapped, merge(frame.ends));
    frame.ends = {unreachable(), unreachable()};
  }
  return call.fields.size() == 1 ? opaque() : none();
}

// Such code may run at any time: each variable that it sets may have that value wherever it has
// another one.
void Interpreter::interrupt(const shell::Tree& trap, Environment& environment) {
  std::vector<Name> names;
  std::set<const shell::Function*> called;
  for (const Assigned& each : assigned_in(trap.program())) names.push_back(names_[each.name]);
  for (const shell::Item& item : trap.program().items) {
    const auto* simple = simple_of(item.command);
    const bool is_named = simple && !simple->words.empty() && simple->words[0].is_literal();
    if (const auto* function =
            is_named ? function_named(simple->words[0].literal(), environment) : nullptr)
      called.insert(function);
  }
  for (const shell::Function* each : reached_from(std::move(called))) {
    const auto& assigned = effects_of(*each).assigned;
    names.insert(names.end(), assigned.begin(), assigned.end());
  }
  for (const Name name : names) {
    trapped_.insert(name);
    put(name, values_.join(lookup(name, environment), set_elsewhere_), environment);
  }
}

// Traps run when the shell ends, whichever way; its status is that with which they `exit`. The
// result is what they print.
Stream Interpreter::run_traps(Environment& last, const Io& io) {
  const std::vector<const shell::Tree*> traps = std::exchange(frames_.back().traps, {});
  Stream output = none();
  for (const shell::Tree* trap : traps) {
    frames_.back().ends = {unreachable(), unreachable()};
    Environment environment = last;
    environment.status = uncertain({});
    Stream printed = run_tree(*trap, environment, io).output;
    printed.count.lower(0);  // it may be the trap of a signal
    output = followed(io, output, printed);
    environment.status = last.status;
    last = join(values_, join(values_, last, environment), merge(frames_.back().ends));
  }
  return output;
}

std::optional<std::string> Interpreter::own_path_of(const shell::Word& word,
                                                    const Environment& environment) {
  return value_again(word, environment).own_path;
}

// dirname X, readlink -f X, realpath X, and `cd X && pwd`.
std::optional<std::string> Interpreter::own_path_printed(const shell::Sequence& body,
                                                         const Environment& environment) {
  if (body.items.size() != 1 || !body.items[0].command) return std::nullopt;
  const Command& command = *body.items[0].command;
  if (const auto* list = std::get_if<shell::AndOr>(&command.node)) {
    const auto* cd = simple_of(list->items[0].command);
    const auto* pwd = simple_of(list->items.back().command);
    const bool is_cd = list->items.size() == 2 && is_named(cd, "cd") && is_named(pwd, "pwd");
    return is_cd ? own_path_of(cd->words.back(), environment) : std::nullopt;
  }
  const auto* simple = simple_of(&command);
  if (!simple || simple->words.size() < 2) return std::nullopt;
  const bool is_directory = is_named(simple, "dirname");
  if (!is_directory && !is_named(simple, "readlink") && !is_named(simple, "realpath"))
    return std::nullopt;
  const auto path = own_path_of(simple->words.back(), environment);
  return path && is_directory ? directory_of(*path) : path;
}

}  // namespace nacre::flow
