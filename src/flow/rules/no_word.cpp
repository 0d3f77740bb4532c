// T125: a filter may let nothing through, and then a word is missing where one is needed: the
// argument of `kill`, an operand of `[ ]`.
//
//   T125: pid=$(ps -ef | awk '/[r]edis/ {print $2}')\nkill -HUP $pid
//   quiet: pid=$(ps -ef | awk '/[r]edis/ {print $2}')\n[ -n "$pid" ] && kill -HUP $pid
//   T125: c=$(grep code= app.log | tail -n 1 | cut -d= -f2)\nif [ $c -ne 0 ]; then echo bad; fi
//   quiet: c=$(grep code= app.log | tail -n 1 | cut -d= -f2)\nif [ "${c:-0}" -ne 0 ]; then echo; fi
//   quiet: c=$(grep code= app.log | tail -n 1 | cut -d= -f2)\n[ $c -eq 0 ] || exit 1
#include <algorithm>
#include <fmt/format.h>

#include "commands/check_arguments.h"
#include "flow/rules/advice.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// The one expansion that the field is, without quotes.
const Fragment* bare_expansion(const Field& field) {
  if (field.fragments.size() != 1) return nullptr;
  const Fragment& only = field.fragments[0];
  return only.kind == FragmentKind::kExpansion && !only.is_quoted ? &only : nullptr;
}

void report(const Field& field, const Value& value, std::string_view taker, RuleContext& in) {
  Diagnostic result =
      in.finding("T125", field.word->span,
                 fmt::format("{} is empty if nothing is found, and then {} gets no argument here",
                             in.text(field.word->span), taker));
  result.counterexample = "";
  show_origin(result, value, in);
  in.report(std::move(result));
}

// `[ $x -eq 1 ] || fail`: a test that is refused goes where one that fails goes.
bool leads_to_failure(Span operand, const RuleContext& in) {
  const std::string_view rest = in.file().bytes().substr(operand.end);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const size_t next = std::min({line.find("||"), line.find("&&"), line.find(';')});
  return next != line.npos && line.substr(next).starts_with("||");
}

bool may_find_nothing(const Value& value) {
  return value.is_filtered && value.source == Source::kCommand && may_be_empty(value);
}

}  // namespace

void missing_operand(const InvocationEvent& event, RuleContext& in) {
  const commands::Invocation& invocation = event.invocation;
  const auto& operands = invocation.operands;
  if (invocation.is_uncertain || event.call.io.drops_errors) return;
  const auto check = [&](const commands::Argument& argument) {
    for (const Field& field : event.call.fields) {
      if (field.argument.span != argument.span) continue;
      const Fragment* bare = bare_expansion(field);
      if (bare && may_find_nothing(bare->value))
        report(field, bare->value, invocation.card->name, in);
    }
  };
  const commands::OperandSpec* spec =
      operands.size() == 1 ? commands::operand_spec(*invocation.card, 0, 1) : nullptr;
  if (spec && !spec->placeholder.empty() && !spec->is_optional) check(operands[0]);
  for (const commands::GivenOption& given : invocation.options) {
    if (given.argument && given.spec->argument == commands::OptionArgument::kRequired &&
        given.argument->span != given.span)
      check(*given.argument);
  }
}

void missing_test_operand(const NumberEvent& event, RuleContext& in) {
  const auto parts = event.word.parts();
  const bool is_bare = parts.size() == 1 && parts[0].is_expansion();
  if (!is_bare || !may_find_nothing(event.value) || leads_to_failure(event.word.span, in)) return;
  Diagnostic result =
      in.finding("T125", event.word.span,
                 fmt::format("{} is empty if nothing is found, and then [ lacks an operand",
                             in.text(event.word.span)));
  show_origin(result, event.value, in);
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
