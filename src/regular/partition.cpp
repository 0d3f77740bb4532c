#include "regular/partition.h"

#include <algorithm>
#include <numeric>

namespace nacre::regular {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

// The symbols cut into atoms that no set splits: single symbols below 256, beyond that the pieces
// between all ends of ranges.
class Atoms {
 public:
  explicit Atoms(const std::vector<CharSet>& sets) {
    for (Symbol symbol = 0; symbol <= 256; ++symbol) starts_.push_back(symbol);
    for (const CharSet& set : sets) {
      for (SymbolRange range : set.ranges()) {
        if (range.last < 256) continue;
        if (range.first > 256) starts_.push_back(range.first);
        starts_.push_back(range.last + 1);
      }
    }
    std::sort(starts_.begin() + 257, starts_.end());
    starts_.erase(std::unique(starts_.begin() + 256, starts_.end()), starts_.end());
  }

  [[nodiscard]] size_t count() const { return starts_.size() - 1; }
  [[nodiscard]] SymbolRange range(size_t atom) const {
    return {starts_[atom], starts_[atom + 1] - 1};
  }
  [[nodiscard]] size_t at(Symbol start) const {
    if (start <= 256) return start;
    return static_cast<size_t>(std::lower_bound(starts_.begin(), starts_.end(), start) -
                               starts_.begin());
  }

 private:
  std::vector<Symbol> starts_;
};

// Splits classes of atoms by one set after the other: the members of a set leave their class for a
// new one, unless the whole class leaves.
class Refiner {
 public:
  explicit Refiner(const Atoms& atoms) : atoms_(atoms), class_of_(atoms.count(), 0) {
    sizes_.push_back(static_cast<uint32_t>(atoms.count()));
  }

  void split(const CharSet& set) {
    taken_.assign(sizes_.size(), 0);
    moved_to_.assign(sizes_.size(), kNone);
    std::vector<SymbolRange> ranges = set.ranges();
    for_each_atom(ranges, [&](size_t atom) { ++taken_[class_of_[atom]]; });
    for_each_atom(ranges, [&](size_t atom) {
      uint32_t old = class_of_[atom];
      if (old >= taken_.size() || taken_[old] == sizes_[old]) return;
      if (moved_to_[old] == kNone) {
        moved_to_[old] = static_cast<uint32_t>(sizes_.size());
        sizes_.push_back(taken_[old]);
      }
      class_of_[atom] = moved_to_[old];
    });
    for (uint32_t old = 0; old < taken_.size(); ++old) {
      if (moved_to_[old] != kNone) sizes_[old] -= taken_[old];
    }
  }

  template <typename Visit>
  void for_each_atom(const std::vector<SymbolRange>& ranges, Visit visit) const {
    for (SymbolRange range : ranges) {
      size_t end = atoms_.at(range.last + 1);
      for (size_t atom = atoms_.at(range.first); atom < end; ++atom) visit(atom);
    }
  }

  [[nodiscard]] const std::vector<uint32_t>& class_of() const { return class_of_; }
  [[nodiscard]] size_t count() const { return sizes_.size(); }

 private:
  const Atoms& atoms_;
  std::vector<uint32_t> class_of_;  // by atom
  std::vector<uint32_t> sizes_;     // by class, in atoms
  std::vector<uint32_t> taken_;
  std::vector<uint32_t> moved_to_;
};

}  // namespace

Partition partition(const std::vector<CharSet>& sets) {
  Atoms atoms(sets);
  Refiner refiner(atoms);
  CharSet covered;
  for (const CharSet& set : sets) {
    refiner.split(set);
    covered = covered | set;
  }
  refiner.split(covered);

  Partition result;
  std::vector<uint32_t> number(refiner.count(), kNone);
  std::vector<Symbol> smallest;
  for (SymbolRange range : covered.ranges()) {
    size_t end = atoms.at(range.last + 1);
    for (size_t atom = atoms.at(range.first); atom < end; ++atom) {
      uint32_t& id = number[refiner.class_of()[atom]];
      if (id == kNone) {
        id = static_cast<uint32_t>(result.classes.size());
        result.classes.emplace_back();
        smallest.push_back(atoms.range(atom).first);
      }
      result.classes[id].append(atoms.range(atom));
    }
  }
  for (const CharSet& set : sets) {
    auto& members = result.members.emplace_back();
    for (uint32_t id = 0; id < smallest.size(); ++id) {
      if (set.contains(smallest[id])) members.push_back(id);
    }
  }
  return result;
}

}  // namespace nacre::regular
