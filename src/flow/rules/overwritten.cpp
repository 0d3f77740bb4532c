// F102, F104: where `>` sends a text.
//
//   F102: echo a > conf\necho b > conf
//   quiet: echo a > conf\necho b >> conf
//   F102: cat > x.ini << E\n[a]\nE\nprintf '%s\\n' k=1 > x.ini
//   quiet: echo a > conf\n./use\necho b > conf
//   F102: log=/var/log/a.log\necho start >> $log\necho more > $log
//   quiet: echo a > conf\nread -r x < conf\necho b > conf
//   quiet: echo 1 > /sys/class/gpio/export\necho 2 > /sys/class/gpio/export
//   quiet: : > conf\necho a > conf
//   quiet: d=$1\necho 1 > "$d/value"\necho 0 > "$d/value"
//   quiet: for i in a b; do echo "$i" > conf; cat conf; done
//   F104: log() { logger -t x; }\nmake > log
//   quiet: log() { logger -t x; }\nmake | log
//   quiet: log() { logger -t x; }\nmake > log.txt
#include <fmt/format.h>

#include "flow/place_names.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool is_output_of_words(const shell::Redirection& redirection) {
  using shell::RedirectOp;
  return redirection.op == RedirectOp::kOutput || redirection.op == RedirectOp::kClobber;
}

// A name that comes from a variable or from an unknown directory may be that of a device; one with
// an extension is not.
bool is_ordinary_file(std::string_view key) {
  if (is_device_place(key)) return false;
  const std::string_view name = key.substr(key.rfind('/') + 1);
  const bool is_known = key.starts_with('/') || key.starts_with("./") || key.starts_with("~/");
  const bool has_variable = key.find("${") != key.npos;
  return (is_known && !has_variable) ||
         (name.find('.') != name.npos && name.find("${") == name.npos);
}

}  // namespace

void overwritten_text(const OutputEvent& event, RuleContext& in) {
  const Span place = event.redirection.span;
  if (!is_output_of_words(event.redirection) || event.environment.places->empty()) return;
  const auto key = place_named_by(event.redirection.target, event.environment, in);
  if (!key) return;
  const auto known = event.environment.places->find(*key);
  const bool is_unread = known != event.environment.places->end() &&
                         !known->second.written.empty() && is_ordinary_file(*key);
  if (!is_unread) return in.pass("F102", place);
  Diagnostic result =
      in.finding("F102", place,
                 fmt::format("this overwrites what was just written to {}", readable_place(*key)));
  result.path.push_back(in.note(known->second.written, "this was not read since"));
  const uint32_t at = place.begin + (in.text(place).starts_with('1') ? 1 : 0);
  if (in.text({at, at + 1}) == ">" && in.text({at, at + 2}) != ">|")
    result.fixes.push_back({"add to the file", {{{at, at + 1}, ">>"}}, false});
  in.pass("F102", place, std::move(result));
}

void output_to_function(const OutputEvent& event, RuleContext& in) {
  const shell::Word& target = event.redirection.target;
  if (!target.is_literal() || !in.survey.functions.contains(target.literal())) return;
  Diagnostic result = in.finding(
      "F104", target.span,
      fmt::format("the output goes to a file called {}; it is not passed to the function",
                  target.literal()));
  result.path.push_back(
      in.note(in.survey.functions.at(target.literal())->name->span, "the function"));
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
