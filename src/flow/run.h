// One run of the abstract interpreter over a script: what its functions share. The state of the
// shell is not here; it is an Environment, which is handed from command to command. Internal to
// this module; check.h is the way in, docs/flow.md the way around.
//
// Invariants, which hold whenever a command is interpreted:
//
//   1. `frames` is not empty; its first frame is the script, the last the innermost call, sourced
//      file or subshell that runs.
//   2. `where` is true of the construct at hand; only Scoped changes it.
//   3. Nothing here says what the last command did: that is in the Environment or in the Ran that
//      the command returned.
//   4. Values, names, functions and programs are only added, never changed, so that references to
//      them stay good for the whole run.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "commands/card_library.h"
#include "commands/effect.h"
#include "flow/annotations.h"
#include "flow/call.h"
#include "flow/check.h"
#include "flow/environment.h"
#include "flow/findings.h"
#include "flow/limits.h"
#include "flow/recorder.h"
#include "flow/rules/rule_context.h"
#include "flow/survey.h"
#include "flow/where.h"
#include "shell/embedded.h"
#include "shell/tree.h"

namespace nacre::flow {

// The functions of the script and of what it sources.
struct Functions {
  std::multimap<Name, const shell::Function*> by_name;  // every definition so far
  std::vector<const shell::Function*> defined;          // by the script itself, in their order
  std::set<const shell::Function*> foreign;             // by files that it sources
  std::set<const shell::Function*> called;
  std::set<const shell::Function*> skipped;                   // some call was not followed
  std::map<const shell::Function*, uint32_t> calls;           // how many were followed so far
  std::map<const shell::Function*, FunctionEffects> effects;  // of their own texts
  std::map<const shell::Function*, Havoc> all_effects;        // with those that they call
};

// Code that is not the script's own text.
struct Programs {
  struct Text {
    SourceFile source;  // what the tree points into
    shell::Tree tree;
  };
  std::list<Text> texts;  // of eval, sourced files, and functions of these
  uint32_t count = 0;     // without the functions
  std::map<const shell::Function*, const Command*> bodies;  // that were parsed when called
  std::map<std::string, const shell::Tree*> sourced;        // by path; null: no such script
  std::map<const Command*, shell::Embedded> embedded;       // by the commands that hold them
  std::vector<std::string> paths;  // the script's own, and of files being sourced
};

// Answers that were computed before. They depend on nothing but their keys.
struct Memo {
  std::map<std::tuple<int, regular::TermId, std::string, regular::TermId>, Lang> images;
  std::map<std::pair<shell::ConditionalOp, int64_t>, Lang> numbers;  // that compare so
  std::map<BehaviourKey, commands::Behaviour> behaviours;
  std::map<const commands::Property*, commands::EffectProgram> effects;  // parsed
  std::map<uint32_t, ValueId> forgotten;  // any value, by where unknown code is run
  // The round of a loop that changed nothing the last time, by its body.
  std::unordered_map<const shell::Sequence*, uint32_t> last_rounds;
};

struct Run;

// The interpreter's answers to rules.
class RunEvaluator : public Evaluator {
 public:
  explicit RunEvaluator(Run& run) : run_(run) {}
  Value value_again(const shell::Word& word, const Environment& environment) override;
  std::vector<Field> fields_again(const shell::Word& word, const Environment& environment) override;
  Branches decide_again(const Condition& condition, Span span, const Environment& before) override;
  [[nodiscard]] const shell::Tree* embedded_in(const Command& node,
                                               shell::EmbeddedKind kind) const override;

 private:
  Run& run_;
};

struct Run {
  Run(const shell::Tree& script, const commands::CardLibrary& library, const CheckOptions& given);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const shell::Tree& tree;
  const commands::CardLibrary& cards;
  const CheckOptions options;
  const std::shared_ptr<Context> languages_owner = std::make_shared<Context>();
  Context& languages = *languages_owner;
  Limits limits{languages, options, tree.commands_read()};
  const Survey survey = survey_of(tree);
  const Annotations annotations{tree, languages, options.concretizes ? options.files : nullptr,
                                options.max_bytes};
  Values values{languages};
  Names names;
  Findings findings;
  const std::unique_ptr<Recorder> recorder =
      wants_types() ? std::make_unique<Recorder>(options.wants_facts) : nullptr;
  ScriptFacts script;
  Where where;
  RunEvaluator evaluator{*this};
  RuleContext rules{tree,  cards,     survey,         names,     values,  script,
                    where, languages, options.budget, evaluator, findings};
  std::vector<Frame> frames{1};
  Functions functions;
  Programs programs;
  Memo memo;
  std::map<std::pair<uint32_t, uint32_t>, Stream> processes;  // what <( ) prints, by its span
  std::map<std::pair<uint32_t, uint32_t>, Implied> implied;   // by the span of the command
  std::map<Name, std::set<Name>> references;  // declare -n: for what; nothing: not known
  std::set<Name> trapped;                     // variables that a trap may set at any time
  const Name ifs = names["IFS"];
  const ValueId set_elsewhere = values.add(something(languages, Source::kScript));
  const bool inherits_errexit =
      tree.file().bytes().find("inherit_errexit") != std::string_view::npos;

  // Whatever is printed has to be typed.
  [[nodiscard]] bool wants_types() const { return options.wants_types || options.wants_facts; }
  [[nodiscard]] Stream none() { return commands::empty_stream(languages); }
  [[nodiscard]] Stream opaque() { return commands::opaque_stream(languages); }
  // What a command is connected to if nothing has redirected it.
  [[nodiscard]] Io own_input();
  // What is printed by one command after another; nothing if it is not captured.
  [[nodiscard]] Stream followed(const Io& io, const Stream& a, const Stream& b);
  // Facts are wanted, and what happens is at its place in the script.
  [[nodiscard]] bool records() const { return recorder && where.elsewhere == 0 && !where.is_again; }
  [[nodiscard]] bool is_local(Name name) const;  // to the function that runs

  [[nodiscard]] ValueId lookup(Name name, const Environment& environment) const;
  [[nodiscard]] const Value& value(Name name, const Environment& environment) const {
    return values[lookup(name, environment)];
  }
  // Sets a variable as it is: see store() in variables.h for an assignment.
  void put(Name name, ValueId id, Environment& environment) const;
  // What the name calls here; null if it is not a function.
  [[nodiscard]] const shell::Function* function_named(std::string_view name,
                                                      const Environment& environment);
  Frame& process_frame();  // of the subshell that runs, or of the script
};

}  // namespace nacre::flow
