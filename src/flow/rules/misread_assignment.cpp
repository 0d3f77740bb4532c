// X203: an assignment that the shell reads as a command: `x = 1`, `$x=1`.
//
//   X203: count = 1
//   X203: count =1
//   X203: name=a\n$name=b
//   X203: total+ = 2\ncount += 1
//   quiet: count=1
//   quiet: test = "$1"
//   quiet: expr = : x
//   quiet: export $name=b
//   quiet: "$program" = x
//   quiet: compare() { [ "$1" = "$2" ]; }\ncompare = b
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "flow/call_words.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool is_variable_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

// `x = 1`, `x =1`, `x += 1`, where no command is called x.
void judge_blanks(const shell::SimpleCommand& simple, RuleContext& in) {
  if (simple.words.size() < 2 || !simple.words[0].is_plain()) return;
  const std::string_view name = simple.words[0].literal();
  const std::string_view second = in.text(simple.words[1].span);
  const bool is_sign = second == "=" || second == "+=" || second == "==";
  const bool begins = second.starts_with('=') && !second.starts_with("==");
  if (!is_sign && !begins) return;
  if (!is_variable_name(name) || in.cards.find(name) || is_shell_builtin(name) ||
      in.survey.functions.contains(name))
    return;
  const Span place{simple.words[0].span.begin, simple.words[1].span.end};
  if (second == "==") {
    return in.report(in.finding(
        "X203", place,
        fmt::format("this runs a command {}: a comparison needs [ ] and spaces around it", name)));
  }
  Diagnostic result =
      in.finding("X203", place,
                 fmt::format("this runs a command {}: an assignment has no spaces around its {}",
                             name, second.starts_with('+') ? "+=" : "="));
  if (simple.words.size() == (begins && second != "=" ? 2U : 3U)) {
    const Span end = simple.words.back().span;
    const std::string sign(second.starts_with('+') ? "+=" : "=");
    const std::string_view value =
        second == "=" || second == "+=" ? in.text(end) : second.substr(1);
    result.fixes.push_back({"remove the spaces",
                            {{{place.begin, end.end}, fmt::format("{}{}{}", name, sign, value)}},
                            false});
  }
  in.report(std::move(result));
}

// `$x=1`
void judge_dollar(const shell::SimpleCommand& simple, RuleContext& in) {
  const auto parts = simple.words[0].parts();
  if (parts.size() < 2 || parts[0].kind != shell::PartKind::kParameter ||
      parts[1].kind != shell::PartKind::kLiteral)
    return;
  const shell::Parameter& parameter = parts[0].parameter();
  const bool is_plain = parameter.kind == shell::ParameterKind::kVariable &&
                        parameter.op == shell::ParameterOp::kNone && !parameter.is_indirect &&
                        parameter.subscript == nullptr;
  const std::string_view text = parts[1].text();
  if (!is_plain || !text.starts_with('=') || text.starts_with("==")) return;
  const Span place{parts[0].span.begin, simple.words[0].span.end};
  Diagnostic result =
      in.finding("X203", place,
                 fmt::format("this runs what {} holds as a command: an assignment has no $ before "
                             "the name",
                             in.text(parts[0].span)));
  result.fixes.push_back({"remove the $", {{parts[0].span, std::string(parameter.name)}}, false});
  in.report(std::move(result));
}

}  // namespace

void misread_assignment(const TextEvent& event, RuleContext& in) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple || simple->words.empty()) return;
  judge_blanks(*simple, in);
  judge_dollar(*simple, in);
}

}  // namespace nacre::flow::rules
