// X217: printf with more or fewer arguments than its format has places.
//
//   X217: printf 'hello\\n' world
//   X217: printf '%s: %s\\n' name
//   X217: printf '%s=%s\\n' a 1 b
//   quiet: printf '%s: %s\\n' name value
//   quiet: printf '%s\\n' a b c
//   quiet: printf '%s=%s\\n' "$@"
//   quiet: printf '%s %s\\n' $pair
//   quiet: printf '100%%\\n'
//   quiet bash: printf '%(%F)T\\n'
//   quiet bash: printf -v x '%*d' 5 1\necho "$x"
//   quiet bash: printf -v x -- '%s%s' a b\necho "$x"
#include <fmt/format.h>

#include "base/counted.h"
#include "commands/format_text.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// How many arguments one pass through the format takes; nothing if it has directives that are not
// known here.
std::optional<size_t> places_in(std::string_view format) {
  size_t count = 0;
  for (size_t at = format.find('%'); at != format.npos; at = format.find('%', at)) {
    if (format.substr(at, 2) == "%%") {
      at += 2;
      continue;
    }
    const commands::Directive directive = commands::parse_directive(format, at, "-+ #0'");
    if (directive.letter == 0 || directive.letter == '(') return std::nullopt;
    count += 1 + (directive.has_star_width ? 1 : 0) + (directive.has_star_precision ? 1 : 0);
    at = directive.end;
  }
  return count;
}

std::string wrong_count(size_t places, size_t given) {
  if (places == 0 && given > 0)
    return "the format has no directive that prints an argument: the arguments are not printed";
  if (given > 0 && given < places)
    return fmt::format("the format has {} directives, but only {}: the others get no value", places,
                       counted(given, "argument"));
  if (places > 1 && given % places != 0)
    return fmt::format(
        "the format has {} directives for {} arguments: it is used again, and the last "
        "directives get no value",
        places, given);
  return "";
}

}  // namespace

void printf_arguments(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.size() < 2 || words[0].argument.text != "printf") return;
  size_t at = 1;
  if (words.size() > 3 && words[at].argument.text == "-v") at += 2;
  if (words[at].argument.text == "--") at++;
  // The format has to be written here: one in a variable may have another value tomorrow.
  if (at >= words.size() || !words[at].word || !words[at].word->is_literal()) return;
  for (const Field& field : words.subspan(at))
    if (field.may_repeat || field.may_vanish) return;
  const auto places = places_in(*words[at].argument.text);
  if (!places) return;
  const std::string why = wrong_count(*places, words.size() - at - 1);
  if (!why.empty()) in.report(in.finding("X217", words[at].word->span, why));
}

}  // namespace nacre::flow::rules
