#include "regular/matcher.h"

#include <doctest/doctest.h>

#include "regular/testing/oracle.h"

using namespace nacre::regular;

TEST_CASE("counts the lines that are members") {
  oracle::Random random(31);
  std::string text;
  for (int i = 0; i < 3; ++i) {
    for (const std::string& word : oracle::words()) text += word + '\n';
  }
  for (uint32_t round = 0; round < 300; ++round) {
    CAPTURE(round);
    Context cx;
    oracle::Sample s = oracle::random_sample(cx, random, 1 + round % 9);
    LineMatcher matcher(s.lang);
    CHECK(matcher.count(text) == 3 * s.words.count());
    CHECK(matcher.count(text) == 3 * s.words.count());
  }
}

TEST_CASE("texts without lines, without a last newline, and everything") {
  Context cx;
  LineMatcher a(cx.literal("a"));
  CHECK(a.count("") == 0);
  CHECK(a.count("\n") == 0);
  CHECK(a.count("a") == 1);
  CHECK(a.count("a\n") == 1);
  CHECK(a.count("a\nb\na") == 2);
  LineMatcher all(star(cx.set(CharSet::of('\n').complement(Alphabet::kBytes))));
  CHECK(all.count("a\n\nb") == 3);
  LineMatcher last(cx.set(CharSet::of(255)) | cx.epsilon());
  CHECK(last.count("\xff\n\xff\n\xff\n\n\xff\n\n\xff\n") == 7);
  LineMatcher zero(cx.set(CharSet::of(0)) | cx.epsilon());
  CHECK(zero.count("\xff\n\n\xff\n\n\xff\n\n\xff\n\n\xff\n\n") == 5);
  LineMatcher none(cx.empty());
  CHECK(none.count("a\n\nb") == 0);
}
