#include "report/printable.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utf8proc.h>

namespace nacre::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the character at the front, 0 if it is not UTF-8.
size_t decode(std::string_view text, utf8proc_int32_t& code_point) {
  utf8proc_ssize_t length = utf8proc_iterate(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size(), 4)), &code_point);
  return length > 0 ? static_cast<size_t>(length) : 0;
}

// Control characters, and the marks that reorder what stands around them.
bool is_unprintable(utf8proc_int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return false;
  }
}

}  // namespace

Glyph take_glyph(std::string_view& text) {
  utf8proc_int32_t code_point = 0;
  size_t length = decode(text, code_point);
  Glyph glyph{kReplacement, 1};
  if (length > 0 && !is_unprintable(code_point)) {
    glyph = {text.substr(0, length),
             static_cast<unsigned>(std::max(0, utf8proc_charwidth(code_point)))};
  }
  text.remove_prefix(std::max<size_t>(length, 1));
  return glyph;
}

std::string clipped(std::string_view text, unsigned cells) {
  std::string result;
  size_t taken = 0;
  while (!text.empty() && taken < cells) {
    const char c = text.front();
    const size_t before = result.size();
    if (c == '\n' || c == '\t' || c == '\r') {
      result += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
      text.remove_prefix(1);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
      text.remove_prefix(1);
    } else {
      const Glyph glyph = take_glyph(text);
      result += glyph.bytes;
      taken += glyph.width;
      continue;
    }
    taken += result.size() - before;
  }
  return text.empty() ? result : result + "…";
}

std::string printable(std::string_view text) {
  return clipped(text, std::numeric_limits<unsigned>::max());
}

std::string visible(std::string_view text) {
  bool has_hidden_end = text.empty() || text.front() == ' ' || text.back() == ' ';
  return has_hidden_end ? fmt::format("\"{}\"", printable(text)) : printable(text);
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    utf8proc_int32_t code_point = 0;
    size_t length = decode(text, code_point);
    const bool is_control = code_point < 0x20
                                ? code_point != '\n' && code_point != '\t' && code_point != '\r'
                                : code_point >= 0x7F && code_point < 0xA0;
    result += length > 0 && !is_control ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

}  // namespace nacre::report
