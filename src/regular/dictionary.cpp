// The words are taken in order of their symbols. Only the states along the last word can still
// change ("open"); when the next word leaves that path, the states below the fork are closed: each
// is looked up in a register of closed states by its row, and replaced by an equal one if there is
// one. What is closed is minimal, so no minimisation follows, only the canonical numbering.
#include "regular/dictionary.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace nacre::regular {
namespace {

class Builder {
 public:
  // Words come in ascending order; their letters are classes.
  template <typename Word>
  void add(const Word& word) {
    size_t common = 0;
    while (common < path_.size() && common < word.size() && path_[common] == letter(word[common]))
      ++common;
    close_below(common);
    for (size_t i = common; i < word.size(); ++i) {
      path_.push_back(letter(word[i]));
      if (open_.size() <= path_.size()) open_.emplace_back();
    }
    open_[word.size()].accepting = true;
  }

  // The automaton and its start state. Its classes are named, but not listed.
  std::pair<Dfa, uint32_t> finish() {
    close_below(0);
    uint32_t start = close(open_[0]);
    Dfa dfa;
    dfa.rows = std::move(rows_);
    dfa.arcs = std::move(arcs_);
    dfa.accepting = std::move(accepting_);
    return {std::move(dfa), start};
  }

 private:
  static uint32_t letter(char c) { return static_cast<unsigned char>(c); }
  static uint32_t letter(uint32_t id) { return id; }

  struct OpenState {
    std::vector<DfaArc> arcs;
    bool accepting = false;
  };

  // Closes the open states deeper than `depth`, deepest first, and links each to its parent.
  void close_below(size_t depth) {
    while (path_.size() > depth) {
      OpenState& last = open_[path_.size()];
      uint32_t target = close(last);
      last.arcs.clear();
      last.accepting = false;
      open_[path_.size() - 1].arcs.push_back({path_.back(), target});
      path_.pop_back();
    }
  }

  uint32_t close(const OpenState& state) {
    if (accepting_.size() * 2 >= register_.size()) grow_register();
    size_t mask = register_.size() - 1;
    size_t at = hash(state.arcs, state.accepting) & mask;
    for (; register_[at] != 0; at = (at + 1) & mask) {
      if (is_closed_as(state, register_[at] - 1)) return register_[at] - 1;
    }
    arcs_.insert(arcs_.end(), state.arcs.begin(), state.arcs.end());
    rows_.push_back(static_cast<uint32_t>(arcs_.size()));
    accepting_.push_back(state.accepting ? 1 : 0);
    register_[at] = static_cast<uint32_t>(accepting_.size());
    return register_[at] - 1;
  }

  [[nodiscard]] std::span<const DfaArc> row(uint32_t id) const {
    return {arcs_.data() + rows_[id], arcs_.data() + rows_[id + 1]};
  }

  [[nodiscard]] bool is_closed_as(const OpenState& state, uint32_t id) const {
    auto known = row(id);
    return (accepting_[id] != 0) == state.accepting && known.size() == state.arcs.size() &&
           std::equal(known.begin(), known.end(), state.arcs.begin());
  }

  static uint64_t hash(std::span<const DfaArc> arcs, bool accepting) {
    uint64_t h = accepting ? 1 : 0;
    for (DfaArc arc : arcs) {
      h = (h ^ (uint64_t{arc.symbols} << 32 | arc.target)) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    return h;
  }

  void grow_register() {
    register_.assign(register_.size() * 2, 0);
    size_t mask = register_.size() - 1;
    for (uint32_t id = 0; id < accepting_.size(); ++id) {
      size_t at = hash(row(id), accepting_[id] != 0) & mask;
      while (register_[at] != 0) at = (at + 1) & mask;
      register_[at] = id + 1;
    }
  }

  std::vector<uint32_t> path_;  // the last word, as far as its states are open
  std::vector<OpenState> open_ = std::vector<OpenState>(1);
  std::vector<uint32_t> register_ = std::vector<uint32_t>(1024, 0);  // closed state + 1; 0 is free
  std::vector<uint32_t> rows_ = {0};
  std::vector<DfaArc> arcs_;
  std::vector<uint8_t> accepting_;
};

std::shared_ptr<const Dfa> finish(Builder& builder, Alphabet alphabet,
                                  const std::vector<Symbol>& letters) {
  auto [dfa, start] = builder.finish();
  dfa.alphabet = alphabet;
  for (Symbol symbol : letters) dfa.classes.push_back(CharSet::of(symbol));
  return std::make_shared<const Dfa>(canonical_numbering(dfa, start));
}

// A word with its first eight bytes as a number, which settles most comparisons.
struct SortableWord {
  explicit SortableWord(std::string_view text) : word(text) {
    for (size_t i = 0; i < 8; ++i) {
      head = head << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
    }
  }
  friend bool operator<(const SortableWord& a, const SortableWord& b) {
    return a.head != b.head ? a.head < b.head : a.word < b.word;
  }

  uint64_t head = 0;
  std::string_view word;
};

std::shared_ptr<const Dfa> byte_dictionary(std::span<const std::string_view> words) {
  std::vector<SortableWord> sorted(words.begin(), words.end());
  if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
  Builder builder;
  for (const SortableWord& entry : sorted) builder.add(entry.word);
  std::vector<Symbol> letters(256);
  std::iota(letters.begin(), letters.end(), 0);
  return finish(builder, Alphabet::kBytes, letters);
}

std::shared_ptr<const Dfa> code_point_dictionary(std::span<const std::string_view> words) {
  std::vector<std::vector<Symbol>> sorted;
  std::vector<Symbol> letters;
  for (std::string_view word : words) {
    sorted.push_back(decode(word, Alphabet::kCodePoints));
    letters.insert(letters.end(), sorted.back().begin(), sorted.back().end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  Builder builder;
  for (std::vector<Symbol>& word : sorted) {
    for (Symbol& symbol : word) {
      auto at = std::lower_bound(letters.begin(), letters.end(), symbol);
      symbol = static_cast<Symbol>(at - letters.begin());
    }
    builder.add(word);
  }
  return finish(builder, Alphabet::kCodePoints, letters);
}

}  // namespace

std::shared_ptr<const Dfa> dictionary(std::span<const std::string_view> words, Alphabet alphabet) {
  if (words.empty()) {
    Dfa none;
    none.alphabet = alphabet;
    none.is_canonical = true;
    return std::make_shared<const Dfa>(none);
  }
  return alphabet == Alphabet::kBytes ? byte_dictionary(words) : code_point_dictionary(words);
}

}  // namespace nacre::regular
