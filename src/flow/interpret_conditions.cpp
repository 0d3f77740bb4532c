// Commands whose status is asked for: each way in which they can go has an environment of its own.
#include <algorithm>

#include "flow/call_words.h"
#include "flow/condition.h"
#include "flow/interpreter.h"
#include "flow/rules/publish.h"

namespace nacre::flow {

namespace {

// From here on $? is what `[ ]` itself says.
void answer(const Command& node, Branches& branches) {
  branches.success.status.origin = branches.failure.status.origin = node.span;
}

// A text of the script's own that a filter reads.
struct Searched {
  const shell::Word* word;
  bool ends_line;
  bool is_negated;
};

// The word of `echo "$x"`, `printf %s "$x"` and `printf '%s\n' "$x"`.
std::optional<Searched> printed_word(const Command& node) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&node.node);
  if (!simple || !simple->assignments.empty() || !node.redirections.empty()) return std::nullopt;
  const auto is = [&](size_t at, std::string_view text) {
    return simple->words[at].is_literal() && simple->words[at].literal() == text;
  };
  const size_t count = simple->words.size();
  if (count == 2 && is(0, "echo")) return Searched{&simple->words[1], true, false};
  if (count != 3 || !is(0, "printf") || !(is(1, "%s") || is(1, "%s\\n"))) return std::nullopt;
  return Searched{&simple->words[2], is(1, "%s\\n"), false};
}

// Of a pipeline whose first stage prints it, or of a command that reads `<<< "$x"`.
std::optional<Searched> searched_word(const Command& node) {
  if (const auto* pipeline = std::get_if<shell::Pipeline>(&node.node)) {
    if (pipeline->items.size() != 2 || !pipeline->items[0].command) return std::nullopt;
    const Command* reader = pipeline->items[1].command;
    auto result = printed_word(*pipeline->items[0].command);
    if (!reader || !std::holds_alternative<shell::SimpleCommand>(reader->node)) return std::nullopt;
    if (result) result->is_negated = pipeline->is_negated;
    return result;
  }
  for (const shell::Redirection& redirection : node.redirections) {
    if (redirection.op == shell::RedirectOp::kHereString && redirection.descriptor <= 0)
      return Searched{&redirection.target, true, false};
  }
  return std::nullopt;
}

}  // namespace

// The last command has succeeded: so has a `cd` if it was one, and the command in `x=$(mktemp)`
// has printed what it was asked for.
void Interpreter::settle_success(Environment& environment) {
  const Span command = environment.status.origin;
  Directory& directory = environment.directory;
  if (command == directory.changed_by) directory.may_have_failed = false;
  const auto known = implied_.find({command.begin, command.end});
  if (known == implied_.end()) return;
  const Implied& implied = known->second;
  for (const shell::Word* word : implied.not_empty)
    restrict_word(*word, !context_.literal(""), environment);
  if (!implied.captured) return;
  Value value = this->value(*implied.captured, environment);
  if (value.source != Source::kCommand) return;
  if (value.needs) {  // the file that it needs was there
    value.needs.reset();
    put(*implied.captured, values_.add(value), environment);
  }
  if (!implied.prints_on_success || !may_be_empty(value)) return;
  const Lang empty = context_.literal("");
  value.strings = value.strings - empty;
  if (value.skeleton) value.skeleton = *value.skeleton - empty;
  put(*implied.captured, values_.add(std::move(value)), environment);
}

// No file has an empty name, and only commands that remove files may be told not to mind.
void Interpreter::note_implied(const Call& call, const commands::Card& card) {
  Implied implied;
  const auto is_path = [](const commands::OperandSpec& spec) {
    return spec.kind == "path" || spec.kind == "path-written" || spec.kind == "file";
  };
  const bool takes_paths =
      !card.operands.empty() && std::all_of(card.operands.begin(), card.operands.end(), is_path);
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const bool is_quoted = field.fragments.size() == 1 && field.fragments[0].is_quoted &&
                           field.fragments[0].kind == FragmentKind::kExpansion;
    if (takes_paths && is_quoted && may_be_empty(field.fragments[0].value))
      implied.not_empty.push_back(field.word);
  }
  const std::pair command{call.node.span.begin, call.node.span.end};
  if (!implied.not_empty.empty() || implied_.contains(command))
    implied_.insert_or_assign(command, std::move(implied));
}

// Of a filter that is not said: what it has read may have held nothing to print.
bool Interpreter::is_told_by_status(const shell::Sequence& body, const Environment& environment) {
  const auto* simple = body.items.size() == 1 && body.items[0].command
                           ? std::get_if<shell::SimpleCommand>(&body.items[0].command->node)
                           : nullptr;
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return false;
  const std::string_view name = simple->words[0].literal();
  if (function_named(name, environment)) return false;
  const commands::Card* card = cards_.find(name);
  if (card && card->echoes) return false;  // `echo $x` of an empty x
  return !card || card->has_property("reads", "nothing");
}

Branches Interpreter::split(Environment environment) {
  if (!environment.is_reachable) return {unreachable(), unreachable()};
  const Status status = environment.status;
  Branches result{status.can_succeed ? environment : unreachable(), unreachable()};
  // `[ -z "$x" ] && echo usage && exit`
  if (status.can_fail && !status.is_printed) result.failure = std::move(environment);
  result.success.status = succeeded(status.origin);
  result.failure.status = failed(status.origin);
  if (result.success.is_reachable) settle_success(result.success);
  return result;
}

Environment Interpreter::merge(const Branches& branches) {
  return join(values_, branches.success, branches.failure);
}

Tested Interpreter::test(const shell::Sequence& body, const Environment& before, const Io& io,
                         const Listed& listed) {
  Environment environment = before;
  Stream output = none();
  for (size_t i = 0; i + 1 < body.items.size(); i++) {
    if (body.items[i].command)
      output = followed(io, output, command(*body.items[i].command, environment, io).output);
  }
  if (body.items.empty() || !body.items.back().command || !environment.is_reachable)
    return {split(std::move(environment)), output};
  Tested last =
      test(*body.items.back().command, environment, io, body.items.size() == 1 ? listed : Listed{});
  last.output = followed(io, output, last.output);
  return last;
}

Tested Interpreter::test_tested(const shell::Sequence& body, const Environment& before,
                                const Io& io, const Listed& listed) {
  const Scoped tested(where_.tested, where_.tested + 1);
  return test(body, before, io, listed);
}

Tested Interpreter::test(const Command& node, const Environment& initial, const Io& io,
                         const Listed& listed) {
  if (!initial.is_reachable) return {{unreachable(), unreachable()}, none()};
  Environment before = initial;
  assume_variables(node, before);
  if (const auto* list = std::get_if<shell::AndOr>(&node.node))
    return test_and_or(*list, before, io);
  const auto* pipeline = std::get_if<shell::Pipeline>(&node.node);
  if (pipeline && pipeline->items.size() == 1 && pipeline->items[0].command) {
    Tested result = test(*pipeline->items[0].command, before, io,
                         {listed.before, listed.idle != pipeline->is_negated, listed.is_and_or});
    if (pipeline->is_negated) result.branches = negated(std::move(result.branches));
    return result;
  }
  if (const auto* group = std::get_if<shell::BraceGroup>(&node.node);
      group && node.redirections.empty()) {
    return test(group->body, before, io);
  }
  if (const auto* conditional = std::get_if<shell::Conditional>(&node.node)) {
    const Condition condition = condition_of(*conditional->expression);
    Branches branches = decide(condition, node.span, before);
    publish(ConditionEvent{condition, node.span, before, branches, listed}, rules_);
    answer(node, branches);
    return {std::move(branches), none()};
  }
  if (std::holds_alternative<shell::SimpleCommand>(node.node))
    return test_simple(node, before, io, listed);
  Environment environment = before;
  const Scoped asked(where_.asked_pipeline, pipeline);
  const Ran ran = command(node, environment, io);
  const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&node.node);
  if (arithmetic && arithmetic->arithmetic->expression) {
    environment.status = before.status;  // the $? in it
    return {decide_arithmetic(*arithmetic->arithmetic->expression, environment), ran.output};
  }
  Tested result{split(std::move(environment)), ran.output};
  if (ran.selects) learn_search(node, *ran.selects, result.branches);
  return result;
}

Tested Interpreter::test_and_or(const shell::AndOr& node, const Environment& before, const Io& io) {
  Tested result = test(*node.items[0].command, before, io);
  for (const shell::AndOrItem& item : node.items.subspan(1)) {
    const bool is_and = item.op == shell::AndOrOp::kAnd;
    Environment& taken = is_and ? result.branches.success : result.branches.failure;
    Tested next = test(*item.command, taken, io, {&before, is_and, true});
    if (is_and) {
      result.branches.failure = join(values_, result.branches.failure, next.branches.failure);
      result.branches.success = std::move(next.branches.success);
    } else {
      result.branches.success = join(values_, result.branches.success, next.branches.success);
      result.branches.failure = std::move(next.branches.failure);
    }
    if (io.is_captured) {
      next.output.count.lower(0);
      result.output = commands::concatenated(result.output, next.output);
    }
  }
  return result;
}

Tested Interpreter::test_simple(const Command& node, const Environment& before, const Io& io,
                                const Listed& listed) {
  const auto& simple = std::get<shell::SimpleCommand>(node.node);
  Environment environment = before;
  if (auto condition = test_condition(simple)) {
    spend(environment);
    connect(node, environment, io);  // its redirections
    Branches branches = decide(*condition, node.span, environment);
    publish(ConditionEvent{*condition, node.span, environment, branches, listed}, rules_);
    answer(node, branches);
    return {std::move(branches), none()};
  }
  Ran ran = command(node, environment, io);
  if (ran.ends) {  // a call of a function, which kept its ends apart
    Tested result{std::move(*ran.ends), std::move(ran.output)};
    // A redirection may keep it from being called at all: see note_refusal().
    if (environment.status.can_fail && !result.branches.failure.is_reachable)
      result.branches.failure = split(std::move(environment)).failure;
    return result;
  }
  Tested result{split(std::move(environment)), std::move(ran.output)};
  learn_commands(simple, result.branches);
  if (ran.selects) learn_search(node, *ran.selects, result.branches);
  return result;
}

// `echo "$x" | grep -q '^[0-9]*$'` tells what is in x.
void Interpreter::learn_search(const Command& node, Lang selected, Branches& branches) {
  const std::optional<Searched> searched = searched_word(node);
  if (!searched) return;
  Environment& found = searched->is_negated ? branches.failure : branches.success;
  Environment& missing = searched->is_negated ? branches.success : branches.failure;
  const Value value = value_again(*searched->word, found.is_reachable ? found : missing);
  const Lang newline = context_.literal("\n");
  const Lang last = searched->ends_line ? selected : selected - context_.literal("");
  Lang texts =
      optional(any_value(context_) + newline) + (last | (selected + newline + any_value(context_)));
  Lang others = !texts;
  // Who looks for a line in what somebody else has given expects one line.
  if (value.is_opaque && value.source >= Source::kInput) {
    texts = last;
    others = commands::any_text(context_) - last;
  } else if (!searched->word->is_quoted()) {
    return;  // what is printed is not the value, but its words
  }
  const auto narrow = [&](Lang wanted, Environment& environment) {
    Environment narrowed = environment;
    // What a constant of the script rules out today is left open: see spare_setting().
    if (environment.is_reachable && restrict_word(*searched->word, wanted, narrowed))
      environment = std::move(narrowed);
  };
  narrow(texts, found);
  if (selected.is_exact()) narrow(others, missing);
}

// They tell whether there is one.
void Interpreter::learn_commands(const shell::SimpleCommand& simple, Branches& branches) {
  const std::string_view name = asked_command(simple, cards_, context_);
  if (name.empty()) return;
  branches.success.commands.edit().insert_or_assign(std::string(name), true);
  branches.failure.commands.edit().insert_or_assign(std::string(name), false);
}

}  // namespace nacre::flow
