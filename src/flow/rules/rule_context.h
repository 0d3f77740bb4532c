// What a rule sees besides its event, and how it reports. Rules never reach into the interpreter:
// whatever they need to know is here or in the event. Everything is read-only but `report` and its
// kin. Internal to this module.
//
//   void raw_read(const BuiltinEvent& event, RuleContext& in) {
//     ...
//     in.report(in.finding("X112", span, "read without -r removes backslashes"));
//   }
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "commands/card_library.h"
#include "flow/environment.h"
#include "flow/field.h"
#include "flow/findings.h"
#include "flow/survey.h"
#include "flow/where.h"
#include "shell/embedded.h"
#include "shell/tree.h"

namespace nacre::flow {

// Questions that only the interpreter can answer. It answers them without side effects: nothing is
// reported on the way, and the environment stays as it is.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual Value value_again(const shell::Word& word, const Environment& environment) = 0;
  virtual std::vector<Field> fields_again(const shell::Word& word,
                                          const Environment& environment) = 0;
  virtual Branches decide_again(const Condition& condition, Span span,
                                const Environment& before) = 0;
  // The code that a command hands to a shell: `sh -c '...'`; null if there is none.
  [[nodiscard]] virtual const shell::Tree* embedded_in(const shell::Command& node,
                                                       shell::EmbeddedKind kind) const = 0;
};

// What is known of the script as a whole, so far.
struct ScriptFacts {
  bool is_program = false;       // it has a #! line: it is run, not sourced
  std::map<Name, ValueId> kept;  // variables that the shell itself sets, and what it sets
  uint32_t max_required = 0;     // the last positional parameter that must be there under set -u
  std::set<const shell::Function*> known_functions;  // defined so far
};

struct RuleContext {
  const shell::Tree& tree;
  const commands::CardLibrary& cards;
  const Survey& survey;
  const Names& names;
  const Values& values;
  const ScriptFacts& script;
  const Where& where;
  regular::Context& languages;
  const Budget& budget;
  Evaluator& evaluator;
  Findings& findings;
  std::vector<Diagnostic> of_stage = {};  // see report_of_stage()
  std::map<int, Lang> system_paths = {};  // see rules/removal.cpp: made once for each check

  [[nodiscard]] const SourceFile& file() const { return tree.file(); }
  [[nodiscard]] std::string_view text(Span span) const { return tree.text(span); }
  [[nodiscard]] ValueId id_of(std::string_view variable, const Environment& environment) const;
  [[nodiscard]] const Value& value(std::string_view variable, const Environment& environment) const;
  // The function that the name calls; null if it calls none.
  [[nodiscard]] const shell::Function* function_named(std::string_view name,
                                                      const Environment& environment) const;

  [[nodiscard]] Diagnostic finding(std::string_view code, Span span, std::string message) const;
  [[nodiscard]] Note note(Span span, std::string message) const {
    return {file(), span, std::move(message)};
  }
  // A mistake if any pass through the place shows it.
  void report(Diagnostic diagnostic) { findings.add(std::move(diagnostic)); }
  // A mistake only if every pass shows it: reported unless some pass gives nothing.
  void pass(std::string_view code, Span place, std::optional<Diagnostic> if_always = {}) {
    findings.pass(code, place, std::move(if_always));
  }
  // The same for the rules of a StageEvent, where a pass that does not report counts by itself.
  void report_of_stage(Diagnostic diagnostic) { of_stage.push_back(std::move(diagnostic)); }
  // True the first time; for rules that report one of several places that are alike.
  bool is_first(const std::string& what) { return findings.is_first(what); }
};

}  // namespace nacre::flow
