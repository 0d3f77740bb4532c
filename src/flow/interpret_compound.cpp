// Branches and loops.
#include "flow/condition.h"
#include "flow/interpreter.h"
#include "flow/rules/publish.h"

namespace nacre::flow {

namespace {

constexpr uint32_t kWidenFrom = 2;  // the round from which a loop's state is widened

// `case $? in`, with more than one answer.
bool asks_status(const shell::Case& node) {
  const auto parts = node.subject->parts();
  const bool is_quoted = parts.size() == 1 && parts[0].kind == shell::PartKind::kDoubleQuoted;
  const auto inner = is_quoted ? parts[0].parts() : parts;
  return node.arms.size() > 1 && inner.size() == 1 &&
         inner[0].kind == shell::PartKind::kParameter && inner[0].parameter().name == "?";
}

// Any number of rounds.
Stream repeated(const Stream& body) {
  Stream result(commands::any_line(body));
  result.choice = body.choice;
  result.order = commands::Order::kUnknown;
  if (body.count.most == 0) result.count = {0, 0};
  return result;
}

}  // namespace

Ran Interpreter::compound(const Command& node, Environment& environment, const Io& io) {
  struct Visit {
    Interpreter& self;
    const Command& node;
    Environment& environment;
    const Io& io;
    Ran operator()(const shell::SimpleCommand&) const { return self.none(); }
    Ran operator()(const shell::Pipeline&) const { return self.none(); }
    Ran operator()(const shell::AndOr& list) const { return self.and_or(list, environment, io); }
    Ran operator()(const shell::BraceGroup& group) const {
      return self.sequence(group.body, environment, io);
    }
    Ran operator()(const shell::Subshell& group) const {
      const Subshell subshell = self.subshell(
          environment, [&](Environment& inner) { return self.sequence(group.body, inner, io); });
      if (subshell.end.is_reachable) self.note_lost(node, subshell.end, environment);
      return subshell.ran.output;
    }
    Ran operator()(const shell::If& branch) const {
      return self.if_command(branch, environment, io);
    }
    Ran operator()(const shell::Case& branch) const {
      return self.case_command(branch, environment, io);
    }
    Ran operator()(const shell::While& loop) const {
      return self.while_loop(loop, environment, io);
    }
    Ran operator()(const shell::For& loop) const { return self.for_loop(loop, environment, io); }
    Ran operator()(const shell::ArithmeticFor& loop) const {
      return self.arithmetic_loop(loop, environment, io);
    }
    Ran operator()(const shell::Function& function) const {
      self.define(function, environment);
      return self.none();
    }
    Ran operator()(const shell::Conditional& conditional) const {
      environment =
          self.merge(self.decide(condition_of(*conditional.expression), node.span, environment));
      return self.none();
    }
    Ran operator()(const shell::ArithmeticCommand& command) const {
      self.arithmetic(*command.arithmetic, environment);
      environment.status = uncertain(node.span);
      return self.none();
    }
    Ran operator()(const shell::Coproc& coproc) const {
      self.subshell(environment, [&](Environment& inner) {
        return self.command(*coproc.command, inner, self.own_input());
      });
      return self.none();
    }
    Ran operator()(const shell::Broken&) const { return self.opaque(); }
  };
  return std::visit(Visit{*this, node, environment, io}, node.node);
}

Ran Interpreter::if_command(const shell::If& node, Environment& environment, const Io& io) {
  Environment after = unreachable();
  Stream conditions = none();
  std::optional<Stream> bodies;
  const auto run = [&](const shell::Sequence& body, Environment& branch) {
    const bool is_possible = branch.is_reachable;
    const Stream output = sequence(body, branch, io).output;
    after = join(values_, after, branch);
    if (is_possible) bodies = bodies && io.is_captured ? either(*bodies, output) : output;
  };
  const Environment before = environment;
  for (const shell::IfArm& arm : node.arms) {
    // The last `elif` may well name what is left.
    const Listed listed = &arm == &node.arms.front() ? Listed{} : Listed{&before, true};
    Tested tested = test_tested(arm.condition, environment, io, listed);
    conditions = followed(io, conditions, tested.output);
    run(arm.body, tested.branches.success);
    environment = std::move(tested.branches.failure);
  }
  if (!node.else_body) environment.status = succeeded(environment.status.origin);
  run(node.else_body ? *node.else_body : shell::Sequence{}, environment);
  environment = std::move(after);
  return followed(io, conditions, bodies.value_or(none()));
}

Ran Interpreter::case_command(const shell::Case& node, Environment& environment, const Io& io) {
  Condition asked;  // a missing value is one of the cases
  asked.kind = Condition::Kind::kWord;
  if (asks_status(node)) publish(StatusEvent{node.subject->span, environment}, rules_);
  read_operand(*node.subject, asked, environment);
  // Within an arm $? is the one from before; bash takes that of a substitution in the word.
  const Status before = node.subject->has(shell::kWordHasExpansion)
                            ? uncertain(environment.status.origin)
                            : environment.status;
  Environment after = unreachable();
  std::optional<Stream> bodies;
  Environment falling = unreachable();  // from the arm above, by `;&`
  std::optional<Status> continued;      // of arms that end with `;;&`
  SeenArms seen{context_.empty()};
  const Environment start = environment;
  for (const shell::CaseArm& arm : node.arms) {
    seen.falls = falling.is_reachable;
    const PatternLang wanted = arm_pattern(arm, seen, environment);
    if (!seen.falls) publish(ArmEvent{node, arm, wanted.lang, start}, rules_);
    // The word is what it was, whatever the arms above have done to its variables.
    Branches branches = continued
                            ? Branches{environment, environment}
                            : narrow_word(*node.subject, wanted.lang, wanted.is_exact, environment);
    Environment inside = join(values_, branches.success, falling);
    falling = unreachable();
    const bool is_possible = inside.is_reachable;
    inside.status = arm.body.items.empty() ? succeeded(arm.span) : before;
    const Stream output = sequence(arm.body, inside, io).output;
    if (is_possible) bodies = bodies && io.is_captured ? either(*bodies, output) : output;
    environment = std::move(branches.failure);
    if (arm.end == shell::CaseEnd::kFallThrough) {
      falling = std::move(inside);
    } else if (arm.end == shell::CaseEnd::kContinue) {
      environment = join(values_, environment, inside);
      if (inside.is_reachable) continued = environment.status;
    } else {
      after = join(values_, after, inside);
    }
  }
  environment.status = continued.value_or(Status{});
  environment.status.can_succeed = true;
  environment = join(values_, join(values_, after, falling), environment);
  if (!bodies) return none();
  if (environment.is_reachable) bodies->count.lower(0);
  return *bodies;
}

Ran Interpreter::loop(const shell::Sequence& body, Environment& environment, const Io& io,
                      const Round& round) {
  Environment head = environment;
  Environment after = unreachable();
  Stream output = none();
  const auto run_round = [&](Environment inside) {
    frames_.back().loops.emplace_back();
    after = unreachable();
    output = round(inside, after).output;
    const Loop ends = std::move(frames_.back().loops.back());
    frames_.back().loops.pop_back();
    after = join(values_, after, ends.breaks);
    return join(values_, inside, ends.continues);
  };
  // Only what is found in the round that changes nothing any more holds in every round. Which one
  // that is can be guessed: the second, or the same as the last time. Those before it need not look
  // for anything.
  uint32_t& last = last_rounds_.try_emplace(&body, 1).first->second;
  bool is_stable = false, has_spoken = false;
  for (uint32_t i = 0; i < options_.most_rounds; i++) {
    has_spoken = i >= last;
    Environment next = unreachable();
    {
      const Findings::Muted muted(findings_, !has_spoken);
      if (has_spoken) findings_.begin_round();
      next = join(values_, head, run_round(head), i >= kWidenFrom);
      is_stable = is_same(next, head);
      if (has_spoken) findings_.end_round(is_stable);
    }
    if (is_stable) {
      last = i;
      break;
    }
    if (i + 1 == options_.most_rounds) is_exhausted_ = true;
    head = std::move(next);
    if (!spend(head)) break;
  }
  if (!is_stable) forget_variables(head, body.span);  // whatever the rounds to come may do
  if (!is_stable || (!has_spoken && !findings_.is_muted()) || records_types())
    run_round(std::move(head));
  environment = std::move(after);
  environment.status = environment.status.can_fail ? uncertain({}) : succeeded({});
  environment.status.is_excused = true;  // what errexit does not excuse has ended the script
  return io.is_captured ? repeated(output) : none();
}

Ran Interpreter::while_loop(const shell::While& node, Environment& environment, const Io& io) {
  return loop(*node.body, environment, io, [&](Environment& state, Environment& after) {
    Tested tested = test_tested(*node.condition, state, io);
    if (node.is_until) std::swap(tested.branches.success, tested.branches.failure);
    after = join(values_, after, tested.branches.failure);
    state = std::move(tested.branches.success);
    Stream output = sequence(*node.body, state, io).output;
    // The status of the loop is that of its last round, not of the condition that ended it.
    after.status.can_fail |= state.is_reachable && state.status.can_fail;
    return followed(io, tested.output, output);
  });
}

Ran Interpreter::for_loop(const shell::For& node, Environment& environment, const Io& io) {
  std::vector<Field> fields;
  if (node.has_in) {
    const Scoped assigning(where_.assigning, node.name->text);  // `for x in $x`
    fields = expand_all(node.words(), environment);
  }
  publish(ForEvent{node, fields}, rules_);
  std::optional<Value> item;
  bool may_be_empty_list = true;
  const std::string separators = ifs(environment);
  for (const Field& field : fields) {
    Value one = value_of_field(field, node.name->span);
    if (!one.text && holds_text(field, separators))
      one.strings = one.strings - context_.literal("");
    item = item ? joined(*item, one) : one;
    may_be_empty_list &= field.may_vanish;
  }
  if (!node.has_in) {  // who gives an argument gives a text
    item = arguments(environment, node.name->span);
    if (environment.positional.first.empty()) item->strings = item->strings - context_.literal("");
  }
  if (item && !is_surely_unset(*item)) item->may_be_unset = false;
  const Name name = names_[node.name->text];
  if (!item) {  // no round today; what is wrong in the body is wrong all the same
    Environment scratch = environment;
    store(name, unknown(context_, Source::kScript, node.name->span), scratch);
    frames_.back().loops.emplace_back();
    sequence(*node.body, scratch, io);
    frames_.back().loops.pop_back();
    environment.status = succeeded({});
    return none();
  }
  if (records_types()) recorder_.variable(node.name->span, node.name->text, expansion_of(*item));
  const Environment before = environment;
  store(name, *item, environment);
  return loop(*node.body, environment, io, [&](Environment& state, Environment& after) {
    if (may_be_empty_list) after = join(values_, after, before);
    store(name, *item, state);
    Stream output = sequence(*node.body, state, io).output;
    after = join(values_, after, state);
    after = join(values_, after, frames_.back().loops.back().continues);
    return output;
  });
}

Ran Interpreter::arithmetic_loop(const shell::ArithmeticFor& node, Environment& environment,
                                 const Io& io) {
  if (node.initial) arithmetic(*node.initial, environment);
  return loop(*node.body, environment, io, [&](Environment& state, Environment& after) {
    if (node.condition) {
      arithmetic(*node.condition, state);
      after = join(values_, after, state);
    }
    Stream output = sequence(*node.body, state, io).output;
    state = join(values_, state, frames_.back().loops.back().continues);
    if (node.step) arithmetic(*node.step, state);
    return output;
  });
}

const shell::Function* Interpreter::function_named(std::string_view name,
                                                   const Environment& environment) {
  const auto at = static_cast<size_t>(names_[name]);
  return at < environment.functions->size() ? (*environment.functions)[at].function : nullptr;
}

void Interpreter::define(const shell::Function& function, Environment& environment) {
  const auto at = static_cast<size_t>(names_[function.name->text]);
  auto& functions = environment.functions.edit();
  if (functions.size() <= at) functions.resize(at + 1);
  functions[at] = {&function, false, false};
  environment.status = {};
  if (!script_.known_functions.insert(&function).second) return;
  by_name_.emplace(Name{static_cast<uint32_t>(at)}, &function);
  if (where_.elsewhere > 0)
    foreign_.insert(&function);
  else
    defined_.push_back(&function);
}

}  // namespace nacre::flow
