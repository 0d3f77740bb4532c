// X121: a variable of the script in single quotes, where nothing expands it: the text has a dollar
// sign in it.
//
//   X121: t1=a\ncurl -d '{"title": "$t1"}' localhost
//   quiet: t1=a\ncurl -d "{\\"title\\": \\"$t1\\"}" localhost
//   quiet: name=a\ncurl -d '{"price": "$name1"}' localhost
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The name of a variable of the script after a dollar sign in the text; empty if there is none.
std::string_view variable_in(std::string_view text, const RuleContext& in) {
  constexpr size_t kMinLength = 2;
  for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    size_t begin = at + 1;
    if (begin < text.size() && text[begin] == '{') begin++;
    size_t end = begin;
    while (end < text.size() && is_name_character(text[end])) end++;
    const std::string_view name = text.substr(begin, end - begin);
    if (name.size() >= kMinLength && !is_digit(name[0]) && in.survey.assigned.contains(name))
      return name;
  }
  return "";
}

void judge(const Call& call, Span span, RuleContext& in) {
  for (const Field& field : call.fields) {
    if (field.argument.span != span || field.word == nullptr) continue;
    for (const shell::Part& part : field.word->parts()) {
      if (part.kind != shell::PartKind::kSingleQuoted) continue;
      const std::string_view name = variable_in(part.text(), in);
      if (name.empty()) continue;
      return in.report(in.finding(
          "X121", span,
          fmt::format("${} is not expanded in single quotes: the text has a dollar sign", name)));
    }
  }
}

}  // namespace

void literal_dollar(const InvocationEvent& event, RuleContext& in) {
  const commands::Invocation& invocation = event.invocation;
  for (const commands::GivenOption& given : invocation.options) {
    if (given.argument && given.spec->placeholder == "TEXT")
      judge(event.call, given.argument->span, in);
  }
  const auto& specs = invocation.card->operands;
  const bool searches =
      !specs.empty() && specs[0].kind == commands::OperandKind::kPattern && !invocation.has("-P");
  if (searches && !invocation.operands.empty() && !invocation.has("-e") && !invocation.has("-f"))
    judge(event.call, invocation.operands[0].span, in);
}

}  // namespace nacre::flow::rules
