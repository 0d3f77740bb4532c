// Finite-state transducers as plain data: what transducer.h runs and what the builders of this
// module (translate_chars.h, field_select.h, match_machine.h, line_select.h) make. Internal to this
// module.
//
// An arc reads one symbol of its set, first emits its inserted text and then, if it copies, the
// symbol itself or its image under a map; a class of symbols is copied as a class, never expanded.
// When the input ends in a state, one of the state's final texts is emitted; a state without any
// does not accept. Several arcs may apply: a transducer denotes the relation of all its runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "regular/char_set.h"
#include "regular/dfa.h"
#include "regular/symbol_map.h"

namespace nacre::regular {

// What is inserted: texts and, where only a superset is known, any word of a language.
using Piece = std::variant<std::string, std::shared_ptr<const Dfa>>;
using Insert = std::vector<Piece>;

struct Fst {
  static constexpr uint32_t kNoText = 0;  // inserts[0] is empty
  static constexpr uint32_t kDrop = 0;    // copy: nothing,
  static constexpr uint32_t kSame = 1;    // the symbol itself,
  static constexpr uint32_t kMapped = 2;  // from here on, maps[copy - kMapped] of it

  struct Arc {
    uint32_t set;     // index into sets
    uint32_t insert;  // index into inserts
    uint32_t copy;
    uint32_t next;
  };

  Alphabet alphabet = Alphabet::kBytes;
  bool is_exact = true;  // false: runs may include some that the operation does not have
  std::vector<CharSet> sets;
  std::vector<Insert> inserts;
  std::vector<SymbolMap> maps;
  std::vector<uint32_t> rows;  // the arcs of state s are rows[s] .. rows[s+1]; state 0 starts
  std::vector<Arc> arcs;
  std::vector<uint32_t> final_rows;  // the same for final_texts
  std::vector<uint32_t> final_texts;

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(rows.size()) - 1; }
  [[nodiscard]] std::span<const Arc> arcs_of(uint32_t state) const {
    return {arcs.data() + rows[state], arcs.data() + rows[state + 1]};
  }
  [[nodiscard]] std::span<const uint32_t> finals_of(uint32_t state) const {
    return {final_texts.data() + final_rows[state], final_texts.data() + final_rows[state + 1]};
  }
};

// Collects states and arcs in any order. Arcs of a state that differ only in their sets become one.
class FstBuilder {
 public:
  explicit FstBuilder(Alphabet alphabet) : alphabet_(alphabet), inserts_(1) {}

  uint32_t add_state();
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(states_.size()); }
  uint32_t insert(Insert insert);
  uint32_t insert(std::string_view text) { return insert(Insert{std::string(text)}); }
  uint32_t map(const SymbolMap& map);  // the value for an arc's `copy`

  // `from` and `next` exist already.
  void arc(uint32_t from, const CharSet& set, uint32_t next, uint32_t copy = Fst::kSame,
           uint32_t insert = Fst::kNoText);
  void accept(uint32_t state, uint32_t insert = Fst::kNoText);

  Fst finish(bool is_exact = true);

 private:
  struct Draft {
    CharSet set;
    uint32_t insert, copy, next;
  };
  struct State {
    std::vector<Draft> arcs;
    std::vector<uint32_t> finals;
  };

  Alphabet alphabet_;
  std::vector<State> states_;
  std::vector<Insert> inserts_;
  std::vector<SymbolMap> maps_;
};

}  // namespace nacre::regular
