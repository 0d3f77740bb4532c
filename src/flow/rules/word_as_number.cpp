// X207: `[[ $x -eq YES ]]` takes YES for the name of a variable, which is not set: its number is 0.
//
//   X207 bash: [[ $1 -eq YES ]] && echo yes
//   X207 bash: if [[ "$1" -ne none ]]; then echo some; fi
//   X207 bash: mode=fast\n[[ $mode -eq fast ]] && echo fast
//   quiet bash: [[ $1 = YES ]] && echo yes
//   quiet bash: limit=5\n[[ $1 -eq limit ]] && echo yes
//   quiet bash: [[ $1 -eq 0x1F ]] && echo yes
//   quiet bash: [[ $1 -eq SECONDS ]] && echo yes
#include <fmt/format.h>

#include "base/ascii.h"
#include "flow/rules/publish.h"
#include "flow/rules/variable_names.h"

namespace nacre::flow::rules {

namespace {

// The shell itself sets it.
bool is_kept(std::string_view name, const RuleContext& in) {
  const auto number = in.names.find(name);
  return number && in.script.kept.contains(*number);
}

bool is_unset_name(const shell::Word& word, const RuleContext& in) {
  if (!word.is_literal() || word.literal().empty()) return false;
  const std::string_view text = word.literal();
  for (const char c : text)
    if (!(is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'))
      return false;
  return !is_digit(text[0]) && !in.survey.assigned.contains(text) &&
         !in.survey.reads.contains(text) && !is_well_known(text) && !is_inherited(text) &&
         !is_kept(text, in);
}

void judge_words(const Condition& condition, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_words(part, in);
  if (!condition.is_bracket || !compares_numbers(condition)) return;
  for (const shell::Word* word : {condition.left, condition.right}) {
    if (!is_unset_name(*word, in)) continue;
    in.report(in.finding("X207", word->span,
                         fmt::format("{} is evaluated as an unset variable, which is 0; compare "
                                     "strings with = or !=",
                                     word->literal())));
  }
}

}  // namespace

void word_as_number(const ConditionEvent& event, RuleContext& in) {
  // Code that is not known may have set it.
  if (!event.before.has_unknown_code) judge_words(event.condition, in);
}

}  // namespace nacre::flow::rules
