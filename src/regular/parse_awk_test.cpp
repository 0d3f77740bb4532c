#include "regular/parse_awk.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <string>
#include <string_view>
#include <vector>

#include "regular/lower.h"
#include "regular/testing/random_patterns.h"
#include "regular/testing/tool_process.h"

namespace nacre::regular {
namespace {

constexpr std::string_view kTokens[] = {"a",
                                        "b",
                                        "c",
                                        "a",
                                        "b",
                                        "-",
                                        " ",
                                        "_",
                                        ".",
                                        "*",
                                        "+",
                                        "?",
                                        "|",
                                        "(",
                                        ")",
                                        "(",
                                        ")",
                                        "^",
                                        "$",
                                        "{1}",
                                        "{2}",
                                        "{0,1}",
                                        "{1,}",
                                        "{,2}",
                                        "{",
                                        "}",
                                        "{1",
                                        "{2,1}",
                                        "\\.",
                                        "\\*",
                                        "\\(",
                                        "\\)",
                                        "\\{",
                                        "\\/",
                                        "\\\"",
                                        "\\t",
                                        "\\052",
                                        "\\x41",
                                        "\\101",
                                        "\\a",
                                        "\\w",
                                        "\\W",
                                        "\\s",
                                        "\\S",
                                        "\\y",
                                        "\\B",
                                        "\\<",
                                        "\\>",
                                        "\\`",
                                        "\\'",
                                        "[ab]",
                                        "[^a]",
                                        "[a-c]",
                                        "[]a]",
                                        "[^]a]",
                                        "[a-]",
                                        "[-a]",
                                        "[[:alpha:]]",
                                        "[[:space:]b]",
                                        "[",
                                        "]",
                                        "[a",
                                        "[z-a]",
                                        "[\\]a]",
                                        "[a\\]",
                                        "[\\/]",
                                        "[\\t]",
                                        "[[:foo:]]",
                                        "\\",
                                        "\\-",
                                        "(a|b)",
                                        "(^a)",
                                        "(b$)",
                                        "()",
                                        "A",
                                        "B",
                                        "[A-B]",
                                        "ab",
                                        "a*",
                                        "b+",
                                        "\"",
                                        "/",
                                        "\\&",
                                        "\\1",
                                        "&"};

int rounds(int usual) {
  const char* asked = std::getenv("NACRE_ROUNDS");
  return asked == nullptr ? usual : std::atoi(asked);
}

std::string our_verdict(std::string_view pattern, const AwkOptions& options,
                        const std::vector<std::string>& subjects) {
  const auto regex = parse_awk(pattern, options);
  if (!regex) return "error";
  Context cx;
  const auto found = lower(cx, *regex, {.match = Match::kContains});
  if (!found) return "refused: " + found.error().message;
  std::string verdict;
  for (const std::string& subject : subjects) verdict += contains(*found, subject) ? '1' : '0';
  return verdict;
}

// The first line of the input is the pattern: the value of a string, whose escapes awk leaves
// alone.
std::string awk_verdict(const std::vector<std::string>& awk, const std::string& pattern,
                        const std::vector<std::string>& subjects) {
  std::vector<std::string> command = awk;
  command.push_back("NR == 1 { p = $0; next } { printf \"%d\", ($0 ~ p) }");
  std::string input = pattern + "\n";
  for (const std::string& subject : subjects) input += subject + "\n";
  const ToolRun run = run_tool(command, input);
  return run.status == 0 ? run.out : "error";
}

// mawk 1.3.4 takes `a(+)` for something, and empty alternatives in a group that is not the first
// item.
bool is_beyond_us(std::string_view pattern) {
  for (std::string_view odd : {"(+", "(*", "(?", "(|", "|)", "||", "()"}) {
    if (pattern.find(odd) != std::string_view::npos) return true;
  }
  return false;
}

void compare(const std::vector<std::string>& awk, const AwkOptions& options, uint32_t seed,
             int count) {
  RandomPatterns random(seed);
  for (int round = 0; round < count; ++round) {
    const std::string pattern = random.tokens(kTokens, 7);
    const auto subjects = random.subjects("aabbcAB-_ .*+?(){}|[]^$\\/\"\t", 40, 5);
    if (options.awk == Awk::kMawk && is_beyond_us(pattern)) continue;
    CAPTURE(awk.back());
    CAPTURE(pattern);
    CHECK(our_verdict(pattern, options, subjects) == awk_verdict(awk, pattern, subjects));
  }
}

TEST_CASE("patterns agree with gawk and mawk on random patterns") {
  compare({"gawk"}, {}, 500, rounds(500));
  compare({"gawk", "-vIGNORECASE=1"}, {.folds_case = true}, 501, rounds(500) / 4);
  compare({"mawk"}, {.awk = Awk::kMawk}, 502, rounds(500));
}

TEST_CASE("errors point into the pattern as written") {
  const auto regex = parse_awk("\\x41\\x41(a");
  REQUIRE_FALSE(regex);
  CHECK(regex.error().span.begin == 8);
  CHECK(regex.error().message == "Unmatched ( or \\(");
}

}  // namespace
}  // namespace nacre::regular
