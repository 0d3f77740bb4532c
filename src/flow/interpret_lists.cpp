// Sequences, pipelines and lists of && and ||, and what holds for a whole script.
#include <algorithm>

#include "base/shebang.h"
#include "flow/assigned.h"
#include "flow/call_words.h"
#include "flow/interpreter.h"
#include "flow/rules/publish.h"
#include "regular/parse_type.h"
#include "shell/visitor.h"

namespace nacre::flow {

namespace {

// `while read line`, from its standard input.
bool reads_lines(const shell::While& loop) {
  for (const shell::Item& item : loop.condition->items) {
    const auto* simple =
        item.command ? std::get_if<shell::SimpleCommand>(&item.command->node) : nullptr;
    if (!simple || simple->words.empty() || !simple->words[0].is_literal()) continue;
    const auto names_descriptor = [](const shell::Word& word) {
      return word.is_literal() && word.literal().starts_with("-u");
    };
    if (simple->words[0].literal() == "read" && item.command->redirections.empty() &&
        std::none_of(simple->words.begin(), simple->words.end(), names_descriptor)) {
      return true;
    }
  }
  return false;
}

// `true`, `:`
bool does_nothing(const Command& command) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  return simple && simple->words.size() == 1 && simple->words[0].is_literal() &&
         (simple->words[0].literal() == "true" || simple->words[0].literal() == ":");
}

}  // namespace

Interpreter::Interpreter(const shell::Tree& tree, const commands::CardLibrary& cards,
                         const CheckOptions& options)
    : tree_(tree), cards_(cards), options_(options) {
  script_.is_program = !interpreter_of(tree.file().bytes()).empty();
  const uint64_t own_commands = tree.commands_read();
  all_states_ = options.first_states + options.states_per_command * own_commands;
  limit_questions(own_commands);
  steps_left_ = (commands_ + 1000) * options.rounds;
  const std::string_view name = tree.file().name();
  script_paths_.emplace_back(name.substr(name.rfind('/') + 1));
  for (shell::Embedded& inner : shell::find_embedded(tree)) {
    if (inner.program.is_valid()) embedded_.emplace(inner.host, std::move(inner));
  }
}

// Long scripts ask more questions, so that each of them gets less: the time for a script grows with
// its length, and no faster.
void Interpreter::limit_questions(uint64_t commands) {
  commands_ += commands;
  Budget each = options_.budget;
  const uint64_t share = options_.states_for_all / std::max<uint64_t>(commands_, 1);
  each.states = std::clamp(share, std::min(options_.least_states, each.states), each.states);
  context_.set_limit(each, all_states_, std::min(options_.least_states, each.states));
}

CheckResult Interpreter::run() {
  frames_.emplace_back();
  Environment environment;
  inherit(environment);
  inherit_present(environment);
  inherit_options(environment);
  for (const Diagnostic& mistake : annotations_.mistakes()) findings_.add(mistake);
  Io io = own_input();
  if (!options_.input.empty()) {
    if (const auto type = regular::parse_type(context_, options_.input)) {
      io.input = Stream(*type);
      io.is_piped = true;
    }
  }
  sequence(tree_.program(), environment, io);
  environment = join(values_, environment, merge(frames_.front().ends));
  run_traps(environment, own_input());
  check_uncalled(environment);
  leave_skipped_open();
  CheckResult result{findings_.take(), is_exhausted_, {}};
  if (options_.wants_types) result.types = recorder_.types(context_);
  return result;
}

// Whoever calls a function later may have changed each variable; but of what the script leaves with
// a value, that is not taken away.
Shared<std::vector<ValueId>> Interpreter::unsettled(const Shared<std::vector<ValueId>>& variables) {
  Value anything = something(context_, Source::kEnvironment);
  anything.is_assigned = true;
  const ValueId something = values_.add(std::move(anything));
  Shared<std::vector<ValueId>> result = variables;
  std::vector<ValueId>& ids = result.edit();
  for (size_t i = 0; i < ids.size(); i++) {
    if (script_.kept.contains(Name{static_cast<uint32_t>(i)})) continue;
    ValueId& id = ids[i];
    const Value& value = values_[id];
    const bool is_kept = value.is_assigned && !value.is_array && !may_be_empty(value);
    id = is_kept ? something : values_.inherited();
  }
  return result;
}

// Functions that nothing here calls are for others to call: from any state that the script leaves.
void Interpreter::check_uncalled(const Environment& last) {
  const Scoped uncalled(where_.is_in_uncalled, true);
  for (size_t i = 0; i < defined_.size(); i++) {
    const shell::Function& function = *defined_[i];
    if (called_.contains(&function)) continue;
    Environment environment = last;
    environment.is_reachable = true;
    environment.positional = {};
    environment.status = uncertain({});
    environment.variables = unsettled(last.variables);
    frames_.emplace_back().function = &function;
    const Scoped running(where_.function, &function);
    command(*function.body, environment, own_input());
    frames_.pop_back();
  }
}

// A call that was not followed would have passed through functions that its function calls, too.
void Interpreter::leave_skipped_open() {
  for (const shell::Function* function : reached_from(skipped_)) {
    if (!foreign_.contains(function)) findings_.leave_open(function->body->span);
  }
}

bool Interpreter::spend(const Environment& environment) {
  constexpr uint64_t kVariablesPerStep = 256;  // copied and joined in the time of one
  const uint64_t cost = 1 + environment.variables->size() / kVariablesPerStep;
  if (steps_left_ >= cost && !options_.budget.stop.is_requested()) {
    steps_left_ -= cost;
    return true;
  }
  steps_left_ = 0;
  is_exhausted_ = true;
  return false;
}

Stream Interpreter::followed(const Io& io, const Stream& a, const Stream& b) {
  return io.is_captured ? commands::concatenated(a, b) : none();
}

// What is known of the last command holds of the whole, but for the output.
Ran Interpreter::sequence(const shell::Sequence& body, Environment& environment, const Io& io) {
  Ran result = none();
  Stream printed = none();
  const auto ways_out = [&] { return frames_.back().ways_out + process_frame().ways_out; };
  const uint32_t before = ways_out();
  for (const shell::Item& item : body.items) {
    if (!item.command || !environment.is_reachable) continue;
    if (options_.budget.stop.is_requested()) {
      is_exhausted_ = true;
      break;
    }
    const bool may_have_left = ways_out() != before;
    if (item.terminator == shell::Terminator::kBackground) {
      result = background(*item.command, environment, io);
    } else {
      result = command(*item.command, environment, io);
      if (may_have_left && io.is_captured) result.output.count.lower(0);
      apply_errexit(environment);
    }
    printed = followed(io, printed, result.output);
  }
  result.output = std::move(printed);
  if (body.items.size() > 1) result.skeleton.reset();
  return result;
}

Ran Interpreter::background(const Command& node, Environment& environment, const Io& io) {
  Stream output = subshell(environment, [&](Environment& inner) {
                    return command(node, inner, io);
                  }).ran.output;
  environment.files = {};  // it may be writing still
  environment.status = succeeded(node.span);
  return output;
}

void Interpreter::apply_errexit(Environment& environment) {
  const Status& status = environment.status;
  const Options& options = environment.options;
  if (where_.tested > 0 || options.errexit == Known::kNo || options.spares == Known::kYes) return;
  const bool is_sure = options.errexit == Known::kYes && options.spares == Known::kNo;
  if (!status.can_fail || status.is_excused) return;
  Branches ends = is_sure ? split(std::move(environment)) : split(environment);
  Environment& failure = process_frame().ends.failure;
  failure = join(values_, failure, ends.failure);
  if (is_sure) environment = std::move(ends.success);
}

Ran Interpreter::command(const Command& node, Environment& environment, const Io& io) {
  std::vector<Stage> stages;
  assume_variables(node, environment);
  Ran ran = stage(node, environment, io, stages);
  // A pipeline has an account of its own; of a list or a function it is not known which part
  // prints.
  if (!std::holds_alternative<shell::Pipeline>(node.node))
    ran.skeleton = io.is_captured ? skeleton_printed(stages) : std::nullopt;
  report(stages);
  return ran;
}

// What is to be said of the stages of one pipeline.
void Interpreter::report(std::span<const Stage> stages) {
  publish(StagesEvent{stages}, rules_);
  for (size_t i = 0; i < stages.size(); i++) {
    publish(StageEvent{stages.first(i + 1), stages.subspan(i + 1)}, rules_);
    findings_.stage(stages[i].span, std::exchange(rules_.of_stage, {}));
  }
}

Ran Interpreter::stage(const Command& node, Environment& environment, const Io& io,
                       std::vector<Stage>& stages) {
  if (!environment.is_reachable) return none();
  spend(environment);
  Connected connected = connect(node, environment, io);
  const CommandNotes* notes = annotations_.of(node);
  if (notes) assume_input(*notes, node, connected.io, stages);
  Ran ran = none();
  // What is copied is no longer the interpreter's alone to change, so it is copied only if need be.
  std::optional<Environment> before;
  if (reads_missing_file(node, environment)) before = environment;
  if (const auto* simple = std::get_if<shell::SimpleCommand>(&node.node)) {
    ran = simple_command(node, *simple, environment, connected.io, stages);
  } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&node.node)) {
    ran = this->pipeline(*pipeline, environment, connected.io);
  } else {
    Io inside = connected.io;
    inside.is_piped = inside.has_own_input = false;  // into which of its commands is not known
    if (const auto* loop = std::get_if<shell::While>(&node.node);
        loop && connected.io.has_own_input && reads_lines(*loop)) {
      inside.reading_loop = node.span;
    }
    ran = compound(node, environment, inside);
  }
  if (before) refuse(std::move(*before), node.span, environment);
  note_refusal(node.redirections, environment);
  if (!stages.empty() && stages.back().span == node.span)
    stages.back().drops_output = connected.is_null && !connected.io.is_captured;
  if (notes) ran.output = assume_output(*notes, node, std::move(ran.output), stages);
  // `@assume "ssh -V 2>&1"` speaks of the errors, too.
  if (notes && notes->output && connected.output == Connected::Output::kMixed)
    connected.output = Connected::Output::kPassed;
  if (records_types()) record(node, connected.io, ran.output, stages);
  ran.output = disconnect(connected, environment, std::move(ran.output));
  return ran;
}

// It may not have been run at all. What nobody had set before is as empty then as what was read
// from an empty file.
void Interpreter::refuse(Environment before, Span place, Environment& environment) {
  before.status = failed(place);
  if (environment.is_reachable) {
    for (size_t i = 0; i < environment.variables->size(); i++) {
      const Name name{static_cast<uint32_t>(i)};
      if (lookup(name, before) == values_.inherited() &&
          lookup(name, environment) != values_.inherited())
        put(name, lookup(name, environment), before);
    }
  }
  environment = join(values_, environment, before);
}

void Interpreter::record(const Command& node, const Io& io, const Stream& output,
                         std::span<const Stage> stages) {
  const bool is_simple = !stages.empty() && stages.back().span == node.span;
  recorder_.command(node.span, is_simple ? stages.back().name : "", io.input, output,
                    is_simple ? &stages.back().behaviour : nullptr);
}

Subshell Interpreter::subshell(Environment& environment,
                               const std::function<Ran(Environment&)>& body) {
  Environment inner = environment;
  inner.is_subshell = true;
  frames_.emplace_back().is_subshell = true;
  Ran ran = body(inner);
  ran.ends.reset();
  inner = join(values_, inner, merge(frames_.back().ends));
  if (!frames_.back().traps.empty()) {
    Io io = own_input();
    io.is_captured = true;
    ran.output = followed(io, ran.output, run_traps(inner, io));
  }
  inner = join(values_, inner, frames_.back().untrapped);
  inner.status.can_fail |= frames_.back().may_break_off;
  frames_.pop_back();
  const bool is_here = inner.directory.changed_by == environment.directory.changed_by;
  environment.status = inner.is_reachable ? inner.status : uncertain({});
  environment.files = inner.is_reachable && is_here ? inner.files : Shared<Files>{};
  return {std::move(ran), std::move(inner)};
}

void Interpreter::note_lost(const Command& stage, const Environment& inner, Environment& outer) {
  // Of simple commands only `| read x` is there for what it assigns.
  const auto* simple = std::get_if<shell::SimpleCommand>(&stage.node);
  const bool reads = simple && !simple->words.empty() && simple->words[0].is_literal() &&
                     simple->words[0].literal() == "read";
  if (simple && !reads) return;
  // What `while read x` has read last is the end of its input, and worth nothing behind the loop.
  const bool is_group = std::holds_alternative<shell::Subshell>(stage.node);
  const auto* loop = std::get_if<shell::While>(&stage.node);
  const Span condition = loop ? loop->condition->span : Span{};
  for (const Assigned& assigned : assigned_in(stage)) {
    if (assigned.span.begin >= condition.begin && assigned.span.end <= condition.end) continue;
    const Name name = names_[assigned.name];
    const ValueId kept = lookup(name, outer);
    if (lookup(name, inner) != kept)
      outer.lost.edit().insert_or_assign(name,
                                         Lost{assigned.span, kept, where_.function, is_group});
  }
}

// Whether it matters what is written into these stages. If nothing is said of them, only what they
// do to the shell's state does: an external command, whatever it reads, does nothing.
bool Interpreter::is_heard(std::span<const shell::PipelineItem> readers,
                           const Environment& environment) {
  if (!findings_.is_muted() || options_.wants_types) return true;
  return !std::all_of(readers.begin(), readers.end(), [&](const shell::PipelineItem& item) {
    const auto* simple =
        item.command ? std::get_if<shell::SimpleCommand>(&item.command->node) : nullptr;
    if (!simple || !item.command->redirections.empty() || simple->words.empty() ||
        !simple->words[0].is_literal()) {
      return false;
    }
    const std::string_view name = simple->words[0].literal();
    return !function_named(name, environment) && !find_builtin(name);
  });
}

Ran Interpreter::pipeline(const shell::Pipeline& node, Environment& environment, const Io& io) {
  std::vector<Stage> stages;
  std::vector<Status> statuses;
  Io flowing = io;
  Status status;
  Ran ran = none();  // the last stage
  for (size_t i = 0; i < node.items.size(); i++) {
    const shell::PipelineItem& item = node.items[i];
    if (!item.command) continue;
    const bool is_last = i + 1 == node.items.size();
    flowing.is_captured =
        io.is_captured || (!is_last && is_heard(node.items.subspan(i + 1), environment));
    const size_t before = stages.size();
    const auto run = [&](Environment& inner) {
      return stage(*item.command, inner, flowing, stages);
    };
    const bool is_alone = node.items.size() == 1;
    const bool keeps = is_alone || (is_last && environment.options.lastpipe == Known::kYes);
    if (keeps) {
      ran = run(environment);
    } else {
      Subshell subshell = this->subshell(environment, run);
      if (subshell.end.is_reachable) note_lost(*item.command, subshell.end, environment);
      ran = std::move(subshell.ran);
    }
    flowing.input = ran.output;
    const CommandNotes* notes = annotations_.of(*item.command);
    if (item.pipes_errors && !(notes && notes->output)) flowing.input = opaque();
    // A stage that is no simple command starts a new account of where lines come from.
    flowing.is_own_text = stages.size() > before && stages.back().is_own_text;
    if (stages.size() == before) stages.clear();
    flowing.is_piped = flowing.has_own_input = true;
    flowing.is_typed = false;
    flowing.reading_loop = flowing.file = {};
    const bool counts = is_last || environment.options.pipefail != Known::kNo;
    statuses.push_back(environment.status);
    if (is_last) status.can_succeed = environment.status.can_succeed;
    if (counts) status.can_fail |= environment.status.can_fail;
  }
  publish(PipelineEvent{node, stages, statuses, environment}, rules_);
  const Command* first = node.items.empty() ? nullptr : node.items[0].command;  // `time` alone
  const bool asks_system =
      (where_.asking || where_.tested > 0) && first && prints_own_text(*first, cards_);
  if (where_.tested > 0 && !stages.empty()) stages.back().is_tested = true;
  if (!asks_system) report(stages);
  if (node.is_negated) std::swap(status.can_succeed, status.can_fail);
  status.is_excused = node.is_negated;  // errexit looks away
  status.origin = environment.status.origin;
  environment.status = status;
  Ran result = std::move(flowing.input);
  result.skeleton = io.is_captured ? skeleton_printed(stages) : std::nullopt;
  result.selects = ran.selects;
  return result;
}

Ran Interpreter::and_or(const shell::AndOr& node, Environment& environment, const Io& io) {
  const shell::AndOrItem& last = node.items.back();
  const shell::AndOr front{node.items.first(node.items.size() - 1)};
  const bool is_ignored = last.op == shell::AndOrOp::kOr && does_nothing(*last.command);
  const auto test_front = [&] {
    const Scoped tested(where_.tested, where_.tested + 1);
    const Scoped ignored(where_.ignored, where_.ignored + (is_ignored ? 1 : 0));
    return front.items.size() == 1 ? test(*front.items[0].command, environment, io)
                                   : test_and_or(front, environment, io);
  };
  Tested tested = test_front();
  const bool is_and = last.op == shell::AndOrOp::kAnd;
  Environment& taken = is_and ? tested.branches.success : tested.branches.failure;
  const Environment& skipped = is_and ? tested.branches.failure : tested.branches.success;
  Stream output = command(*last.command, taken, io).output;
  apply_errexit(taken);
  if (io.is_captured) output.count.lower(0);
  environment = join(values_, taken, skipped);
  environment.status.is_excused = true;  // the failure of the last command was looked at above
  return followed(io, tested.output, output);
}

}  // namespace nacre::flow
