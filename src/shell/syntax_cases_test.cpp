// The tables of tests/syntax/ (testing/syntax_table.h). Where the shell is installed, the table
// itself is checked as well.
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

#include "shell/dump.h"
#include "shell/parse.h"
#include "shell/print.h"
#include "shell/testing/real_shell.h"
#include "shell/testing/syntax_table.h"

namespace nacre::shell {
namespace {

uint32_t first_error_line(const ParseResult& result) {
  uint32_t first = UINT32_MAX;
  for (const Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::kError)
      first = std::min(first, diagnostic.file.line_of(diagnostic.span.begin));
  return first;
}

void check_ours(const SyntaxCase& each, const SyntaxExpectation& expected) {
  const ParseResult result = parse_file(SourceFile(each.name, each.text), expected.dialect);
  CHECK(print(result.tree) == each.text);
  CHECK(result.is_valid() == expected.is_valid);
  if (expected.is_tree) CHECK(dump(result.tree) + "\n" == expected.tree);
  if (!expected.is_valid && !result.is_valid()) CHECK(first_error_line(result) <= expected.line);
}

void check_table(const SyntaxCase& each, const SyntaxExpectation& expected) {
  const ScratchFile file(each.text);
  const ShellVerdict verdict = ask_shell(expected.dialect, file.path());
  CHECK_MESSAGE(verdict.is_valid == expected.is_valid, "the shell itself");
  CHECK_MESSAGE((expected.is_valid || verdict.line == expected.line),
                "the shell itself says line " << verdict.line);
}

void check_file(const std::string& name) {
  const auto cases = read_syntax_table(NACRE_SOURCE_DIR "/tests/syntax/" + name);
  REQUIRE_FALSE(cases.empty());
  for (const SyntaxCase& each : cases) {
    REQUIRE_FALSE(each.expectations.empty());
    for (const SyntaxExpectation& expected : each.expectations) {
      INFO(name << ": " << each.name << " (" << name_of(expected.dialect) << ")\n" << each.text);
      check_ours(each, expected);
      if (!expected.is_tree && expected.is_told && has_real_shell(expected.dialect))
        check_table(each, expected);
    }
  }
}

TEST_CASE("what both shells reject is rejected, not later") { check_file("invalid.txt"); }

TEST_CASE("small changes to random programs are rejected as the shells do") {
  check_file("invalid-generated.txt");
}

TEST_CASE("verdicts on doubtful texts are those of the shells") { check_file("verdicts.txt"); }

}  // namespace
}  // namespace nacre::shell
