// The abstract interpreter: runs a script over Environments instead of a machine. Every method
// takes the environment that holds before a node and leaves what holds behind it; what a command
// prints is its result. Internal to this module; check.h is the way in.
//
// Branches are both taken and joined; loops run until nothing changes, and are widened to get
// there; functions are interpreted at each call, with the arguments of that call, up to a depth and
// a budget beyond which a call does anything that its body could do. Findings are made on the way:
// those that hold if *some* run shows them at once, those that need *all* runs (a constant
// condition) when the script was seen whole.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "commands/behaviour.h"
#include "commands/card_library.h"
#include "flow/annotations.h"
#include "flow/call.h"
#include "flow/check.h"
#include "flow/condition.h"
#include "flow/environment.h"
#include "flow/field.h"
#include "flow/findings.h"
#include "flow/rules/rule_context.h"
#include "flow/stage.h"
#include "flow/survey.h"
#include "flow/where.h"
#include "regular/transducer.h"
#include "shell/embedded.h"
#include "shell/tree.h"

namespace nacre::flow {

class Interpreter : private Evaluator {
 public:
  Interpreter(const shell::Tree& tree, const commands::CardLibrary& cards,
              const CheckOptions& options);
  CheckResult run();
  static bool has_builtin(std::string_view name) { return find_builtin(name) != nullptr; }

 private:
  // Lists (interpret_lists.cpp).
  Ran sequence(const shell::Sequence& body, Environment& environment, const Io& io);
  Ran background(const Command& node, Environment& environment, const Io& io);
  Ran command(const Command& node, Environment& environment, const Io& io);
  Ran pipeline(const shell::Pipeline& node, Environment& environment, const Io& io);
  Ran and_or(const shell::AndOr& node, Environment& environment, const Io& io);
  // The result of the last command may end the script, if it was not asked for.
  void apply_errexit(Environment& environment);
  // `stages` are those before this one in its pipeline.
  Ran stage(const Command& node, Environment& environment, const Io& io,
            std::vector<Stage>& stages);
  // Runs `body` in a copy of the environment; what it changes is lost.
  Subshell subshell(Environment& environment, const std::function<Ran(Environment&)>& body);
  [[nodiscard]] bool is_heard(std::span<const shell::PipelineItem> readers,
                              const Environment& environment);
  void note_lost(const Command& stage, const Environment& inner, Environment& outer);
  void report(std::span<const Stage> stages);
  void check_uncalled(const Environment& last);
  void leave_skipped_open();
  Shared<std::vector<ValueId>> unsettled(const Shared<std::vector<ValueId>>& variables);

  // Annotations (interpret_annotations.cpp).
  void assume_variables(const Command& statement, Environment& environment);
  void assume_input(const CommandNotes& notes, const Command& node, Io& io,
                    std::vector<Stage>& stages);
  Stream assume_output(const CommandNotes& notes, const Command& node, Stream output,
                       std::vector<Stage>& stages);
  void assert_all(std::span<const Assertion> assertions, const Stream& lines, const Command& node,
                  std::span<const Stage> writers);

  // Conditions (interpret_conditions.cpp).
  Tested test(const Command& node, const Environment& before, const Io& io,
              const Listed& listed = {});
  // The same of the condition of `if` and `while`, where errexit is off.
  Tested test_tested(const shell::Sequence& body, const Environment& before, const Io& io,
                     const Listed& listed = {});
  Tested test(const shell::Sequence& body, const Environment& before, const Io& io,
              const Listed& listed = {});
  Tested test_and_or(const shell::AndOr& node, const Environment& before, const Io& io);
  Tested test_simple(const Command& node, const Environment& before, const Io& io,
                     const Listed& listed);
  void learn_search(const Command& node, Lang selected, Branches& branches);
  void learn_commands(const shell::SimpleCommand& simple, Branches& branches);
  void learn_found(const Value& printed, Lang wanted, Environment& environment);
  [[nodiscard]] Branches split(Environment environment);
  void settle_success(Environment& environment);
  void note_implied(const Call& call, const commands::Card& card);
  [[nodiscard]] bool is_told_by_status(const shell::Sequence& body, const Environment& environment);
  [[nodiscard]] Environment merge(const Branches& branches);

  // Compound commands (interpret_compound.cpp).
  Ran compound(const Command& node, Environment& environment, const Io& io);
  Ran if_command(const shell::If& node, Environment& environment, const Io& io);
  Ran case_command(const shell::Case& node, Environment& environment, const Io& io);
  Ran for_loop(const shell::For& node, Environment& environment, const Io& io);
  Ran while_loop(const shell::While& node, Environment& environment, const Io& io);
  Ran arithmetic_loop(const shell::ArithmeticFor& node, Environment& environment, const Io& io);
  // One round of a loop: from the state before it to the state in which the next may begin; the
  // states in which the loop may end are joined to the second. The result is what it prints.
  using Round = std::function<Ran(Environment&, Environment&)>;
  Ran loop(const shell::Sequence& body, Environment& environment, const Io& io, const Round& round);
  void define(const shell::Function& function, Environment& environment);
  // What the name calls here; null if it is no function.
  [[nodiscard]] const shell::Function* function_named(std::string_view name,
                                                      const Environment& environment);

  // Simple commands (interpret_simple.cpp).
  Ran simple_command(const Command& node, const shell::SimpleCommand& simple,
                     Environment& environment, const Io& io, std::vector<Stage>& stages);
  Value appended(Value before, const Value& text, Span origin);
  ValueId assign(const shell::Assignment& assignment, Environment& environment);
  Value assigned_text(const shell::Assignment& assignment, Environment& environment);
  Ran dispatch(Call& call);
  Ran dispatch_command(Call& call);
  Ran dispatch_external(Call& call);
  static bool enter_called(Call& call, const commands::Invocation& invocation);
  bool is_setting(const Call& call, const commands::Card& card);
  void spare_setting(const commands::Invocation& invocation, commands::Behaviour& behaviour);
  Ran by_card(Call& call, const commands::Card& card, std::string_view name);
  [[nodiscard]] bool filters_elsewhere(const Call& call, const commands::Card& card) const;
  commands::Behaviour behaviour_of(const Call& call, const commands::Invocation& invocation,
                                   commands::Wanted wanted);
  [[nodiscard]] bool reads_known_file(const commands::Invocation& invocation,
                                      const Environment& environment) const;
  [[nodiscard]] bool is_named_once(std::string_view name) const;
  static void forget_written(const commands::Invocation& invocation, Environment& environment);
  std::optional<Span> file_read(const Call& call, const commands::Invocation& invocation);
  Stream content_of_argument(const commands::Argument& file, const Environment& environment);
  Ran unknown_command(Call& call, std::string name);

  // Calls of functions (interpret_functions.cpp).
  Ran call_function(Call& call, const shell::Function& function);
  Ran call_any(Call& call, Definition definition);
  Tested test_function(const Command& body, Environment& inside, const Io& io);
  Branches enter(const shell::Function& function, Call& call, Stream& output);
  const FunctionEffects& effects_of(const shell::Function& function);  // of its own text
  // With all functions that these may call.
  std::vector<const shell::Function*> reached_from(std::set<const shell::Function*> found);
  // A call that is not looked into: whatever the body may do.
  void havoc(const shell::Function& function, Environment& environment);
  const FunctionEffects& all_effects_of(const shell::Function& function);  // with those it calls
  void call_unnamed(const commands::Argument& name, Environment& environment);

  // Redirections (interpret_redirections.cpp).
  Connected connect(const Command& node, Environment& environment, const Io& io);
  static void note_refusal(std::span<const shell::Redirection> redirections,
                           Environment& environment);
  void connect_named(const shell::Redirection& redirection, Environment& environment);
  void refuse(Environment before, Span place, Environment& environment);
  bool reads_missing_file(const Command& node, const Environment& environment);
  void connect_input(const shell::Redirection& redirection, Environment& environment,
                     Connected& connected);
  void connect_output(const shell::Redirection& redirection, Environment& environment,
                      Connected& connected);
  void duplicate_output(const shell::Redirection& redirection, const Value& target, bool is_output,
                        Connected& connected);
  // What a word of the script names, if more is known than its text.
  std::optional<Stream> content_named_by(Span word) const;
  Stream content_of(const std::string& file, const Environment& environment);
  Stream lines_of(const Value& text);
  void inherit_present(Environment& environment);
  Stream disconnect(const Connected& connected, Environment& environment, Stream output);

  // Builtins (builtins.cpp, builtins_variables.cpp): each sets the status itself.
  using Builtin = Ran (Interpreter::*)(Call&);
  static Builtin find_builtin(std::string_view name);
  Ran run_exit(Call& call);
  Ran run_return(Call& call);
  Ran run_break(Call& call);
  Ran run_continue(Call& call);
  Ran run_true(Call& call);
  Ran run_false(Call& call);
  Ran run_set(Call& call);
  Ran run_shopt(Call& call);
  Ran run_cd(Call& call);
  Ran run_eval(Call& call);
  Ran run_source(Call& call);
  Ran run_exec(Call& call);
  Ran run_trap(Call& call);
  Ran run_command(Call& call);
  Ran run_declare(Call& call);
  Ran run_export(Call& call);
  Ran run_local(Call& call);
  Ran run_read(Call& call);
  Ran run_mapfile(Call& call);
  Ran run_getopts(Call& call);
  Ran run_printf(Call& call);
  Ran run_shift(Call& call);
  Ran run_unset(Call& call);
  Ran run_let(Call& call);
  // `keeps`: a name without a value stays what it is.
  Ran declare(Call& call, bool is_local, bool keeps);
  void declare_one(const NamedValue& named, const Value* assigned, const shell::Word& word,
                   Attributes given, Environment& environment);
  Value revealed(Name name, Span place);
  void spell(Value& value);
  void store_by_name(const commands::Argument& word, Value value, Environment& environment);
  void refer_to(Name reference, const Value& target, Environment& environment);
  void declare_by_name(const shell::Word& word, const Attributes& given, Environment& environment);
  bool hide(Name name, Environment& environment);
  [[nodiscard]] bool begins_as_hidden(Name name) const;
  Value assigned_value(const shell::Word& word, Environment& environment);

  // Code from elsewhere (interpret_code.cpp): what eval, `.` and traps run.
  // Runs code whose places are not the script's: nothing is said of them.
  Ran run_elsewhere(const std::function<Ran()>& run);
  Ran run_text(const std::string& text, Call& call);
  Ran run_unknown(Call& call);
  Ran run_tree(const shell::Tree& tree, Environment& environment, const Io& io);
  Ran run_sourced(const std::string& path, Call& call);
  const shell::Tree* sourced(const std::string& path, Span place);
  const shell::Tree* keep(const SourceFile& text, Span place);
  const shell::Tree* parsed(const SourceFile& text, Span place, bool defers_bodies);
  const Command* body_of(const shell::Function& function);  // null: it is not valid
  [[nodiscard]] const shell::Tree* embedded_in(const Command& node,
                                               shell::EmbeddedKind kind) const override;
  void interrupt(const shell::Tree& trap, Environment& environment);
  Stream run_traps(Environment& last, const Io& io);  // of the frame at hand
  Frame& process_frame();                             // of the subshell that runs, or of the script
  // How the path that a substitution prints is reached from the script's directory.
  std::optional<std::string> own_path_printed(const shell::Sequence& body,
                                              const Environment& environment);
  std::optional<std::string> own_path_of(const shell::Word& word, const Environment& environment);
  void forget_variables(Environment& environment, Span by);
  void leave(Frame& frame, const Status& status, Environment& environment);
  Ran jump(Call& call, Environment Loop::*target);

  // Words (expand.cpp, expand_parameter.cpp, expand_pattern.cpp).
  std::vector<Field> expand(const shell::Word& word, Environment& environment);
  std::vector<Field> expand_all(std::span<const shell::Word> words, Environment& environment);
  Value value_of(const shell::Word& word, Environment& environment);
  // Of words that were expanded, and judged, before.
  Value value_again(const shell::Word& word, const Environment& environment) override;
  std::vector<Field> fields_again(const shell::Word& word, const Environment& environment) override;
  Value value_of_field(const Field& field, Span origin);
  void add_fragments(std::span<const shell::Part> parts, bool is_quoted, Environment& environment,
                     std::vector<Fragment>& out);
  Fragment fragment(const shell::Part& part, bool is_quoted, Environment& environment);
  Fragment parameter_fragment(const shell::Part& part, bool is_quoted, Environment& environment);
  Value file_name(Span span);
  Value home(const shell::Part& part, Environment& environment);
  Value array(const shell::Array& node, Environment& environment);
  Value substitution(const shell::Sequence& body, Span span, Environment& environment);
  Ran captured(const shell::Sequence& body, Capture& capture, Environment& environment,
               const Io& io);
  Value arithmetic(const shell::Arithmetic& node, Environment& environment);
  void evaluate(const shell::ArithmeticExpression& node, Environment& environment);
  void evaluate_if_needed(const shell::ArithmeticExpression& node, Environment& environment);
  void change(const shell::ArithmeticExpression& target, Span span, Environment& environment);
  void evaluate_subscript(std::string_view array, const shell::Subscript& subscript,
                          Environment& environment);
  Value parameter(const shell::Parameter& node, Span span, Environment& environment);
  Value special_parameter(const shell::Parameter& node, Environment& environment);
  Value arguments(Environment& environment, Span origin);
  Value apply_operator(const shell::Parameter& node, Value value, Span span,
                       Environment& environment);
  Value apply_default(const shell::Parameter& node, const Value& value, Span span,
                      Environment& environment);
  Value apply_pattern(const shell::Parameter& node, const Value& value, Environment& environment);
  regular::Transducer operator_transducer(shell::ParameterOp op, Lang wanted,
                                          const std::string& text);
  std::string ifs(const Environment& environment);
  [[nodiscard]] bool knows_ifs(const Environment& environment) const;

  PatternLang pattern(const shell::Word& word, Environment& environment);
  // `seen` grows.
  PatternLang arm_pattern(const shell::CaseArm& arm, SeenArms& seen, Environment& environment);

  // Variables (variables.cpp).
  [[nodiscard]] ValueId lookup(Name name, const Environment& environment) const;
  [[nodiscard]] const Value& value(Name name, const Environment& environment) const;
  void put(Name name, ValueId id, Environment& environment);
  void store(Name name, Value value, Environment& environment);  // an assignment
  void store_referred(Name reference, const Value& value, Environment& environment);
  // Replaces what is known, not what is assigned.
  void refine_parameter(const shell::Parameter& node, Value value, Environment& environment);
  void keep_positional(const shell::Parameter& node, Environment& environment);
  ValueId present(ValueId id);
  void refine_copies(std::string_view name, ValueId before, ValueId after,
                     Environment& environment);
  void refine_source(std::string_view name, ValueId from, Environment& environment);
  [[nodiscard]] ValueId positional(uint32_t position, Environment& environment);
  void inherit(Environment& environment);
  void inherit_numbers(Environment& environment);
  void inherit_options(Environment& environment);

  // Narrowing (narrow.cpp).
  Branches decide(const Condition& condition, Span span, const Environment& before);
  Branches decide_again(const Condition& condition, Span span, const Environment& before) override;
  Branches decide_unary(const Condition& condition, const Environment& before);
  void narrow_file(const shell::Word& word, Environment& environment);
  Branches decide_binary(const Condition& condition, const Environment& before);
  Branches decide_equal(const Condition& condition, Environment& state);
  Branches decide_match(const Condition& condition, Environment& state);
  Branches decide_number(const Condition& condition, Environment& state);
  Cut cut_of(const Condition& condition, const shell::Word& word, const Environment& before);
  void read_operand(const shell::Word& word, const Condition& condition, Environment& environment);
  // The word is a member of `wanted`, or it is not.
  Branches narrow_word(const shell::Word& word, Lang wanted, bool is_exact,
                       const Environment& before);
  static Branches either_way(const Environment& before);
  // Restricts the parameter of a word to what makes the word a member of `wanted`; false if nothing
  // does.
  bool restrict_word(const shell::Word& word, Lang wanted, Environment& environment);
  bool restrict_parts(std::span<const shell::Part> parts, Lang wanted, Environment& environment);
  Branches decide_arithmetic(const shell::ArithmeticExpression& node, const Environment& before);
  Branches decide_count(const shell::ArithmeticExpression& node, shell::ConditionalOp op,
                        int64_t bound, const Environment& before);
  bool restrict_status(const shell::Parameter& parameter, Lang wanted, Environment& environment);
  void restrict_count(Lang wanted, Environment& environment);
  bool restrict_length(const shell::Parameter& parameter, Lang wanted, Environment& environment);
  bool restrict_set(const shell::Parameter& parameter, Lang wanted, Environment& environment);

  Lang numbers_that(shell::ConditionalOp op, int64_t bound);
  void forget_missing(const Call& call);
  [[nodiscard]] bool is_endless(const Call& call) const;

  void limit_questions(uint64_t commands);
  // One step in such a state; false when the budget has run out.
  bool spend(const Environment& environment);
  [[nodiscard]] Stream none() { return commands::empty_stream(context_); }
  [[nodiscard]] Stream opaque() { return commands::opaque_stream(context_); }
  [[nodiscard]] Io own_input() {
    Io result{opaque()};
    result.is_captured = options_.wants_types;
    result.is_typed = !survey_.redirects_input;
    return result;
  }
  [[nodiscard]] bool records_types() const { return options_.wants_types && where_.elsewhere == 0; }
  void record(const Command& node, const Io& io, const Stream& output,
              std::span<const Stage> stages);
  [[nodiscard]] Stream followed(const Io& io, const Stream& a, const Stream& b);

  Context context_;
  const shell::Tree& tree_;
  const commands::CardLibrary& cards_;
  CheckOptions options_;
  const Survey survey_ = survey_of(tree_);
  const Annotations annotations_{tree_, context_, options_.concretizes ? options_.files : nullptr,
                                 options_.max_bytes};
  Values values_{context_};
  Names names_;
  Findings findings_;
  ScriptFacts script_;
  Where where_;
  RuleContext rules_{tree_,  cards_,   survey_,         names_, values_,  script_,
                     where_, context_, options_.budget, *this,  findings_};
  Recorder recorder_;
  std::map<std::pair<uint32_t, uint32_t>, Stream> processes_;  // what <( ) prints, by its span
  std::vector<Frame> frames_;
  std::set<const shell::Function*> called_;
  std::set<const shell::Function*> skipped_;  // some call was not followed
  std::map<const shell::Function*, FunctionEffects> effects_;
  std::map<const shell::Function*, Havoc> havocs_;
  std::multimap<Name, const shell::Function*> by_name_;  // every definition so far
  std::vector<const shell::Function*> defined_;          // those that are known, in their order
  std::set<const shell::Function*> foreign_;             // of sourced files
  std::map<const shell::Function*, uint32_t> calls_;     // so far
  struct Text {
    SourceFile source;  // what the tree points into
    shell::Tree tree;
  };
  std::list<Text> texts_;  // of eval, sourced files, and functions of these
  uint32_t programs_ = 0;  // without the functions
  std::map<const shell::Function*, const Command*> bodies_;  // that were parsed when called
  std::map<std::string, const shell::Tree*> sourced_;        // by path; null: no such script
  std::map<const Command*, shell::Embedded> embedded_;       // by the commands that hold them
  std::vector<std::string> script_paths_;  // the script's own, and of files being sourced
  std::map<std::tuple<int, regular::TermId, std::string, regular::TermId>, Lang> images_;
  std::map<std::pair<shell::ConditionalOp, int64_t>, Lang> numbers_;  // that compare so
  const Name ifs_ = names_["IFS"];
  std::map<Name, std::set<Name>> references_;  // declare -n: for what; nothing: not known
  std::set<Name> trapped_;                     // variables that a trap may set at any time
  const ValueId set_elsewhere_ = values_.add(something(context_, Source::kScript));
  std::map<BehaviourKey, commands::Behaviour> behaviours_;
  // What variables may be behind code that is not known, by where that code is run.
  std::map<uint32_t, ValueId> forgotten_;
  std::unordered_map<const shell::Sequence*, uint32_t> last_rounds_;  // of loops, by their bodies
  const bool inherits_errexit_ =
      tree_.file().bytes().find("inherit_errexit") != std::string_view::npos;
  uint64_t steps_left_ = 0;
  uint64_t commands_ = 0;    // of the script and what it sources
  uint64_t all_states_ = 0;  // that all questions together may make
  bool is_exhausted_ = false;
  std::map<std::pair<uint32_t, uint32_t>, Implied> implied_;  // by the span of the command
};

}  // namespace nacre::flow
