// T128: a test for an empty value that is never empty: jq prints null for what is not there, and
// `aws --output text` prints None.
//
//   T128: ip=$(kubectl get svc web -o json | jq -r .status.ip)\nif [ -z "$ip" ]; then exit 1; fi
//   quiet: ip=$(kubectl get svc web -o json | jq -r '.status.ip // empty')\n[ -z "$ip" ] && exit 1
#include <fmt/format.h>

#include "flow/rules/printed_kinds.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// The script compares something with the word: it knows that it may come.
bool knows(std::string_view word, const RuleContext& in) {
  const std::string_view text = in.file().bytes();
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::string_view before = text.substr(at < 6 ? 0 : at - 6, at < 6 ? at : 6);
    const std::string_view after = text.substr(at + word.size(), 2);
    if (before.find('=') != before.npos || before.ends_with("| ") || after.starts_with(")") ||
        after.starts_with(" |"))
      return true;
  }
  return false;
}

}  // namespace

void missing_value(const ConditionEvent& event, RuleContext& in) {
  const Condition& condition = event.condition;
  const bool asks_empty = condition.kind == Condition::Kind::kUnary &&
                          (condition.letter == 'z' || condition.letter == 'n');
  if (!asks_empty || !condition.left) return;
  const Value value = in.evaluator.value_again(*condition.left, event.before);
  const auto word = missing_word(value);
  if (!word || knows(*word, in)) return;
  Diagnostic result = in.finding(
      "T128", condition.left->span,
      fmt::format("a missing value is printed as the word {} by {}, not as an empty line", *word,
                  value.printed->producer->command));
  result.counterexample = *word;
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
