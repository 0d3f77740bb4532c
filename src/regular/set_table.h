// Interned sets of symbols: equal sets have equal ids, and Boolean operations on ids are remembered
// in a small direct-mapped cache. Internal to this module. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "regular/char_set.h"

namespace nacre::regular {

enum class SetId : uint32_t {};

class SetTable {
 public:
  explicit SetTable(Alphabet alphabet);

  static constexpr SetId kNone{0};  // the empty set
  static constexpr SetId kAll{1};

  [[nodiscard]] Alphabet alphabet() const { return alphabet_; }
  SetId intern(const CharSet& set);
  const CharSet& operator[](SetId id) const { return sets_[static_cast<size_t>(id)]; }

  SetId unite(SetId a, SetId b);
  SetId intersect(SetId a, SetId b);
  SetId subtract(SetId a, SetId b);
  bool contains(SetId outer, SetId inner) { return subtract(inner, outer) == kNone; }

 private:
  struct Known {
    uint64_t key = 0;  // operation and operands; 0 is free: no operation has that key
    SetId result{};
  };
  enum Operation : uint64_t { kUnite = 1, kIntersect = 2, kSubtract = 3 };

  template <typename Compute>
  SetId remember(Operation operation, SetId a, SetId b, Compute compute);
  void grow();

  Alphabet alphabet_;
  std::vector<CharSet> sets_;
  std::vector<uint32_t> slots_;  // open addressing: index + 1, 0 is free
  std::vector<Known>
      known_;  // results by a hash of their key; one that comes later pushes out another
};

}  // namespace nacre::regular
