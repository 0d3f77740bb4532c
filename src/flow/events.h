// What happens while a script is interpreted, as rules see it: plain structs of const views, valid
// only while the rule runs. The interpreter publishes them (rules/publish.h); a rule takes one kind
// of event and a RuleContext (rules/rule_context.h), and nothing else. Internal to this module.
//
// A construct is passed several times (in a loop, by several calls of a function), and each pass is
// an event of its own.
#pragma once

#include <optional>
#include <span>

#include "commands/behaviour.h"
#include "flow/annotations.h"
#include "flow/call.h"
#include "flow/condition.h"
#include "flow/environment.h"
#include "flow/field.h"
#include "flow/stage.h"
#include "shell/tree.h"

namespace nacre::flow {

// A command as it is written, whether or not it is ever reached.
struct TextEvent {
  const Command& command;
  std::span<const Command* const> around;  // the commands that hold it, the outermost first
};

// The whole script, before it is interpreted.
struct ScriptEvent {};

// A simple command with its words expanded, before it runs.
struct CallEvent {
  const Call& call;
  // The words of the command that is run in the end: those after sudo, env, nohup and the like.
  // Empty if the outer command only looks for it (`command -v`).
  std::span<const Field> words;
};

// A command that has a card, with what it makes of its input.
struct InvocationEvent {
  const Call& call;
  const commands::Invocation& invocation;
  const commands::Behaviour& behaviour;
};

// A command whose card tells what it does to files, before it runs, with what is known of those.
struct EffectEvent {
  const Call& call;
  const commands::Invocation& invocation;  // the operands are keys of places
  bool can_succeed;
  const std::string& consulted;  // the place that its failure depends on; may be empty
  bool is_same_name;             // two of its operands are the same file
};

// A builtin of the shell, before it runs. The first field is its own name, also in `command read`.
struct BuiltinEvent {
  const Call& call;
};

// `local x=$(...)`, `export x=$(...)`: the command has run the substitution in its words.
struct DeclarationEvent {
  const Call& call;
  Status substitution;
};

// A call of a function within a condition, before its body is entered.
struct TestedCallEvent {
  const Call& call;
  const shell::Function& function;
  const Command* body;  // null: it is not valid
};

// `x=value`, `a+=(...)`, before its value is expanded.
struct AssignmentEvent {
  const shell::Assignment& assignment;
  const Environment& environment;
};

// `$x`, `$1`: the value is that of the parameter, before an operator is applied.
struct ParameterEvent {
  const shell::Parameter& node;
  Span span;
  const Value& value;
  const Environment& environment;

  [[nodiscard]] bool is_variable() const { return node.kind == shell::ParameterKind::kVariable; }
};

// `$(...)`, after its body ran.
struct SubstitutionEvent {
  const shell::Sequence& body;
  Span span;
  const Stream& printed;
  bool may_print_more;  // than `printed` says, with other settings of the script
};

// An operand that the shell evaluates as arithmetic.
struct ArithmeticEvent {
  const Value& value;
  Span span;
};

// An operand of `[ ]` that has to be a number.
struct NumberEvent {
  const shell::Word& word;
  const Value& value;
};

// `[ ]`, `test` or `[[ ]]` as a condition: how it goes from the state before it.
struct ConditionEvent {
  const Condition& condition;
  Span span;
  const Environment& before;
  const Branches& branches;
  const Listed& listed;
};

// A place that asks for $?: `(( $? == 0 ))`, `case $? in`.
struct StatusEvent {
  Span place;
  const Environment& before;
};

// A pattern of an arm of `case`, with what the arms above match.
struct PatternEvent {
  const shell::CaseArm& arm;
  const shell::Word& word;
  Lang pattern;
  const SeenArms& above;
};

// An arm of `case`: the strings that its patterns match, and the state before the whole command.
struct ArmEvent {
  const shell::Case& node;
  const shell::CaseArm& arm;
  Lang patterns;
  const Environment& before;
};

// `for x in WORDS`, before its first round.
struct ForEvent {
  const shell::For& node;
  std::span<const Field> fields;
  const Environment& environment;
};

// `while` and `until`, before the first round.
struct WhileEvent {
  const shell::While& node;
  const Environment& environment;
};

// A command of a sequence, after one that may end the script, the function or the loop.
struct AfterEvent {
  const Command& before;
  const Command& next;
  bool is_reached;
};

// `> FILE`, `>> FILE` and the like.
struct OutputEvent {
  const shell::Redirection& redirection;
  const Value& target;
  const Environment& environment;
  bool follows_errors;  // `2>&1` stands before it
  bool is_read;         // what the command prints is read by something
};

// A pipeline that has run, with the status of each of its commands. `stages` are the simple ones at
// its end that pass lines to each other.
struct PipelineEvent {
  const shell::Pipeline& node;
  std::span<const Stage> stages;
  std::span<const Status> statuses;
  const Environment& environment;
};

// Simple commands that pass lines to each other, typed.
struct StagesEvent {
  std::span<const Stage> stages;
};

// One of them, with those before and those after it.
struct StageEvent {
  std::span<const Stage> until;  // the last one is the stage itself
  std::span<const Stage> after;

  [[nodiscard]] const Stage& stage() const { return until.back(); }
  [[nodiscard]] const Stage* next() const { return after.empty() ? nullptr : &after[0]; }
  // Its input is one that the checker knows something of: a pipe, or a file with a known format.
  [[nodiscard]] bool knows_input() const {
    return stage().is_piped || stage().input.choice == commands::Choice::kFormat;
  }
  // What is piped into it is lost; nothing else is worth a finding then.
  [[nodiscard]] bool ignores_input() const {
    return stage().is_piped && !stage().behaviour.reads_input;
  }
  // A stage before it prints nothing: that one is to blame for whatever happens here.
  [[nodiscard]] bool is_starved() const {
    return knows_input() && commands::is_silent(stage().input);
  }
  // What it reads can be held against what it demands.
  [[nodiscard]] bool is_checked() const {
    return knows_input() && stage().behaviour.reads_input && !is_starved();
  }
};

// The author says what flows here; `writers` are the stages that print it.
struct AssertionEvent {
  const Assertion& assertion;
  const Stream& lines;
  Span place;
  std::span<const Stage> writers;
};

}  // namespace nacre::flow
