// Commands whose status is asked for: each way in which they can go has an environment of its own.
#include "flow/condition.h"
#include "flow/interpreter.h"

namespace nacre::flow {

namespace {

// The last command has succeeded, and so has a `cd` if it was one.
void settle_directory(Environment& environment) {
  Directory& directory = environment.directory;
  if (environment.status.origin == directory.changed_by) directory.may_have_failed = false;
}

}  // namespace

Branches Interpreter::split(Environment environment) const {
  if (!environment.is_reachable) return {unreachable(), unreachable()};
  const Status status = environment.status;
  Branches result{status.can_succeed ? environment : unreachable(), unreachable()};
  if (status.can_fail) result.failure = std::move(environment);
  result.success.status = succeeded(status.origin);
  result.failure.status = failed(status.origin);
  settle_directory(result.success);
  return result;
}

Environment Interpreter::merge(const Branches& branches) {
  return join(values_, branches.success, branches.failure);
}

Tested Interpreter::test(const shell::Sequence& body, const Environment& before, const Io& io) {
  Environment environment = before;
  Stream output = none();
  for (size_t i = 0; i + 1 < body.items.size(); i++) {
    if (body.items[i].command)
      output = followed(io, output, command(*body.items[i].command, environment, io));
  }
  if (body.items.empty() || !body.items.back().command || !environment.is_reachable)
    return {split(std::move(environment)), output};
  Tested last = test(*body.items.back().command, environment, io);
  last.output = followed(io, output, last.output);
  return last;
}

Tested Interpreter::test(const Command& node, const Environment& initial, const Io& io) {
  if (!initial.is_reachable) return {{unreachable(), unreachable()}, none()};
  Environment before = initial;
  assume_variables(node, before);
  if (const auto* list = std::get_if<shell::AndOr>(&node.node))
    return test_and_or(*list, before, io);
  const auto* pipeline = std::get_if<shell::Pipeline>(&node.node);
  if (pipeline && pipeline->items.size() == 1 && pipeline->items[0].command) {
    Tested result = test(*pipeline->items[0].command, before, io);
    if (pipeline->is_negated) std::swap(result.branches.success, result.branches.failure);
    return result;
  }
  if (const auto* group = std::get_if<shell::BraceGroup>(&node.node);
      group && node.redirections.empty()) {
    return test(group->body, before, io);
  }
  if (const auto* conditional = std::get_if<shell::Conditional>(&node.node)) {
    const Condition condition = condition_of(*conditional->expression);
    Branches branches = decide(condition, node.span, before);
    judge_condition(condition, node.span, before, branches);
    return {std::move(branches), none()};
  }
  if (std::holds_alternative<shell::SimpleCommand>(node.node)) return test_simple(node, before, io);
  Environment environment = before;
  Stream output = command(node, environment, io);
  return {split(std::move(environment)), output};
}

Tested Interpreter::test_and_or(const shell::AndOr& node, const Environment& before, const Io& io) {
  Tested result = test(*node.items[0].command, before, io);
  for (const shell::AndOrItem& item : node.items.subspan(1)) {
    const bool is_and = item.op == shell::AndOrOp::kAnd;
    Environment& taken = is_and ? result.branches.success : result.branches.failure;
    Tested next = test(*item.command, taken, io);
    if (is_and) {
      result.branches.failure = join(values_, result.branches.failure, next.branches.failure);
      result.branches.success = std::move(next.branches.success);
    } else {
      result.branches.success = join(values_, result.branches.success, next.branches.success);
      result.branches.failure = std::move(next.branches.failure);
    }
    if (io.is_captured) {
      next.output.count.least = 0;
      result.output = commands::concatenated(result.output, next.output);
    }
  }
  return result;
}

Tested Interpreter::test_simple(const Command& node, const Environment& before, const Io& io) {
  const auto& simple = std::get<shell::SimpleCommand>(node.node);
  Environment environment = before;
  if (auto condition = test_condition(simple)) {
    spend(environment);
    connect(node, environment, io);  // its redirections
    Branches branches = decide(*condition, node.span, environment);
    judge_condition(*condition, node.span, environment, branches);
    return {std::move(branches), none()};
  }
  branches_.reset();
  Stream output = command(node, environment, io);
  if (branches_) {  // a call of a function, which kept its ends apart
    Tested result{std::move(*branches_), output};
    branches_.reset();
    return result;
  }
  Tested result{split(std::move(environment)), output};
  learn_commands(simple, result.branches);
  return result;
}

// `command -v x`, `type x`, `which x` and `hash x` tell whether there is one.
void Interpreter::learn_commands(const shell::SimpleCommand& simple, Branches& branches) {
  if (simple.words.size() < 2 || !simple.words[0].is_literal()) return;
  const std::string_view asker = simple.words[0].literal();
  const bool asks = asker == "type" || asker == "which" || asker == "hash" ||
                    (asker == "command" && simple.words[1].is_literal() &&
                     (simple.words[1].literal() == "-v" || simple.words[1].literal() == "-V"));
  const shell::Word& last = simple.words.back();
  const bool is_one = asker == "command" ? simple.words.size() == 3 : simple.words.size() <= 3;
  if (!asks || !is_one || !last.is_literal() || last.literal().starts_with("-")) return;
  branches.success.commands.edit().insert_or_assign(std::string(last.literal()), true);
  branches.failure.commands.edit().insert_or_assign(std::string(last.literal()), false);
}

}  // namespace nacre::flow
