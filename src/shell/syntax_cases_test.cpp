// The tables of tests/syntax/: texts with what the shells say of them, and sometimes their tree.
//
//   #### NAME
//   TEXT...
//   ---- DIALECT valid
//   ---- DIALECT invalid LINE      (the shell's own line: ours must not be later)
//   ---- DIALECT stops LINE        (the same, but the shell ends there without a word)
//   ---- tree DIALECT              (the lines behind it are the dump)
//
// Where the shell is installed, the table itself is checked as well.
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

#include "shell/dump.h"
#include "shell/parse.h"
#include "shell/print.h"
#include "shell/testing/corpus.h"
#include "shell/testing/real_shell.h"

namespace nacre::shell {
namespace {

struct Expectation {
  Dialect dialect = Dialect::kSh;
  bool is_valid = true;
  bool is_told = true;  // by the shell
  uint32_t line = 0;
  bool is_tree = false;
  std::string tree;
};

struct Case {
  std::string name;
  std::string text;
  std::vector<Expectation> expectations;
};

// `sh valid`, `bash invalid 3`, `bash stops 3`, `tree bash`.
Expectation read_expectation(const std::string& line) {
  Expectation expectation;
  char first[16] = "", second[16] = "";
  const int count =
      std::sscanf(line.c_str(), "---- %15s %15s %u", first, second, &expectation.line);
  REQUIRE_MESSAGE(count >= 2, line);
  expectation.is_tree = std::string_view(first) == "tree";
  const auto dialect = dialect_named(expectation.is_tree ? second : first);
  REQUIRE_MESSAGE(dialect.has_value(), line);
  expectation.dialect = *dialect;
  expectation.is_valid = expectation.is_tree || std::string_view(second) == "valid";
  expectation.is_told = std::string_view(second) != "stops";
  REQUIRE_MESSAGE((expectation.is_valid || count == 3), line);
  return expectation;
}

std::vector<Case> read_cases(const std::string& name) {
  const std::string table = read_file(NACRE_SOURCE_DIR "/tests/syntax/" + name);
  REQUIRE_FALSE(table.empty());
  std::vector<Case> cases;
  for (size_t begin = 0; begin < table.size();) {
    const size_t end = std::min(table.find('\n', begin), table.size());
    const std::string line = table.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("#### ")) {
      cases.push_back({line.substr(5), "", {}});
    } else if (line.starts_with("---- ")) {
      cases.back().expectations.push_back(read_expectation(line));
    } else if (!cases.empty() && cases.back().expectations.empty()) {
      cases.back().text += line + "\n";
    } else if (!cases.empty() && cases.back().expectations.back().is_tree && !line.empty()) {
      cases.back().expectations.back().tree += line + "\n";
    }
  }
  return cases;
}

uint32_t first_error_line(const ParseResult& result) {
  uint32_t first = UINT32_MAX;
  for (const Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::kError)
      first = std::min(first, diagnostic.file.line_of(diagnostic.span.begin));
  return first;
}

void check_ours(const Case& each, const Expectation& expected) {
  const ParseResult result = parse_file(SourceFile(each.name, each.text), expected.dialect);
  CHECK(print(result.tree) == each.text);
  CHECK(result.is_valid() == expected.is_valid);
  if (expected.is_tree) CHECK(dump(result.tree) + "\n" == expected.tree);
  if (!expected.is_valid && !result.is_valid()) CHECK(first_error_line(result) <= expected.line);
}

void check_table(const Case& each, const Expectation& expected) {
  const ScratchFile file(each.text);
  const ShellVerdict verdict = ask_shell(expected.dialect, file.path());
  CHECK_MESSAGE(verdict.is_valid == expected.is_valid, "the shell itself");
  CHECK_MESSAGE((expected.is_valid || verdict.line == expected.line),
                "the shell itself says line " << verdict.line);
}

void check_file(const std::string& name) {
  for (const Case& each : read_cases(name)) {
    REQUIRE_FALSE(each.expectations.empty());
    for (const Expectation& expected : each.expectations) {
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
