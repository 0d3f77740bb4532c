#include "commands/format_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "commands/stream_text.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

constexpr uint32_t kMaxExactWidth = 64;  // of a wider field only the fill is known, not how much

std::optional<uint32_t> read_number(std::string_view text, size_t& at) {
  if (at >= text.size() || !is_digit(text[at])) return std::nullopt;
  uint32_t value = 0;
  for (; at < text.size() && is_digit(text[at]); at++) {
    if (value < 1'000'000) value = value * 10 + static_cast<uint32_t>(text[at] - '0');
  }
  return value;
}

Lang times(Lang a, uint32_t count) { return repeat(a, count, count); }

Lang filled(Lang value, uint32_t width, char fill, bool is_left) {
  Context& context = value.context();
  const Lang any = context.set(CharSet::all(context.alphabet()));
  const Lang one = context.literal(std::string(1, fill));
  if (width > kMaxExactWidth) return is_left ? value + star(one) : star(one) + value;
  Lang result = value & repeat(any, width, regular::kUnbounded);
  for (uint32_t length = 0; length < width; length++) {
    const Lang shorter = value & times(any, length);
    if (regular::is_empty(shorter).yes()) continue;
    const Lang gap = times(one, width - length);
    result = result | (is_left ? shorter + gap : gap + shorter);
  }
  return result;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// At most `most` digits of the base; `at` ends after them.
char read_code(std::string_view text, size_t& at, int base, int most) {
  int value = 0;
  for (int count = 0; count < most && at < text.size(); count++, at++) {
    const int digit = hex_value(text[at]);
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
  }
  return static_cast<char>(value);
}

}  // namespace

Directive parse_directive(std::string_view format, size_t at, std::string_view flag_letters) {
  Directive result;
  size_t i = at + 1;
  while (i < format.size() && flag_letters.find(format[i]) != std::string_view::npos)
    result.flags += format[i++];
  if (i < format.size() && format[i] == '*') {
    result.has_star_width = true;
    i++;
  } else {
    result.width = read_number(format, i);
  }
  if (i < format.size() && format[i] == '.') {
    i++;
    if (i < format.size() && format[i] == '*') {
      result.has_star_precision = true;
      i++;
    } else {
      result.precision = read_number(format, i).value_or(0);
    }
  }
  if (i < format.size()) result.letter = format[i++];
  result.end = i;
  return result;
}

Lang padded(Lang value, const Directive& directive) {
  if (!directive.width) return value;
  const uint32_t width = *directive.width;
  if (directive.has_flag('-')) return filled(value, width, ' ', true);
  if (!directive.has_flag('0')) return filled(value, width, ' ', false);
  Context& context = value.context();
  const Lang any = star(context.set(CharSet::all(context.alphabet())));
  const Lang sign = context.set(CharSet::of("+- "));
  Lang result = filled(value - (sign + any), width, '0', false);
  for (const char c : std::string_view("+- ")) {
    const Lang rest = regular::derivative(value, static_cast<unsigned char>(c));
    if (regular::is_empty(rest).yes()) continue;
    result = result | (context.literal(std::string(1, c)) +
                       filled(rest, width == 0 ? 0 : width - 1, '0', false));
  }
  return result;
}

Unescaped unescape(std::string_view text, EscapeStyle style) {
  static constexpr std::string_view kNames = "abefnrtv\\";
  static constexpr std::string_view kValues = "\a\b\x1b\f\n\r\t\v\\";
  Unescaped result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result.text += text[i++];
      continue;
    }
    const char c = text[i + 1];
    i += 2;
    if (const size_t found = kNames.find(c); found != std::string_view::npos) {
      result.text += kValues[found];
    } else if (c == 'c' && style == EscapeStyle::kEcho) {
      result.stops = true;
      return result;
    } else if (c == '0' && style == EscapeStyle::kEcho) {
      result.text += read_code(text, i, 8, 3);
    } else if (c >= '0' && c <= '7') {
      if (style == EscapeStyle::kEcho) result.is_known = false;
      i--;
      result.text += read_code(text, i, 8, 3);
    } else if (c == 'x' && i < text.size() && hex_value(text[i]) >= 0) {
      result.text += read_code(text, i, 16, 2);
    } else if ((c == '"' || c == '\'') && style == EscapeStyle::kPrintf) {
      result.text += c;
    } else {
      if (c == 'u' || c == 'U' || c == 'c') result.is_known = false;
      (result.text += '\\') += c;
    }
  }
  return result;
}

Stream lines_of_text(Lang text, bool is_opaque) {
  Context& context = text.context();
  Stream result = is_opaque ? rough_stream_of(text) : stream_of(text);
  if (is_opaque) result.choice = Choice::kOpaque;
  const Lang closed = (context.all() + context.literal("\n")) | context.epsilon();
  result.may_lack_newline =
      !regular::ends_with(text, '\n') && (is_opaque || !regular::included(text, closed).yes());
  return result;
}

}  // namespace nacre::commands
