// Integers of a state: ranges, inequalities, and what they say about the lengths of words.
#include <algorithm>

#include "python/domain.h"

namespace nacre::python {

Range Domain::range(const State& state, const Linear& stale) const {
  Linear value = state.linear(stale);
  Range total{value.constant, value.constant};
  for (const Linear::Term& term : value.terms) {
    const Symbol& symbol = state[term.first];
    Range part = symbol.range;
    if (symbol.kind == Symbol::Kind::kWord)
      part = {words_[symbol.words].min_length, words_[symbol.words].max_length};
    int64_t a = part.low <= -kUnlimited || part.low >= kUnlimited
                    ? part.low * (term.second < 0 ? -1 : 1)
                    : saturate(part.low * term.second);
    int64_t b = part.high <= -kUnlimited || part.high >= kUnlimited
                    ? part.high * (term.second < 0 ? -1 : 1)
                    : saturate(part.high * term.second);
    if (term.second < 0) std::swap(a, b);
    total.low =
        total.low <= -kUnlimited || a <= -kUnlimited ? -kUnlimited : saturate(total.low + a);
    total.high =
        total.high >= kUnlimited || b >= kUnlimited ? kUnlimited : saturate(total.high + b);
  }
  return total;
}

Linear Domain::length(const State& state, const Text& text) const {
  Linear sum;
  for (SymbolId id : state.text(text)) sum.add(Linear::of(id), 1);
  return sum;
}

// The inequalities of the state together with the ranges of the symbols that they mention.
std::vector<Linear> Domain::system(const State& state) const {
  std::vector<Linear> result;
  std::vector<SymbolId> mentioned;
  for (const Linear& stale : state.constraints) {
    result.push_back(state.linear(stale));
    for (const Linear::Term& term : result.back().terms) mentioned.push_back(term.first);
  }
  std::sort(mentioned.begin(), mentioned.end());
  mentioned.erase(std::unique(mentioned.begin(), mentioned.end()), mentioned.end());
  for (SymbolId id : mentioned) {
    Range bounds = range(state, Linear::of(id));
    if (bounds.low > -kUnlimited) result.push_back(Linear::of(id) - bounds.low);
    if (bounds.high < kUnlimited) result.push_back(Linear(bounds.high) - Linear::of(id));
  }
  return result;
}

bool Domain::entails(const State& state, const Linear& stale) const {
  Linear value = state.linear(stale);
  if (range(state, value).low >= 0) return true;
  if (state.constraints.empty()) return false;
  State refuted = state;
  Linear opposite(-1);
  opposite.add(value, -1);
  refuted.constraints.push_back(opposite);
  return !may_all_be_nonnegative(system(refuted));
}

bool Domain::is_feasible(const State& state) const {
  return state.constraints.empty() || may_all_be_nonnegative(system(state));
}

bool Domain::restrict(State& state, SymbolId id, Words set) const {
  Symbol& symbol = state[id];
  symbol.words = words_.intersect(symbol.words, set);
  return !words_.is_empty(symbol.words);
}

// One inequality: bound each symbol by what the others leave to it, then keep it if more than one
// symbol is in play.
bool Domain::assume(State& state, const Linear& stale) const {
  Linear value = state.linear(stale);
  Range bounds = range(state, value);
  if (bounds.low >= 0) return true;
  if (bounds.high < 0) return false;
  if (value.terms.size() > 1) {
    for (const Linear& known : state.constraints) {
      Linear difference = value - state.linear(known);
      if (difference.is_constant() && difference.constant >= 0) return true;
    }
    state.constraints.push_back(value);
    return propagate(state) && is_feasible(state);
  }
  auto [id, factor] = value.terms[0];
  // factor * x + constant >= 0
  Range limit;
  if (factor > 0) {
    limit.low = -(value.constant >= 0 ? value.constant / factor
                                      : -((-value.constant + factor - 1) / factor));
  } else {
    limit.high = floor_divide(value.constant, -factor);
  }
  Symbol& symbol = state[id];
  if (symbol.kind == Symbol::Kind::kWord) {
    if (limit.high < 0) return false;
    if (limit.low > 100000) return words_[symbol.words].max_length >= limit.low;
    Words fitting = limit.high < 100000
                        ? words_.lengths(std::max<int64_t>(limit.low, 0), limit.high)
                        : words_.lengths(std::max<int64_t>(limit.low, 0), kInfinite);
    if (!restrict(state, id, fitting)) return false;
  } else {
    symbol.range = {std::max(symbol.range.low, limit.low), std::min(symbol.range.high, limit.high)};
    if (symbol.range.is_empty()) return false;
  }
  return state.constraints.empty() || (propagate(state) && is_feasible(state));
}

bool Domain::assume_zero(State& state, const Linear& stale) const {
  Linear value = state.linear(stale);
  // A number that occurs once is defined by the rest.
  for (const Linear::Term& term : value.terms) {
    if (state[term.first].kind != Symbol::Kind::kNumber || (term.second != 1 && term.second != -1))
      continue;
    Linear rest = value;
    rest.add(Linear::of(term.first), -term.second);
    Linear definition;
    definition.add(rest, -term.second);
    Range bounds = state[term.first].range;
    state[term.first] = {Symbol::Kind::kSubstituted, {}, {}, {}, {}, definition};
    if (bounds.low > -kUnlimited && !assume(state, definition - bounds.low)) return false;
    if (bounds.high < kUnlimited && !assume(state, Linear(bounds.high) - definition)) return false;
    return state.constraints.empty() || (propagate(state) && is_feasible(state));
  }
  Linear opposite;
  opposite.add(value, -1);
  return assume(state, value) && assume(state, opposite);
}

bool Domain::propagate(State& state) const {
  std::vector<Linear> kept;
  for (const Linear& stale : state.constraints) {
    Linear value = state.linear(stale);
    Range bounds = range(state, value);
    if (bounds.high < 0) return false;
    if (bounds.low < 0) kept.push_back(std::move(value));
  }
  state.constraints.swap(kept);
  for (int round = 0; round < 3; ++round) {
    bool changed = false;
    for (const Linear& value : std::vector<Linear>(state.constraints)) {
      for (const Linear::Term& term : value.terms) {
        Linear rest = value;
        rest.add(Linear::of(term.first), -term.second);
        int64_t most = range(state, rest).high;  // factor * x >= -most
        if (most >= kUnlimited) continue;
        Range own = range(state, Linear::of(term.first));
        int64_t size = term.second > 0 ? term.second : -term.second;
        Linear limit = term.second > 0 ? Linear::of(term.first) : Linear();
        if (term.second > 0) {
          int64_t least = most >= 0 ? -(most / size) : (-most + size - 1) / size;
          if (least <= own.low) continue;
          limit = limit - least;
        } else {
          int64_t highest = floor_divide(most, size);
          if (highest >= own.high) continue;
          limit = Linear(highest) - Linear::of(term.first);
        }
        std::vector<Linear> held;
        held.swap(state.constraints);  // a bound on one symbol: no recursion
        bool is_possible = assume(state, limit);
        held.swap(state.constraints);
        if (!is_possible) return false;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return true;
}

Split Domain::compare(State state, const Linear& nonnegative) const {
  Split result;
  Linear opposite(-1);
  opposite.add(nonnegative, -1);
  State other = state;
  if (assume(state, nonnegative)) result.yes.push_back(std::move(state));
  if (assume(other, opposite)) result.no.push_back(std::move(other));
  return result;
}

Split Domain::equals_zero(State state, const Linear& value) const {
  Split result;
  Linear below = Linear(-1);
  below.add(value, -1);
  State less = state, more = state;
  if (assume_zero(state, value)) result.yes.push_back(std::move(state));
  if (assume(less, below)) result.no.push_back(std::move(less));
  if (assume(more, value - 1)) result.no.push_back(std::move(more));
  return result;
}

}  // namespace nacre::python
