// Random expressions over a small alphabet, built by a stack machine that reads the input, compared
// with their short words; then everything that can be asked about them, within small budgets. What
// is printed must read back.
#include <cstdint>
#include <cstdlib>

#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/parse_type.h"
#include "regular/print.h"
#include "regular/quotient.h"
#include "regular/testing/oracle.h"
#include "regular/words.h"

namespace {

using namespace nacre;
using namespace nacre::regular;
using oracle::Sample;

void require(bool holds) {
  if (!holds) abort();
}

Sample letters(Context& cx, uint8_t which) {
  CharSet set;
  oracle::WordSet words;
  for (size_t i = 0; i < oracle::kLetters.size(); ++i) {
    if ((which >> i & 1) == 0) continue;
    set.add(static_cast<Symbol>(oracle::kLetters[i]));
    words.set(i + 1);
  }
  return {cx.set(set), words};
}

void apply_unary(Context& cx, Sample& top, uint8_t code) {
  uint32_t least = code >> 5 & 3;
  switch (code >> 2 & 3) {
    case 0: top = {star(cx.set(CharSet::of(oracle::kLetters))) - top.lang, ~top.words}; break;
    case 1: top = {star(top.lang), oracle::repeat(top.words, 0, kUnbounded)}; break;
    case 2:
      top = {repeat(top.lang, least, least + 2), oracle::repeat(top.words, least, least + 2)};
      break;
    default: top = {reverse(top.lang), oracle::reverse(top.words)};
  }
}

void apply_binary(std::vector<Sample>& stack, uint8_t code) {
  Sample b = stack.back();
  stack.pop_back();
  Sample& a = stack.back();
  switch (code >> 2 & 3) {
    case 0: a = {a.lang | b.lang, a.words | b.words}; break;
    case 1: a = {a.lang & b.lang, a.words & b.words}; break;
    default: a = {a.lang + b.lang, oracle::concat(a.words, b.words)};
  }
}

void check(const Sample& s, const Budget& budget) {
  for (size_t i = 0; i < oracle::kCount; ++i) {
    require(contains(s.lang, oracle::words()[i]) == s.words[i]);
  }
  Verdict empty = is_empty(s.lang, budget);
  require(!empty.yes() || s.words.none());
  if (empty.no()) require(contains(s.lang, empty.witness));
  BoundedDfa dfa = to_dfa(s.lang, budget);
  require(!included(s.lang, s.lang.context().automaton(dfa.dfa), budget).no());
  (void)lengths_of(s.lang, budget);
  (void)prefixes_of(s.lang, budget);
  PrintOptions options;
  options.budget = budget;
  (void)describe(s.lang, options);
  auto text = to_regex(s.lang, options);
  if (!text) return;
  auto again = parse_type(s.lang.context(), *text);
  require(again.has_value());
  require(!equivalent(s.lang, *again, budget).no());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Context cx;
  std::vector<Sample> stack;
  for (size_t i = 0; i < size && i < 40; ++i) {
    uint8_t code = data[i];
    if ((code & 3) == 3 && stack.size() > 1) {
      apply_binary(stack, code);
    } else if ((code & 3) == 2 && !stack.empty()) {
      apply_unary(cx, stack.back(), code);
    } else {
      stack.push_back(letters(cx, static_cast<uint8_t>(code >> 2)));
    }
  }
  Budget budget;
  budget.steps = 20'000;
  budget.states = 500;
  if (!stack.empty()) check(stack.back(), budget);
  return 0;
}
