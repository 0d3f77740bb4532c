// Commands whose status is asked for: each way in which they can go has an environment of its own.
#include "flow/tested.h"

#include <algorithm>
#include <utility>

#include "flow/assumptions.h"
#include "flow/call_words.h"
#include "flow/expansion.h"
#include "flow/interpreter.h"
#include "flow/narrowing.h"
#include "flow/redirections.h"
#include "flow/rules/publish.h"
#include "flow/run.h"

namespace nacre::flow {

namespace {

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

// `echo "$x" | grep -q '^[0-9]*$'` tells what is in x.
void learn_search(Run& run, const Command& node, Lang selected, Branches& branches) {
  const std::optional<Searched> searched = searched_word(node);
  if (!searched) return;
  Environment& found = searched->is_negated ? branches.failure : branches.success;
  Environment& missing = searched->is_negated ? branches.success : branches.failure;
  const Value value = value_again(run, *searched->word, found.is_reachable ? found : missing);
  const Lang newline = run.languages.literal("\n");
  const Lang last = searched->ends_line ? selected : selected - run.languages.literal("");
  Lang texts = optional(any_value(run.languages) + newline) +
               (last | (selected + newline + any_value(run.languages)));
  Lang others = !texts;
  // A script that looks for a line in text from outside expects one line.
  if (value.is_opaque && value.source >= Source::kInput) {
    texts = last;
    others = commands::any_text(run.languages) - last;
  } else if (!searched->word->is_quoted()) {
    return;  // what is printed is not the value, but its words
  }
  const auto narrow = [&](Lang wanted, Environment& environment) {
    Environment narrowed = environment;
    // What a constant of the script rules out today is left open: see allow_other_settings(run).
    if (environment.is_reachable && restrict_word(run, *searched->word, wanted, narrowed))
      environment = std::move(narrowed);
  };
  narrow(texts, found);
  if (selected.is_exact()) narrow(others, missing);
}

// They tell whether there is one.
void learn_commands(Run& run, const shell::SimpleCommand& simple, Branches& branches) {
  const std::string_view name = asked_command(simple, run.cards, run.languages);
  if (name.empty()) return;
  branches.success.commands.edit().insert_or_assign(std::string(name), true);
  branches.failure.commands.edit().insert_or_assign(std::string(name), false);
}

// From here on $? is what `[ ]` itself says.
void answer(const Command& node, Branches& branches) {
  branches.success.status.origin = branches.failure.status.origin = node.span;
}

Tested test_simple(Run& run, const Command& node, const Environment& before, const Io& io,
                   const Listed& listed) {
  const auto& simple = std::get<shell::SimpleCommand>(node.node);
  Environment environment = before;
  if (auto condition = test_condition(simple)) {
    run.limits.spend(environment);
    connect(run, node, environment, io);  // its redirections
    Branches branches = decide(run, *condition, node.span, environment);
    publish(ConditionEvent{*condition, node.span, environment, branches, listed}, run.rules);
    answer(node, branches);
    return {std::move(branches), run.none()};
  }
  Ran ran = interpret(run, node, environment, io);
  if (ran.ends) {  // a call of a function, which kept its ends apart
    Tested result{std::move(*ran.ends), std::move(ran.output)};
    // A redirection may keep it from being called at all: see note_refusal().
    if (environment.status.can_fail && !result.branches.failure.is_reachable)
      result.branches.failure = split_status(run, std::move(environment)).failure;
    return result;
  }
  Tested result{split_status(run, std::move(environment)), std::move(ran.output)};
  learn_commands(run, simple, result.branches);
  if (ran.selects) learn_search(run, node, *ran.selects, result.branches);
  return result;
}

Tested test_command(Run& run, const Command& node, const Environment& initial, const Io& io,
                    const Listed& listed) {
  if (!initial.is_reachable) return {{unreachable(), unreachable()}, run.none()};
  Environment before = initial;
  assume_variables(run, node, before);
  if (const auto* list = std::get_if<shell::AndOr>(&node.node))
    return test_and_or(run, *list, before, io);
  const auto* pipeline = std::get_if<shell::Pipeline>(&node.node);
  if (pipeline && pipeline->items.size() == 1 && pipeline->items[0].command) {
    Tested result = test(run, *pipeline->items[0].command, before, io,
                         {listed.before, listed.idle != pipeline->is_negated, listed.is_and_or});
    if (pipeline->is_negated) result.branches = negated(std::move(result.branches));
    return result;
  }
  if (const auto* group = std::get_if<shell::BraceGroup>(&node.node);
      group && node.redirections.empty()) {
    return test(run, group->body, before, io);
  }
  if (const auto* conditional = std::get_if<shell::Conditional>(&node.node)) {
    const Condition condition = condition_of(*conditional->expression);
    Branches branches = decide(run, condition, node.span, before);
    publish(ConditionEvent{condition, node.span, before, branches, listed}, run.rules);
    answer(node, branches);
    return {std::move(branches), run.none()};
  }
  if (std::holds_alternative<shell::SimpleCommand>(node.node))
    return test_simple(run, node, before, io, listed);
  Environment environment = before;
  const Scoped asked(run.where.asked_pipeline, pipeline);
  const Ran ran = interpret(run, node, environment, io);
  const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&node.node);
  if (arithmetic && arithmetic->arithmetic->expression) {
    environment.status = before.status;  // the $? in it
    return {decide_arithmetic(run, *arithmetic->arithmetic->expression, environment), ran.output};
  }
  Tested result{split_status(run, std::move(environment)), ran.output};
  if (ran.selects) learn_search(run, node, *ran.selects, result.branches);
  return result;
}

}  // namespace

// The last command has succeeded: so has a `cd` if it was one, and the command in `x=$(mktemp)`
// has printed what it was asked for.
void settle_success(Run& run, Environment& environment) {
  const Span command = environment.status.origin;
  Directory& directory = environment.directory;
  if (command == directory.changed_by) directory.may_have_failed = false;
  const auto known = run.implied.find({command.begin, command.end});
  if (known == run.implied.end()) return;
  const Implied& implied = known->second;
  for (const shell::Word* word : implied.not_empty)
    restrict_word(run, *word, !run.languages.literal(""), environment);
  if (!implied.captured) return;
  Value value = run.value(*implied.captured, environment);
  if (value.source != Source::kCommand) return;
  if (value.needs) {  // the file that it needs was there
    value.needs.reset();
    run.put(*implied.captured, run.values.add(value), environment);
  }
  if (!implied.prints_on_success || !may_be_empty(value)) return;
  const Lang empty = run.languages.literal("");
  value.strings = value.strings - empty;
  if (value.skeleton) value.skeleton = *value.skeleton - empty;
  run.put(*implied.captured, run.values.add(std::move(value)), environment);
}

// No file has an empty name, and only commands that remove files may be told not to mind.
void note_implied(Run& run, const Call& call, const commands::Card& card) {
  Implied implied;
  const auto is_path = [](const commands::OperandSpec& spec) {
    return spec.kind == commands::OperandKind::kPath ||
           spec.kind == commands::OperandKind::kPathWritten ||
           spec.kind == commands::OperandKind::kFile;
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
  if (!implied.not_empty.empty() || run.implied.contains(command))
    run.implied.insert_or_assign(command, std::move(implied));
}

// Not true for a filter: its input may have held nothing to print.
bool prints_on_success(Run& run, const shell::Sequence& body, const Environment& environment) {
  const auto* simple = body.items.size() == 1 && body.items[0].command
                           ? std::get_if<shell::SimpleCommand>(&body.items[0].command->node)
                           : nullptr;
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return false;
  const std::string_view name = simple->words[0].literal();
  if (run.function_named(name, environment)) return false;
  const commands::Card* card = run.cards.find(name);
  if (card && card->echoes) return false;  // `echo $x` of an empty x
  return !card || card->has_property(commands::CardKey::kReads, "nothing");
}

Branches split_status(Run& run, Environment environment) {
  if (!environment.is_reachable) return {unreachable(), unreachable()};
  const Status status = environment.status;
  Branches result{status.can_succeed ? environment : unreachable(), unreachable()};
  // `[ -z "$x" ] && echo usage && exit`
  if (status.can_fail && !status.is_printed) result.failure = std::move(environment);
  // If it has failed, it has not done what it was meant to do to files.
  const auto is_told = [&](const auto& place) { return place.second.by == status.origin; };
  const Places& places = *result.failure.places;
  if (std::any_of(places.begin(), places.end(), is_told))
    std::erase_if(result.failure.places.edit(), is_told);
  result.success.status = succeeded(status.origin);
  result.failure.status = failed(status.origin);
  if (result.success.is_reachable) settle_success(run, result.success);
  return result;
}

Environment merged(Run& run, const Branches& branches) {
  return join(run.values, branches.success, branches.failure);
}

Tested test(Run& run, const shell::Sequence& body, const Environment& before, const Io& io,
            const Listed& listed) {
  Environment environment = before;
  Stream output = run.none();
  for (size_t i = 0; i + 1 < body.items.size(); i++) {
    if (body.items[i].command)
      output =
          run.followed(io, output, interpret(run, *body.items[i].command, environment, io).output);
  }
  if (body.items.empty() || !body.items.back().command || !environment.is_reachable)
    return {split_status(run, std::move(environment)), output};
  Tested last = test(run, *body.items.back().command, environment, io,
                     body.items.size() == 1 ? listed : Listed{});
  last.output = run.followed(io, output, last.output);
  return last;
}

Tested test_as_condition(Run& run, const shell::Sequence& body, const Environment& before,
                         const Io& io, const Listed& listed) {
  const Scoped tested(run.where.tested, run.where.tested + 1);
  return test(run, body, before, io, listed);
}

Tested test(Run& run, const Command& node, const Environment& before, const Io& io,
            const Listed& listed) {
  Tested result = test_command(run, node, before, io, listed);
  if (run.records() && before.is_reachable) {
    const Branches& branches = result.branches;
    run.recorder->status(node.span, {branches.success.is_reachable, branches.failure.is_reachable},
                         {.is_tested = true});
  }
  return result;
}

Tested test_and_or(Run& run, const shell::AndOr& node, const Environment& before, const Io& io) {
  Tested result = test(run, *node.items[0].command, before, io);
  for (const shell::AndOrItem& item : node.items.subspan(1)) {
    const bool is_and = item.op == shell::AndOrOp::kAnd;
    Environment& taken = is_and ? result.branches.success : result.branches.failure;
    Tested next = test(run, *item.command, taken, io, {&before, is_and, true});
    if (is_and) {
      result.branches.failure = join(run.values, result.branches.failure, next.branches.failure);
      result.branches.success = std::move(next.branches.success);
    } else {
      result.branches.success = join(run.values, result.branches.success, next.branches.success);
      result.branches.failure = std::move(next.branches.failure);
    }
    if (io.is_captured) {
      next.output.count.lower(0);
      result.output = commands::concatenated(result.output, next.output);
    }
  }
  return result;
}

}  // namespace nacre::flow
