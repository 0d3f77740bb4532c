// Command substitution.
#include <algorithm>

#include "flow/call_words.h"
#include "flow/expansion.h"
#include "flow/interpreter.h"
#include "flow/other_code.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/tested.h"
#include "regular/decide.h"

namespace nacre::flow {

namespace {

// Runs the body of a substitution.
Ran run_captured(Run& run, const shell::Sequence& body, Capture& capture, Environment& environment,
                 const Io& io) {
  Subshell subshell{run.none(), unreachable()};
  {
    const Scoped tested(run.where.tested, 0U);
    const Scoped noted(run.where.substituted, nullptr);
    const Scoped quoted(run.where.is_quoted, false);
    const Scoped captured(run.where.capture, &capture);
    subshell = run_subshell(run, environment, [&](Environment& inner) {
      if (run.tree.dialect() == shell::Dialect::kBash)  // `shopt -s inherit_errexit`, or not
        inner.options.errexit_suspended = run.inherits_errexit ? Known::kMaybe : Known::kYes;
      return interpret(run, body, inner, io);
    });
  }
  if (run.where.capture) {
    run.where.capture->may_print_more |= capture.may_print_more;
    run.where.capture->prints_elsewhere |= capture.prints_elsewhere;
  }
  return subshell.ran;
}

constexpr uint64_t kMaxCounted = 20;  // lines of a substitution; more are any number

// After the first one.
uint32_t more_lines(uint64_t lines) {
  return lines == 0 ? 0 : static_cast<uint32_t>(std::min(lines, kMaxCounted) - 1);
}

// The text of these lines, with the last newlines removed.
Value text_of_lines(Run& run, const Stream& stream, Span span) {
  const Lang line = commands::any_line(stream);
  const Lang newline = run.languages.literal("\n");
  // Empty lines at the end vanish.
  const uint32_t least = is_nullable(line) ? 0 : more_lines(stream.count.least);
  Lang text = line + repeat(newline + line, least,
                            stream.count.most > kMaxCounted ? regular::kUnbounded
                                                            : more_lines(stream.count.most));
  // A first line that is surely there, and not empty, stays what it is.
  if (!stream.first.empty() && stream.count.least > 0 && stream.count.most > 1 &&
      !is_nullable(stream.first[0]))
    text = text & (stream.first[0] + optional(newline + run.languages.all()));
  if (stream.count.least == 1 && stream.count.most == 1 &&
      stream.choice == commands::Choice::kFormat) {
    const auto only = regular::shortest(line, run.options.budget);
    if (only && run.languages.literal(*only) == line) return constant(run.languages, *only, span);
  }
  return Value(stream.count.least == 0 ? optional(text) : text);
}

// What is known of the printed text because of the one command that prints it.
void describe_printer(Run& run, const shell::Sequence& body, const Ran& ran, Value& result) {
  const Command* only = body.items.size() == 1 ? body.items[0].command : nullptr;
  const auto* simple = only ? std::get_if<shell::SimpleCommand>(&only->node) : nullptr;
  if (!simple) return;
  result.needs = ran.file_read;
  result.asked_command = asked_command(*simple, run.cards, run.languages);
}

}  // namespace

Value substitution_value(Run& run, const shell::Sequence& body, Span span,
                         Environment& environment) {
  const Status before = environment.status;
  // Substitutions within each other double the work each time that a word is looked at again.
  if (run.where.is_again && run.limits.is_spent()) {
    run.limits.note_exhausted(span, "a command substitution");
    environment.status = uncertain(before.origin);
    return unknown(run.languages, Source::kCommand, span);
  }
  Io io = run.own_input();
  io.is_captured = true;
  Capture capture;
  const Ran ran = run_captured(run, body, capture, environment, io);
  const Stream stream =
      capture.prints_elsewhere ? run.opaque() : ran.output;  // `exec 4>&1; ... >&4`
  const Status status = environment.status;
  environment.status = before;  // or, for a $? after it, that of the substitution
  environment.status.can_succeed |= status.can_succeed;
  environment.status.can_fail |= status.can_fail;
  const bool is_empty = stream.count.most == 0;
  if (run.where.substituted)
    *run.where.substituted = {status, !is_empty && prints_on_success(run, body, environment)};
  publish(SubstitutionEvent{body, span, stream, capture.may_print_more}, run.rules);
  Value result = is_empty ? constant(run.languages, "", span) : text_of_lines(run, stream, span);
  result.source = Source::kCommand;
  if (is_empty) return result;
  if (!stream.kinds.empty())
    result.printed = std::make_shared<const Printed>(Printed{stream.producer, stream.kinds});
  result.is_filtered = stream.is_filtered;
  result.is_file_names = stream.holds_names;
  result.is_opaque = stream.choice == commands::Choice::kOpaque;
  result.captured = 1;
  result.varies = capture.varies;
  result.origin = span;
  result.own_path = own_path_printed(run, body, environment);
  result.skeleton = ran.skeleton;
  describe_printer(run, body, ran, result);
  if (!result.is_opaque)
    result.output = std::make_shared<const Captured>(Captured{stream, result.strings});
  return result;
}

}  // namespace nacre::flow
