// The functions of utf8proc that are used, for WebAssembly: from tables that its native library
// wrote. NFKC is the browser's own.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <emscripten.h>
#include <iterator>
#include <utf8proc.h>

namespace {

struct Run {
  int32_t first;
  int8_t category, width;
  int32_t upper, lower;
};
constexpr Run kRuns[] = {
#include "unicode_tables.inc"
};

const Run& run_of(int32_t code) {
  const int32_t bounded = std::clamp(code, 0, 0x10FFFF);
  return *std::prev(
      std::upper_bound(std::begin(kRuns), std::end(kRuns), bounded,
                       [](int32_t wanted, const Run& each) { return wanted < each.first; }));
}

}  // namespace

// clang-format off
EM_JS(uint8_t*, normal_form, (const uint8_t* text), {
  const from = UTF8ToString(text);
  const to = from.normalize("NFKC");
  const bytes = lengthBytesUTF8(to) + 1;
  const copy = _malloc(bytes);
  stringToUTF8(to, copy, bytes);
  return copy;
});
// clang-format on

extern "C" {

utf8proc_ssize_t utf8proc_iterate(const utf8proc_uint8_t* text, utf8proc_ssize_t size,
                                  utf8proc_int32_t* code) {
  *code = -1;
  if (size == 0) return 0;
  if (size < 0) size = 4;
  const uint8_t first = text[0];
  if (first < 0x80) return *code = first, 1;
  const int length = first >= 0xC2 && first < 0xE0   ? 2
                     : first >= 0xE0 && first < 0xF0 ? 3
                     : first >= 0xF0 && first < 0xF5 ? 4
                                                     : 0;
  if (length == 0 || size < length) return UTF8PROC_ERROR_INVALIDUTF8;
  int32_t result = first & (0x7F >> length);
  for (int i = 1; i < length; ++i) {
    if ((text[i] & 0xC0) != 0x80) return UTF8PROC_ERROR_INVALIDUTF8;
    result = result << 6 | (text[i] & 0x3F);
  }
  const bool is_overlong = (length == 3 && result < 0x800) || (length == 4 && result < 0x10000);
  if (is_overlong || result > 0x10FFFF || (result >= 0xD800 && result < 0xE000))
    return UTF8PROC_ERROR_INVALIDUTF8;
  *code = result;
  return length;
}

utf8proc_category_t utf8proc_category(utf8proc_int32_t code) {
  return code < 0 || code > 0x10FFFF ? UTF8PROC_CATEGORY_CN
                                     : static_cast<utf8proc_category_t>(run_of(code).category);
}
int utf8proc_charwidth(utf8proc_int32_t code) { return run_of(code).width; }
utf8proc_int32_t utf8proc_toupper(utf8proc_int32_t code) { return code + run_of(code).upper; }
utf8proc_int32_t utf8proc_tolower(utf8proc_int32_t code) { return code + run_of(code).lower; }
utf8proc_uint8_t* utf8proc_NFKC(const utf8proc_uint8_t* text) { return normal_form(text); }

}  // extern "C"
