// Sequences, pipelines, lists of && and ||, and what every command has in common.
#include "flow/interpreter.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "flow/assigned.h"
#include "flow/assumptions.h"
#include "flow/builtins.h"
#include "flow/call_words.h"
#include "flow/other_code.h"
#include "flow/redirections.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/simple_command.h"
#include "flow/tested.h"
#include "flow/variables.h"

namespace nacre::flow {

namespace {

Ran run_background(Run& run, const Command& node, Environment& environment, const Io& io) {
  Stream output = run_subshell(run, environment, [&](Environment& inner) {
                    return interpret(run, node, inner, io);
                  }).ran.output;
  environment.files = {};  // it may be writing still
  environment.places = {};
  environment.status = succeeded(node.span);
  return output;
}

void apply_errexit(Run& run, Environment& environment) {
  const Status& status = environment.status;
  const Options& options = environment.options;
  if (run.where.tested > 0 || options.errexit == Known::kNo ||
      options.errexit_suspended == Known::kYes)
    return;
  const bool is_sure = options.errexit == Known::kYes && options.errexit_suspended == Known::kNo;
  if (!status.can_fail || status.is_excused) return;
  Branches ends =
      is_sure ? split_status(run, std::move(environment)) : split_status(run, environment);
  Environment& failure = run.process_frame().ends.failure;
  failure = join(run.values, failure, ends.failure);
  if (is_sure) environment = std::move(ends.success);
}

// Reports the findings of the stages of one pipeline.
void report_stages(Run& run, std::span<const Stage> stages) {
  publish(StagesEvent{stages}, run.rules);
  for (size_t i = 0; i < stages.size(); i++) {
    assert(run.rules.of_stage.empty());
    publish(StageEvent{stages.first(i + 1), stages.subspan(i + 1)}, run.rules);
    run.findings.stage(stages[i].span, std::exchange(run.rules.of_stage, {}));
  }
}

// It may not have been run at all. What was not set before is as empty then as what was read
// from an empty file.
void join_refused(Run& run, Environment before, Span place, Environment& environment) {
  before.status = failed(place);
  if (environment.is_reachable) {
    for (size_t i = 0; i < environment.variables->size(); i++) {
      const Name name{static_cast<uint32_t>(i)};
      if (run.lookup(name, before) == run.values.inherited() &&
          run.lookup(name, environment) != run.values.inherited())
        run.put(name, run.lookup(name, environment), before);
    }
  }
  environment = join(run.values, environment, before);
}

// A command that has run, for the facts.
void record_command(Run& run, const Command& node, const Io& io, const Stream& output,
                    std::span<const Stage> stages) {
  const bool is_simple = !stages.empty() && stages.back().span == node.span;
  run.recorder->command(node, is_simple ? stages.back().name : "", io.input, output,
                        is_simple ? &stages.back().behaviour : nullptr, run.where);
}

// Records how the exit status of a command in a sequence is used.
void record_status(Run& run, const Command& node, const Environment& environment, bool is_last) {
  if (!run.records() || !environment.is_reachable) return;
  const Options& options = environment.options;
  StatusUse use;
  use.is_fatal = run.where.tested == 0 && options.errexit != Known::kNo &&
                 options.errexit_suspended != Known::kYes && !environment.status.is_excused;
  use.is_result = is_last;
  use.is_dropped = !is_last;
  run.recorder->status(node.span, environment.status, use);
}

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

Ran interpret_stage(Run& run, const Command& node, Environment& environment, const Io& io,
                    std::vector<Stage>& stages) {
  if (!environment.is_reachable) return run.none();
  run.limits.spend(environment);
  if (run.records()) run.recorder->state(node, environment, run.values);
  Connected connected = connect(run, node, environment, io);
  const CommandNotes* notes = run.annotations.of(node);
  if (notes) assume_input(run, *notes, node, connected.io, stages);
  Ran ran = run.none();
  // A copy makes the parts of the environment shared, and a change of a shared part copies that
  // part: copy only where it is needed.
  std::optional<Environment> before;
  if (reads_missing_file(run, node, environment)) before = environment;
  if (const auto* simple = std::get_if<shell::SimpleCommand>(&node.node)) {
    ran = interpret_simple(run, node, *simple, environment, connected.io, stages);
  } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&node.node)) {
    ran = interpret(run, *pipeline, environment, connected.io);
  } else {
    Io inside = connected.io;
    inside.is_piped = inside.has_own_input = false;  // into which of its commands is not known
    if (const auto* loop = std::get_if<shell::While>(&node.node);
        loop && connected.io.has_own_input && reads_lines(*loop)) {
      inside.reading_loop = node.span;
    }
    ran = interpret_compound(run, node, environment, inside);
  }
  if (before) join_refused(run, std::move(*before), node.span, environment);
  note_refusal(node.redirections, environment);
  if (!stages.empty() && stages.back().span == node.span)
    stages.back().drops_output = connected.is_null && !connected.io.is_captured;
  if (notes) ran.output = assume_output(run, *notes, node, std::move(ran.output), stages);
  // `@assume "ssh -V 2>&1"` includes the errors.
  if (notes && notes->output && connected.output == Connected::Output::kMixed)
    connected.output = Connected::Output::kPassed;
  if (run.records()) record_command(run, node, connected.io, ran.output, stages);
  ran.output = disconnect(run, connected, environment, std::move(ran.output));
  note_written(run, node, environment);
  return ran;
}

// Whether the lines that these stages read matter. While findings are muted only changes of the
// shell's state matter, and an external command makes none, whatever it reads.
bool is_heard(Run& run, std::span<const shell::PipelineItem> readers,
              const Environment& environment) {
  if (!run.findings.is_muted() || run.wants_types()) return true;
  return !std::all_of(readers.begin(), readers.end(), [&](const shell::PipelineItem& item) {
    const auto* simple =
        item.command ? std::get_if<shell::SimpleCommand>(&item.command->node) : nullptr;
    if (!simple || !item.command->redirections.empty() || simple->words.empty() ||
        !simple->words[0].is_literal()) {
      return false;
    }
    const std::string_view name = simple->words[0].literal();
    return !run.function_named(name, environment) && !find_builtin(name);
  });
}

// `true`, `:`
bool does_nothing(const Command& command) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  return simple && simple->words.size() == 1 && simple->words[0].is_literal() &&
         (simple->words[0].literal() == "true" || simple->words[0].literal() == ":");
}

// Whether the command can end the script or function. Most simple commands cannot, and publishing
// an event after each of them would cost time.
bool may_end(Run& run, const Command& command, const Environment& environment) {
  if (!environment.is_reachable) return true;
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  if (!simple) return !std::holds_alternative<shell::Function>(command.node);
  return !simple->words.empty() && simple->words[0].is_literal() &&
         run.function_named(simple->words[0].literal(), environment) != nullptr;
}

}  // namespace

// The result of a sequence is that of its last command, except for the output: that of all.
Ran interpret(Run& run, const shell::Sequence& body, Environment& environment, const Io& io) {
  Ran result = run.none();
  Stream printed = run.none();
  const auto ways_out = [&] { return run.frames.back().ways_out + run.process_frame().ways_out; };
  const uint32_t before = ways_out();
  const Command* last = nullptr;
  for (const shell::Item& item : body.items) {
    if (!item.command) continue;
    if (last && may_end(run, *last, environment))
      publish(AfterEvent{*last, *item.command, environment.is_reachable}, run.rules);
    if (!environment.is_reachable) break;
    last = item.command;
    if (run.options.budget.stop.is_requested()) {
      run.limits.note_exhausted({}, "");  // by request
      break;
    }
    const bool may_have_left = ways_out() != before;
    if (item.terminator == shell::Terminator::kBackground) {
      result = run_background(run, *item.command, environment, io);
    } else {
      result = interpret(run, *item.command, environment, io);
      if (may_have_left && io.is_captured) result.output.count.lower(0);
      record_status(run, *item.command, environment, &item == &body.items.back());
      apply_errexit(run, environment);
    }
    printed = run.followed(io, printed, result.output);
  }
  result.output = std::move(printed);
  if (body.items.size() > 1) result.skeleton.reset();
  return result;
}

Ran interpret(Run& run, const Command& node, Environment& environment, const Io& io) {
  std::vector<Stage> stages;
  assume_variables(run, node, environment);
  Ran ran = interpret_stage(run, node, environment, io, stages);
  // A pipeline sets its own skeleton; in a list or a function it is not known which part prints.
  if (!std::holds_alternative<shell::Pipeline>(node.node))
    ran.skeleton = io.is_captured ? skeleton_printed(stages) : std::nullopt;
  report_stages(run, stages);
  return ran;
}

Subshell run_subshell(Run& run, Environment& environment,
                      const std::function<Ran(Environment&)>& body) {
  Environment inner = environment;
  inner.is_subshell = true;
  run.frames.emplace_back().is_subshell = true;
  [[maybe_unused]] const size_t depth = run.frames.size();
  Ran ran = body(inner);
  assert(run.frames.size() == depth);
  ran.ends.reset();
  inner = join(run.values, inner, merged(run, run.frames.back().ends));
  if (!run.frames.back().traps.empty()) {
    Io io = run.own_input();
    io.is_captured = true;
    ran.output = run.followed(io, ran.output, run_traps(run, inner, io));
  }
  inner = join(run.values, inner, run.frames.back().untrapped);
  inner.status.can_fail |= run.frames.back().may_break_off;
  run.frames.pop_back();
  const bool is_here = inner.directory.changed_by == environment.directory.changed_by;
  environment.status = inner.is_reachable ? inner.status : uncertain({});
  environment.files = inner.is_reachable && is_here ? inner.files : Shared<Files>{};
  // What it does to files stays; what it has learnt of them is not worth keeping.
  if (!environment.places.is_shared_with(inner.places) && !environment.places->empty()) {
    if (inner.is_reachable)
      join_places(environment.places.edit(), *inner.places);
    else
      environment.places = {};
  }
  return {std::move(ran), std::move(inner)};
}

void note_lost(Run& run, const Command& stage, const Environment& inner, Environment& outer) {
  // The only simple command that is there for its assignments is `| read x`.
  const auto* simple = std::get_if<shell::SimpleCommand>(&stage.node);
  const bool reads = simple && !simple->words.empty() && simple->words[0].is_literal() &&
                     simple->words[0].literal() == "read";
  if (simple && !reads) return;
  // What `while read x` has read last is the end of its input, and worth nothing after the loop.
  const bool is_group = std::holds_alternative<shell::Subshell>(stage.node);
  const auto* loop = std::get_if<shell::While>(&stage.node);
  const Span condition = loop ? loop->condition->span : Span{};
  for (const Assigned& assigned : assigned_in(stage)) {
    if (assigned.span.begin >= condition.begin && assigned.span.end <= condition.end) continue;
    const Name name = run.names[assigned.name];
    const ValueId kept = run.lookup(name, outer);
    if (run.lookup(name, inner) != kept)
      outer.lost.edit().insert_or_assign(name,
                                         Lost{assigned.span, kept, run.where.function, is_group});
  }
}

Ran interpret(Run& run, const shell::Pipeline& node, Environment& environment, const Io& io) {
  const Scoped around(run.where.pipeline, &node);
  std::vector<Stage> stages;
  std::vector<Status> statuses;
  Io flowing = io;
  Status status;
  Ran ran = run.none();  // the last stage
  for (size_t i = 0; i < node.items.size(); i++) {
    const shell::PipelineItem& item = node.items[i];
    if (!item.command) continue;
    const bool is_last = i + 1 == node.items.size();
    flowing.is_captured =
        io.is_captured || (!is_last && is_heard(run, node.items.subspan(i + 1), environment));
    const size_t before = stages.size();
    const auto run_stage = [&](Environment& inner) {
      return interpret_stage(run, *item.command, inner, flowing, stages);
    };
    const bool is_alone = node.items.size() == 1;
    const bool keeps = is_alone || (is_last && environment.options.lastpipe == Known::kYes);
    if (keeps) {
      ran = run_stage(environment);
    } else {
      Subshell subshell = run_subshell(run, environment, run_stage);
      if (subshell.end.is_reachable) note_lost(run, *item.command, subshell.end, environment);
      ran = std::move(subshell.ran);
    }
    flowing.input = ran.output;
    const CommandNotes* notes = run.annotations.of(*item.command);
    if (item.pipes_errors && !(notes && notes->output)) flowing.input = run.opaque();
    // A stage that is not a simple command starts a new account of where lines come from.
    flowing.is_own_text = stages.size() > before && stages.back().is_own_text;
    if (stages.size() == before) {
      report_stages(run, stages);
      stages.clear();
    }
    flowing.is_piped = flowing.has_own_input = true;
    flowing.is_typed = false;
    flowing.reading_loop = flowing.file = {};
    const bool counts = is_last || environment.options.pipefail != Known::kNo;
    statuses.push_back(environment.status);
    if (run.records()) {
      const bool is_result = is_last || environment.options.pipefail != Known::kNo;
      run.recorder->status(item.command->span, environment.status,
                           {.is_result = is_result, .is_dropped = !is_result});
    }
    if (is_last) status.can_succeed = environment.status.can_succeed;
    if (counts) status.can_fail |= environment.status.can_fail;
  }
  publish(PipelineEvent{node, stages, statuses, environment}, run.rules);
  const Command* first = node.items.empty() ? nullptr : node.items[0].command;  // `time` alone
  const bool asks_system =
      (run.where.asking || run.where.tested > 0) && first && prints_own_text(*first, run.cards);
  if (run.where.tested > 0 && !stages.empty()) stages.back().is_tested = true;
  if (!asks_system) report_stages(run, stages);
  if (node.is_negated) std::swap(status.can_succeed, status.can_fail);
  status.is_excused = node.is_negated;  // errexit ignores it
  status.origin = environment.status.origin;
  environment.status = status;
  Ran result = std::move(flowing.input);
  result.skeleton = io.is_captured ? skeleton_printed(stages) : std::nullopt;
  result.selects = ran.selects;
  return result;
}

Ran interpret(Run& run, const shell::AndOr& node, Environment& environment, const Io& io) {
  const shell::AndOrItem& last = node.items.back();
  const shell::AndOr front{node.items.first(node.items.size() - 1)};
  const bool is_ignored = last.op == shell::AndOrOp::kOr && does_nothing(*last.command);
  const auto test_front = [&] {
    const Scoped tested(run.where.tested, run.where.tested + 1);
    const Scoped ignored(run.where.ignored, run.where.ignored + (is_ignored ? 1 : 0));
    return front.items.size() == 1 ? test(run, *front.items[0].command, environment, io)
                                   : test_and_or(run, front, environment, io);
  };
  Tested tested = test_front();
  const bool is_and = last.op == shell::AndOrOp::kAnd;
  Environment& taken = is_and ? tested.branches.success : tested.branches.failure;
  const Environment& skipped = is_and ? tested.branches.failure : tested.branches.success;
  Stream output = interpret(run, *last.command, taken, io).output;
  apply_errexit(run, taken);
  if (io.is_captured) output.count.lower(0);
  environment = join(run.values, taken, skipped);
  environment.status.is_excused = true;  // the failure of the last command was looked at above
  return run.followed(io, tested.output, output);
}

}  // namespace nacre::flow
