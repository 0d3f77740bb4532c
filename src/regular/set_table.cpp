#include "regular/set_table.h"

namespace nacre::regular {

SetTable::SetTable(Alphabet alphabet) : alphabet_(alphabet), slots_(64, 0), known_(256) {
  sets_.reserve(32);
  intern(CharSet());
  intern(CharSet::all(alphabet));
}

SetId SetTable::intern(const CharSet& set) {
  if (sets_.size() * 2 >= slots_.size()) grow();
  size_t mask = slots_.size() - 1;
  size_t at = set.hash() & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    if (sets_[slots_[at] - 1] == set) return SetId{slots_[at] - 1};
  }
  sets_.push_back(set);
  slots_[at] = static_cast<uint32_t>(sets_.size());
  return SetId{slots_[at] - 1};
}

void SetTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  size_t mask = slots_.size() - 1;
  for (uint32_t i = 0; i < sets_.size(); ++i) {
    size_t at = sets_[i].hash() & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = i + 1;
  }
  // There are more pairs of sets than sets: many sets deserve a larger memory of results. For a few
  // it would cost more to clear than it saves.
  constexpr size_t kFew = 512;
  known_.assign(slots_.size() * (slots_.size() <= kFew ? 2 : 8), {});
}

template <typename Compute>
SetId SetTable::remember(Operation operation, SetId a, SetId b, Compute compute) {
  uint64_t key = operation << 62 | static_cast<uint64_t>(a) << 31 | static_cast<uint64_t>(b);
  const uint64_t hash = (key * 0x9E3779B97F4A7C15u) >> 32;
  const Known& found = known_[hash & (known_.size() - 1)];
  if (found.key == key) return found.result;
  const SetId result = intern(compute((*this)[a], (*this)[b]));
  known_[hash & (known_.size() - 1)] = {key, result};
  return result;
}

SetId SetTable::unite(SetId a, SetId b) {
  if (a == b || b == kNone) return a;
  if (a == kNone) return b;
  if (a == kAll || b == kAll) return kAll;
  if ((*this)[b].contains((*this)[a])) return b;
  return remember(kUnite, a, b, [](const auto& x, const auto& y) { return x | y; });
}

SetId SetTable::intersect(SetId a, SetId b) {
  if (a == b || b == kAll) return a;
  if (a == kAll) return b;
  if (a == kNone || b == kNone) return kNone;
  return remember(kIntersect, a, b, [](const auto& x, const auto& y) { return x & y; });
}

SetId SetTable::subtract(SetId a, SetId b) {
  if (a == b || a == kNone || b == kAll) return kNone;
  if (b == kNone) return a;
  return remember(kSubtract, a, b, [](const auto& x, const auto& y) { return x - y; });
}

}  // namespace nacre::regular
