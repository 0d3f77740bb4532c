#include "base/source_file.h"

#include <doctest/doctest.h>
#include <random>

using nacre::ColumnUnit;
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
  CHECK(file.position(1) == Position{1, 9, 2, 2, 2});
  CHECK(file.position(6) == Position{2, 3, 4, 2, 2});  // one wide character, three bytes
  CHECK(file.position(9) == Position{3, 2, 2, 2, 2});  // a byte that is not UTF-8
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

TEST_CASE("UTF-16 counts what lies outside of the basic plane twice") {
  const SourceFile file("f",
                        "a\xF0\x9F\x90\x9A"
                        "b\xC3\xA9"
                        "c\n");  // a, a shell, b, e acute, c
  CHECK(file.position(5).utf16 == 4);
  CHECK(file.position(5).character == 3);
  CHECK(file.position(8).utf16 == 6);
  CHECK(file.offset_of(1, 4, ColumnUnit::kUtf16) == 5);
  CHECK(file.offset_of(1, 3, ColumnUnit::kUtf16) == 1);  // within the shell
  CHECK(file.offset_of(1, 3, ColumnUnit::kCharacter) == 5);
  CHECK(file.offset_of(1, 3, ColumnUnit::kByte) == 2);
}

TEST_CASE("a place beyond a line or the file is its end") {
  const SourceFile file("f", "one\r\ntwo");
  for (const ColumnUnit unit : {ColumnUnit::kByte, ColumnUnit::kCharacter, ColumnUnit::kUtf16}) {
    CHECK(file.offset_of(1, 100, unit) == 3);
    CHECK(file.offset_of(2, 4, unit) == 8);
    CHECK(file.offset_of(3, 1, unit) == 8);
    CHECK(file.offset_of(0, 0, unit) == 0);
  }
}

TEST_CASE("an offset is found again by its position, whatever the column counts") {
  std::mt19937 random(3);
  const char* const pieces[] = {"a",   "\t", "\n", "\xC3\xA9", "\xE6\xBC\xA2", "\xF0\x9F\x90\x9A",
                                "\xFF"};
  for (const size_t lines : {1U, 40U}) {  // long lines have checkpoints
    std::string text;
    std::vector<uint32_t> begins;
    while (text.size() < 20'000) {
      begins.push_back(static_cast<uint32_t>(text.size()));
      const size_t piece = random() % 7;
      text += pieces[piece == 2 && random() % 500 > lines ? 0 : piece];
    }
    const SourceFile file("f", text);
    for (const uint32_t offset : begins) {
      const Position at = file.position(offset);
      REQUIRE(file.offset_of(at.line, at.byte_column, ColumnUnit::kByte) == offset);
      REQUIRE(file.offset_of(at.line, at.character, ColumnUnit::kCharacter) == offset);
      REQUIRE(file.offset_of(at.line, at.utf16, ColumnUnit::kUtf16) == offset);
    }
  }
}
