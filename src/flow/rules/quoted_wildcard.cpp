// F109: a wildcard in quotes where a file is named.
//
//   F109: cp "/srv/out/*.csv" in/
//   quiet: cp /srv/out/*.csv in/
//   F109: [ -f "logs/*.gz" ] && echo there
//   quiet: [ "$x" = "*.gz" ] && echo there
//   F109: mask="??-??.xml"\nmv "in/$mask" out
//   quiet: mask="??-??.xml"\nmv in/$mask out
//   quiet: for f in *.txt; do rm "$f"; done
//   quiet: find . -name "*.txt"
//   quiet: rm 'a*b' a\*c
#include <algorithm>
#include <fmt/format.h>

#include "base/path.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool has_wildcard(std::string_view text) {
  return text.find('*') != text.npos || text.find('?') != text.npos;
}

// In double quotes, or in a variable of the script's own that is in them.
bool has_quoted_wildcard(std::span<const shell::Part> parts, bool is_quoted,
                         const Environment& environment, const RuleContext& in) {
  return std::any_of(parts.begin(), parts.end(), [&](const shell::Part& part) {
    if (part.kind == shell::PartKind::kDoubleQuoted)
      return has_quoted_wildcard(part.parts(), true, environment, in);
    if (!is_quoted) return false;
    if (part.kind == shell::PartKind::kLiteral) return has_wildcard(part.text());
    if (part.kind != shell::PartKind::kParameter) return false;
    const shell::Parameter& node = part.parameter();
    if (node.kind != shell::ParameterKind::kVariable || node.op != shell::ParameterOp::kNone)
      return false;
    const Value& value = in.value(node.name, environment);
    return value.text && !value.may_be_unset && value.source == Source::kScript &&
           has_wildcard(*value.text);
  });
}

void judge_quotes(const shell::Word& word, const Environment& environment, RuleContext& in) {
  if (!word.is_quoted() || word.has(shell::kWordMayGlob)) return;
  if (!has_quoted_wildcard(word.parts(), false, environment, in)) return in.pass("F109", word.span);
  in.pass(
      "F109", word.span,
      in.finding("F109", word.span,
                 "in quotes the wildcard is literal: only a file with exactly this name matches"));
}

void judge_condition(const Condition& condition, const Environment& environment, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_condition(part, environment, in);
  constexpr std::string_view kFileTests = "defsrwxL";
  if (condition.kind == Condition::Kind::kUnary &&
      kFileTests.find(condition.letter) != std::string_view::npos)
    judge_quotes(*condition.left, environment, in);
}

}  // namespace

void quoted_wildcard(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !words[0].argument.text) return;
  const commands::Card* card = in.cards.find(base_name(*words[0].argument.text));
  const bool names_files =
      card && card->has_property(commands::CardKey::kDoes) && !card->operands.empty() &&
      std::all_of(
          card->operands.begin(), card->operands.end(), [](const commands::OperandSpec& spec) {
            return commands::is_path(spec.kind) || spec.kind == commands::OperandKind::kFile;
          });
  if (!names_files) return;
  for (const Field& field : words.subspan(1)) {
    if (field.word) judge_quotes(*field.word, event.call.environment, in);
  }
}

void quoted_wildcard_test(const ConditionEvent& event, RuleContext& in) {
  judge_condition(event.condition, event.before, in);
}

}  // namespace nacre::flow::rules
