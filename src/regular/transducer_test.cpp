#include "regular/transducer.h"

#include <doctest/doctest.h>
#include <random>

#include "regular/testing/naive_transducers.h"

using namespace nacre;
using namespace nacre::regular;

TEST_CASE("transducers do what they do one word at a time") {
  std::mt19937 random(30);
  for (int i = 0; i < 4000; ++i) {
    std::string bytes(40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    NaiveTransducers naive(bytes);
    const bool agrees = naive.check();
    CAPTURE(naive.why());
    CHECK(agrees);
  }
}

TEST_CASE("a pipeline is the composition of its stages") {
  Context cx;
  const Lang line = plus(cx.set(CharSet::range('a', 'z'))) + cx.literal(":x:") +
                    plus(cx.set(CharSet::range('0', '9')));
  const Transducer user =
      field_select({.delimiter = ':', .list = *parse_number_list("1", ListKind::kFields)});
  const Transducer upper = convert_case(Alphabet::kBytes, SymbolMap::ascii_upper(), Extent::kAll);
  const Transducer both = user.then(upper).then(Transducer::reversal());
  const Lang capitals = plus(cx.set(CharSet::range('A', 'Z')));
  CHECK(equivalent(image(both, line), capitals).yes());
  CHECK(contains(preimage(both, cx.literal("BA")), "ab:c:d"));
  CHECK(!contains(preimage(both, cx.literal("BA")), "ba:c:d"));
  CHECK(equivalent(image(Transducer(), line), line).yes());
}

TEST_CASE("inexact input stays inexact") {
  Context cx;
  const Lang word = cx.literal("ab");
  const Transducer reversal = Transducer::reversal();
  const Transducer upper = convert_case(Alphabet::kBytes, SymbolMap::ascii_upper(), Extent::kAll);
  for (const Bound bound : {Bound::kExact, Bound::kSuperset, Bound::kSubset}) {
    const Lang bounded(cx, word.id(), bound);
    CHECK(image(upper, bounded).bound() == bound);
    CHECK(preimage(upper, bounded).bound() == bound);
    CHECK(image(reversal, bounded).bound() == bound);
  }
}

TEST_CASE("a result that is larger than the budget is widened, not refused") {
  Context cx;
  const Lang tail = cx.all() + cx.literal("a") + repeat(cx.set(CharSet::of("ab")), 18, 18);
  const Transducer upper = convert_case(Alphabet::kBytes, SymbolMap::ascii_upper(), Extent::kAll);
  const Budget small{.steps = 100'000, .states = 500};
  const Lang result = image(upper, tail, small);
  CHECK(result.bound() == Bound::kSuperset);
  CHECK(contains(result, "XXAABABABABABABABABAB"));
}
