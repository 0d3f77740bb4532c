// T203, T204: what the author asserts of the lines that flow somewhere does not hold.
//
//   T203: # @assert "wc -l" --> "[a-z]+"\nls | wc -l
//   quiet: # @assert "wc -l" --> "[0-9]+"\nls | wc -l
#include <fmt/format.h>

#include "commands/stream_text.h"
#include "flow/rules/publish.h"
#include "flow/trace.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// The characters that a type spells out, as opposed to its operators.
regular::CharSet written_in(std::string_view type) {
  regular::CharSet result = regular::CharSet::of('\n');
  for (size_t i = 0; i < type.size(); i++) {
    if (type[i] == '\\' && i + 1 < type.size()) {
      i++;
      result.add(static_cast<unsigned char>(type[i] == 't' ? '\t' : type[i]));
    } else if (std::string_view(".*+?()[]{}|^$&~!").find(type[i]) == std::string_view::npos) {
      result.add(static_cast<unsigned char>(type[i]));
    }
  }
  return result;
}

// `.` in a demand stands for what people write there: letters, digits, and what the type itself
// spells out.
Lang demanded(Lang type, std::string_view source) {
  using regular::CharSet;
  const CharSet usual = CharSet::range('a', 'z') | CharSet::range('A', 'Z') |
                        CharSet::range('0', '9') | written_in(source);
  const Lang plain = type & star(type.context().set(usual));
  return regular::is_empty(plain).yes() ? type : plain;
}

// Is the assertion true of the lines? If not, the witness shows it: a line, or a whole text.
regular::Verdict holds(const Assertion& assertion, const Stream& lines) {
  Context& context = lines.rest.context();
  const Lang type = assertion.type.lang;
  if (!assertion.type.is_text) {
    const Lang actual = commands::any_line(lines);
    if (assertion.is_contained)
      return regular::included(demanded(type, assertion.type.source), actual);
    // Nor is an empty line about which only one thing is known: a command may print it.
    const bool may_be_empty =
        lines.choice == commands::Choice::kOpaque || lines.may_tell_of_nothing;
    return regular::included(actual, may_be_empty ? optional(type) : type);
  }
  // A stream without lines is no counterexample: every filter may have nothing to print.
  const Lang texts = commands::with_last_newline(type) | context.epsilon();
  const Lang actual = commands::text_of(lines);
  return assertion.is_contained
             ? regular::included(demanded(texts, assertion.type.source), actual | context.epsilon())
             : regular::included(actual, texts);
}

}  // namespace

void broken_assertion(const AssertionEvent& event, RuleContext& in) {
  const Assertion& assertion = event.assertion;
  const auto verdict = holds(assertion, event.lines);
  if (!verdict.no()) return;
  Trace found;
  if (!assertion.type.is_text && !assertion.is_contained)
    found = trace(event.writers, commands::any_line(event.lines) - assertion.type.lang);
  if (found.is_undescribed) return;
  Diagnostic result =
      assertion.is_contained
          ? in.finding(
                "T204", event.place,
                fmt::format("some lines required by {} can never occur here", assertion.keyword))
          : in.finding("T203", event.place,
                       fmt::format("some lines here are not of the type that {} gives",
                                   assertion.keyword));
  if (!verdict.is_certain) result.confidence = Confidence::kPossible;
  result.notes.push_back(in.note(assertion.span, "the type is given here"));
  result.counterexample = found.lines.empty() ? verdict.witness : found.lines.back();
  add_path(result, in.file(), event.writers, found.lines);
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
