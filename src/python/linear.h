// Linear expressions over the unknowns of an abstract state, and the questions about them: the
// integers of the domain are such expressions (a position in a string is a sum of lengths).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace nacre::python {

enum class SymbolId : uint32_t {};

inline constexpr int64_t kUnlimited = int64_t{1} << 40;  // beyond this a bound says nothing

struct Range {
  int64_t low = -kUnlimited;
  int64_t high = kUnlimited;
  [[nodiscard]] bool is_empty() const { return low > high; }
  [[nodiscard]] bool is_single() const { return low == high; }
  friend bool operator==(Range, Range) = default;
};

// Sums of bounds stay within the limits.
int64_t saturate(int64_t value);

// Rounds down, also below zero.
int64_t floor_divide(int64_t a, int64_t b);

struct Linear {
  using Term = std::pair<SymbolId, int64_t>;
  int64_t constant = 0;
  std::vector<Term> terms;  // sorted by symbol, no zero factor

  Linear() = default;
  explicit Linear(int64_t value) : constant(value) {}
  static Linear of(SymbolId symbol) {
    Linear result;
    result.terms.emplace_back(symbol, 1);
    return result;
  }
  [[nodiscard]] bool is_constant() const { return terms.empty(); }
  [[nodiscard]] int64_t factor(SymbolId symbol) const;
  void add(const Linear& other, int64_t times);
  friend Linear operator+(Linear a, const Linear& b) { return a.add(b, 1), a; }
  friend Linear operator-(Linear a, const Linear& b) { return a.add(b, -1), a; }
  friend Linear operator+(Linear a, int64_t b) { return a.constant += b, a; }
  friend Linear operator-(Linear a, int64_t b) { return a.constant -= b, a; }
  friend bool operator==(const Linear&, const Linear&) = default;
};

// Whether integers exist that make every expression non-negative, as far as Fourier and Motzkin's
// elimination over the rationals, with bounds rounded to integers, can tell. True when in doubt and
// when more than `limit` inequalities arise.
bool may_all_be_nonnegative(std::vector<Linear> expressions, size_t limit = 80);

// The smallest value of `what` while every expression is non-negative; -kUnlimited if none is
// known.
int64_t lower_bound(const Linear& what, std::vector<Linear> expressions, size_t limit = 80);

}  // namespace nacre::python
