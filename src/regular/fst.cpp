#include "regular/fst.h"

#include <algorithm>
#include <unordered_map>

namespace nacre::regular {

uint32_t FstBuilder::add_state() {
  states_.emplace_back();
  return static_cast<uint32_t>(states_.size()) - 1;
}

uint32_t FstBuilder::insert(Insert insert) {
  std::erase(insert, Piece(std::string()));
  const auto known = std::find(inserts_.begin(), inserts_.end(), insert);
  if (known != inserts_.end()) return static_cast<uint32_t>(known - inserts_.begin());
  inserts_.push_back(std::move(insert));
  return static_cast<uint32_t>(inserts_.size()) - 1;
}

uint32_t FstBuilder::map(const SymbolMap& map) {
  if (map.is_identity()) return Fst::kSame;
  const auto known = std::find(maps_.begin(), maps_.end(), map);
  const auto index = static_cast<uint32_t>(known - maps_.begin());
  if (known == maps_.end()) maps_.push_back(map);
  return Fst::kMapped + index;
}

void FstBuilder::arc(uint32_t from, const CharSet& set, uint32_t next, uint32_t copy,
                     uint32_t insert) {
  if (set.empty()) return;
  std::vector<Draft>& arcs = states_[from].arcs;
  for (Draft& known : arcs) {
    if (known.next == next && known.copy == copy && known.insert == insert) {
      known.set.add(set);
      return;
    }
  }
  arcs.push_back({set, insert, copy, next});
}

void FstBuilder::accept(uint32_t state, uint32_t insert) {
  std::vector<uint32_t>& finals = states_[state].finals;
  if (std::find(finals.begin(), finals.end(), insert) == finals.end()) finals.push_back(insert);
}

Fst FstBuilder::finish(bool is_exact) {
  struct Hash {
    size_t operator()(const CharSet& set) const { return set.hash(); }
  };
  std::unordered_map<CharSet, uint32_t, Hash> known;
  Fst fst;
  fst.alphabet = alphabet_;
  fst.is_exact = is_exact;
  fst.inserts = std::move(inserts_);
  fst.maps = std::move(maps_);
  fst.rows.push_back(0);
  fst.final_rows.push_back(0);
  for (const State& state : states_) {
    for (const Draft& draft : state.arcs) {
      const auto [entry, is_new] =
          known.try_emplace(draft.set, static_cast<uint32_t>(fst.sets.size()));
      if (is_new) fst.sets.push_back(draft.set);
      fst.arcs.push_back({entry->second, draft.insert, draft.copy, draft.next});
    }
    fst.final_texts.insert(fst.final_texts.end(), state.finals.begin(), state.finals.end());
    fst.rows.push_back(static_cast<uint32_t>(fst.arcs.size()));
    fst.final_rows.push_back(static_cast<uint32_t>(fst.final_texts.size()));
  }
  return fst;
}

}  // namespace nacre::regular
