// The profiles of ksh and busybox against their shells: the texts of tests/syntax/ and random
// programs, whole and changed. For ksh, what ksh93 and mksh agree on. What differs on purpose is
// named in docs/syntax-differences.md.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <string>
#include <string_view>

#include "shell/dump.h"
#include "shell/parse.h"
#include "shell/testing/random_program.h"
#include "shell/testing/real_shell.h"
#include "shell/testing/syntax_table.h"

namespace nacre::shell {
namespace {

bool is_valid(const std::string& text, Dialect dialect) {
  return parse_file(SourceFile("profile", text), dialect).is_valid();
}

// busybox takes `[[` for a command, whose arguments it looks at when it runs.
bool is_wrong_conditional(const std::string& text) {
  return is_valid(text, Dialect::kSh) && !is_valid(text, Dialect::kBash) &&
         text.find("[[") != text.npos;
}

// ksh rejects already what nobody can expand.
bool has_bad_parameter(const std::string& text) {
  const ParseResult result = parse_file(SourceFile("profile", text), Dialect::kKsh);
  return dump(result.tree).find(" bad ") != std::string::npos;
}

// ksh takes a function without a body and an assignment before a subshell.
constexpr std::array<std::string_view, 3> kOdd = {"f() && a\n", "f() | a\n", "a= (x)\n"};

bool is_on_purpose(const std::string& text, Dialect dialect) {
  if (dialect == Dialect::kBusybox) return is_wrong_conditional(text);
  return has_bad_parameter(text) || std::find(kOdd.begin(), kOdd.end(), text) != kOdd.end();
}

void compare(const std::string& text, Dialect dialect, const ScratchFile& file) {
  file.write(text);
  const auto verdict = agreed_verdict(dialect, file.path());
  if (!verdict.has_value() || *verdict == is_valid(text, dialect)) return;
  if (is_on_purpose(text, dialect)) return;
  FAIL_CHECK(name_of(dialect) << (*verdict ? " accepts:\n" : " rejects:\n") << text);
}

constexpr Dialect kProfiles[] = {Dialect::kKsh, Dialect::kBusybox};

TEST_CASE("ksh and busybox say the same of the texts in the tables") {
  for (const Dialect dialect : kProfiles) {
    if (!has_real_shell(dialect)) continue;
    const ScratchFile file;
    for (const char* name : {"invalid.txt", "invalid-generated.txt", "verdicts.txt"})
      for (const SyntaxCase& each :
           read_syntax_table(fmt::format("{}/tests/syntax/{}", NACRE_SOURCE_DIR, name)))
        compare(each.text, dialect, file);
  }
}

TEST_CASE("ksh and busybox say the same of random programs") {
  const char* wanted = std::getenv("NACRE_RANDOM_PROGRAMS");
  const uint64_t count = wanted == nullptr ? 300 : std::strtoull(wanted, nullptr, 10);
  for (const Dialect dialect : kProfiles) {
    if (!has_real_shell(dialect)) continue;
    const ScratchFile file;
    for (uint64_t seed = 1; seed <= count; ++seed) {
      const std::string program = random_program(seed, Dialect::kSh);
      compare(program, dialect, file);
      compare(mutated(program, seed) + "\n", dialect, file);
    }
  }
}

}  // namespace
}  // namespace nacre::shell
