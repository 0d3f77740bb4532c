// X208: what is quoted after =~ is taken as it stands, not as a regular expression.
//
//   X208 bash: [[ $1 =~ "^[0-9]+$" ]] && echo number
//   X208 bash: [[ $1 =~ '^v' ]] && echo version
//   X208 bash: if [[ "$line" =~ "error.*fatal" ]]; then echo bad; fi
//   quiet bash: [[ $1 =~ ^[0-9]+$ ]] && echo number
//   quiet bash: [[ $1 =~ "a.b" ]] && echo literal
//   quiet bash: [[ $1 =~ ^"a b"$ ]] && echo literal
//   quiet bash: [[ :$PATH: =~ ":$1:" ]] && echo there
#include <fmt/format.h>

#include "flow/rules/operands.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// Anchors at its ends, sets and `.*` are hardly ever looked for as texts.
bool looks_like_regex(std::string_view text) {
  if (text.size() < 2) return false;
  const size_t set = text.find('[');
  const bool has_set = set != text.npos && text.find(']', set + 2) != text.npos;
  return text.starts_with('^') || (text.ends_with('$') && !text.ends_with("\\$")) ||
         text.find(".*") != text.npos || text.find(".+") != text.npos ||
         (has_set && text.find('-', set) != text.npos);
}

void judge_regex(const Condition& condition, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_regex(part, in);
  if (condition.kind != Condition::Kind::kBinary || condition.op != shell::ConditionalOp::kMatch)
    return;
  const auto parts = condition.right->parts();
  const bool is_quoted = parts.size() == 1 && (parts[0].kind == shell::PartKind::kDoubleQuoted ||
                                               parts[0].kind == shell::PartKind::kSingleQuoted);
  if (!is_quoted || !looks_like_regex(text_beside_expansions(*condition.right))) return;
  in.report(in.finding(
      "X208", condition.right->span,
      "in quotes this is a text, not a regular expression: leave the quotes out, or put the "
      "expression into a variable"));
}

}  // namespace

void quoted_regex(const ConditionEvent& event, RuleContext& in) {
  if (in.tree.dialect() == shell::Dialect::kBash) judge_regex(event.condition, in);
}

}  // namespace nacre::flow::rules
