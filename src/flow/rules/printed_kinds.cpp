#include "flow/rules/printed_kinds.h"

#include <algorithm>
#include <fmt/format.h>

#include "regular/decide.h"

namespace nacre::flow {

namespace {

using commands::Frequency;
using commands::LineKind;

bool is_out(Lang texts, Lang wanted, const RuleContext& in) {
  const Lang words = texts - in.languages.epsilon();
  if (!regular::is_empty(words, in.budget).no()) return false;
  const auto verdict = regular::disjoint(words, wanted, in.budget);
  return verdict.yes() && verdict.is_certain;
}

std::string name_of(const Printed& printed, const LineKind& kind) {
  if (!printed.producer) return "";
  const std::string column = commands::column_of(*printed.producer, kind.lines);
  if (!column.empty()) return column;
  return kind.name == "row" ? ""
                            : fmt::format("the {} of {}", kind.name, printed.producer->command);
}

}  // namespace

std::optional<Mismatch> mismatch(const Value& value, Lang wanted, const RuleContext& in) {
  if (is_out(value.strings, wanted, in)) {
    std::string what;
    if (value.printed && value.printed->producer)
      what = commands::column_of(*value.printed->producer, value.strings);
    return Mismatch{value.strings - in.languages.epsilon(), what};
  }
  if (!value.printed) return std::nullopt;
  // A line that comes in every run spoils the value; of the usual ones all must.
  const LineKind* usual = nullptr;
  bool is_usual_out = true;
  for (const LineKind& kind : value.printed->kinds) {
    const bool is_wrong = kind.frequency <= Frequency::kUsual && is_out(kind.lines, wanted, in);
    if (is_wrong && kind.frequency == Frequency::kEvery)
      return Mismatch{kind.lines, name_of(*value.printed, kind)};
    if (kind.frequency > Frequency::kUsual) continue;
    is_usual_out &= is_wrong;
    if (is_wrong) usual = &kind;
  }
  if (!usual || !is_usual_out) return std::nullopt;
  return Mismatch{usual->lines, name_of(*value.printed, *usual)};
}

bool has_two_lines(const Value& value) {
  if (!value.printed) return false;
  regular::Context& context = value.strings.context();
  if (regular::disjoint(value.strings, context.all() + context.literal("\n") + context.all()).yes())
    return false;  // one of the lines: `read`, `for`
  const auto& kinds = value.printed->kinds;
  return std::count_if(kinds.begin(), kinds.end(), [](const LineKind& kind) {
           return kind.frequency == Frequency::kEvery;
         }) > 1;
}

std::optional<std::string> missing_word(const Value& value) {
  if (!value.printed) return std::nullopt;
  for (const LineKind& kind : value.printed->kinds) {
    if (kind.name == "missing value") return regular::shortest(kind.lines);
  }
  return std::nullopt;
}

}  // namespace nacre::flow
