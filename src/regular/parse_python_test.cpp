#include "regular/parse_python.h"

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

// Answers, for each line "flags pattern" and the subjects below it, what re says: a digit per
// subject (1: search finds it, 2: fullmatch does, 3: both), or the error with its position.
constexpr const char* kOracle = R"py(
import re, sys, warnings
warnings.simplefilter("ignore")
lines = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\0")
count = int(lines[0])
at = 1
out = []
while at + 1 < len(lines):
    flags, pattern, subjects = int(lines[at]), lines[at + 1], lines[at + 2:at + 2 + count]
    at += 2 + count
    try:
        regex = re.compile(pattern, flags)
    except re.error as e:
        out.append("error %s: %s" % (e.pos, e.msg))
        continue
    except (OverflowError, RecursionError):
        out.append("error overflow")
        continue
    out.append("".join(str((regex.search(s) is not None) + 2 * (regex.fullmatch(s) is not None))
                       for s in subjects))
sys.stdout.buffer.write("\0".join(out).encode("utf-8", "surrogateescape"))
)py";

struct Question {
  uint32_t flags = 0;  // the values of re.I, re.M, ...
  std::string pattern;
  std::vector<std::string> subjects;
};

std::vector<std::string> ask_python(const std::vector<Question>& questions) {
  std::string input = std::to_string(questions[0].subjects.size());
  for (const Question& question : questions) {
    input += '\0' + std::to_string(question.flags) + '\0' + question.pattern;
    for (const std::string& subject : question.subjects) input += '\0' + subject;
  }
  const std::string out = run_tool({"python3", "-c", kOracle}, input, "C.UTF-8").out + '\0';
  std::vector<std::string> answers;
  for (size_t at = 0; at < out.size(); at = out.find('\0', at) + 1) {
    answers.push_back(out.substr(at, out.find('\0', at) - at));
  }
  return answers;
}

PythonFlags flags_of(uint32_t bits) {
  return {.ignore_case = (bits & 2) != 0,
          .multiline = (bits & 8) != 0,
          .dot_all = (bits & 16) != 0,
          .verbose = (bits & 64) != 0,
          .ascii = (bits & 256) != 0};
}

std::string our_answer(const Question& question) {
  const auto regex = parse_python(question.pattern, flags_of(question.flags));
  if (!regex) return "error: " + regex.error().message;
  Context cx(Alphabet::kCodePoints);
  const auto search = lower(cx, *regex, {.match = Match::kContains});
  const auto full = lower(cx, *regex, {.match = Match::kWhole});
  if (!search) return "refused: " + search.error().message;
  if (!search->is_exact() || !full->is_exact()) return "inexact";
  std::string answer;
  for (const std::string& subject : question.subjects) {
    answer += static_cast<char>('0' + contains(*search, subject) + 2 * contains(*full, subject));
  }
  return answer;
}

constexpr std::string_view kTokens[] = {
    "a",        "b",      "c",       "a",       "b",      ".",           "*",          "+",
    "?",        "|",      "(",       ")",       "(",      ")",           "[",          "]",
    "^",        "$",      "{2}",     "{1,2}",   "{,2}",   "{1,}",        "{",          "}",
    "{,}",      "{}",     "{2,1}",   "{a}",     "*?",     "+?",          "??",         "a*+",
    "b?+",      "a++",    "(?:",     "(?=",     "(?!",    "(?<=a)",      "(?<!b)",     "(?<=",
    "(?<!",     "(?P<n>", "(?i)",    "(?i:",    "(?s:",   "(?m:",        "(?x: a b )", "(?-i:a)",
    "(?a:\\w)", "(?#c)",  "\\A",     "\\Z",     "\\b",    "\\B",         "\\d",        "\\D",
    "\\s",      "\\S",    "\\w",     "\\W",     "\\n",    "\\t",         "\\x41",      "\\u00e9",
    "\\101",    "\\0",    "\\.",     "\\*",     "\\-",    "\\",          "\\q",        "\\x4",
    "[ab]",     "[^a]",   "[a-c]",   "[]a]",    "[^]a]",  "[\\d-a]",     "[a\\-c]",    "[a-]",
    "[-a]",     "[\\w]",  "[^\\s]",  "[\\b]",   "[b-a]",  "[[:alpha:]]", "[a-\\d]",    "[\\x41-C]",
    "\n",       " ",      "A",       "B",       "é",      "É",           "[à-ï]",      "-",
    "1",        "(a|b)",  "(?:ab)+", "(?>a|b)", "(?=a)b", "(?!a)",       "(?:a|b$)",   "(?:^a|b)",
    "\\ba",     "b\\b",   "(?i)a",   "#",       "_"};

int rounds(int usual) {
  const char* asked = std::getenv("NACRE_ROUNDS");
  return asked == nullptr ? usual : std::atoi(asked);
}

std::vector<std::string> random_subjects(RandomPatterns& random) {
  constexpr std::string_view kLetters[] = {"a", "a", "b", "b", "c", "A", "B", "\n",
                                           " ", "é", "É", "-", "1", "_", "]"};
  std::vector<std::string> subjects = {""};
  while (subjects.size() < 40) subjects.push_back(random.tokens(kLetters, 6));
  return subjects;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += "'" + word + "' ";
  return text;
}

TEST_CASE("patterns agree with Python's re on random patterns") {
  RandomPatterns random(300);
  constexpr uint32_t kFlags[] = {0, 0, 0, 2, 8, 16, 64, 256, 2 | 8 | 16, 2 | 256};
  std::vector<Question> questions;
  for (int round = 0; round < rounds(2500); ++round) {
    questions.push_back(
        {kFlags[random.below(10)], random.tokens(kTokens, 7), random_subjects(random)});
  }
  const auto answers = ask_python(questions);
  REQUIRE(answers.size() == questions.size());
  int inexact = 0;
  for (size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    std::string ours = our_answer(question);
    std::string theirs = answers[i];
    if (ours == "inexact") {
      ++inexact;
      continue;
    }
    CAPTURE(question.flags);
    CAPTURE(question.pattern);
    CAPTURE(joined(question.subjects));
    CAPTURE(theirs);
    if (ours.starts_with("error") && theirs.starts_with("error")) continue;
    CHECK(ours == theirs);
  }
  CHECK(inexact < rounds(2500) / 20);
}

std::string error(std::string_view pattern, PythonFlags flags = {}) {
  const auto regex = parse_python(pattern, flags);
  return regex ? "" : std::to_string(regex.error().span.begin) + ": " + regex.error().message;
}

TEST_CASE("errors are re.error's, at its positions") {
  const std::string_view patterns[] = {
      "a**",     "*a",     "(a",      "a)",    "[a",   "a{2,1}", "(?P<1>a)", "(?P<n>a)(?P<n>b)",
      "(?P<n",   "(?P=n)", "\\q",     "[\\q]", "(?z)", "a(?i)b", "(?<=a*)b", "\\",
      "(?P>x)",  "[z-a]",  "\\x1",    "(?<x",  "(?",   "x*+*",   "(?i",      "(?#a",
      "[a-\\d]", "\\777",  "(?P<>a)", "^*",    "\\b+", "a|*",    "()\\2",    "(\\1)"};
  std::vector<Question> questions;
  for (std::string_view pattern : patterns) questions.push_back({0, std::string(pattern), {""}});
  const auto answers = ask_python(questions);
  for (size_t i = 0; i < questions.size(); ++i) {
    CAPTURE(questions[i].pattern);
    const std::string message = answers[i].substr(answers[i].find(": ") + 2);
    const std::string ours = error(questions[i].pattern);
    CHECK(ours.substr(ours.find(": ") + 2) == message);
  }
}

TEST_CASE("bytes patterns are over bytes and ASCII") {
  Context cx;
  const auto regex = parse_python("\\w.\\xff", {.is_bytes = true});
  REQUIRE(regex);
  CHECK(contains(*lower(cx, *regex), "a\xC3\xFF"));
  CHECK_FALSE(contains(*lower(cx, *regex),
                       "\xE9"
                       "a\xFF"));
}

TEST_CASE("back-references are refused or widened") {
  Context cx(Alphabet::kCodePoints);
  const auto regex = parse_python("(?P<q>['\"])x(?P=q)");
  REQUIRE(regex);
  CHECK(lower(cx, *regex).error().message ==
        "a back-reference does not describe a regular language");
  const auto wide = lower(cx, *regex, {.back_references = BackReferences::kWiden});
  CHECK(wide->bound() == Bound::kSuperset);
  CHECK(contains(*wide, "'x'"));
  CHECK_FALSE(contains(*wide, "'xx"));
  CHECK(regex->group_names.at(0).name == "q");
}

}  // namespace
}  // namespace nacre::regular
