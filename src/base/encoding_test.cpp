#include "base/encoding.h"

#include <doctest/doctest.h>

#include "base/codes.h"

using namespace nacre;

namespace {

std::string codes_of(std::string bytes) {
  std::string result;
  for (const Diagnostic& each : check_encoding(SourceFile("f", std::move(bytes))))
    result += each.code;
  return result;
}

}  // namespace

TEST_CASE("the bytes of a text are judged") {
  CHECK(codes_of("echo caf\xC3\xA9\n").empty());
  CHECK(codes_of("\xEF\xBB\xBF#!/bin/sh\n") == "S003");
  CHECK(codes_of("a\r\nb\r\n") == "S004");
  CHECK(codes_of("printf 'a\rb'\n").empty());  // a CR inside a line is the author's
  CHECK(codes_of("echo caf\xE9 \xE9\n") == "S005");
  CHECK(codes_of("\xC3") == "S005");  // cut in the middle of a character
}

TEST_CASE("CRLF is one finding whose fix removes every CR") {
  auto found = check_encoding(SourceFile("f", "a\r\nb\r\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].fixes[0].edits == std::vector<Edit>{{{1, 2}, ""}, {{4, 5}, ""}});
}

TEST_CASE("NUL ends a text") {
  CHECK(find_nul(SourceFile("f", std::string("a\0b", 3))) == 1u);
  CHECK(!find_nul(SourceFile("f", "ab")));
}

TEST_CASE("every page has a title, a known family and a severity that is spelled right") {
  REQUIRE(!codes().empty());
  for (const Code& code : codes()) {
    CAPTURE(code.name);
    CHECK(!code.title.empty());
    CHECK(code.page.starts_with("# " + std::string(code.name) + ": "));
    CHECK(code.page.find("\n- Severity: " + std::string(name_of(code.severity)) + "\n") !=
          std::string_view::npos);
    CHECK(is_code_pattern(code.name.substr(0, 1)));
  }
}
