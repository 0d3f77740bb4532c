#include "regular/lower.h"

#include <doctest/doctest.h>
#include <string>
#include <string_view>

#include "regular/decide.h"
#include "regular/parse_glob.h"
#include "regular/parse_pcre.h"
#include "regular/parse_posix.h"
#include "regular/parse_python.h"

namespace nacre::regular {
namespace {

Lang pcre(Context& cx, std::string_view pattern, Match match = Match::kContains) {
  const auto regex = parse_pcre(pattern);
  REQUIRE_MESSAGE(regex, (regex ? "" : regex.error().message));
  const auto language = lower(cx, *regex, {.match = match});
  REQUIRE_MESSAGE(language, (language ? "" : language.error().message));
  CHECK(language->is_exact());
  return *language;
}

bool found(std::string_view pattern, std::string_view subject) {
  Context cx;
  return contains(pcre(cx, pattern), subject);
}

bool same(std::string_view a, std::string_view b) {
  Context cx;
  return equivalent(pcre(cx, a), pcre(cx, b)).yes();
}

TEST_CASE("conditions are exact wherever they stand") {
  CHECK(found("(^|,)x(,|$)", "a,x"));
  CHECK_FALSE(found("(^|,)x(,|$)", "ax"));
  CHECK(found("(?:\\bfoo\\b ?)+$", "a foo foo"));
  CHECK_FALSE(found("(?:\\bfoo\\b ?)+$", "a xfoo foos"));
  CHECK(same("^^^a", "^a"));
  CHECK(same("x^", "(?!)"));
  CHECK(same("(?:a|\\b)*", ""));
  CHECK(same("a(?=b)c", "(?!)"));
  CHECK(same("a(?=b)b", "ab"));
  CHECK(same("a(?!b)(b|c)", "ac"));
  CHECK(same("(?<=a)b(?=c)", "abc"));
  CHECK(same("(?<!a)b", "(?:^|[^a])b"));
  CHECK(same("^(?!.*foo).*$", "^(?:(?!foo).)*$"));
  CHECK(same("^(?=.*\\d)(?=.*[a-z]).{4,}$", "^(?=.*[a-z])(?=.*\\d).{4,}$"));
  CHECK(same("(?=(?=a)\\w)a", "a"));
  CHECK(same("(?!(?!a))a", "a"));
  CHECK(same("(?=\\bfoo)foo", "\\bfoo"));
  CHECK(same("(?<=\\bfo)o", "\\bfoo"));
  CHECK(same("(?<=^fo)o", "^foo"));
}

TEST_CASE("newlines separate lines only for anchors that see them") {
  Context cx;
  const auto line = lower(cx, *parse_posix("^b$", {.tool = PosixTool::kSed, .is_multiline = true}),
                          {.match = Match::kContains});
  CHECK(contains(*line, "a\nb\nc"));
  const auto whole =
      lower(cx, *parse_posix("^b$", {.tool = PosixTool::kSed}), {.match = Match::kContains});
  CHECK_FALSE(contains(*whole, "a\nb\nc"));
  const auto end = lower(cx, *parse_posix("\\`a", {.tool = PosixTool::kSed, .is_multiline = true}),
                         {.match = Match::kContains});
  CHECK_FALSE(contains(*end, "b\na"));
}

TEST_CASE("symbols outside of the subject match nothing") {
  Context cx;
  const CharSet line = all_but_newline(Alphabet::kBytes);
  const auto space = lower(cx, *parse_posix("a\\sb"), {.match = Match::kContains, .subject = line});
  CHECK(contains(*space, "xa b"));
  CHECK_FALSE(contains(*space, "a\nb"));
  CHECK_FALSE(contains(*space, "a b\n"));
}

TEST_CASE("a lookbehind that looks beyond its end is refused") {
  Context cx;
  const auto behind = lower(cx, *parse_pcre("(?<=b(?=c))c"), {.match = Match::kContains});
  REQUIRE_FALSE(behind);
  CHECK(behind.error().message.find("lookbehind") != std::string::npos);
}

TEST_CASE("characters become UTF-8, strictly or loosely") {
  Context cx;
  const auto regex = parse_posix("^.[^,]*,[é-ï]$", {.alphabet = Alphabet::kCodePoints});
  const auto strict = lower(cx, *regex, {.match = Match::kContains});
  CHECK(contains(*strict, "éabc,é"));
  CHECK_FALSE(contains(*strict, "é\xFF,é"));
  CHECK_FALSE(contains(*strict, "\xC3,é"));
  const auto loose = lower(cx, *regex, {.match = Match::kContains, .utf8 = Utf8::kLoose});
  CHECK(contains(*loose, "é\xFF,é"));
  CHECK_FALSE(contains(*loose, "\xC3,é"));
}

TEST_CASE("large and deep patterns cost what they must and no more") {
  auto repeat = [](std::string_view text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  auto size_of = [](const std::string& pattern) {
    Context cx;
    const auto regex = parse_posix(pattern, {.is_extended = true});
    REQUIRE(regex);
    const auto language = lower(cx, *regex, {.match = Match::kContains});
    REQUIRE(language);
    return contains(*language, "b");
  };
  CHECK(size_of(repeat("a|", 300'000) + "b"));
  CHECK_FALSE(size_of(repeat("abcdefgh", 120'000)));
  CHECK_FALSE(size_of(repeat("[ab]", 100'000)));
  CHECK_FALSE(size_of(repeat("(a)?b{2}", 50'000)));
  CHECK_FALSE(size_of("((((a{1000}){1000}){1000}){1000})"));
  CHECK_FALSE(parse_posix(repeat("(", 1'000'000) + repeat(")", 1'000'000), {.is_extended = true}));
  CHECK_FALSE(parse_posix("a" + repeat("{1}", 100'000), {.is_extended = true}));
  CHECK_FALSE(parse_pcre(repeat("(?=", 300'000)));
  CHECK_FALSE(parse_python(repeat("(?:", 300'000)));
  CHECK(parse_python(repeat("[", 100'000) + "]"));
}

TEST_CASE("beyond the budget a superset is given and called so") {
  Context cx;
  const auto regex = parse_pcre("(?:\\b.{300}\\b.?){200}");
  Budget small;
  small.states = 50;
  const auto wide = lower(cx, *regex, {.match = Match::kContains, .budget = small});
  REQUIRE(wide);
  CHECK(wide->bound() == Bound::kSuperset);
}

}  // namespace
}  // namespace nacre::regular
