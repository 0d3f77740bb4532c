#include "shell/parse.h"

#include <doctest/doctest.h>
#include <pthread.h>

#include "shell/print.h"

using namespace nacre;
using namespace nacre::shell;

namespace {

ParseResult parse(std::string text, Dialect dialect = Dialect::kSh) {
  return parse_file(SourceFile("test.sh", std::move(text)), dialect);
}

const Command& first(const ParseResult& result) {
  REQUIRE_FALSE(result.tree.program().items.empty());
  return *result.tree.program().items[0].command;
}

const SimpleCommand& simple(const ParseResult& result) {
  return std::get<SimpleCommand>(first(result).node);
}

bool is_valid(std::string text, Dialect dialect = Dialect::kSh) {
  return parse(std::move(text), dialect).is_valid();
}

}  // namespace

TEST_CASE("literal words have their value without quotes") {
  auto result = parse("echo a\\ b'c d'\"e f\" plain ''\n");
  const auto& words = simple(result).words;
  REQUIRE(words.size() == 4);
  CHECK(words[0].is_plain());
  CHECK(words[1].literal() == "a bc de f");
  CHECK_FALSE(words[1].is_plain());
  CHECK(words[1].is_literal());
  CHECK(words[2].literal() == "plain");
  CHECK(words[3].literal().empty());
  CHECK(words[3].is_quoted());
}

TEST_CASE("assignments, words and redirections may be mixed") {
  auto result = parse("a=1 2>err b=$x cmd >out a=2\n");
  const auto& command = simple(result);
  REQUIRE(command.assignments.size() == 2);
  CHECK(command.assignments[1].name == "b");
  CHECK(command.words.size() == 2);
  REQUIRE(first(result).redirections.size() == 2);
  CHECK(first(result).redirections[0].descriptor == 2);
}

TEST_CASE("here-documents are read at the next newline, in order") {
  auto result = parse("cat <<A <<-'B'; echo $x\na $y\nA\n\tb $z\n\tB\necho end\n");
  CHECK(result.is_valid());
  const auto& redirections = first(result).redirections;
  REQUIRE(redirections.size() == 2);
  CHECK(redirections[0].here_document->body.parts().size() == 3);
  CHECK(redirections[1].here_document->body.literal() == "b $z\n");
  CHECK(result.tree.program().items.size() == 3);
}

TEST_CASE("a here-document's delimiter may stand after continued lines") {
  auto body_of = [](const std::string& text, Dialect dialect) {
    auto result = parse(text, dialect);
    return std::string(first(result).redirections[0].here_document->body.literal());
  };
  // bash joins lines before it compares; dash skips what is nothing but a backslash; ksh93 neither
  CHECK(body_of("cat <<E1\na\nE\\\n1\n", Dialect::kBash) == "a\n");
  CHECK(body_of("cat <<E1\na\nE\\\n1\nE1\n", Dialect::kDash) == "a\nE1\n");
  CHECK(body_of("cat <<-E\na\n\\\n\tE\n", Dialect::kDash) == "a\n");
  CHECK(body_of("cat <<E\na\n\\\nE\nE\n", Dialect::kKsh) == "a\nE\n");
  CHECK(body_of("cat <<E\na\\\nE\nE\n", Dialect::kBash) == "aE\n");
}

TEST_CASE("<<- keeps the tabs after a continued line") {
  auto result = parse("cat <<-E\n\ta\\\n\tb\n\tE\n");
  CHECK(first(result).redirections[0].here_document->body.literal() == "a\tb\n");
}

TEST_CASE("the text between back-quotes loses one level of backslashes and keeps its place") {
  std::string text = "echo `echo \\`echo \\$x\\``\n";
  auto result = parse(text);
  CHECK(result.is_valid());
  const Part& outer = simple(result).words[1].parts()[0];
  REQUIRE(outer.kind == PartKind::kCommand);
  const auto& inner_command = std::get<SimpleCommand>(outer.command().body.items[0].command->node);
  const Part& inner = inner_command.words[1].parts()[0];
  REQUIRE(inner.kind == PartKind::kCommand);
  const auto& innermost = std::get<SimpleCommand>(inner.command().body.items[0].command->node);
  CHECK(innermost.words[1].parts()[0].parameter().name == "x");
  CHECK(result.tree.text(innermost.words[1].span) == "\\$x");
}

TEST_CASE("$(( is arithmetic, or a subshell in a command substitution") {
  auto arithmetic = parse("echo $((1 + (2)))\n", Dialect::kBash);
  CHECK(simple(arithmetic).words[1].parts()[0].kind == PartKind::kArithmetic);
  auto continued = parse("echo $\\\n(\\\n(42)\\\n)\n", Dialect::kSh);
  const Part& part = simple(continued).words[1].parts()[0];
  REQUIRE(part.kind == PartKind::kArithmetic);
  CHECK(continued.tree.text(part.arithmetic().word.span) == "42");
  auto command = parse("echo $((echo a) | cat)\n", Dialect::kBash);
  CHECK(command.is_valid());
  CHECK(simple(command).words[1].parts()[0].kind == PartKind::kCommand);
  CHECK_FALSE(is_valid("echo $((echo a) | cat)\n"));
}

TEST_CASE("ksh takes ! after a pipe, but not as the body of a function") {
  CHECK(is_valid("a | ! b | c\n", Dialect::kKsh));
  CHECK_FALSE(is_valid("a | ! b\n", Dialect::kBash));
  CHECK_FALSE(is_valid("f() !\n", Dialect::kKsh));
}

TEST_CASE("an unclosed construct is reported where it was opened") {
  auto result = parse("echo one\nif true; then\n  echo two\n");
  CHECK_FALSE(result.is_valid());
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].code == "S011");
  CHECK(result.tree.line_of(result.diagnostics[0].span.begin) == 2);
  CHECK(result.diagnostics[0].notes[0].message == "this `if` on line 2 has no `fi`");
}

TEST_CASE("one mistake does not hide what follows") {
  auto result = parse("echo ) one\nrm -rf $1/*\nif x; then y; done\necho last\n");
  CHECK_FALSE(result.is_valid());
  CHECK(result.diagnostics.size() == 3);
  auto items = result.tree.program().items;
  bool found = false;
  for (const Item& item : items) found |= result.tree.text(item.command->span) == "rm -rf $1/*";
  CHECK(found);
}

TEST_CASE("what a dialect lacks is named") {
  auto result = parse("a=(1 2)\n");
  CHECK_FALSE(result.is_valid());
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].code == "P001");
  CHECK(result.diagnostics[0].message == "sh does not have arrays");
  CHECK(is_valid("a=(1 2)\n", Dialect::kBash));
}

TEST_CASE("nesting has a limit and an error") {
  std::string deep(100000, '(');
  auto result = parse(deep);
  CHECK_FALSE(result.is_valid());
  CHECK(result.diagnostics.back().code == "S014");
  for (const char* open : {"$(", "${x-", "\"$(", "{ ", "$((", "if ", "a=(", "[[ ( "}) {
    std::string text;
    for (int i = 0; i < 20000; i++) text += open;
    CHECK_FALSE(is_valid(text, Dialect::kBash));
  }
}

TEST_CASE("the tree keeps every byte of a text that is nested too deeply") {
  for (const char* open : {"*(", "(*(", "+(x", "$(", "[[ ( ", "a=(", "{a,", "`"}) {
    std::string text = "x";
    for (int i = 0; i < 300; i++) text += open;
    CHECK(print(parse_file(SourceFile("deep", text), Dialect::kBash).tree) == text);
  }
}

// Threads and the processes of the simulated world have less stack than the first thread.
TEST_CASE("a small stack is enough for the deepest text") {
  constexpr size_t kStackBytes = 1 << 20;
  const std::string_view openings[] = {"$(", "${x-", "\"$(",  "{ ",     "$((",    "if ",
                                       "( ", "a=(",  "[[ ( ", "while ", "f() { ", "case x in x) "};
  auto parse_all = [&openings] {
    for (const std::string_view open : openings) {
      std::string text;
      for (int i = 0; i < 300; i++) text += open;
      CHECK_FALSE(is_valid(text, Dialect::kBash));
    }
  };
  using Work = decltype(parse_all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, kStackBytes) == 0);
  pthread_t thread{};
  auto run = [](void* work) -> void* { return (*static_cast<Work*>(work))(), nullptr; };
  REQUIRE(pthread_create(&thread, &attributes, run, &parse_all) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST_CASE("what is reported has a limit") {
  auto result = parse(std::string(100000, ')') + "\n");
  CHECK_FALSE(result.is_valid());
  CHECK(result.diagnostics.size() == 501);
  CHECK(result.diagnostics.back().message == "too many findings: what follows is not reported");
}

TEST_CASE("a list has two commands, also where the second is a mistake") {
  const auto broken = parse("true || ! !\n");
  CHECK_FALSE(broken.is_valid());
  CHECK_FALSE(std::holds_alternative<AndOr>(first(broken).node));
}
