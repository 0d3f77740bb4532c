// X210: exit and return take a number from 0 to 255.
//
//   X210: exit foo
//   X210: f() { return error; }\nf
//   X210: exit 256
//   X210: why="no file"\nexit "$why"
//   quiet: exit 255
//   quiet: f() { return "$1"; }\nf 3
//   quiet: status=$?\nexit $status
//   quiet: exit "$((1 + 1))"
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

std::string refused_status(const commands::Argument& given, const RuleContext& in) {
  if (given.text && !given.text->empty() &&
      given.text->find_first_not_of("0123456789") == std::string::npos) {
    constexpr size_t kMaxDigits = 9;
    if (given.text->size() > kMaxDigits || std::stoul(*given.text) > 255)
      return fmt::format("{} is more than 255: only its last 8 bits are left", *given.text);
    return "";
  }
  if (given.is_opaque || (given.text && given.text->empty())) return "";
  const Lang digits = plus(in.languages.set(regular::CharSet::range('0', '9')));
  const Lang blanks = star(in.languages.set(regular::CharSet::of(" \t\n")));
  const Lang number = optional(in.languages.set(regular::CharSet::of("+-"))) + digits;
  const Lang fits = (blanks + number + blanks) | in.languages.literal("");
  if (!regular::disjoint(given.value, fits, in.budget).yes()) return "";
  const std::string text = given.text ? *given.text : std::string(in.text(given.span));
  return fmt::format("{} is not a number, so the status is 2", text);
}

}  // namespace

void exit_number(const BuiltinEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  const std::string& name = *fields[0].argument.text;
  if ((name != "exit" && name != "return") || fields.size() != 2 || fields[1].may_repeat) return;
  const std::string why = refused_status(fields[1].argument, in);
  const Span place = fields[1].argument.span;
  if (why.empty()) return in.pass("X210", place);
  in.pass("X210", place, in.finding("X210", place, fmt::format("{}: {}", name, why)));
}

}  // namespace nacre::flow::rules
