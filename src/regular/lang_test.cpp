#include "regular/lang.h"

#include <array>
#include <doctest/doctest.h>
#include <thread>
#include <vector>

#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/dictionary.h"

using namespace nacre::regular;

namespace {

Lang digit(Context& cx) { return cx.set(CharSet::range('0', '9')); }
Lang dot(Context& cx) { return cx.set(CharSet::of('\n').complement(cx.alphabet())); }
Lang holding(Context& cx, std::string_view word) {
  return star(dot(cx)) + cx.literal(word) + star(dot(cx));
}

}  // namespace

TEST_CASE("membership follows the operations") {
  Context cx;
  Lang number = optional(cx.literal("-")) + plus(digit(cx));
  CHECK(contains(number, "-12"));
  CHECK(!contains(number, "-"));
  CHECK(contains(!number, "-"));
  CHECK(contains(repeat(digit(cx), 2, 3), "12"));
  CHECK(!contains(repeat(digit(cx), 2, 3), "1234"));
  CHECK(contains(holding(cx, "404") & holding(cx, "timeout"), "timeout: 404"));
  CHECK(!contains(holding(cx, "404") - holding(cx, "timeout"), "timeout: 404"));
  CHECK(contains(reverse(cx.literal("abc") + star(digit(cx))), "123cba"));
}

TEST_CASE("texts that are put together are what their symbols are") {
  Context cx;
  const Lang d = digit(cx);
  const Lang a = cx.literal("a");
  CHECK(cx.literal("ab") + d == a + (cx.literal("b") + d));
  CHECK((a + d) + cx.literal("bc") == a + (d + (cx.literal("b") + cx.literal("c"))));
  CHECK(cx.literal("") + a == a);
  CHECK(a + cx.epsilon() == a);
  CHECK(a + a == repeat(a, 2, 2));
  CHECK(a + cx.empty() == cx.empty());
  CHECK(cx.empty() + a == cx.empty());
  CHECK(!(a == cx.literal("b")));
  CHECK(!(a + d == cx.literal("b") + d));
  CHECK(contains(star(a + d) + cx.literal("end"), "a1a2end"));
  CHECK(a == cx.set(CharSet::of('a')));
  Lang many = d;
  for (int i = 0; i < 100'000; i++) many = (i % 2 == 0 ? a : d) + many;  // no recursion
  CHECK(is_nullable(derivative(many, std::string_view("1"))) == false);
}

TEST_CASE("the normal form settles what needs no search") {
  Context cx;
  Lang d = digit(cx);
  CHECK(repeat(repeat(d, 1000, 1000), 1000, 1000) == repeat(d, 1000000, 1000000));
  CHECK(d + d + repeat(d, 0, 3) == repeat(d, 2, 5));
  CHECK((holding(cx, "a") & !holding(cx, "a")) == cx.empty());
  CHECK((holding(cx, "a") | !holding(cx, "a")) == cx.all());
  CHECK((cx.epsilon() | plus(d)) == star(d));
  CHECK((star(dot(cx)) | holding(cx, "a")) == star(dot(cx)));
  CHECK((star(dot(cx)) & holding(cx, "a")) == holding(cx, "a"));
}

TEST_CASE("inclusion has a shortest and natural witness") {
  Context cx;
  Lang number = plus(digit(cx));
  CHECK(included(number, star(dot(cx))).yes());
  CHECK(included(repeat(digit(cx), 3, 3), repeat(digit(cx), 2, 5)).yes());
  Verdict v = included(star(dot(cx)), number);
  CHECK(v.no());
  CHECK(v.witness.empty());
  v = included(plus(dot(cx)), number);
  CHECK(v.witness == "a");
  CHECK(is_empty(holding(cx, "ab") & holding(cx, "bc")).witness == "abc");
  CHECK(is_empty(holding(cx, "ab") & !star(dot(cx))).yes());
  // The first letter that comes to mind leads to a control character; a hyphen does not.
  Lang either = cx.literal("a\x01") | cx.literal("-b");
  CHECK(shortest(either) == "-b");
}

TEST_CASE("antichains keep a counted tail small") {
  Context cx;
  Lang any = dot(cx);
  Lang ab = cx.set(CharSet::of("ab"));
  Lang left = star(any) + cx.literal("ab") + repeat(any, 40, 40);
  Lang right = star(any) + ab + repeat(any, 40, 41);
  CHECK(included(left, right).yes());
}

TEST_CASE("equal languages are equivalent and have one canonical form") {
  Context cx;
  Lang a = cx.literal("a");
  Lang b = cx.literal("b");
  Lang one = star(a | b);
  Lang two = star(star(a) + star(b));
  CHECK(equivalent(one, two).yes());
  CHECK(canonical(one) == canonical(two));
  CHECK(!(canonical(one) == canonical(one + a)));
  CHECK(equivalent(one, one + a).no());
  CHECK(equivalent(plus(a), a + a + star(a)).witness == "a");
  CHECK(included(canonical(one + a), one).yes());
}

TEST_CASE("dictionaries") {
  Context cx;
  std::vector<std::string_view> list = {"tops", "tap", "taps", "top", "tap", ""};
  Lang words = cx.words(list);
  CHECK(to_dfa(words).dfa->size() == 5);
  for (auto word : list) CHECK(contains(words, word));
  CHECK(!contains(words, "ta"));
  CHECK(is_empty(words & holding(cx, "o")).witness == "top");
  CHECK(contains(reverse(words), "spot"));
  CHECK(canonical(words) == canonical(words | cx.literal("tap")));

  Context points(Alphabet::kCodePoints);
  std::vector<std::string_view> greek = {"αβ", "γ", "\xff"};
  Lang letters = points.words(greek);
  CHECK(contains(letters, "αβ"));
  CHECK(contains(letters, "\uFFFD"));
  CHECK(included(letters, star(points.set(CharSet::range(0x3B1, 0x3C9)))).witness == "\uFFFD");
}

TEST_CASE("minimal automata are canonical") {
  Context cx;
  auto size = [](Lang a) { return to_dfa(a).dfa->size(); };
  CHECK(size(cx.empty()) == 1);
  CHECK(size(holding(cx, "ab")) == 3);
  CHECK(size(star(dot(cx)) + cx.literal("a") + repeat(dot(cx), 10, 10)) == 2048);
  CHECK(*to_dfa(reverse(reverse(holding(cx, "abc")))).dfa == *to_dfa(holding(cx, "abc")).dfa);
}

TEST_CASE("bounds survive operations") {
  Context cx;
  Lang wide(cx, star(digit(cx)).id(), Bound::kSuperset);
  CHECK((wide & digit(cx)).bound() == Bound::kSuperset);
  CHECK((!wide).bound() == Bound::kSubset);
  CHECK((wide | !wide).bound() == Bound::kUnknown);
  CHECK(included(wide, star(dot(cx))).is_certain);
  CHECK(!included(wide, digit(cx)).is_certain);
}

TEST_CASE("budgets end what would be exponential") {
  Context cx;
  Lang any = dot(cx);
  Lang a = star(any) + cx.literal("a") + repeat(any, 30, 30);
  Lang b = star(any) + cx.literal("b") + repeat(any, 30, 30);
  CHECK(is_empty(a & b).yes());  // loosely, in a thousand pairs
  nacre::Budget small;
  small.states = 2000;
  BoundedDfa wide = to_dfa(a, small);
  CHECK(!wide.is_exact);
  CHECK(wide.dfa->size() < 2100);
  CHECK(included(a, cx.automaton(wide.dfa)).yes());
  CHECK(included(cx.automaton(wide.dfa), holding(cx, "a")).yes());
  BoundedDfa without = to_dfa(holding(cx, "x") - a, small);
  CHECK(!without.is_exact);
  CHECK(*without.dfa == *to_dfa(holding(cx, "x")).dfa);  // the subtraction was dropped
  CHECK(included(!a, !b, small).answer != Answer::kYes);
  Lang huge = repeat(repeat(digit(cx), 1000, 1000), 1000, 1000);
  CHECK(included(huge, star(digit(cx))).yes());
  CHECK(!to_dfa(huge, small).is_exact);
  std::string long_word(1'000'000, 'x');
  long_word[500'000] = 'y';
  CHECK(contains(star(cx.set(CharSet::of("xy"))), long_word));
  CHECK(contains(cx.literal(long_word), long_word));
}

TEST_CASE("deep nesting is cut off, soundly") {
  Context cx;
  Lang nested = cx.literal("a");
  for (int i = 0; i < 5000; ++i) nested = star(nested + cx.literal("b")) + cx.literal("c");
  CHECK(nested.bound() == Bound::kSuperset);
  CHECK(contains(nested, "abc"));
}

TEST_CASE("checks in several threads share automata, not contexts") {
  std::vector<std::string_view> list = {"alpha", "beta", "gamma"};
  auto words = dictionary(list, Alphabet::kBytes);
  std::array<size_t, 4> found{};
  std::vector<std::thread> threads;
  for (size_t& count : found) {
    threads.emplace_back([&count, &words] {
      for (int round = 0; round < 50; ++round) {
        Context cx;
        Lang lang = cx.automaton(words) & holding(cx, "a");
        count += included(lang, cx.automaton(words)).yes() && contains(lang, "beta") ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t count : found) CHECK(count == 50);
}
