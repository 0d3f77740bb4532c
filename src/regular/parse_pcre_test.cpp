#include "regular/parse_pcre.h"

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

constexpr std::string_view kTokens[] = {"a",           "b",           "c",
                                        "a",           "b",           ".",
                                        "*",           "+",           "?",
                                        "|",           "(",           ")",
                                        "(",           ")",           "[",
                                        "]",           "^",           "$",
                                        "{2}",         "{1,2}",       "{,2}",
                                        "{1,}",        "{",           "}",
                                        "{2,1}",       "{a}",         "*?",
                                        "+?",          "??",          "a*+",
                                        "b?+",         "a++",         "[ab]{1,2}+",
                                        "(?:",         "(?=",         "(?!",
                                        "(?<=a)",      "(?<!b)",      "(?<=",
                                        "(?<!a|bc)",   "(?P<n>a)",    "(?<m>b)",
                                        "(?'o'c)",     "(?i)",        "(?i:",
                                        "(?s:",        "(?x: a b )",  "(?-i:a)",
                                        "(?#c)",       "\\A",         "\\Z",
                                        "\\z",         "\\b",         "\\B",
                                        "\\d",         "\\D",         "\\s",
                                        "\\S",         "\\w",         "\\W",
                                        "\\h",         "\\H",         "\\v",
                                        "\\V",         "\\N",         "\\R",
                                        "\\t",         "\\x41",       "\\x{42}",
                                        "\\x",         "\\101",       "\\o{101}",
                                        "\\0",         "\\.",         "\\*",
                                        "\\-",         "\\",          "\\q",
                                        "\\e",         "\\cA",        "\\Qa.b\\E",
                                        "\\Q",         "\\E",         "\\K",
                                        "[ab]",        "[^a]",        "[a-c]",
                                        "[]a]",        "[^]a]",       "[\\d-a]",
                                        "[a\\-c]",     "[a-]",        "[-a]",
                                        "[\\w]",       "[^\\s]",      "[\\b]",
                                        "[b-a]",       "[[:alpha:]]", "[[:^digit:]]",
                                        "[[:word:]-]", "[[:foo:]]",   "[:alpha:]",
                                        "[[.a.]]",     "[a-\\d]",     "[\\Qa]\\E]",
                                        "[\\x41-C]",   " ",           "A",
                                        "B",           "-",           "1",
                                        "(a|b)",       "(?:ab)+",     "(?=a)b",
                                        "(?!a)",       "(?:a|b$)",    "(?:^a|b)",
                                        "\\ba",        "b\\b",        "#",
                                        "_",           "(?|a|b)",     "(?^)",
                                        "(?n)",        "\\G",         "(?U)a+"};

int rounds(int usual) {
  const char* asked = std::getenv("NACRE_ROUNDS");
  return asked == nullptr ? usual : std::atoi(asked);
}

std::string lines_of(const std::vector<std::string>& subjects) {
  std::string text;
  for (const std::string& subject : subjects) text += subject + "\n";
  return text;
}

std::string our_verdict(std::string_view pattern, const PcreOptions& options,
                        const std::vector<std::string>& subjects) {
  const auto regex = parse_pcre(pattern, options);
  if (!regex) return "error";
  Context cx;
  const auto lines = lower(cx, *regex,
                           {.match = Match::kContains,
                            .subject = all_but_newline(Alphabet::kBytes),
                            .back_references = BackReferences::kWiden});
  if (!lines) return "refused: " + lines.error().message;
  if (!lines->is_exact()) return "inexact";
  std::string verdict;
  for (const std::string& subject : subjects) verdict += contains(*lines, subject) ? '1' : '0';
  return verdict;
}

std::string grep_verdict(std::string_view pattern, const PcreOptions& options,
                         const std::vector<std::string>& subjects) {
  std::vector<std::string> command = {"grep", "-anP"};
  if (options.folds_case) command.push_back("-i");
  if (options.bounds == GrepBounds::kWord) command.push_back("-w");
  if (options.bounds == GrepBounds::kLine) command.push_back("-x");
  command.insert(command.end(), {"-e", std::string(pattern)});
  const ToolRun run = run_tool(command, lines_of(subjects));
  if (run.status >= 2) return "error";
  std::string verdict(subjects.size(), '0');
  for (size_t at = 0; at < run.out.size(); at = run.out.find('\n', at) + 1) {
    verdict[std::stoul(run.out.substr(at)) - 1] = '1';
  }
  return verdict;
}

TEST_CASE("patterns agree with grep -P on random patterns") {
  for (uint32_t kind = 0; kind < 4; ++kind) {
    PcreOptions options;
    if (kind == 1) options.folds_case = true;
    if (kind == 2) options.bounds = GrepBounds::kWord;
    if (kind == 3) options.bounds = GrepBounds::kLine;
    RandomPatterns random(400 + kind);
    for (int round = 0; round < (kind == 0 ? rounds(900) : rounds(900) / 6); ++round) {
      const std::string pattern = random.tokens(kTokens, 7);
      const auto subjects = random.subjects("aabbcAB-_ .1]\r", 40, 5);
      const std::string ours = our_verdict(pattern, options, subjects);
      if (ours == "inexact") continue;
      CAPTURE(kind);
      CAPTURE(pattern);
      CAPTURE(lines_of(subjects));
      CHECK(ours == grep_verdict(pattern, options, subjects));
    }
  }
}

std::string error(std::string_view pattern) {
  const auto regex = parse_pcre(pattern);
  return regex ? "" : std::to_string(regex.error().span.begin) + ": " + regex.error().message;
}

TEST_CASE("errors are PCRE's, with a place") {
  for (const std::string pattern :
       {"*a",       "(a",        "a)",        "[a",       "a{2,1}",
        "a{99999}", "\\",        "\\q",       "(?z)",     "(?<=a*)b",
        "[z-a]",    "[[:foo:]]", "[:alpha:]", "(?#a",     "(?P<n>a)(?P<n>b)",
        "\\2",      "\\x{zz}",   "\\c",       "(?<1a>b)", "[[.a.]]",
        "[a-\\d]"}) {
    CAPTURE(pattern);
    const ToolRun run = run_tool({"grep", "-P", "-e", pattern}, "");
    const std::string message = run.err.substr(run.err.find(": ") + 2);
    const std::string ours = error(pattern);
    CHECK(ours.substr(std::min(ours.size(), ours.find(": ") + 2)) + "\n" == message);
  }
}

TEST_CASE("what is not regular is refused by name") {
  CHECK(error("a(?R)").find("recursion") != std::string::npos);
  CHECK(error("(a)(?1)").find("recursion") != std::string::npos);
  CHECK(error("(?(1)a|b)").find("conditional") != std::string::npos);
  CHECK(error("(*ACCEPT)").find("verb") != std::string::npos);
  const auto regex = parse_pcre("(a|b)\\1");
  Context cx;
  CHECK_FALSE(lower(cx, *regex));
}

TEST_CASE("possessive classes are exact, other atoms a superset") {
  Context cx;
  const auto never = lower(cx, *parse_pcre("a*+a"), {.match = Match::kContains});
  CHECK(never->is_exact());
  CHECK_FALSE(contains(*never, "aaa"));
  const auto atomic = lower(cx, *parse_pcre("(?>a|ab)c"), {});
  CHECK(atomic->bound() == Bound::kSuperset);
}

}  // namespace
}  // namespace nacre::regular
