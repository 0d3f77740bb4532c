// What a Context has found out: answers to questions and minimal automata, so that asking again is
// a lookup. Internal to this module.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "regular/decide.h"
#include "regular/dfa.h"

namespace nacre::regular {

// Lets a table of strings be searched by views.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct Memo {
  // A literal, or a concatenation whose head is one or whose rest waits as well.
  struct Waiting {
    std::string_view word;  // the head, a key of `literals`; empty: it is a term
    TermId head;
    TermId rest;
    std::optional<TermId> term;  // once it was asked for
  };
  std::unordered_map<std::string, TermId, TextHash, std::equal_to<>> literals;
  std::vector<Waiting> waiting;                         // by number
  std::unordered_map<uint64_t, TermId> concatenations;  // by pair_key(); what waits included
  std::unordered_map<uint64_t, Verdict> included;       // by pair_key(); settled answers only
  std::unordered_map<uint64_t, uint64_t> undecided;     // the same: with how many states it was not
  std::unordered_map<uint64_t, Verdict> equivalent;     // the same, smaller id first
  std::unordered_map<TermId, BoundedDfa> dfas;          // exact ones only
  // Leaves of minimal automata, by a hash of the automaton: canonical() finds equal ones here.
  std::unordered_multimap<uint64_t, TermId> canonical;
};

constexpr uint64_t pair_key(TermId a, TermId b) {
  return uint64_t{static_cast<uint32_t>(a)} << 32 | static_cast<uint32_t>(b);
}

}  // namespace nacre::regular
