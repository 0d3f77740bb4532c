#include "shell/match.h"

#include <doctest/doctest.h>

#include "base/edits.h"
#include "shell/edit.h"
#include "shell/outline.h"

using namespace nacre;
using namespace nacre::shell;

namespace {

ParseResult parse(std::string text) {
  return parse_file(SourceFile("test.sh", std::move(text)), Dialect::kBash);
}

const Command& first(const ParseResult& result) { return *result.tree.program().items[0].command; }

// `text` without its command number `index`.
std::string removed(std::string text, size_t index) {
  auto parsed = parse(std::move(text));
  return apply_edits(parsed.tree.file(), remove(parsed.tree, parsed.tree.program().items[index]));
}

}  // namespace

TEST_CASE("a pattern binds words and the rest") {
  Pattern cat("cat $_file | $_command $__");
  auto parsed = parse("cat 'a b' | grep -v \"$x\" y\n");
  auto match = cat.match(first(parsed));
  REQUIRE(match.has_value());
  CHECK(match->word("file").literal() == "a b");
  CHECK(match->word("command").literal() == "grep");
  CHECK(match->rest().size() == 3);
  CHECK_FALSE(cat.match(first(parse("cat a b | grep c\n"))).has_value());
  CHECK_FALSE(cat.match(first(parse("cat a\n"))).has_value());
}

TEST_CASE("the same placeholder stands for the same word") {
  Pattern copy("cp $_x $_x");
  CHECK(copy.match(first(parse("cp a 'a'\n"))).has_value());
  CHECK(copy.match(first(parse("cp $a $a\n"))).has_value());
  CHECK_FALSE(copy.match(first(parse("cp $a $b\n"))).has_value());
}

TEST_CASE("and-or lists and redirections in patterns") {
  Pattern test("[ -n $_x ] && $_y >$_out");
  CHECK(test.match(first(parse("[ -n \"$a\" ] && b >c\n"))).has_value());
  CHECK_FALSE(test.match(first(parse("[ -n \"$a\" ] || b >c\n"))).has_value());
  CHECK_FALSE(test.match(first(parse("[ -n \"$a\" ] && b >>c\n"))).has_value());
}

TEST_CASE("removing a command takes its line, terminator and here-documents") {
  CHECK(removed("a\n  b c\nd\n", 1) == "a\nd\n");
  CHECK(removed("a; b; c\n", 1) == "a; c\n");
  CHECK(removed("a; b\n", 1) == "a;\n");
  CHECK(removed("a & b # c\n", 0) == "b # c\n");
  CHECK(removed("cat <<E\nx\nE\nb\n", 0) == "b\n");
  CHECK(removed("a; cat <<E\nx\nE\nb\n", 1) == "a;\nb\n");
}

TEST_CASE("edits leave all other bytes alone") {
  auto parsed = parse("if a; then\n\trm $x -f\nfi\n");
  const auto& body = std::get<If>(first(parsed).node).arms[0].body;
  const Command& rm = *body.items[0].command;
  auto words = std::get<SimpleCommand>(rm.node).words;
  std::vector<Edit> edits = {insert_line_above(parsed.tree, rm, "# gone")};
  for (Edit& edit : surround(words[1].span, "\"", "\"")) edits.push_back(std::move(edit));
  edits.push_back(remove_from_command(parsed.tree, words[2].span));
  CHECK(apply_edits(parsed.tree.file(), edits) == "if a; then\n\t# gone\n\trm \"$x\"\nfi\n");
}

TEST_CASE("the outline has every node with its place") {
  auto parsed = parse("x=1 echo \"$y\"\n");
  CHECK(
      outline_json(outline(parsed.tree)) ==
      "{\"kind\": \"sequence\", \"span\": [0, 14], \"children\": [{\"kind\": \"simple\", \"span\": "
      "[0, 13], \"children\": [{\"kind\": \"assignment\", \"span\": [0, 3], \"name\": \"x\", "
      "\"op\": \"=\", \"children\": [{\"kind\": \"word\", \"span\": [2, 3], \"value\": \"1\", "
      "\"children\": [{\"kind\": \"literal\", \"span\": [2, 3], \"text\": \"1\"}]}]}, {\"kind\": "
      "\"word\", \"span\": [4, 8], \"value\": \"echo\", \"children\": [{\"kind\": \"literal\", "
      "\"span\": [4, 8], \"text\": \"echo\"}]}, {\"kind\": \"word\", \"span\": [9, 13], "
      "\"children\": [{\"kind\": \"double-quoted\", \"span\": [9, 13], \"children\": [{\"kind\": "
      "\"parameter\", \"span\": [10, 12], \"children\": [{\"kind\": \"name\", \"span\": [11, 12], "
      "\"name\": \"y\"}]}]}]}]}]}\n");
  CHECK(outline_dot(outline(parsed.tree)).starts_with("digraph tree {\n"));
}
