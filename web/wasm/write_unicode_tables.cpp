// A native program that writes what utf8proc knows of each code point into a file, as runs of equal
// properties, for web/wasm/utf8proc.cpp.
#include <cstdio>
#include <utf8proc.h>

int main(int, char** arguments) {
  std::FILE* file = std::fopen(arguments[1], "w");
  if (file == nullptr) return 1;
  struct Row {
    int category, width, upper, lower;  // the last two as distances
    bool operator==(const Row&) const = default;
  };
  Row last{-1, 0, 0, 0};
  for (int code = 0; code <= 0x10FFFF; ++code) {
    const Row row{utf8proc_category(code), utf8proc_charwidth(code), utf8proc_toupper(code) - code,
                  utf8proc_tolower(code) - code};
    if (row == last) continue;
    std::fprintf(file, "{%d, %d, %d, %d, %d},\n", code, row.category, row.width, row.upper,
                 row.lower);
    last = row;
  }
  return std::fclose(file) == 0 ? 0 : 1;
}
