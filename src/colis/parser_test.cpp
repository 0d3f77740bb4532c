#include "colis/parser.h"

#include <doctest/doctest.h>

#include "colis/printer.h"
#include "colis/testing/random_programs.h"

namespace nacre::colis {
namespace {

std::string refusal(std::string_view text, bool is_original = false) {
  ParseOptions options;
  options.is_original = is_original;
  auto program = parse(text, options);
  return program ? "" : std::to_string(program.error().span.end) + " " + program.error().message;
}

TEST_CASE("a sequence, a string and a list are read as they stand") {
  auto program = parse("begin x := 'a' y ; echo [x; split arg 1] end", {});
  REQUIRE(program);
  CHECK(program->body.kind == Instruction::kSequence);
  CHECK(program->body.parts[0].value.parts.size() == 2);
  CHECK(program->body.parts[1].list[1].is_split);
}

TEST_CASE("&& and || bind alike, not binds tighter") {
  auto program = parse("begin not a && b || c end", {});
  REQUIRE(program);
  CHECK(print(program->body) == "((not a && b) || c)");
}

TEST_CASE("the end of the offending token is the place of an error") {
  CHECK(refusal("begin true ; true") == "17 ");
  CHECK(refusal("begin echo [\"a\"] end") == "13 unknown character '\"'");
  CHECK(refusal("begin echo ['a end") == "18 Unterminated string");
  CHECK(refusal("begin true (* a (* b *) end") == "27 Unterminated comment");
  CHECK(refusal("begin true *) end") == "13 mismatched *)");
}

TEST_CASE("the original refuses what the report adds") {
  for (const char* text : {"begin cd 'x' end", "begin echo ['a', 'b'] end", "begin true ; end",
                           "begin 'update-menus' end"}) {
    CHECK(refusal(text).empty());
    CHECK_FALSE(refusal(text, true).empty());
  }
}

TEST_CASE("deep programs are refused, long ones are not") {
  std::string deep = "begin ", wide = "begin true", chain = "begin true";
  for (int i = 0; i < 100000; ++i) {
    deep += "begin ";
    wide += " ; true";
    chain += " && true";
  }
  CHECK(refusal(deep + " true end").find("nested more than") != std::string::npos);
  CHECK(refusal(wide + " end").empty());
  CHECK(refusal(chain + " end").find("nested more than") != std::string::npos);
}

TEST_CASE("every tree is read back as it was printed") {
  RandomPrograms programs(7);
  for (int i = 0; i < 1000; ++i) {
    const Program program = programs.any_program();
    const std::string text = print(program);
    auto again = parse(text, {});
    INFO(text);
    REQUIRE(again);
    REQUIRE(*again == program);
  }
}

}  // namespace
}  // namespace nacre::colis
