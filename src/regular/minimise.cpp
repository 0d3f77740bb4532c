// Minimisation after Valmari and Lehtinen, "Efficient minimization of DFAs with partial transition
// functions" (2008), in the brief form of Valmari (2012). Two refinable partitions drive each
// other: blocks of states, and cords of arcs. Initially an arc's cord is its label. Each cord
// splits the blocks by "has an arc of this cord"; each new block splits the cords by "ends in this
// block". Only the smaller half of a split is processed again, hence O(m log n) with m
// the arcs that exist: a partial automaton is not completed.
#include <algorithm>
#include <numeric>

#include "regular/dfa.h"

namespace nacre::regular {
namespace {

using Indices = std::vector<uint32_t>;
constexpr uint32_t kNone = ~uint32_t{0};

// Sets of 0..n-1 that only ever get finer. Members of set s are elements[first[s]..past[s]), those
// marked come first.
class RefinablePartition {
 public:
  explicit RefinablePartition(uint32_t n) : elements(n), location(n), set_of(n, 0) {
    std::iota(elements.begin(), elements.end(), 0);
    std::iota(location.begin(), location.end(), 0);
    for (Indices* each : {&first, &past, &marked}) each->reserve(std::min(n, kSmall));
    if (n > 0) add_set(0, n);
  }

  void add_set(uint32_t begin, uint32_t end) {
    first.push_back(begin);
    past.push_back(end);
    marked.push_back(0);
  }

  [[nodiscard]] uint32_t sets() const { return static_cast<uint32_t>(first.size()); }

  void mark(uint32_t element, Indices& touched) {
    uint32_t set = set_of[element];
    uint32_t from = location[element];
    uint32_t to = first[set] + marked[set];
    if (from < to) return;  // marked before
    elements[from] = elements[to];
    location[elements[from]] = from;
    elements[to] = element;
    location[element] = to;
    if (marked[set]++ == 0) touched.push_back(set);
  }

  // The marked part, or the rest if that is smaller, becomes a new set.
  void split(Indices& touched) {
    for (; !touched.empty(); touched.pop_back()) {
      uint32_t set = touched.back();
      uint32_t middle = first[set] + marked[set];
      if (middle != past[set]) {
        bool marked_is_small = marked[set] <= past[set] - middle;
        uint32_t begin = marked_is_small ? first[set] : middle;
        uint32_t end = marked_is_small ? middle : past[set];
        (marked_is_small ? first[set] : past[set]) = middle;
        for (uint32_t i = begin; i < end; ++i) set_of[elements[i]] = sets();
        add_set(begin, end);
      }
      marked[set] = 0;
    }
  }

  Indices elements, location, set_of;
  Indices first, past, marked;

 private:
  static constexpr uint32_t kSmall = 64;  // most automata: space for all sets at once
};

struct Transition {
  uint32_t tail;
  uint32_t label;
  uint32_t head;
};

// Which states can be reached from the start (over `arcs` sorted by tail) or, with tails and heads
// exchanged, can reach an accepting one.
std::vector<uint8_t> closure(uint32_t states, const std::vector<Transition>& arcs, Indices todo,
                             bool backwards) {
  Indices begin(states + 2, 0);
  auto from = [&](const Transition& t) { return backwards ? t.head : t.tail; };
  auto to = [&](const Transition& t) { return backwards ? t.tail : t.head; };
  for (const Transition& t : arcs) ++begin[from(t) + 2];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  Indices targets(arcs.size());
  for (const Transition& t : arcs) targets[begin[from(t) + 1]++] = to(t);
  std::vector<uint8_t> seen(states, 0);
  for (uint32_t state : todo) seen[state] = 1;
  while (!todo.empty()) {
    uint32_t state = todo.back();
    todo.pop_back();
    for (uint32_t i = begin[state]; i < begin[state + 1]; ++i) {
      if (seen[targets[i]] != 0) continue;
      seen[targets[i]] = 1;
      todo.push_back(targets[i]);
    }
  }
  return seen;
}

std::vector<Transition> transitions_of(const Dfa& dfa) {
  std::vector<Transition> result;
  result.reserve(dfa.arcs.size());
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    for (DfaArc arc : dfa.arcs_of(state)) result.push_back({state, arc.symbols, arc.target});
  }
  return result;
}

// Block of each state; the partition is the coarsest that respects acceptance and arcs.
Indices coarsest_blocks(const std::vector<Transition>& arcs,
                        const std::vector<uint8_t>& accepting) {
  auto states = static_cast<uint32_t>(accepting.size());
  RefinablePartition blocks(states);
  Indices touched;
  for (uint32_t state = 0; state < states; ++state) {
    if (accepting[state] != 0) blocks.mark(state, touched);
  }
  blocks.split(touched);

  RefinablePartition cords(static_cast<uint32_t>(arcs.size()));
  uint32_t labels = 0;
  for (const Transition& t : arcs) labels = std::max(labels, t.label + 1);
  Indices label_begin(labels + 2, 0);  // arcs by label
  for (const Transition& t : arcs) ++label_begin[t.label + 2];
  std::partial_sum(label_begin.begin(), label_begin.end(), label_begin.begin());
  Indices by_label(arcs.size());
  for (uint32_t i = 0; i < arcs.size(); ++i) by_label[label_begin[arcs[i].label + 1]++] = i;
  for (uint32_t label = 0; label < labels; ++label) {
    for (uint32_t i = label_begin[label]; i < label_begin[label + 1]; ++i) {
      cords.mark(by_label[i], touched);
    }
    cords.split(touched);
  }

  Indices in_begin(states + 2, 0);  // arcs by head
  for (const Transition& t : arcs) ++in_begin[t.head + 2];
  std::partial_sum(in_begin.begin(), in_begin.end(), in_begin.begin());
  Indices incoming(arcs.size());
  for (uint32_t i = 0; i < arcs.size(); ++i) incoming[in_begin[arcs[i].head + 1]++] = i;

  for (uint32_t cord = 0, block = 1; cord < cords.sets(); ++cord) {
    for (uint32_t i = cords.first[cord]; i < cords.past[cord]; ++i) {
      blocks.mark(arcs[cords.elements[i]].tail, touched);
    }
    blocks.split(touched);
    for (; block < blocks.sets(); ++block) {
      for (uint32_t i = blocks.first[block]; i < blocks.past[block]; ++i) {
        uint32_t state = blocks.elements[i];
        for (uint32_t j = in_begin[state]; j < in_begin[state + 1]; ++j) {
          cords.mark(incoming[j], touched);
        }
      }
      cords.split(touched);
    }
  }
  return blocks.set_of;
}

// By class, what it does: state and target of each of its arcs, in order, and a hash of that.
class Columns {
 public:
  explicit Columns(const Dfa& dfa)
      : hashes_(dfa.classes.size(), 0), begin_(dfa.classes.size() + 2, 0) {
    for (const DfaArc arc : dfa.arcs) ++begin_[arc.symbols + 2];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    cells_.resize(dfa.arcs.size());
    for (uint32_t state = 0; state < dfa.size(); ++state) {
      for (const DfaArc arc : dfa.arcs_of(state)) {
        const uint64_t cell = uint64_t{state} << 32 | arc.target;
        uint64_t& hash = hashes_[arc.symbols];
        hash = (hash ^ cell) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 31;
        cells_[begin_[arc.symbols + 1]++] = cell;
      }
    }
  }
  [[nodiscard]] bool is_empty(uint32_t id) const { return begin_[id] == begin_[id + 1]; }
  [[nodiscard]] bool are_equal(uint32_t a, uint32_t b) const {
    return hashes_[a] == hashes_[b] &&
           std::equal(cells_.begin() + begin_[a], cells_.begin() + begin_[a + 1],
                      cells_.begin() + begin_[b], cells_.begin() + begin_[b + 1]);
  }

 private:
  std::vector<uint64_t> hashes_;
  Indices begin_;  // the cells of class c are begin_[c] .. begin_[c+1]
  std::vector<uint64_t> cells_;
};

// Classes with the same arcs everywhere become one; those without arcs go. Returns the new number
// of each class, kNone for those that go, and fills the new classes in order of their smallest
// symbols.
Indices merge_classes(const Dfa& dfa, std::vector<CharSet>& merged) {
  const Columns columns(dfa);
  std::vector<uint32_t> by_smallest(dfa.classes.size());
  std::iota(by_smallest.begin(), by_smallest.end(), 0);
  std::sort(by_smallest.begin(), by_smallest.end(),
            [&](uint32_t a, uint32_t b) { return dfa.classes[a].min() < dfa.classes[b].min(); });
  Indices number(dfa.classes.size(), kNone);
  Indices kept;  // a class for each merged one
  for (uint32_t id : by_smallest) {
    if (columns.is_empty(id)) continue;
    auto twin = std::find_if(kept.begin(), kept.end(),
                             [&](uint32_t other) { return columns.are_equal(other, id); });
    number[id] = static_cast<uint32_t>(twin - kept.begin());
    if (twin == kept.end()) {
      kept.push_back(id);
      merged.push_back(dfa.classes[id]);
    } else {
      merged[number[id]].add(dfa.classes[id]);
    }
  }
  return number;
}

// The states that can be reached and can accept, numbered densely; the start, being one of them,
// stays 0.
struct UsefulPart {
  std::vector<Transition> arcs;  // sorted by tail
  std::vector<uint8_t> accepting;
};

UsefulPart useful_part(const Dfa& dfa) {
  std::vector<Transition> arcs = transitions_of(dfa);
  std::vector<uint8_t> reached = closure(dfa.size(), arcs, {0}, false);
  Indices accepting;
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    if (dfa.accepting[state] != 0 && reached[state] != 0) accepting.push_back(state);
  }
  std::vector<uint8_t> live = closure(dfa.size(), arcs, accepting, true);
  UsefulPart part;
  Indices dense(dfa.size(), kNone);
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    if (reached[state] == 0 || live[state] == 0) continue;
    dense[state] = static_cast<uint32_t>(part.accepting.size());
    part.accepting.push_back(dfa.accepting[state]);
  }
  for (const Transition& t : arcs) {
    if (dense[t.tail] == kNone || dense[t.head] == kNone) continue;
    part.arcs.push_back({dense[t.tail], t.label, dense[t.head]});
  }
  return part;
}

}  // namespace

Dfa canonical_numbering(const Dfa& minimal, uint32_t start) {
  Dfa result;
  result.alphabet = minimal.alphabet;
  result.is_canonical = true;
  Indices class_number = merge_classes(minimal, result.classes);
  Indices state_number(minimal.size(), kNone);
  Indices queue = {start};
  state_number[start] = 0;
  result.rows = {0};
  result.accepting.clear();
  std::vector<DfaArc> row;
  for (size_t head = 0; head < queue.size(); ++head) {
    row.clear();
    for (DfaArc arc : minimal.arcs_of(queue[head])) {
      row.push_back({class_number[arc.symbols], arc.target});
    }
    std::sort(row.begin(), row.end(), [](DfaArc a, DfaArc b) { return a.symbols < b.symbols; });
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i].symbols == row[i - 1].symbols) continue;  // merged classes
      uint32_t& number = state_number[row[i].target];
      if (number == kNone) {
        number = static_cast<uint32_t>(queue.size());
        queue.push_back(row[i].target);
      }
      result.arcs.push_back({row[i].symbols, number});
    }
    result.rows.push_back(static_cast<uint32_t>(result.arcs.size()));
    result.accepting.push_back(minimal.accepting[queue[head]]);
  }
  return result;
}

Dfa minimise(const Dfa& dfa) {
  auto [arcs, accepting] = useful_part(dfa);
  Dfa quotient;
  quotient.alphabet = dfa.alphabet;
  if (accepting.empty()) {
    quotient.is_canonical = true;
    return quotient;
  }
  Indices block = coarsest_blocks(arcs, accepting);
  uint32_t blocks = *std::max_element(block.begin(), block.end()) + 1;
  Indices member(blocks, kNone);  // one state for each block; its arcs are those of the block
  for (uint32_t state = 0; state < block.size(); ++state) {
    if (member[block[state]] == kNone) member[block[state]] = state;
  }
  Indices begin(block.size() + 1, 0);
  for (const Transition& t : arcs) ++begin[t.tail + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  quotient.classes = dfa.classes;
  quotient.accepting.assign(blocks, 0);
  quotient.rows.assign(blocks + 1, 0);
  for (uint32_t id = 0; id < blocks; ++id) {
    quotient.accepting[id] = accepting[member[id]];
    for (uint32_t i = begin[member[id]]; i < begin[member[id] + 1]; ++i) {
      quotient.arcs.push_back({arcs[i].label, block[arcs[i].head]});
    }
    quotient.rows[id + 1] = static_cast<uint32_t>(quotient.arcs.size());
  }
  return canonical_numbering(quotient, block[0]);
}

}  // namespace nacre::regular
