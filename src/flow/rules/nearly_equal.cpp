// T301: `[ "$x" = word ]` where what usually comes is the word with a carriage return behind it, or
// in quotes.
//
//   T301: t=$(curl -sI "$1" | awk '$1 == "Server:" {print $2}')\n[ "$t" = nginx ] && echo yes
//   quiet: t=$(curl -sI "$1" | tr -d '\\r' | awk '$1 == "Server:" {print $2}')\n[ "$t" = nginx ] &&
//   echo yes
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

struct Dress {
  std::string_view before, after, what;
};

constexpr Dress kDresses[] = {{"", "\r", "a carriage return at its end"},
                              {"\"", "\"", "double quotes around it"}};

// A usual line is the word with the addition around it, and no line is the word alone.
bool comes_only(const Value& value, const std::string& word, const Dress& dress,
                const RuleContext& in) {
  const Lang plain = in.languages.literal(word);
  const Lang dressed =
      in.languages.literal(std::string(dress.before) + word + std::string(dress.after));
  bool is_seen = false;
  for (const commands::LineKind& kind : value.printed->kinds) {
    if (kind.frequency > commands::Frequency::kUsual) continue;
    if (!regular::disjoint(kind.lines, plain, in.budget).yes()) return false;
    is_seen |= regular::included(dressed, kind.lines, in.budget).yes();
  }
  return is_seen;
}

// The text is unknown, but each value ends with a carriage return, as from `docker exec -t`.
bool always_ends_with_return(const Value& value, const RuleContext& in) {
  if (!value.is_opaque || value.source != Source::kCommand) return false;
  const Lang ended = in.languages.all() + in.languages.literal("\r");
  const Lang texts = value.strings - in.languages.epsilon();
  return regular::is_empty(texts, in.budget).no() &&
         regular::included(texts, ended, in.budget).yes();
}

void judge_equality(const Condition& condition, const ConditionEvent& event, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_equality(part, event, in);
  const bool is_equality = condition.kind == Condition::Kind::kBinary &&
                           (condition.op == shell::ConditionalOp::kEqual ||
                            condition.op == shell::ConditionalOp::kNotEqual);
  if (!is_equality) return;
  for (const auto& [word, other] :
       {std::pair{condition.left, condition.right}, {condition.right, condition.left}}) {
    if (!other->is_literal() || other->literal().empty()) continue;
    const Value value = in.evaluator.value_again(*word, event.before);
    if (always_ends_with_return(value, in)) {
      Diagnostic result =
          in.finding("T301", word->span,
                     fmt::format("this is never equal to {}: what the command prints has {}",
                                 other->literal(), kDresses[0].what));
      show_origin(result, value, in);
      return in.report(std::move(result));
    }
    if (!value.printed || !value.printed->producer) continue;
    // That no line at all is the word is said elsewhere.
    const std::string text(other->literal());
    if (regular::disjoint(value.strings, in.languages.literal(text), in.budget).yes()) continue;
    for (const Dress& dress : kDresses) {
      if (!comes_only(value, text, dress, in)) continue;
      Diagnostic result =
          in.finding("T301", word->span,
                     fmt::format("this is never equal to {}: what {} prints has {}", text,
                                 value.printed->producer->command, dress.what));
      show_origin(result, value, in);
      return in.report(std::move(result));
    }
  }
}

}  // namespace

void nearly_equal(const ConditionEvent& event, RuleContext& in) {
  judge_equality(event.condition, event, in);
}

}  // namespace nacre::flow::rules
