// X227: `awk "{print $2}"`: the shell expands $2 before awk sees the program.
//
//   X227: ps aux | awk "{print $2}"
//   X227: df -P | awk "NR > 1 {print \"on\", $6}"
//   quiet: ps aux | awk '{print $2}'
//   quiet: ps aux | awk "{print \\$2}"
//   quiet: awk "BEGIN {print $1 / $2}"
//   quiet: awk "NR == $1 {print}" f
//   quiet: f() { awk "{print \\$$1}" list; }\nf 2
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool is_awk_program(const commands::Invocation& invocation) {
  const commands::Property* sink = invocation.property(commands::CardKey::kSink);
  return sink && sink->value == "first awk";
}

// After `print`, or after a comma that goes on with what it prints.
bool is_printed(std::string_view before) {
  while (!before.empty() && (before.back() == ' ' || before.back() == '(')) before.remove_suffix(1);
  if (before.ends_with("print")) return true;
  const size_t print = before.rfind("print");
  return before.ends_with(',') && print != before.npos &&
         before.find_first_of(";}\n", print) == before.npos;
}

}  // namespace

void expanded_field(const InvocationEvent& event, RuleContext& in) {
  const commands::Invocation& invocation = event.invocation;
  if (invocation.operands.empty() || invocation.has("-f") || !is_awk_program(invocation)) return;
  const Span span = invocation.operands[0].span;
  const std::string_view text = in.text(span);
  if (!text.starts_with('"') || text.find("BEGIN") != text.npos) return;
  for (const Field& field : event.call.fields) {
    if (field.argument.span != span || field.word == nullptr || field.word->parts().size() != 1)
      continue;
    for (const shell::Part& part : field.word->parts()[0].parts()) {
      if (part.kind != shell::PartKind::kParameter ||
          part.parameter().kind != shell::ParameterKind::kPositional)
        continue;
      const std::string_view shown = in.text(part.span);
      if (shown.starts_with("${") || !is_printed(text.substr(0, part.span.begin - span.begin)))
        continue;
      return in.report(in.finding(
          "X227", part.span,
          fmt::format("the shell expands {} here, so awk does not see it: write the program in "
                      "single quotes, or \\{}",
                      shown, shown)));
    }
  }
}

}  // namespace nacre::flow::rules
