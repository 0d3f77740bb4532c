// Languages whose automata would not fit anywhere: each question ends soon, with an exact answer or
// a superset that says so.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/dictionary.h"
#include "regular/parse_type.h"

namespace nacre::regular {
namespace {

constexpr Budget kBudget{.steps = 200'000, .states = 5'000};

Lang type(Context& cx, std::string_view text) {
  auto lang = parse_type(cx, text, {.lookup = {}, .budget = kBudget});
  REQUIRE(lang.has_value());
  return *lang;
}

// The automaton within the budget has every word of the language, and says if it has more.
void check_superset(Lang lang, const std::vector<std::string>& members) {
  const BoundedDfa bounded = to_dfa(lang, kBudget);
  CHECK(bounded.dfa->size() <= kBudget.states + 1);
  const Lang found = lang.context().automaton(bounded.dfa);
  for (const std::string& word : members) {
    CHECK(contains(lang, word));
    CHECK(contains(found, word));
  }
}

TEST_CASE("positions counted from the end give a superset") {
  Context cx;
  const std::string tail(30, 'x');
  check_superset(type(cx, ".*a.{30}"), {"a" + tail, "bba" + tail});
  check_superset(type(cx, "(.*a.{30})&(.*b.{31})"), {"ba" + tail});
  CHECK_FALSE(to_dfa(type(cx, ".*a.{30}"), kBudget).is_exact);
  check_superset(!type(cx, ".*a.{30}"), {"", "b" + tail});
  CHECK(included(type(cx, ".*ab.{29}"), type(cx, ".*a.{30}"), kBudget).yes());
  CHECK(included(!type(cx, ".*a.{30}"), !type(cx, ".*ab.{29}"), kBudget).yes());
}

TEST_CASE("counters within counters are not unrolled") {
  Context cx;
  const Lang million = type(cx, "(x{1000}){1000}");
  const std::string word(1'000'000, 'x');
  CHECK(contains(million, word));
  CHECK(contains(!million, word + "x"));
  CHECK(included(million, type(cx, "x*"), kBudget).yes());
  CHECK(included(!type(cx, "x*"), !million, kBudget).yes());
  CHECK_FALSE(is_empty(million, kBudget).yes());
  CHECK_FALSE(to_dfa(million, kBudget).is_exact);
}

TEST_CASE("pairs that prune nothing are counted") {
  Context cx;
  const Lang a = type(cx, "x.*") & (!type(cx, ".*a.{30}"));
  CHECK(included(a, !type(cx, ".*ab.{29}"), {}).answer == Answer::kUnknown);
}

TEST_CASE("a regex of a megabyte is read") {
  Context cx;
  std::string text = "a";
  while (text.size() < (1 << 20)) text += "|" + std::to_string(text.size()) + "[bc]d*";
  const Lang lang = type(cx, text);
  CHECK(contains(lang, "a"));
  CHECK_FALSE(contains(lang, "zz"));
  const Lang literal = type(cx, std::string(1 << 20, 'a'));
  CHECK(contains(literal, std::string(1 << 20, 'a')));
}

TEST_CASE("all questions of a context together have a limit") {
  Context cx;
  const Lang a = type(cx, "(x|y)*x(x|y){30}");
  const Lang b = type(cx, "(x|y)*y(x|y){30}");
  cx.set_limit({.steps = 200'000, .states = 1'000}, 500, 10);
  CHECK(cx.limited({}).states == 1'000);
  CHECK(included(a, a | b).yes());
  CHECK_FALSE(included(a & b, cx.literal("x")).yes());
  cx.spend(500);
  CHECK(cx.limited({}).states == 10);
  CHECK(included(type(cx, "ab"), type(cx, "a[bc]")).yes());
}

TEST_CASE("the symbols of a long word are found in the same time for each of its ends") {
  Context cx;
  std::string word;
  for (int i = 0; i < 20'000; ++i) word += static_cast<char>('a' + i * i % 26);
  const Lang lang = cx.literal(word + "0");
  CHECK(included(lang, type(cx, "[a-z]*[0-9]"), {.steps = 1'000'000, .states = 100'000}).yes());
  CHECK(symbols_of(derivative(lang, word)).size() == 1);
}

TEST_CASE("a dictionary of 100,000 words is exact") {
  Context cx;
  std::vector<std::string> texts;
  for (int i = 0; i < 100'000; ++i) texts.push_back(std::to_string(i * 7919 % 1'000'003));
  const std::vector<std::string_view> words(texts.begin(), texts.end());
  const Lang lang = cx.words(words);
  CHECK(lang.is_exact());
  CHECK(contains(lang, texts[99]));
  CHECK_FALSE(contains(lang, "x"));
  CHECK(included(lang, type(cx, "[0-9]+"), {}).yes());
}

}  // namespace
}  // namespace nacre::regular
