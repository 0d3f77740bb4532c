// The breadth-first frame that inclusion and equivalence share: visits in levels, each level walked
// in order of naturalness, and the word that leads to a visit. Internal to this module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "regular/terms.h"

namespace nacre::regular {

class Search {
 public:
  static constexpr uint32_t kRoot = ~uint32_t{0};

  struct Visit {
    TermId a;
    TermId b;
    uint32_t parent;
    SetId symbols;   // of the step from the parent
    uint32_t depth;  // length of the word
    uint32_t cost;   // sum of the naturalness of its symbols
    bool is_dropped = false;
  };

  Search(TermStore& terms, const Budget& budget);

  [[nodiscard]] const Visit& operator[](uint32_t id) const { return visits_[id]; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(visits_.size()); }
  // The visit that a step from `parent` would make, not yet part of the search.
  Visit step(uint32_t parent, SetId symbols, TermId a, TermId b);
  uint32_t add(Visit visit);
  // The visit, not yet expanded, never will be.
  void drop(uint32_t id) { visits_[id].is_dropped = true; }
  // The next visit to expand, kRoot when there is none.
  uint32_t next();
  void spend(uint64_t steps) { spent_ += steps; }  // work that the terms do not see
  [[nodiscard]] bool exhausted() const;
  // The most natural word along the way to `visit`.
  [[nodiscard]] std::string word(const Visit& visit) const;

 private:
  uint32_t cost_of(SetId symbols);

  TermStore& terms_;
  const Budget& budget_;
  uint64_t work_limit_;
  uint64_t spent_ = 0;
  std::vector<Visit> visits_;
  std::vector<uint32_t> level_;  // what is left of the current level, best last
  uint32_t level_end_ = 0;       // visits beyond belong to the next level
  std::vector<uint8_t> costs_;   // by SetId; 255: not computed
};

}  // namespace nacre::regular
