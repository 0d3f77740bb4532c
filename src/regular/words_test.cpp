#include "regular/words.h"

#include <doctest/doctest.h>

#include "regular/decide.h"
#include "regular/quotient.h"
#include "regular/testing/oracle.h"

using namespace nacre;
using namespace nacre::regular;
using oracle::Random;
using oracle::Sample;

namespace {

Lang digits(Context& cx) { return plus(cx.set(CharSet::range('0', '9'))); }

}  // namespace

TEST_CASE("enumeration is in order and complete") {
  Context cx;
  auto three = first_words(cx.set(CharSet::of("-b7")) | cx.epsilon() | cx.literal("zz"), 10);
  CHECK(three == std::vector<std::string>{"", "b", "7", "-", "zz"});
  CHECK(first_words(cx.empty(), 3).empty());
  Random random(11);
  for (uint32_t round = 0; round < 300; ++round) {
    CAPTURE(round);
    Context fresh;
    Sample s = oracle::random_sample(fresh, random, 1 + round % 9);
    Enumeration enumeration(to_dfa(s.lang).dfa);
    oracle::WordSet found;
    size_t last = 0;
    for (auto word = enumeration.next(); word && word->size() <= oracle::kLongest;
         word = enumeration.next()) {
      CHECK(word->size() >= last);
      last = word->size();
      CHECK(!found[oracle::number(*word)]);
      found.set(oracle::number(*word));
    }
    CHECK(found == s.words);
  }
}

TEST_CASE("lengths and finiteness") {
  Context cx;
  Lang ab = cx.literal("ab");
  LengthSet even = lengths_of(star(ab));
  CHECK(even.contains(0));
  CHECK(!even.contains(7));
  CHECK(even.contains(1000));
  CHECK(even.most() == kUnbounded);
  LengthSet some = lengths_of(repeat(ab, 2, 3) + optional(cx.literal("c")));
  CHECK(some.least() == 4);
  CHECK(some.most() == 7);
  CHECK(lengths_of(cx.empty()).empty());
  CHECK(is_finite(repeat(ab, 2, 30)) == true);
  CHECK(is_finite(star(ab)) == false);
  CHECK(is_finite(star(ab) & repeat(ab, 1, 3)) == true);
  Random random(12);
  for (uint32_t round = 0; round < 300; ++round) {
    Context fresh;
    Sample s = oracle::random_sample(fresh, random, 1 + round % 9);
    LengthSet lengths = lengths_of(s.lang);
    std::vector<bool> expected(oracle::kLongest + 1, false);
    for (size_t i = 0; i < oracle::kCount; ++i) {
      if (s.words[i]) expected[oracle::words()[i].size()] = true;
    }
    for (size_t n = 0; n < expected.size(); ++n) CHECK(lengths.contains(n) == expected[n]);
  }
}

TEST_CASE("random words and examples are members") {
  std::mt19937_64 numbers(5);
  Random random(13);
  for (uint32_t round = 0; round < 300; ++round) {
    Context cx;
    Sample s = oracle::random_sample(cx, random, 1 + round % 9);
    if (is_empty(s.lang).yes()) continue;
    auto dfa = to_dfa(s.lang).dfa;
    for (int i = 0; i < 5; ++i) CHECK(contains(s.lang, random_word(*dfa, numbers)));
    for (const std::string& word : examples_of(s.lang, 3)) CHECK(contains(s.lang, word));
  }
  Context cx;
  auto words = examples_of(digits(cx) | (cx.literal("x=") + digits(cx)) | cx.literal("none"), 3);
  CHECK(words == std::vector<std::string>{"0", "x=0", "none"});
}

TEST_CASE("quotients and projection") {
  Context cx;
  Lang assignment = cx.literal("x=") + digits(cx);
  CHECK(equivalent(left_quotient(assignment, cx.literal("x=")), digits(cx)).yes());
  CHECK(equivalent(right_quotient(assignment, digits(cx)),
                   cx.literal("x=") + star(cx.set(CharSet::range('0', '9'))))
            .yes());
  CHECK(equivalent(prefixes_of(cx.literal("ab")), cx.epsilon() | cx.literal("a") | cx.literal("ab"))
            .yes());
  CHECK(equivalent(suffixes_of(cx.literal("ab")), cx.epsilon() | cx.literal("b") | cx.literal("ab"))
            .yes());
  CHECK(equivalent(project(assignment, CharSet::range('0', '9')), digits(cx)).yes());
  Random random(14);
  for (uint32_t round = 0; round < 200; ++round) {
    CAPTURE(round);
    Context fresh;
    Sample a = oracle::random_sample(fresh, random, 1 + round % 6);
    Sample u = oracle::random_sample(fresh, random, 1 + round % 4);
    Lang rest = left_quotient(a.lang, u.lang);
    Lang start = right_quotient(a.lang, u.lang);
    for (size_t i = 0; i < oracle::kCount; ++i) {
      for (size_t j = 0; j < oracle::kCount; ++j) {
        const std::string& first = oracle::words()[i];
        const std::string& second = oracle::words()[j];
        if (first.size() + second.size() > oracle::kLongest) continue;
        if (!a.words[oracle::number(first + second)]) continue;
        if (u.words[i]) CHECK(contains(rest, second));
        if (u.words[j]) CHECK(contains(start, first));
      }
    }
  }
}
