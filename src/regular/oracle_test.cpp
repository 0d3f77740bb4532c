// Everything the engine answers about random languages, compared with oracle.h.
#include "regular/testing/oracle.h"

#include <doctest/doctest.h>
#include <optional>

#include "regular/decide.h"
#include "regular/dfa.h"

using namespace nacre;
using namespace nacre::regular;
using oracle::Random;
using oracle::Sample;

namespace {

constexpr uint32_t kRounds = 1500;

oracle::WordSet short_words(Lang a) {
  oracle::WordSet set;
  for (size_t i = 0; i < oracle::kCount; ++i) set[i] = contains(a, oracle::words()[i]);
  return set;
}

bool accepts(const Dfa& dfa, std::string_view word) {
  uint32_t state = 0;
  for (char c : word) {
    auto arcs = dfa.arcs_of(state);
    auto arc = std::find_if(arcs.begin(), arcs.end(), [&](DfaArc candidate) {
      return dfa.classes[candidate.symbols].contains(static_cast<unsigned char>(c));
    });
    if (arc == arcs.end()) return false;
    state = arc->target;
  }
  return dfa.accepting[state] != 0;
}

uint32_t cost(std::string_view word) {
  uint32_t sum = 0;
  for (char c : word) sum += naturalness(static_cast<unsigned char>(c), Alphabet::kBytes);
  return sum;
}

// The least length and cost of a word of the set, if it has one.
std::optional<std::pair<size_t, uint32_t>> best(const oracle::WordSet& set) {
  std::optional<std::pair<size_t, uint32_t>> result;
  for (size_t i = 0; i < oracle::kCount; ++i) {
    if (!set[i]) continue;
    std::pair candidate(oracle::words()[i].size(), cost(oracle::words()[i]));
    if (!result || candidate < *result) result = candidate;
  }
  return result;
}

void check_witness(const Verdict& verdict, const oracle::WordSet& counterexamples) {
  auto expected = best(counterexamples);
  if (!expected) {
    CHECK((verdict.yes() || verdict.witness.size() > oracle::kLongest));
    return;
  }
  REQUIRE(verdict.no());
  CHECK(counterexamples[oracle::number(verdict.witness)]);
  CHECK(std::pair(verdict.witness.size(), cost(verdict.witness)) == *expected);
}

}  // namespace

TEST_CASE("membership, in terms and in automata") {
  Random random(1);
  for (uint32_t round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    Context cx;
    Sample s = oracle::random_sample(cx, random, 1 + round % 12);
    REQUIRE(short_words(s.lang) == s.words);
    auto dfa = to_dfa(s.lang);
    REQUIRE(dfa.is_exact);
    for (size_t i = 0; i < oracle::kCount; ++i) {
      REQUIRE(accepts(*dfa.dfa, oracle::words()[i]) == s.words[i]);
    }
    REQUIRE(short_words(cx.automaton(dfa.dfa)) == s.words);
    REQUIRE(*to_dfa(cx.automaton(dfa.dfa)).dfa == *dfa.dfa);
    REQUIRE(*determinise(reversed(*dfa.dfa)).dfa == *to_dfa(reverse(s.lang)).dfa);
  }
}

TEST_CASE("inclusion, emptiness and equivalence, with their witnesses") {
  Random random(2);
  for (uint32_t round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    Context cx;
    Sample a = oracle::random_sample(cx, random, 1 + round % 10);
    Sample b = oracle::random_sample(cx, random, 1 + round % 7);
    Verdict subset = included(a.lang, b.lang);
    check_witness(subset, a.words & ~b.words);
    check_witness(is_empty(a.lang), a.words);
    check_witness(disjoint(a.lang, b.lang), a.words & b.words);
    Verdict same = equivalent(a.lang, b.lang);
    Verdict superset = included(b.lang, a.lang);
    CHECK(same.yes() == (subset.yes() && superset.yes()));
    if (same.no()) {
      CHECK(contains(a.lang, same.witness) != contains(b.lang, same.witness));
      size_t shorter = std::min(subset.no() ? subset.witness.size() : ~size_t{0},
                                superset.no() ? superset.witness.size() : ~size_t{0});
      CHECK(same.witness.size() == shorter);
    }
    CHECK((canonical(a.lang) == canonical(b.lang)) == same.yes());
    Verdict again = included(a.lang, b.lang);
    CHECK(again.answer == subset.answer);
    CHECK(again.witness == subset.witness);
  }
}

TEST_CASE("automata are minimal: no two states accept the same words") {
  Random random(3);
  for (uint32_t round = 0; round < 300; ++round) {
    CAPTURE(round);
    Context cx;
    Sample s = oracle::random_sample(cx, random, 1 + round % 8);
    Lang leaf = canonical(s.lang);
    std::vector<Lang> found = {leaf};
    for (size_t i = 0; i < found.size(); ++i) {
      for (char letter : oracle::kLetters) {
        Lang next = derivative(found[i], static_cast<Symbol>(letter));
        if (is_empty(next).yes()) continue;
        bool known = false;
        for (Lang old : found) known |= equivalent(old, next).yes();
        if (!known) found.push_back(next);
      }
    }
    if (is_empty(leaf).no()) CHECK(found.size() == to_dfa(leaf).dfa->size());
  }
}

TEST_CASE("past the budget an automaton accepts a superset") {
  Random random(4);
  for (uint32_t round = 0; round < 500; ++round) {
    CAPTURE(round);
    Context cx;
    Sample s = oracle::random_sample(cx, random, 1 + round % 12);
    Budget tight;
    tight.states = 1 + round % 5;
    auto dfa = to_dfa(s.lang, tight);
    for (size_t i = 0; i < oracle::kCount; ++i) {
      if (s.words[i]) CHECK(accepts(*dfa.dfa, oracle::words()[i]));
    }
    auto backwards = determinise(reversed(*to_dfa(s.lang).dfa), tight);
    for (size_t i = 0; i < oracle::kCount; ++i) {
      std::string word(oracle::words()[i].rbegin(), oracle::words()[i].rend());
      if (s.words[i]) CHECK(accepts(*backwards.dfa, word));
    }
  }
}
