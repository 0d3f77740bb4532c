// Branches and loops.
#include <utility>

#include "flow/expansion.h"
#include "flow/interpreter.h"
#include "flow/narrowing.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/tested.h"
#include "flow/variables.h"

namespace nacre::flow {

namespace {

// One round of a loop: from the state before it to the state in which the next may begin; the
// states in which the loop may end are joined to the second. The result is what it prints.
using Round = std::function<Ran(Environment&, Environment&)>;

// `case $? in`, with more than one answer.
bool asks_status(const shell::Case& node) {
  const auto parts = node.subject->parts();
  const bool is_quoted = parts.size() == 1 && parts[0].kind == shell::PartKind::kDoubleQuoted;
  const auto inner = is_quoted ? parts[0].parts() : parts;
  return node.arms.size() > 1 && inner.size() == 1 &&
         inner[0].kind == shell::PartKind::kParameter && inner[0].parameter().name == "?";
}

Ran interpret_if(Run& run, const shell::If& node, Environment& environment, const Io& io) {
  Environment after = unreachable();
  Stream conditions = run.none();
  std::optional<Stream> bodies;
  const auto run_branch = [&](const shell::Sequence& body, Environment& branch) {
    const bool is_possible = branch.is_reachable;
    const Stream output = interpret(run, body, branch, io).output;
    after = join(run.values, after, branch);
    if (is_possible) bodies = bodies && io.is_captured ? either(*bodies, output) : output;
  };
  const Environment before = environment;
  for (const shell::IfArm& arm : node.arms) {
    // The last `elif` may well name what is left.
    const Listed listed = &arm == &node.arms.front() ? Listed{} : Listed{&before, true};
    Tested tested = test_as_condition(run, arm.condition, environment, io, listed);
    conditions = run.followed(io, conditions, tested.output);
    run_branch(arm.body, tested.branches.success);
    environment = std::move(tested.branches.failure);
  }
  if (!node.else_body) environment.status = succeeded(environment.status.origin);
  run_branch(node.else_body ? *node.else_body : shell::Sequence{}, environment);
  environment = std::move(after);
  return run.followed(io, conditions, bodies.value_or(run.none()));
}

Ran interpret_case(Run& run, const shell::Case& node, Environment& environment, const Io& io) {
  Condition asked;  // a missing value is one of the cases
  asked.kind = Condition::Kind::kWord;
  if (asks_status(node)) publish(StatusEvent{node.subject->span, environment}, run.rules);
  read_operand(run, *node.subject, asked, environment);
  // Within an arm $? is the one from before; bash takes that of a substitution in the word.
  const Status before = node.subject->has(shell::kWordHasExpansion)
                            ? uncertain(environment.status.origin)
                            : environment.status;
  Environment after = unreachable();
  std::optional<Stream> bodies;
  Environment falling = unreachable();  // from the arm above, by `;&`
  std::optional<Status> continued;      // of arms that end with `;;&`
  SeenArms seen{run.languages.empty()};
  const Environment start = environment;
  for (const shell::CaseArm& arm : node.arms) {
    seen.falls = falling.is_reachable;
    const PatternLang wanted = arm_pattern(run, arm, seen, environment);
    if (!seen.falls) publish(ArmEvent{node, arm, wanted.lang, start}, run.rules);
    // The word is what it was, whatever the arms above have done to its variables.
    Branches branches =
        continued ? Branches{environment, environment}
                  : narrow_word(run, *node.subject, wanted.lang, wanted.is_exact, environment);
    Environment inside = join(run.values, branches.success, falling);
    falling = unreachable();
    const bool is_possible = inside.is_reachable;
    inside.status = arm.body.items.empty() ? succeeded(arm.span) : before;
    const Stream output = interpret(run, arm.body, inside, io).output;
    if (is_possible) bodies = bodies && io.is_captured ? either(*bodies, output) : output;
    environment = std::move(branches.failure);
    if (arm.end == shell::CaseEnd::kFallThrough) {
      falling = std::move(inside);
    } else if (arm.end == shell::CaseEnd::kContinue) {
      environment = join(run.values, environment, inside);
      if (inside.is_reachable) continued = environment.status;
    } else {
      after = join(run.values, after, inside);
    }
  }
  environment.status = continued.value_or(Status{});
  environment.status.can_succeed = true;
  environment = join(run.values, join(run.values, after, falling), environment);
  if (!bodies) return run.none();
  if (environment.is_reachable) bodies->count.lower(0);
  return *bodies;
}

constexpr uint32_t kWidenFrom = 2;  // the round from which a loop's state is widened

// Any number of rounds.
Stream repeated(const Stream& body) {
  Stream result(commands::any_line(body));
  result.kinds = body.kinds;
  result.producer = body.producer;
  result.choice = body.choice;
  result.order = commands::Order::kUnknown;
  if (body.count.most == 0) result.count = {0, 0};
  return result;
}

Ran interpret_loop(Run& run, const shell::Sequence& body, Environment& environment, const Io& io,
                   const Round& round) {
  Environment head = environment;
  Environment after = unreachable();
  Stream output = run.none();
  const auto run_round = [&](Environment inside) {
    run.frames.back().loops.emplace_back();
    after = unreachable();
    output = round(inside, after).output;
    const Loop ends = std::move(run.frames.back().loops.back());
    run.frames.back().loops.pop_back();
    after = join(run.values, after, ends.breaks);
    return join(run.values, inside, ends.continues);
  };
  // Only what is found in the round that changes nothing any more holds in every round. Which one
  // that is can be guessed: the second, or the same as the last time. Those before it need not look
  // for anything.
  uint32_t& last = run.memo.last_rounds.try_emplace(&body, 1).first->second;
  bool is_stable = false, has_spoken = false;
  for (uint32_t i = 0; i < run.options.max_rounds; i++) {
    has_spoken = i >= last;
    Environment next = unreachable();
    {
      const Findings::Muted muted(run.findings, !has_spoken);
      const Scoped again(run.where.is_again, true);  // the last round, below, is recorded
      if (has_spoken) run.findings.begin_round();
      next = join(run.values, head, run_round(head), i >= kWidenFrom);
      is_stable = is_same(next, head);
      if (has_spoken) run.findings.end_round(is_stable);
    }
    if (is_stable) {
      last = i;
      break;
    }
    if (i + 1 == run.options.max_rounds) run.limits.note_exhausted(body.span, "a loop");
    head = std::move(next);
    if (!run.limits.spend(head)) {
      run.limits.note_exhausted(body.span, "a loop");
      break;
    }
  }
  if (!is_stable) forget_variables(run, head, body.span);  // whatever the rounds to come may do
  if (!is_stable || (!has_spoken && !run.findings.is_muted()) || run.records())
    run_round(std::move(head));
  environment = std::move(after);
  environment.status = environment.status.can_fail ? uncertain({}) : succeeded({});
  environment.status.is_excused = true;  // what errexit does not excuse has ended the script
  return io.is_captured ? repeated(output) : run.none();
}

Ran interpret_while(Run& run, const shell::While& node, Environment& environment, const Io& io) {
  publish(WhileEvent{node, environment}, run.rules);
  return interpret_loop(run, *node.body, environment, io,
                        [&](Environment& state, Environment& after) {
                          Tested tested = test_as_condition(run, *node.condition, state, io);
                          if (node.is_until)
                            std::swap(tested.branches.success, tested.branches.failure);
                          after = join(run.values, after, tested.branches.failure);
                          state = std::move(tested.branches.success);
                          Stream output = interpret(run, *node.body, state, io).output;
                          // The status of the loop is that of its last round, not of the condition
                          // that ended it.
                          after.status.can_fail |= state.is_reachable && state.status.can_fail;
                          return run.followed(io, tested.output, output);
                        });
}

Ran interpret_for(Run& run, const shell::For& node, Environment& environment, const Io& io) {
  std::vector<Field> fields;
  if (node.has_in) {
    const Scoped assigning(run.where.assigning, node.name->text);  // `for x in $x`
    fields = expand_all(run, node.words(), environment);
  }
  publish(ForEvent{node, fields, environment}, run.rules);
  std::optional<Value> item;
  bool may_be_empty_list = true;
  const std::string separators = ifs(run, environment);
  for (const Field& field : fields) {
    Value one = value_of_field(run, field, node.name->span);
    if (!one.text && holds_text(field, separators))
      one.strings = one.strings - run.languages.literal("");
    item = item ? joined(*item, one) : one;
    may_be_empty_list &= field.may_vanish;
  }
  if (!node.has_in) {  // who gives an argument gives a text
    item = any_argument(run, environment, node.name->span);
    if (environment.positional.first.empty())
      item->strings = item->strings - run.languages.literal("");
  }
  if (item && !is_surely_unset(*item)) item->may_be_unset = false;
  const Name name = run.names[node.name->text];
  if (!item) {  // no round today; what is wrong in the body is wrong all the same
    Environment scratch = environment;
    store(run, name, unknown(run.languages, Source::kScript, node.name->span), scratch);
    run.frames.back().loops.emplace_back();
    interpret(run, *node.body, scratch, io);
    run.frames.back().loops.pop_back();
    environment.status = succeeded({});
    return run.none();
  }
  note_name(run, node.name->span, name, NameUse::kAssigned, *item);
  const Environment before = environment;
  store(run, name, *item, environment);
  return interpret_loop(run, *node.body, environment, io,
                        [&](Environment& state, Environment& after) {
                          if (may_be_empty_list) after = join(run.values, after, before);
                          store(run, name, *item, state);
                          Stream output = interpret(run, *node.body, state, io).output;
                          after = join(run.values, after, state);
                          after = join(run.values, after, run.frames.back().loops.back().continues);
                          return output;
                        });
}

Ran interpret_arithmetic_for(Run& run, const shell::ArithmeticFor& node, Environment& environment,
                             const Io& io) {
  if (node.initial) arithmetic_value(run, *node.initial, environment);
  return interpret_loop(run, *node.body, environment, io,
                        [&](Environment& state, Environment& after) {
                          if (node.condition) {
                            arithmetic_value(run, *node.condition, state);
                            after = join(run.values, after, state);
                          }
                          Stream output = interpret(run, *node.body, state, io).output;
                          state = join(run.values, state, run.frames.back().loops.back().continues);
                          if (node.step) arithmetic_value(run, *node.step, state);
                          return output;
                        });
}

void define_function(Run& run, const shell::Function& function, Environment& environment) {
  const auto at = static_cast<size_t>(run.names[function.name->text]);
  auto& functions = environment.functions.edit();
  if (functions.size() <= at) functions.resize(at + 1);
  functions[at] = {&function, false, false};
  environment.status = {};
  if (!run.script.known_functions.insert(&function).second) return;
  run.functions.by_name.emplace(Name{static_cast<uint32_t>(at)}, &function);
  if (run.where.elsewhere > 0)
    run.functions.foreign.insert(&function);
  else
    run.functions.defined.push_back(&function);
}

}  // namespace

Ran interpret_compound(Run& run, const Command& node, Environment& environment, const Io& io) {
  struct Visit {
    Run& run;
    const Command& node;
    Environment& environment;
    const Io& io;
    Ran operator()(const shell::SimpleCommand&) const { return run.none(); }
    Ran operator()(const shell::Pipeline&) const { return run.none(); }
    Ran operator()(const shell::AndOr& list) const { return interpret(run, list, environment, io); }
    Ran operator()(const shell::BraceGroup& group) const {
      return interpret(run, group.body, environment, io);
    }
    Ran operator()(const shell::Subshell& group) const {
      const Subshell subshell = run_subshell(run, environment, [&](Environment& inner) {
        return interpret(run, group.body, inner, io);
      });
      if (subshell.end.is_reachable) note_lost(run, node, subshell.end, environment);
      return subshell.ran.output;
    }
    Ran operator()(const shell::If& branch) const {
      return interpret_if(run, branch, environment, io);
    }
    Ran operator()(const shell::Case& branch) const {
      return interpret_case(run, branch, environment, io);
    }
    Ran operator()(const shell::While& loop) const {
      return interpret_while(run, loop, environment, io);
    }
    Ran operator()(const shell::For& loop) const {
      return interpret_for(run, loop, environment, io);
    }
    Ran operator()(const shell::ArithmeticFor& loop) const {
      return interpret_arithmetic_for(run, loop, environment, io);
    }
    Ran operator()(const shell::Function& function) const {
      define_function(run, function, environment);
      return run.none();
    }
    Ran operator()(const shell::Conditional& conditional) const {
      environment =
          merged(run, decide(run, condition_of(*conditional.expression), node.span, environment));
      return run.none();
    }
    Ran operator()(const shell::ArithmeticCommand& command) const {
      arithmetic_value(run, *command.arithmetic, environment);
      environment.status = uncertain(node.span);
      return run.none();
    }
    Ran operator()(const shell::Coproc& coproc) const {
      run_subshell(run, environment, [&](Environment& inner) {
        return interpret(run, *coproc.command, inner, run.own_input());
      });
      return run.none();
    }
    Ran operator()(const shell::Broken&) const { return run.opaque(); }
  };
  return std::visit(Visit{run, node, environment, io}, node.node);
}

}  // namespace nacre::flow
