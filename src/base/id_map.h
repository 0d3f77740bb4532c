// A hash map from ids to 32-bit numbers, for inner loops: open addressing, no allocation per entry,
// no erasure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nacre {

class IdMap {
 public:
  static constexpr uint32_t kAbsent = ~uint32_t{0};

  [[nodiscard]] size_t size() const { return size_; }

  // The number stored for `key`; a new entry holds kAbsent. Valid until the next call.
  uint32_t& operator[](uint64_t key) {
    if (size_ * 2 >= slots_.size()) grow();
    Slot& slot = slots_[find(key)];
    if (!slot.used) {
      slot = {key, kAbsent, true};
      ++size_;
    }
    return slot.value;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t value = kAbsent;
    bool used = false;
  };

  [[nodiscard]] size_t find(uint64_t key) const {
    size_t mask = slots_.size() - 1;
    size_t at = (key * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) slots_[find(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  size_t size_ = 0;
};

}  // namespace nacre
