// What the interpreter hands around while a command runs: what the command is connected to, its
// words, and the frames of what encloses it. Plain data, internal to this module.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "commands/stream.h"
#include "flow/environment.h"
#include "flow/field.h"
#include "flow/stage.h"
#include "flow/where.h"
#include "shell/tree.h"

namespace nacre::flow {

using commands::Stream;
using shell::Command;

// What it prints goes where the script prints to: no file has to be opened for it.
inline bool prints_at_hand(const Command& command) {
  for (const shell::Redirection& redirection : command.redirections) {
    if (redirection.op != shell::RedirectOp::kDuplicateOutput) return false;
  }
  return true;
}

// What a command is connected to.
struct Io {
  Stream input;
  bool is_piped = false;       // another stage writes into it
  bool has_own_input = false;  // a pipe or a redirection, not what everything around it reads
  bool is_typed = true;        // the input is that of the script itself
  bool is_captured = false;    // what it prints is read; if not, it need not be typed
  bool drops_errors = false;   // 2>/dev/null: the author expects that it may fail
  bool holds_setting = false;  // the input is a text of the script's own that a variable holds
  bool is_own_text = false;    // the script itself has chosen all of the input
  Span reading_loop = {};      // a `while read` that reads the same input
  Span file = {};              // that is read: `< file`
};

// A command's own connections: those it was given, changed by its redirections.
struct Connected {
  Io io;
  enum class Output : uint8_t { kPassed, kDropped, kMixed /* with errors */ } output;
  std::string file;           // what it prints goes there, if that is known
  bool takes_errors = false;  // ... and so do errors
  bool is_appended = false;
  bool is_null = false;  // what it prints goes to /dev/null
};

// What a command leaves besides the environment after it. All but the output is known only of a
// simple command, and of what does nothing but run one.
struct Ran {
  Stream output;
  std::optional<Lang> selects = {};    // it succeeds if it reads a line of these: see Behaviour
  std::optional<Lang> skeleton = {};   // of what it printed: see Value::skeleton
  std::optional<Span> file_read = {};  // an operand that may name a missing file
  std::optional<Branches> ends = {};   // of a function called as a condition: its ends, kept apart

  Ran(Stream printed) : output(std::move(printed)) {}  // NOLINT(google-explicit-constructor)
};

// A subshell that has run.
struct Subshell {
  Ran ran;
  Environment end;  // its last state, which is lost; unreachable if it did not come to an end
};

// A condition: how it can go, and what it prints.
struct Tested {
  Branches branches;
  Stream output;
};

// An assignment before a command, and what the variable was before it.
struct Hidden {
  Name name;
  ValueId before, given;
};

// A command with its words expanded, before it runs.
struct Call {
  const Command& node;
  const shell::SimpleCommand& simple;
  std::vector<Field> fields;  // the first is the command's name
  Environment& environment;
  const Io& io;
  std::vector<Stage>& stages;
  std::span<const Hidden> hidden;
  Substituted substituted;  // in its words
  uint32_t wrappers = 0;    // commands around it that run it: `env nice sort` has two
};

// What a command does to an input that it has met before.
struct BehaviourKey {
  const Command* node;
  const commands::Card* card;
  commands::Wanted wanted;
  std::vector<uint64_t> parts;
  friend bool operator<(const BehaviourKey& a, const BehaviourKey& b) {
    return std::tie(a.node, a.card, a.wanted, a.parts) <
           std::tie(b.node, b.card, b.wanted, b.parts);
  }
};

// What it tells that a command succeeded.
struct Implied {
  std::optional<Name> captured;                    // `x=$(...)`: the substitution succeeded
  bool prints_on_success = false;                  // ... and then it has printed something
  std::vector<const shell::Word*> not_empty = {};  // `mkdir "$x"` fails without a name
};

// A condition in a list of && or ||: the state before the list, and the outcome with which the
// list goes on as if the condition were not there.
struct Listed {
  const Environment* before = nullptr;
  bool idle = false;
  bool is_and_or = false;  // not the arms of an `if`
};

struct Loop {
  Environment breaks = unreachable();
  Environment continues = unreachable();
};

// The script itself, a function being called, or a subshell.
struct Frame {
  const shell::Function* function = nullptr;
  Span call;  // of the function
  bool is_subshell = false;
  Branches ends = {unreachable(), unreachable()};  // by `return`; of a subshell also by `exit`
  Environment untrapped = unreachable();           // ends before a trap was set
  std::vector<std::pair<Name, ValueId>> hidden;    // by assignments before the call
  bool may_break_off = false;                      // at an expansion of what is not set
  uint32_t ways_out = 0;                           // so far: `return`, `exit`
  std::vector<std::pair<Name, ValueId>> locals;    // what they hid
  std::vector<Loop> loops;
  std::vector<const shell::Tree*> traps;  // of the script or a subshell: run when it ends
};

// What a function may do to the variables of its caller.
struct FunctionEffects {
  std::vector<Name> assigned;
  std::vector<Name> called;
  bool runs_text = false;
};

// ... with all functions that it calls.
struct Havoc {
  size_t definitions = 0;  // how many functions were known then
  FunctionEffects effects;
};

// The strings that a pattern matches; a superset if not `is_exact`.
struct PatternLang {
  Lang lang;
  bool is_exact;
};

// What the arms above match: all of it, and what each of their patterns does.
struct SeenArms {
  Lang all;
  std::vector<std::pair<const shell::CaseArm*, Lang>> arms = {};
  bool falls = false;  // the arm above ends with `;&`: whatever the pattern, the next one is run
};

// What an operand of `[ ]` without quotes may become.
struct Cut {
  bool into_none = false;
  bool into_many = false;
};

// `name=value` as a word.
struct NamedValue {
  std::string_view name;
  bool has_value = false;
  bool is_append = false;
  bool is_element = false;  // name[i]=value
};

// What the options of `declare` ask for.
struct Attributes {
  bool is_local = false;
  bool keeps = false;  // a name without a value stays what it is
  bool is_integer = false, is_converted = false, is_array = false, is_reference = false;
  bool removes = false;  // +i

  void add(std::string_view option);
};

}  // namespace nacre::flow
