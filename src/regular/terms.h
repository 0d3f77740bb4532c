// The terms behind Lang: hash-consed extended regular expressions and their transitions. Internal
// to this module (Lang is the face); the deciders, the determiniser and the transducers walk it.
//
// A term is a 32-bit id; equal ids are equal terms, and the constructors keep a normal form, so
// that many questions are settled before any search. Two views of a term's transitions are computed
// on demand and remembered:
//   arcs(t)   nondeterministic: (set, term) pairs, no target a union: the states of an NFA
//             (partial derivatives, Antimirov), polynomial in the size of the expression;
//   moves(t)  deterministic: disjoint sets, at most one target each; a missing symbol leads to the
//             empty language. The blocks are the local minterms of t alone, so a term derives once
//             per block and not once per symbol or per class of the whole script.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "regular/char_set.h"
#include "regular/lang.h"
#include "regular/set_table.h"

namespace nacre::regular {

constexpr uint32_t raw(TermId id) { return static_cast<uint32_t>(id); }

enum class Op : uint8_t {
  kEmpty,
  kEpsilon,
  kSet,           // a: SetId
  kConcat,        // a, b: TermId; a is no concatenation
  kStar,          // a
  kRepeat,        // a, least, most: finite, most > 1
  kUnion,         // a: offset of the sorted operands, b: how many
  kIntersection,  // the same
  kComplement,    // a
  kLeaf,          // a: automaton, b: state
};

struct Term {
  Op op = Op::kEmpty;
  bool nullable : 1 = false;
  bool is_word : 1 = false;  // its form shows that it has exactly one word
  uint16_t depth = 0;        // nesting; recursion over terms is bounded by it
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t least = 0;
  uint32_t most = 0;  // of a concatenation: how many factors it has
  SetId symbols{};    // see TermStore::symbols(); of a concatenation kNone until it is asked for
};

struct Arc {
  SetId set;
  TermId target;
};

class TermStore {
 public:
  explicit TermStore(Alphabet alphabet);

  static constexpr TermId kEmpty{0};
  static constexpr TermId kEpsilon{1};
  static constexpr TermId kAll{2};  // every word

  [[nodiscard]] Alphabet alphabet() const { return sets_.alphabet(); }
  [[nodiscard]] SetTable& sets() { return sets_; }
  [[nodiscard]] const CharSet& set(SetId id) const { return sets_[id]; }

  // By value: the table grows while terms are made.
  [[nodiscard]] Term term(TermId id) const { return terms_[index(id)]; }
  [[nodiscard]] size_t size() const { return terms_.size(); }
  [[nodiscard]] bool nullable(TermId id) const { return terms_[index(id)].nullable; }
  // A superset of the symbols that occur in its words.
  SetId symbols(TermId id);
  bool has_only(TermId id, SetId set) {
    return set == SetTable::kAll || sets_.contains(set, symbols(id));
  }
  // The operands of a union or intersection, sorted. Valid until the next term is made.
  [[nodiscard]] std::span<const TermId> operands(TermId id) const {
    const Term& t = terms_[index(id)];
    return {operands_.data() + t.a, t.b};
  }

  // How long the chain of a concatenation is; 1 of any other term.
  [[nodiscard]] uint32_t factors(TermId id) const {
    const Term& t = terms_[index(id)];
    return t.op == Op::kConcat ? t.most : 1;
  }

  TermId make_set(SetId set);
  TermId make_letter(Symbol symbol);
  TermId make_concat(TermId head, TermId tail);
  TermId make_star(TermId body);
  TermId make_repeat(TermId body, uint64_t least, uint64_t most);
  TermId make_union(std::span<const TermId> parts);
  TermId make_union(TermId a, TermId b);
  TermId make_intersection(std::span<const TermId> parts);
  TermId make_complement(TermId body);
  TermId make_leaf(uint32_t automaton, uint32_t state);
  // The leaf of the start state; an automaton that is already known is not added again.
  TermId add_automaton(std::shared_ptr<const Dfa> dfa);
  [[nodiscard]] const std::shared_ptr<const Dfa>& automaton(uint32_t index) const {
    return automata_[index].dfa;
  }
  TermId make_reverse(TermId id);

  std::span<const Arc> arcs(TermId id);
  std::span<const Arc> moves(TermId id);
  // As arcs(), but an intersection at the top is not determinised: its states are tuples of states
  // of its operands, polynomially many. Not remembered.
  std::vector<Arc> loose_arcs(TermId id);
  // The target of `symbol` in moves(id), kEmpty if there is none.
  TermId step(TermId id, Symbol symbol);

  // See lang.h.
  [[nodiscard]] bool ends_with(TermId id, Symbol symbol) const;

  // Elementary work done so far, for budgets: grows with every transition computed.
  [[nodiscard]] uint64_t work() const { return work_; }

 private:
  struct Automaton {
    std::shared_ptr<const Dfa> dfa;
    std::vector<SetId> classes;
    SetId symbols;
  };
  struct Row {
    const Arc* arcs = nullptr;
    uint32_t count = 0;
    bool known = false;
  };
  struct Transitions {
    Row arcs, moves;
  };
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = kFree;
  };
  // A group of symbols with the targets they lead to, while moves are computed.
  struct Block {
    SetId set;
    std::vector<TermId> targets;
  };
  using Arcs = std::vector<Arc>;
  static constexpr uint32_t kFree = ~uint32_t{0};

  static constexpr size_t index(TermId id) { return static_cast<size_t>(id); }

  // A factor of a concatenation as a counted base: x is x{1,1}, x? is x{0,1}.
  struct Run {
    TermId base;
    uint64_t least;
    uint64_t most;
  };
  using Ids = std::vector<TermId>;

  TermId intern(Term term, std::span<const TermId> operands);
  [[nodiscard]] bool same(const Term& a, const Term& b, std::span<const TermId> operands) const;
  void grow_slots();
  TermId intern_operands(Op op, const Ids& operands);
  TermId prepend(TermId head, TermId tail);
  TermId join(TermId head, TermId tail);
  [[nodiscard]] Run run_of(TermId factor) const;
  void flatten(Op op, std::span<const TermId> parts, Ids& out) const;
  void merge_sets(Op op, Ids& operands);
  void merge_complements(Op op, Ids& operands);
  void absorb_in_union(Ids& operands);
  void absorb_in_intersection(Ids& operands);
  void absorb_epsilon(Ids& operands);
  [[nodiscard]] bool holds_contradiction(Op op, const Ids& operands) const;
  TermId normal_union(Ids& operands);
  TermId normal_intersection(Ids& operands);
  TermId reverse_leaf(TermId id);
  TermId reverse_with(TermId id, std::unordered_map<TermId, TermId>& memo);

  void collect_arcs(TermId id, Arcs& out);
  void collect_body_arcs(TermId body, TermId rest, Arcs& out);
  void push_arc(SetId set, TermId target, Arcs& out) const;
  void deterministic(std::span<const Arc> arcs, Arcs& out);
  void intersect(std::span<const TermId> parts, bool is_loose, Arcs& out);
  void complement_moves(TermId body, Arcs& out);
  Row keep(const Arcs& arcs);
  // Valid until the next term is asked for its transitions.
  Transitions& transitions_of(TermId id) {
    if (index(id) >= rows_.size()) rows_.resize(terms_.size());
    uint32_t& row = rows_[index(id)];
    if (row == 0) {
      transitions_.emplace_back();
      row = static_cast<uint32_t>(transitions_.size());
    }
    return transitions_[row - 1];
  }

  SetTable sets_;
  std::vector<Term> terms_;
  std::vector<TermId> operands_;  // of all unions and intersections
  std::vector<Slot> slots_;       // open addressing, a power of two
  std::vector<Automaton> automata_;
  std::unordered_map<const Dfa*, uint32_t> known_automata_;
  std::vector<Transitions> transitions_;  // most terms are never asked for theirs
  std::vector<uint32_t> rows_;            // by term: one more than its place there, or 0
  Arena memory_;
  std::vector<Block> blocks_;          // scratch of deterministic()
  std::array<TermId, 256> letters_{};  // known terms of make_letter(); kEmpty: not yet made
  Ids scratch_;                        // scratch of make_union() and make_intersection()
  uint64_t work_ = 0;
};

}  // namespace nacre::regular
