// T121: a number is wanted, and what comes has a unit, a percent sign, a date, a name in it.
// T122: arithmetic takes a number that begins with 0 for an octal one, and stops at 08 and 09.
//
//   T121: u=$(df -P / | awk 'NR == 2 {print $5}')\n[ "$u" -gt 90 ] && echo full
//   quiet: u=$(df -P / | awk 'NR == 2 {print $5 + 0}')\n[ "$u" -gt 90 ] && echo full
//   T121 bash: d=$(git log -1 --format=%cI)\necho $((d + 1))
//   quiet bash: d=$(git log -1 --format=%ct)\necho $((d + 1))
//   T122 bash: h=$(date +%H)\necho $((h * 60))
//   quiet bash: h=$(date +%H)\necho $((10#$h * 60))
//   T121: s=$(df -h / | awk 'NR == 2 {print $3}')\nprintf '%d MB\\n' "$s"
//   quiet: s=$(du -sm /home | cut -f1)\nprintf '%d MB\\n' "$s"
//   T122 bash: m=$(date +%M)\nprintf '%d minutes\\n' "$m"
//   quiet bash: m=$(date +%-M)\nprintf '%02d minutes\\n' "$m"
//   quiet: p=$(df --output=pcent / | tail -n 1)\nprintf 'full: %s\\n' "$p"
#include <fmt/format.h>

#include "commands/format_text.h"
#include "flow/rules/advice.h"
#include "flow/rules/operands.h"
#include "flow/rules/printed_kinds.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"
#include "regular/parse_type.h"

namespace nacre::flow::rules {

namespace {

Lang type(std::string_view text, const RuleContext& in) {
  return *regular::parse_type(in.languages, text);
}

// What `[` takes for a number: blanks around it, but no newline after it.
Lang test_numbers(const RuleContext& in) { return type("[ \\t\\n]*[+-]?[0-9]+[ \\t]*", in); }

// What arithmetic surely refuses: a character that no expression has, a suffix after digits, an
// operator at the end. (Names are variables to it, and operators may be meant.)
Lang refused_by_arithmetic(const RuleContext& in) {
  return type(
      "(.|\\n)*[.\"'@\\r\\\\;]|(.|\\n)*[.\"@\\r\\\\;](.|\\n)*|(.|\\n)*[-+*/%<>=&^][ \\t\\n]*|"
      "[ \\t]*[1-9][0-9]*[A-Za-z_](.|\\n)*|[ \\t]*[0-9]+[ \\t]+[A-Za-z0-9_](.|\\n)*|"
      "[ \\t]*0[A-WYZa-wyz_](.|\\n)*|[^?\\n]*:[^?\\n]*",
      in);
}

void report(Span span, const Value& value, const Mismatch& found, std::string_view taker,
            RuleContext& in) {
  const auto example = regular::shortest(found.texts, in.budget);
  Diagnostic result =
      in.finding("T121", span,
                 fmt::format("{} needs a whole number, and {} is never one: '{}'", taker,
                             found.what.empty() ? "this" : found.what, example.value_or("")));
  result.counterexample = example.value_or("");
  show_origin(result, value, in);
  in.report(std::move(result));
}

bool is_from_command(const Value& value) {
  return value.source == Source::kCommand || value.source == Source::kInput || value.printed;
}

// A heading among the rows: a name, which is a variable to arithmetic and never meant.
std::optional<Mismatch> frame_in(const Value& value, const RuleContext& in) {
  if (!value.printed || !value.printed->producer) return std::nullopt;
  for (const commands::LineKind& kind : value.printed->kinds) {
    if (kind.name != "heading" || kind.frequency != commands::Frequency::kEvery) continue;
    const Lang words = kind.lines - in.languages.epsilon();
    if (regular::is_empty(words, in.budget).no() &&
        regular::disjoint(words, test_numbers(in), in.budget).yes())
      return Mismatch{words, "the heading of " + value.printed->producer->command};
  }
  return std::nullopt;
}

// `10#$h`
bool has_base(Span span, const RuleContext& in) {
  return span.begin > 0 && in.text({span.begin - 1, span.begin}) == "#";
}

// What the conversion takes; nothing if it takes any text.
std::optional<Lang> taken_by(char letter, const RuleContext& in) {
  if (std::string_view("diouxX").find(letter) != std::string_view::npos)
    return type("[ \\t\\n]*[+-]?([0-9]+|0[xX][0-9a-fA-F]+)|[\"'](.|\\n)+", in);
  if (std::string_view("eEfFgG").find(letter) != std::string_view::npos)
    return type(
        "[ \\t\\n]*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[\"'](.|\\n)+|"
        "[+-]?(inf|nan|0[xX])(.|\\n)*",
        in);
  return std::nullopt;
}

// All of one width, some with a zero in front that is not an octal digit: dates, padded counters.
std::optional<std::string> misread_octal(const Value& value, const RuleContext& in) {
  const Lang octal = type("0[0-9]*[89][0-9]*", in);
  if (regular::disjoint(value.strings, octal, in.budget).yes()) return std::nullopt;
  constexpr uint32_t kMaxWidth = 9;
  const Lang digit = type("[0-9]", in);
  for (uint32_t width = 2; width <= kMaxWidth; width++) {
    const Lang padded = optional(repeat(digit, width, width));
    if (regular::included(value.strings, padded, in.budget).yes())
      return regular::shortest(value.strings & octal, in.budget);
  }
  return std::nullopt;
}

void report_octal(Span span, std::string_view taker, const Value& value, const std::string& example,
                  RuleContext& in) {
  Diagnostic result = in.finding(
      "T122", span,
      fmt::format("{} reads {} as an octal number when it begins with 0, and stops at {}", taker,
                  in.text(span), example));
  result.counterexample = example;
  show_origin(result, value, in);
  in.report(std::move(result));
}

}  // namespace

void wrong_number(const NumberEvent& event, RuleContext& in) {
  const Value& value = event.value;
  if (!is_from_command(value) || value.text || is_several_lines(value, in)) return;
  if (has_two_lines(value)) {
    Diagnostic result =
        in.finding("X109", event.word.span,
                   fmt::format("{} is several lines, but a single number is needed here",
                               in.text(event.word.span)));
    show_origin(result, value, in);
    return in.report(std::move(result));
  }
  const Lang lines = type("(.|\\n)*\\n(.|\\n)*", in);
  if (regular::included(value.strings - in.languages.epsilon(), lines, in.budget).yes()) return;
  if (const auto found = mismatch(value, test_numbers(in), in))
    report(event.word.span, value, *found, "[", in);
}

void wrong_arithmetic(const ArithmeticEvent& event, RuleContext& in) {
  const Value& value = event.value;
  if (value.is_array || value.may_be_unset) return;
  if (is_from_command(value) && !value.text) {
    const Lang accepted = type("(.|\\n)*", in) - refused_by_arithmetic(in);
    if (const auto found = mismatch(value, accepted, in))
      return report(event.span, value, *found, "arithmetic", in);
  }
  if (const auto found = frame_in(value, in))
    return report(event.span, value, *found, "arithmetic", in);
  if (value.is_opaque || has_base(event.span, in)) return;
  const auto example = misread_octal(value, in);
  if (!example) return;
  report_octal(event.span, "arithmetic", value, *example, in);
}

void printf_numbers(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.size() < 3 || words[0].argument.text != "printf") return;
  size_t at = words[1].argument.text == "-v" ? 3 : 1;
  if (at < words.size() && words[at].argument.text == "--") at++;
  if (at >= words.size() || !words[at].argument.text || words[at].argument.is_opaque) return;
  const std::string& format = *words[at].argument.text;
  for (size_t place = format.find('%'); place != format.npos; place = format.find('%', place)) {
    if (format.compare(place, 2, "%%") == 0) {
      place += 2;
      continue;
    }
    const commands::Directive directive = commands::parse_directive(format, place, "-+ #0'");
    if (directive.letter == 0 || directive.letter == '(') return;
    place = directive.end;
    at += 1 + (directive.has_star_width ? 1 : 0) + (directive.has_star_precision ? 1 : 0);
    if (at >= words.size() || words[at].may_repeat || words[at].may_vanish) return;
    const auto taken = taken_by(directive.letter, in);
    if (!taken || !words[at].word) continue;
    const Value value = in.evaluator.value_again(*words[at].word, event.call.environment);
    if (!is_from_command(value) || value.text) continue;
    if (const auto found = mismatch(value, *taken, in)) {
      report(words[at].word->span, value, *found, fmt::format("printf %{}", directive.letter), in);
      continue;
    }
    const bool is_integer = std::string_view("eEfFgG").find(directive.letter) == std::string::npos;
    const auto example = is_integer ? misread_octal(value, in) : std::nullopt;
    if (example) report_octal(words[at].word->span, "printf", value, *example, in);
  }
}

}  // namespace nacre::flow::rules
