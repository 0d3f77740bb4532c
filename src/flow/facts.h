// What a check has learnt of a script, place by place, kept after the run: the values of
// expansions, the lines that commands read and print, the state before each command, who uses its
// status, where variables are set and read. The interface of this module for everything that is not
// a finding: types for people, lint, purify, verify, the editor.
//
// A place that is passed several times (in a loop, by several calls) has one fact, which holds of
// all passes: values, streams and states are joined. A command that has no fact is never reached,
// as far as the checker can tell. Code that is not the script's own text (sourced files, texts that
// `eval` puts together) has no facts.
//
// The tree must outlive the facts. Languages of facts belong to one Context, which the facts keep
// alive; like all of them it is for one thread.
//
//   CheckOptions options;
//   options.wants_facts = true;
//   const CheckResult result = check(tree, cards, options);
//   for (const ExpansionFact& each : result.facts->expansions()) {
//     if (each.is_split() && may_be_empty(result.facts->value(each.value))) ...
//   }
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/stream.h"
#include "flow/environment.h"
#include "flow/value.h"
#include "shell/ast.h"

namespace nacre::flow {

// Where in the script's words an expansion is, which decides what the shell makes of its result.
enum class ExpansionContext : uint8_t {
  kArgument,      // of a command, of `for` and of arrays: split and matched, unless quoted
  kAssignment,    // x=$y: one string
  kSubject,       // case $x
  kPattern,       // of case, [[ ]] and ${x#$y}: its wildcards count, unless quoted
  kOperand,       // of [[ ]]: one string
  kRedirection,   // > $x
  kHereDocument,  // and here-strings
  kArithmetic,    // and subscripts: it is evaluated
};

// `$x`, `$(...)`, `$((...))`.
struct ExpansionFact {
  Span span;
  const shell::Part* part = nullptr;
  ExpansionContext context = ExpansionContext::kArgument;
  bool is_quoted = false;                     // in double quotes
  const shell::Function* function = nullptr;  // that it is in; null: the script itself
  Lang strings;                               // what it gives; the empty string if it is unset
  ValueId value;                              // the same, with where it comes from

  // The result is cut into words, and those are matched against files.
  [[nodiscard]] bool is_split() const {
    return context == ExpansionContext::kArgument && !is_quoted;
  }
};

// What becomes of the status of a command, in some pass.
struct StatusUse {
  bool is_tested = false;   // it decides a condition, or how a list goes on
  bool is_fatal = false;    // set -e ends the script if it fails
  bool is_read = false;     // by $?
  bool is_result = false;   // it is that of the function, subshell or script that it ends
  bool is_dropped = false;  // the next command replaces it

  // A failure goes unnoticed.
  [[nodiscard]] bool is_ignored() const {
    return !is_tested && !is_fatal && !is_read && !is_result;
  }
};

struct CommandFact {
  Span span;
  const shell::Command* node = nullptr;
  std::string name;                           // of a simple command; empty for others
  const shell::Function* function = nullptr;  // that it is in
  commands::Stream input, output;
  bool reads_input = true;
  std::optional<Lang> passes = {};   // it prints lines as it reads them: which
  std::optional<Lang> demands = {};  // what it can work with
  Environment before = {};           // the state in which it runs
  bool can_succeed = false, can_fail = false;
  StatusUse use = {};
};

enum class NameUse : uint8_t { kAssigned, kRead, kUnset };

// A place where a variable is set or read.
struct NameFact {
  Span span;  // of the name, or of the expansion
  Name name;
  NameUse use = NameUse::kRead;
  const shell::Function* function = nullptr;  // that it is in
  bool is_local = false;                      // to that function
  Lang strings;                               // the value that it gets or has
};

class Facts {
 public:
  // In the order of the text; an outer command comes before those within it.
  [[nodiscard]] std::span<const CommandFact> commands() const { return commands_; }
  [[nodiscard]] std::span<const ExpansionFact> expansions() const { return expansions_; }
  [[nodiscard]] std::span<const NameFact> names() const { return names_used_; }

  // Null if it is never reached.
  [[nodiscard]] const CommandFact* command(const shell::Command& node) const;
  [[nodiscard]] const ExpansionFact* expansion(const shell::Part& part) const;

  [[nodiscard]] const Value& value(ValueId id) const { return values_[id]; }
  // What a variable holds in a state of these facts.
  [[nodiscard]] const Value& variable(std::string_view name, const Environment& environment) const;
  [[nodiscard]] std::string_view text(Name name) const { return names_.text(name); }
  [[nodiscard]] regular::Context& languages() const { return *languages_; }

  // As people read it. Texts are made when they are asked for, and kept.
  [[nodiscard]] const std::string& describe(Lang lang) const;
  [[nodiscard]] std::string describe(const commands::Stream& stream) const;
  // What a command that passes lines on does to any input: "A -> A & .*x.*"; else empty.
  [[nodiscard]] std::string polymorphic(const CommandFact& fact) const;

 private:
  friend class Recorder;
  Facts(std::shared_ptr<regular::Context> languages, Values values, Names names);

  std::shared_ptr<regular::Context> languages_;  // first: everything else refers to it
  Values values_;
  Names names_;
  std::vector<CommandFact> commands_;
  std::vector<ExpansionFact> expansions_;
  std::vector<NameFact> names_used_;
  struct Printer;
  std::shared_ptr<Printer> printer_;
};

// The type of a command or of a variable at one place, for people. It does not need the tree.
class TypeAt {
 public:
  Span span;
  bool is_variable = false;
  bool is_read = false;  // of a variable: it is not set here
  std::string name;      // of the command or the variable; empty for what is no simple command

  // Of a command: what it can work with; "" if it reads nothing.
  [[nodiscard]] std::string input() const;
  // Of a command: what it prints; of a variable: what it holds.
  [[nodiscard]] std::string output() const;
  [[nodiscard]] std::string polymorphic() const;

 private:
  friend std::vector<TypeAt> types_of(const std::shared_ptr<const Facts>& facts);
  std::shared_ptr<const Facts> facts_;
  const CommandFact* command_ = nullptr;
  std::optional<Lang> held_;
};

// In the order of the text. Nothing is printed before it is asked for.
std::vector<TypeAt> types_of(const std::shared_ptr<const Facts>& facts);

}  // namespace nacre::flow
