#include "commands/effect.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "commands/check_card.h"
#include "commands/effect_run.h"

namespace nacre::commands {
namespace {

std::string error_of(std::string_view program) {
  auto parsed = parse_effect(program);
  return parsed ? "" : parsed.error().message;
}

// Writes down what is asked and done; every path whose name has an x is there.
struct Notebook {
  std::string text;
  int call(EffectCall call, const std::string& a, const std::string& b) {
    text += fmt::format("{}({}{}{}) ", static_cast<int>(call), a, b.empty() ? "" : ",", b);
    return a.find('!') == std::string::npos ? 0 : -1;
  }
  static bool is(PathTest, const std::string& path) { return path.find('x') != std::string::npos; }
  static bool related(PathRelation, const std::string& a, const std::string& b) { return a == b; }
  static std::vector<std::string> list(PathList::Kind, const std::string& path) { return {path}; }
  static size_t choose(size_t count) { return count - 1; }
  static std::string fresh(const EffectWords&) { return "fresh"; }
  void print(const std::string& printed) { text += "print " + printed; }
  void failed(const std::string&, int) { text += "failed "; }
};

std::string run(std::string_view program, std::vector<std::string> operands,
                std::map<std::string, std::string, std::less<>> options = {}) {
  auto parsed = parse_effect(program);
  REQUIRE(parsed);
  Notebook notebook;
  EffectEnd end = run_effect(*parsed, {std::move(operands), std::move(options)}, notebook);
  return fmt::format("{}{}{}", notebook.text, end.status, end.is_known ? "" : "?");
}

TEST_CASE("errors in an effect program name what is wrong") {
  CHECK(error_of("mkdr P") == "'mkdr' is not a call");
  CHECK(error_of("mkdir P") == "'P' is not a path");
  CHECK(error_of("mkdir") == "a path is expected");
  CHECK(error_of("each P in files { mkdir P }") == "'files' is not a list of paths");
  CHECK(error_of("each P in operands { mkdir P") == "'}' is expected, not ''");
  CHECK(error_of("stop }") == "'}' closes nothing");
  CHECK(error_of("if fine first { stop }") == "'fine' is not a test");
  CHECK(error_of("mkdir first unlink first") == "';' is expected before 'unlink'");
  CHECK(error_of(std::string(4000, '{')) != "");
  std::string deep;
  for (int i = 0; i < 4000; ++i) deep += "if many { ";
  CHECK(error_of(deep) == "blocks are nested too deeply");
}

TEST_CASE("a failure ends the work on one operand") {
  CHECK(run("each P in operands { mkdir P; stamp P }", {"a!", "b"}) == "0(a!) failed 0(b) 9(b) 1");
  CHECK(run("each P in operands { each D in parents P { mkdir D }; stamp P }", {"a!/b/c", "d"}) ==
        "0(a!) failed 9(d) 1");
  CHECK(run("try mkdir first; stamp last", {"a!"}) == "0(a!) 9(.) 0");
  CHECK(run("if many { stop 3 }; mkdir first", {"a", "b", "c"}) == "failed 3");
  CHECK(run("if many { stop 3 }; mkdir first", {"a", "b"}) == "0(a) 0");
  CHECK(run("either { nothing } or { unknown }", {}) == "0?");
}

TEST_CASE("targets are found as cp, mv and ln find them") {
  constexpr std::string_view kMove = "each P in sources { rename P target P }";
  CHECK(run(kMove, {"a", "b"}) == "11(a,b) 0");
  CHECK(run(kMove, {"a/", "x"}) == "11(a/,x/a) 0");
  CHECK(run(kMove, {"a", "x"}, {{"-T", "1"}}) == "11(a,x) 0");
  CHECK(run(kMove, {"a", "c"}, {{"-t", "b"}}) == "11(a,b/a) 11(c,b/c) 0");
}

TEST_CASE("a program that goes on in the next line belongs to its card") {
  auto cards = parse_cards(
      "command x\ndoes  operands:0 : stop\ndoes  : each P in operands {\n"
      "        mkdir P }\nacts  operands:1 : case $1 in\n  a) : ;;\n  esac\nabout y\n");
  REQUIRE(cards);
  const Card& card = cards->at(0);
  CHECK(card.properties.at(1).value == "each P in operands {\n        mkdir P }");
  CHECK(card.properties.at(2).value == "case $1 in\n  a) : ;;\n  esac");
  CHECK(card.about == "y");
  CHECK(!find_mistake(card));
  CHECK(parse_cards("command x\nabout a\n  b\n").error().message ==
        "only 'does' and 'acts' go on in the next line");
  CHECK(parse_cards("command x\ndoes stop\n").error().message ==
        "'does' needs ' : ' before its program");
  auto broken = parse_cards("command x\nacts : if then\n");
  REQUIRE(broken);
  CHECK(find_mistake(broken->at(0)));
}

TEST_CASE("the line of a card is found by the options") {
  CardLibrary library;
  auto effect = find_effect(library, std::vector<std::string>{"mkdir", "-pm", "700", "a", "b"});
  REQUIRE(effect);
  CHECK(effect->words.operands == std::vector<std::string>{"a", "b"});
  CHECK(effect->words.options.at("--mode") == "700");
  CHECK(effect->words.has("-p"));
  CHECK(find_effect(library, std::vector<std::string>{"mkdir", "-q", "a"})->kind ==
        Effect::kRefused);
  CHECK(!find_effect(library, std::vector<std::string>{"no-such-command"}));
}

}  // namespace
}  // namespace nacre::commands
