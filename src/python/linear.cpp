#include "python/linear.h"

#include <algorithm>
#include <numeric>

namespace nacre::python {

int64_t floor_divide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

namespace {

// Divides by the common factor; over the integers the constant may be rounded down.
void tighten(Linear& expression) {
  int64_t divisor = 0;
  for (const Linear::Term& term : expression.terms) divisor = std::gcd(divisor, term.second);
  if (divisor <= 1) return;
  for (Linear::Term& term : expression.terms) term.second /= divisor;
  expression.constant = floor_divide(expression.constant, divisor);
}

// Removes `symbol` by adding each pair of inequalities that bound it from both sides.
bool eliminate(std::vector<Linear>& system, SymbolId symbol, size_t limit) {
  std::vector<Linear> below, above, rest;
  for (Linear& expression : system) {
    int64_t factor = expression.factor(symbol);
    (factor > 0 ? below : factor < 0 ? above : rest).push_back(std::move(expression));
  }
  if (rest.size() + below.size() * above.size() > limit) return false;
  for (const Linear& low : below) {
    for (const Linear& high : above) {
      int64_t a = low.factor(symbol);
      int64_t b = -high.factor(symbol);
      int64_t common = std::gcd(a, b);
      Linear sum;
      sum.add(low, b / common);
      sum.add(high, a / common);
      tighten(sum);
      bool is_new = std::find(rest.begin(), rest.end(), sum) == rest.end();
      if (is_new && !(sum.is_constant() && sum.constant >= 0)) rest.push_back(std::move(sum));
    }
  }
  system.swap(rest);
  return true;
}

// Eliminates every symbol but `kept`. False when it became too much.
bool project(std::vector<Linear>& system, std::optional<SymbolId> kept, size_t limit) {
  for (;;) {
    std::optional<SymbolId> next;
    for (const Linear& expression : system) {
      for (const Linear::Term& term : expression.terms) {
        if (term.first != kept) next = term.first;
      }
    }
    if (!next) return true;
    if (!eliminate(system, *next, limit)) return false;
  }
}

}  // namespace

int64_t saturate(int64_t value) { return std::clamp(value, -kUnlimited, kUnlimited); }

int64_t Linear::factor(SymbolId symbol) const {
  for (const Term& term : terms) {
    if (term.first == symbol) return term.second;
  }
  return 0;
}

void Linear::add(const Linear& other, int64_t times) {
  constant = saturate(constant + saturate(other.constant * times));
  for (const Term& term : other.terms) {
    auto at = std::lower_bound(terms.begin(), terms.end(), term,
                               [](const Term& a, const Term& b) { return a.first < b.first; });
    if (at == terms.end() || at->first != term.first) {
      terms.insert(at, {term.first, term.second * times});
    } else if ((at->second += term.second * times) == 0) {
      terms.erase(at);
    }
  }
}

bool may_all_be_nonnegative(std::vector<Linear> expressions, size_t limit) {
  if (!project(expressions, std::nullopt, limit)) return true;
  return std::all_of(expressions.begin(), expressions.end(),
                     [](const Linear& e) { return e.constant >= 0; });
}

int64_t lower_bound(const Linear& what, std::vector<Linear> expressions, size_t limit) {
  // A symbol of its own stands for the value.
  const SymbolId value{~uint32_t{0}};
  Linear difference = Linear::of(value) - what;
  expressions.push_back(difference);
  Linear opposite;
  opposite.add(difference, -1);
  expressions.push_back(opposite);
  if (!project(expressions, value, limit)) return -kUnlimited;
  int64_t best = -kUnlimited;
  for (const Linear& e : expressions) {
    int64_t factor = e.factor(value);
    if (factor > 0) best = std::max(best, -floor_divide(e.constant, factor));
  }
  return best;
}

}  // namespace nacre::python
