#include "make/syntax.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace nacre::make {

namespace {

std::vector<Kind> kinds(std::string_view text) {
  std::vector<Kind> result;
  for (const Statement& each : parse(text)) result.push_back(each.kind);
  return result;
}

std::string_view of(std::string_view text, Span span) {
  return text.substr(span.begin, span.size());
}

}  // namespace

TEST_CASE("an assignment is tried before a keyword") {
  CHECK(kinds("ifdef = 1\n") == std::vector{Kind::kAssign});
  CHECK(kinds("include := x\n") == std::vector{Kind::kAssign});
  CHECK(kinds("export X = 1\n") == std::vector{Kind::kAssign});
  CHECK(kinds("export X\n") == std::vector{Kind::kExport});
}

TEST_CASE("every operator of assignments is found") {
  for (const char* text :
       {"A = 1", "A := 1", "A ::= 1", "A :::= 1", "A ?= 1", "A += 1", "A != 1", "A=1"}) {
    const auto statements = parse(text);
    REQUIRE(statements.size() == 1);
    CHECK(statements[0].kind == Kind::kAssign);
    CHECK(of(text, statements[0].name) == "A");
    CHECK(of(text, statements[0].value) == "1");
  }
}

TEST_CASE("operators within references do not count") {
  CHECK(kinds("$(call f,a=b): x\n") == std::vector{Kind::kRule});
  CHECK(kinds("$(if a,b:c)\n") == std::vector{Kind::kExpanded});
}

TEST_CASE("a tab is a recipe line only after a rule") {
  CHECK(kinds("a: b\n\tc\n") == std::vector{Kind::kRule, Kind::kRecipe});
  CHECK(kinds("A = 1\n\tB = 2\n") == std::vector{Kind::kAssign, Kind::kAssign});
  CHECK(kinds("a:\n# note\n\n\tc\n") ==
        std::vector{Kind::kRule, Kind::kBlank, Kind::kBlank, Kind::kRecipe});
  CHECK(kinds("a:\nifdef X\n\tc\nendif\n") ==
        std::vector{Kind::kRule, Kind::kIf, Kind::kRecipe, Kind::kEndif});
}

TEST_CASE(".RECIPEPREFIX replaces the tab") {
  CHECK(kinds(".RECIPEPREFIX = >\na:\n>c\n") ==
        std::vector{Kind::kAssign, Kind::kRule, Kind::kRecipe});
}

TEST_CASE("a rule has targets, prerequisites and a recipe after its semicolon") {
  const std::string_view text = "a b &: c | d ; echo \"#\" # e\n";
  const Statement rule = parse(text)[0];
  CHECK(rule.kind == Kind::kRule);
  CHECK(of(text, rule.targets) == "a b ");
  CHECK(of(text, rule.operation) == "&:");
  CHECK(of(text, rule.prerequisites) == "c | d");
  CHECK(of(text, rule.inline_recipe) == " echo \"#\" # e");
}

TEST_CASE("a variable of a target is an assignment with targets") {
  const std::string_view text = "a b: private X := $(Y) z # c\n";
  const Statement statement = parse(text)[0];
  CHECK(statement.kind == Kind::kAssign);
  CHECK(statement.modifiers.is_private);
  CHECK(of(text, statement.targets) == "a b");
  CHECK(of(text, statement.value) == "$(Y) z ");
}

TEST_CASE("continued lines are one statement, also within words and after CRLF") {
  CHECK(parse("A = 1 \\\n  2 \\\r\n 3\nb:\n").size() == 2);
  CHECK(parse("A = 1 \\\\\nb:\n").size() == 2);  // the backslash is quoted
}

TEST_CASE("define takes its lines, also nested ones") {
  const std::string_view text = "define A\ndefine B\nendef\n\tendef\nendef # x\nc:\n";
  const auto statements = parse(text);
  REQUIRE(statements.size() == 2);
  CHECK(of(text, statements[0].body) == "define B\nendef\n\tendef\n");
  CHECK(statements[1].kind == Kind::kRule);
}

TEST_CASE("the statements after a define without endef are read on") {
  const auto statements = parse("define A\nb:\n\tc\n");
  CHECK_FALSE(statements[0].is_closed);
  CHECK(statements[1].kind == Kind::kRule);
}

TEST_CASE("words do not end within references") {
  const std::string_view text = "a $(b c) d$(e f)g";
  const auto words = word_spans(text, {0, static_cast<uint32_t>(text.size())});
  REQUIRE(words.size() == 3);
  CHECK(of(text, words[2]) == "d$(e f)g");
}

TEST_CASE("every text prints as it is") {
  CHECK(rc::check("print(parse(text)) == text", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "a", ":", "=", "\t", "\n", "\\\n", "$(", ")", "${x}", "define ", "endef\n", "ifdef ",
        "endif\n", "else ", "#", ";", " ", "include ", "export ", "&:", "::", "%", "\r\n", "|",
        "override "));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    RC_ASSERT(print(text, parse(text)) == text);
  }));
}

}  // namespace nacre::make
