#include "base/emitter.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace nacre;

namespace {

// What remains, as "line:code" joined by blanks, of a file in which every "BAD" is an S004 and
// every "ODD" an S005.
std::string shown(std::string text, const Choice& choice = {}, std::vector<Span> statements = {}) {
  SourceFile file("f.sh", std::move(text));
  Analysis analysis{file, {}, guess_layout(file), CodeSet({"S"}), true};
  analysis.layout.statements = std::move(statements);
  for (auto [word, code] : {std::pair{"BAD", "S004"}, std::pair{"ODD", "S005"}}) {
    for (size_t at = file.bytes().find(word); at != std::string::npos;
         at = file.bytes().find(word, at + 1)) {
      auto begin = static_cast<uint32_t>(at);
      analysis.findings.push_back(finding(code, file, {begin, begin + 3}, word));
    }
  }
  std::string result;
  for (const Diagnostic& each : emit(std::move(analysis), choice)) {
    result +=
        fmt::format("{}{}:{}", result.empty() ? "" : " ", file.line_of(each.span.begin), each.code);
  }
  return result;
}

}  // namespace

TEST_CASE("a directive at the end of a line reaches that line") {
  CHECK(shown("BAD # nacre disable=S004 -- why\nBAD\n") == "2:S004");
  CHECK(shown("BAD ODD # nacre disable=S004,S005\n").empty());
  CHECK(shown("BAD ODD # nacre disable=S\n").empty());
  CHECK(shown("BAD ODD # nacre disable=all\n").empty());
  CHECK(shown("BAD # nacre: disable=S004\n").empty());
}

TEST_CASE("a directive on its own line reaches the statement that follows") {
  CHECK(shown("# nacre disable=S004\n\n# a comment between\nBAD\nBAD\n") == "5:S004");
  CHECK(shown("# nacre disable=S004\na \\\n  BAD\nBAD\n") == "4:S004");
  std::string loop = "# nacre disable=S004\nwhile x; do\n  BAD\ndone\nBAD\n";
  CHECK(shown(loop) == "1:S008 3:S004 5:S004");
  auto begin = static_cast<uint32_t>(loop.find("while"));
  auto end = static_cast<uint32_t>(loop.find("done") + 4);
  CHECK(shown(loop, {}, {{begin, end}}) == "5:S004");
}

TEST_CASE("blocks and whole files") {
  CHECK(shown("BAD\n# nacre disable-begin=S004\nBAD\n# nacre disable-end=S004\nBAD\n") ==
        "1:S004 5:S004");
  CHECK(shown("BAD\nBAD\n# nacre disable-file=S004\n").empty());
  CHECK(shown("# nacre disable-begin=S004\nBAD\n") == "1:S007 2:S004");
  CHECK(shown("# nacre disable-end=S004\n") == "1:S007");
}

TEST_CASE("ShellCheck's directives reach the codes that have such a twin") {
  CHECK(shown("x\n# shellcheck disable=SC1017\nBAD\nBAD\n") == "4:S004");
  CHECK(
      shown("x\n# shellcheck source=/dev/null disable=SC2086,SC1000-SC1100 # why\nBAD\n").empty());
  CHECK(shown("#!/bin/sh\n# shellcheck disable=SC1017\n\nBAD\nBAD\n").empty());  // file-wide
  CHECK(shown("x\n# shellcheck disable=SC2086\nBAD\n") == "3:S004");
  CHECK(shown("x\n# shellcheck disable=all\nBAD ODD\n") == "3:S005");  // S005 has no twin
}

TEST_CASE("directives that cannot be read are findings, sentences are not") {
  CHECK(shown("# nacre disable S004\nBAD\n") == "1:S007 2:S004");
  CHECK(shown("# nacre disable=Q999\n") == "1:S007");
  CHECK(shown("# nacre disable=\n") == "1:S007");
  CHECK(shown("# nacre disable-everything=S004\n") == "1:S007");
  CHECK(shown("# nacre is a tool\n# shellcheck shell=sh\n").empty());
}

TEST_CASE("useless suppressions are reported when their code was looked for and chosen") {
  CHECK(shown("x # nacre disable=S004\n") == "1:S008");
  CHECK(shown("x # nacre disable=T\n").empty());  // types were not examined
  Choice without;
  without.ignore = CodeSet({"S004"});
  CHECK(shown("x # nacre disable=S004\n", without).empty());
  CHECK(shown("# nacre disable-file=S008\nx # nacre disable=S004\n").empty());
}

TEST_CASE("codes are chosen and severities replaced") {
  Choice choice;
  choice.select = CodeSet({"S005"});
  CHECK(shown("BAD ODD\n", choice) == "1:S005");
  choice.severities["S005"] = Severity::kError;
  SourceFile file("f", "ODD");
  Analysis analysis{file, {finding("S005", file, {0, 3}, "odd")}, {}, {}, true};
  CHECK(emit(analysis, choice)[0].severity == Severity::kError);
}

TEST_CASE("findings are sorted by place and reported once") {
  SourceFile file("f", "abc");
  Diagnostic late = finding("S005", file, {2, 3}, "x");
  Diagnostic early = finding("S004", file, {0, 1}, "x");
  std::vector<Diagnostic> all{late, early, late};
  sort_and_unify(all);
  REQUIRE(all.size() == 2);
  CHECK(all[0].code == "S004");
}

TEST_CASE("more directives than the limit are not read, and that is said") {
  std::string text;
  for (int i = 0; i < 20; i++) text += "BAD # nacre disable=S004\n";
  SourceFile file("f", text);
  Suppressions some = find_suppressions(file, guess_layout(file), 5);
  CHECK(some.list.size() == 5);
  REQUIRE(some.mistakes.size() == 1);
  CHECK(some.mistakes[0].code == "S007");
}

TEST_CASE("in a Dockerfile only whole lines are comments") {
  const SourceFile file("Dockerfile", "RUN a # b\n  # c\n#d # e\n");
  const auto lines = [&](CommentStyle style) {
    std::vector<uint32_t> result;
    for (const Span span : guess_layout(file, style).comments)
      result.push_back(file.line_of(span.begin));
    return result;
  };
  CHECK(lines(CommentStyle::kHash) == std::vector<uint32_t>{1, 2, 3});
  CHECK(lines(CommentStyle::kHashLine) == std::vector<uint32_t>{2, 3});
}
