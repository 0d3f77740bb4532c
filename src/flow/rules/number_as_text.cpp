// X206: `<` and `>` of `[[ ]]` and `[ ]` compare texts: 9 is greater than 10.
//
//   X206 bash: if [[ $1 > 10 ]]; then echo more; fi
//   X206 bash: n=$(wc -l < list)\n[[ $n < 100 ]] && echo few
//   X206: [ "$1" \> 10 ] && echo more
//   X206 bash: v=$(git --version | cut -d" " -f3)\n[[ $v > 2.9 ]] && echo new
//   quiet bash: [[ $(date +%Y.%m) > 2024.06 ]] && echo late
//   quiet bash: if [[ $1 -gt 10 ]]; then echo more; fi
//   quiet bash: [[ $1 > b ]] && echo after
//   quiet bash: [[ ${#list[@]} > 0 ]] && echo some
//   quiet bash: [[ $(date +%Y%m%d) > 20240101 ]] && echo late
//   quiet bash: [[ $1 > 2024-01-01 ]] && echo late
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

constexpr std::string_view kDigits = "0123456789";

// Parts of at most two digits without a zero in front: `2.9`, and not a date such as `2024.06`.
bool is_version(std::string_view text) {
  if (text.find('.') == std::string_view::npos) return false;
  while (true) {
    const size_t end = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, end);
    if (part.empty() || part.size() > 2 || part.find_first_not_of(kDigits) != part.npos ||
        (part.size() > 1 && part[0] == '0'))
      return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

bool is_number(const shell::Word& word) {
  return word.is_literal() && !word.literal().empty() &&
         (word.literal().find_first_not_of(kDigits) == std::string_view::npos ||
          is_version(word.literal()));
}

// Numbers with as many digits as the constant are in the order of their texts.
bool has_its_length(const shell::Word& word, std::string_view number, const Environment& before,
                    const RuleContext& in) {
  const Value value = in.evaluator.value_again(word, before);
  if (value.is_opaque) return false;
  Lang same = in.languages.literal("");
  const Lang digit = in.languages.set(regular::CharSet::range('0', '9'));
  for (const char c : number) same = same + (c == '.' ? in.languages.literal(".") : digit);
  return regular::included(expansion_of(value), same | in.languages.literal(""), in.budget).yes();
}

void judge_order(const Condition& condition, const ConditionEvent& event, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_order(part, event, in);
  const bool is_order = condition.kind == Condition::Kind::kBinary &&
                        (condition.op == shell::ConditionalOp::kLess ||
                         condition.op == shell::ConditionalOp::kGreater);
  if (!is_order) return;
  const bool is_right = is_number(*condition.right);
  if (is_right == is_number(*condition.left)) return;
  const shell::Word& number = is_right ? *condition.right : *condition.left;
  const shell::Word& other = is_right ? *condition.left : *condition.right;
  if (has_its_length(other, number.literal(), event.before, in)) return;
  const bool is_less = condition.op == shell::ConditionalOp::kLess;
  // `> 0` and `< 1` are right for every count.
  if (is_right && number.literal() == (is_less ? "1" : "0")) return;
  const std::string message =
      is_version(number.literal())
          ? "this compares texts, not versions: 2.9 comes after 2.10; sort -V orders versions"
          : fmt::format("this compares texts, not numbers: 9 comes after 10; write {}",
                        is_less ? "-lt" : "-gt");
  Diagnostic result =
      in.finding("X206", {condition.left->span.begin, condition.right->span.end}, message);
  in.report(std::move(result));
}

}  // namespace

void number_as_text(const ConditionEvent& event, RuleContext& in) {
  judge_order(event.condition, event, in);
}

}  // namespace nacre::flow::rules
