// Sets of words as minimal automata over a small, fixed alphabet of letters. This is the arithmetic
// under the abstract domain (state.h): it needs what regular/'s symbolic languages do not show, the
// states themselves (cut a language where its automaton is in state q), at microseconds each. A
// letter stands for a class of code points (letters.h).
//
// Automata are hash-consed: two sets of words are equal if and only if their ids are. Binary
// operations are remembered. Not thread-safe: one store per analysis. When a set would need more
// than `max_states` states, or all of them took more than `max_work` transitions, the store is
// exhausted: from then on operations give supersets, which are not remembered, and nothing may be
// concluded from them (exhausted()) until allow_work() starts anew.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace nacre::python {

using Letter = uint16_t;
using Word = std::vector<Letter>;
using LetterSet = std::vector<bool>;  // one entry per letter
enum class Words : uint32_t {};       // a set of words in the store

inline constexpr uint32_t kNoState = ~uint32_t{0};
inline constexpr int64_t kInfinite = int64_t{1} << 40;

// Trim and minimal: every state is reachable and leads to acceptance. State 0 is the start (absent
// in the empty set).
struct Automaton {
  std::vector<uint32_t> next;  // state * letters + letter; kNoState: nowhere
  std::vector<uint8_t> accepting;
  int64_t min_length = 0;
  int64_t max_length = 0;  // kInfinite: no bound

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(accepting.size()); }
  friend bool operator==(const Automaton& a, const Automaton& b) {
    return a.next == b.next && a.accepting == b.accepting;
  }
};

class WordStore {
 public:
  explicit WordStore(uint32_t letters, uint32_t max_states = 4000, uint64_t max_work = 6'000'000);

  [[nodiscard]] uint32_t letters() const { return letters_; }
  [[nodiscard]] const Automaton& operator[](Words id) const {
    return *automata_[static_cast<uint32_t>(id)];
  }
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] uint64_t work() const { return work_; }
  // Starts counting work anew; what was exhausted is no more.
  void allow_work(uint64_t more) {
    max_work_ = work_ + more;
    exhausted_ = false;
  }

  // Makes a set from any deterministic automaton (not trim, not minimal, start at 0).
  Words add(Automaton raw);

  [[nodiscard]] Words none() const { return none_; }
  [[nodiscard]] Words empty_word() const { return empty_word_; }
  [[nodiscard]] Words all() const { return all_; }
  Words one_of(const LetterSet& letters);
  Words word(const Word& word);
  Words lengths(int64_t least, int64_t most);      // every word of these lengths
  Words remainder(int64_t modulus, int64_t rest);  // every word whose length is rest modulo modulus

  Words intersect(Words a, Words b);
  Words unite(Words a, Words b);
  Words minus(Words a, Words b);
  Words concat(Words a, Words b);
  Words star(Words a);
  Words reverse(Words a);
  // Words that lead from state p to state q; from the start to q; from p to acceptance.
  Words between(Words a, uint32_t p, uint32_t q);
  Words prefixes_to(Words a, uint32_t q) { return between(a, 0, q); }
  Words residual(Words a, uint32_t p);
  // A superset with fewer states: states that agree on all words up to length k become one.
  Words generalise(Words a, uint32_t k);
  // Every word over the letters that occur in a.
  Words over_letters_of(Words a);
  // Any automaton whose arcs read words. States are 0 .. accepting.size() - 1, the start is 0.
  struct WordArc {
    uint32_t source;
    Word word;
    uint32_t target;
  };
  Words from_arcs(const std::vector<WordArc>& arcs, const std::vector<uint8_t>& accepting);

  [[nodiscard]] bool is_empty(Words a) const { return a == none_; }
  [[nodiscard]] bool is_finite(Words a) const { return (*this)[a].max_length < kInfinite; }
  [[nodiscard]] bool contains(Words a, const Word& word) const;
  // The only word, if there is exactly one.
  [[nodiscard]] std::optional<Word> single(Words a) const;
  // All words in order of length, at most `limit` of them; nothing if there are more.
  [[nodiscard]] std::optional<std::vector<Word>> enumerate(Words a, size_t limit) const;
  // The first `limit` words, shortest first.
  [[nodiscard]] std::vector<Word> first_words(Words a, size_t limit) const;
  // Some word of exactly this length.
  [[nodiscard]] std::optional<Word> word_of_length(Words a, int64_t length) const;
  [[nodiscard]] LetterSet first_letters(Words a) const;
  [[nodiscard]] LetterSet letters_in(Words a) const;
  // The word of this length whose letters come first by `order` (a rank for each letter).
  [[nodiscard]] std::optional<Word> least_word(Words a, int64_t length,
                                               const std::vector<int64_t>& order) const;
  // Words of several lengths, shortest first, that look as if they were chosen at random.
  [[nodiscard]] std::vector<Word> varied_words(Words a, size_t limit) const;

 private:
  struct Nfa;
  enum class Op : uint8_t {
    kIntersect,
    kUnite,
    kMinus,
    kConcat,
    kStar,
    kReverse,
    kBetween,
    kResidual,
    kLengths
  };
  struct Key {
    Op op;
    uint64_t a, b, c;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };

  template <typename Make>
  Words remembered(Op op, uint64_t a, uint64_t b, uint64_t c, Make make);
  Words product(Words a, Words b, Op op);
  Words determinise(const Nfa& nfa);
  Words intern(Automaton minimal);
  Words exhaust();

  uint32_t letters_;
  uint32_t max_states_;
  uint64_t max_work_;
  uint64_t work_ = 0;  // transitions made so far
  bool exhausted_ = false;
  std::vector<const Automaton*> automata_;
  std::unordered_multimap<uint64_t, Words> by_hash_;
  std::vector<std::unique_ptr<Automaton>> owned_;
  std::unordered_map<Key, Words, KeyHash> memory_;
  Words none_{}, empty_word_{}, all_{};
};

}  // namespace nacre::python
