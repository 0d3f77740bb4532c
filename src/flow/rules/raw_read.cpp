// X112: `read` without -r takes a backslash for the beginning of an escape.
//
//   X112: while read line; do echo "$line"; done < paths
//   quiet: while read -r line; do echo "$line"; done < paths
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool has_raw_option(std::span<const Field> fields) {
  for (size_t i = 1; i < fields.size(); i++) {
    const auto& text = fields[i].argument.text;
    if (!text || !text->starts_with("-") || text->size() < 2) continue;
    if (text->find('r') != std::string::npos) return true;
    if (std::string_view("dinNptu").find(text->back()) != std::string_view::npos) i++;
  }
  return false;
}

}  // namespace

void raw_read(const BuiltinEvent& event, RuleContext& in) {
  const Call& call = event.call;
  const bool reads_lines = !call.io.reading_loop.empty() || call.io.has_own_input;
  if (call.fields[0].argument.text != "read" || !reads_lines || has_raw_option(call.fields)) return;
  const Lang line = commands::any_line(call.io.input);
  if (!symbols_of(line).intersects(regular::CharSet::of('\\'))) return;
  const Span name = call.fields[0].argument.span;
  const commands::Stream& lines = call.io.input;
  const bool is_json = lines.json || (lines.producer && lines.producer->prints_json);
  Diagnostic result =
      is_json ? in.finding("T128", name,
                           "read without -r removes the backslashes that JSON needs before quotes")
              : in.finding("X112", name, "read without -r removes backslashes");
  result.counterexample = "a\\b";
  result.fixes.push_back({"read lines unchanged", {{{name.end, name.end}, " -r"}}, true});
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
