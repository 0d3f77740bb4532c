#include "base/source_file.h"

#include <doctest/doctest.h>

using nacre::Position;
using nacre::SourceFile;
using nacre::Span;

TEST_CASE("lines are found with and without a last newline") {
  CHECK(SourceFile("f", "").line_count() == 1);
  CHECK(SourceFile("f", "a\nb").line_count() == 2);
  CHECK(SourceFile("f", "a\nb\n").line_count() == 2);
  CHECK(SourceFile("f", "a\nb\n").line_of(2) == 2);
}

TEST_CASE("a line's span leaves out its newline and its CR") {
  SourceFile file("f", "one\r\ntwo\n");
  CHECK(file.text(file.line_span(1)) == "one");
  CHECK(file.text(file.line_span(2)) == "two");
}

TEST_CASE("columns count tabs and wide characters as a terminal shows them") {
  SourceFile file("f", "\tx\n\xE6\xBC\xA2z\n\xFFq");
  CHECK(file.position(1) == Position{1, 9, 2, 2});
  CHECK(file.position(6) == Position{2, 3, 4, 2});  // one wide character, three bytes
  CHECK(file.position(9) == Position{3, 2, 2, 2});  // a byte that is not UTF-8
}

TEST_CASE("columns in long lines are the same as if counted from the start of the line") {
  std::string line;
  for (int i = 0; i < 5000; i++) line += i % 7 == 0 ? "\t" : i % 3 == 0 ? "\xE6\xBC\xA2" : "a";
  SourceFile file("f", "first\n" + line);
  uint32_t column = 1;
  uint32_t character = 1;
  for (uint32_t at = 6; at < file.whole().end; character++) {
    CHECK(file.position(at).column == column);
    CHECK(file.position(at).character == character);
    char c = file.bytes()[at];
    column += c == '\t' ? 8 - (column - 1) % 8 : c == 'a' ? 1 : 2;
    at += c == 'a' || c == '\t' ? 1 : 3;
  }
}
