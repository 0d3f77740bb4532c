// Numbers pairs of 32-bit ids in the order in which they are first seen: the states of a product.
// Internal to this module.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/id_map.h"

namespace nacre::regular {

class PairTable {
 public:
  using Pair = std::pair<uint32_t, uint32_t>;

  // The number of the pair; a new one gets number size().
  uint32_t number(uint32_t first, uint32_t second) {
    uint32_t& number = numbers_[uint64_t{first} << 32 | second];
    if (number == IdMap::kAbsent) {
      number = size();
      pairs_.emplace_back(first, second);
    }
    return number;
  }

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(pairs_.size()); }
  // By value: the table grows while pairs are expanded.
  Pair operator[](uint32_t number) const { return pairs_[number]; }

 private:
  IdMap numbers_;
  std::vector<Pair> pairs_;
};

}  // namespace nacre::regular
