// Regular languages as values. A Lang is a handle of 16 bytes to an immutable, hash-consed extended
// regular expression (with intersection, complement, counters, and automata as leaves) that lives
// in a Context. Building one costs microseconds and never builds an automaton; questions about it
// are answered lazily by derivatives (decide.h), explicit automata are made on demand (dfa.h).
//
//   Context cx(Alphabet::kBytes);
//   Lang digits = plus(cx.set(CharSet::range('0', '9')));
//   Lang id = cx.literal("id=") + digits;
//   if (Verdict v = included(id, other); v.no()) show(v.witness);
//
// Lifetime and threads: a Context owns its terms and must outlive its Langs; Langs of two contexts
// must not meet in one operation. A Context is used by one thread at a time (questions, too, fill
// its tables); parallel checks have one each. What they share is immutable: a Dfa (dfa.h), made
// once, can be a leaf in any number of contexts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "regular/char_set.h"

namespace nacre::regular {

class Context;
class TermStore;
struct Memo;
struct Dfa;
enum class TermId : uint32_t {};

// Whether a language is what was meant, or what was left of it when a budget ran out.
enum class Bound : uint8_t { kExact, kSuperset, kSubset, kUnknown };

constexpr bool covers(Bound bound) { return bound == Bound::kExact || bound == Bound::kSuperset; }
constexpr bool is_covered(Bound bound) { return bound == Bound::kExact || bound == Bound::kSubset; }

class Lang {
 public:
  Lang(Context& context, TermId id, Bound bound = Bound::kExact)
      : context_(&context), id_(id), bound_(bound) {}

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] TermId id() const;
  // For tables: different languages of a context have different keys, but one may have several.
  [[nodiscard]] uint32_t key() const { return static_cast<uint32_t>(id_); }
  [[nodiscard]] Bound bound() const { return bound_; }
  [[nodiscard]] bool is_exact() const { return bound_ == Bound::kExact; }

  // The same term, hence the same language; the converse holds for canonical() ones (dfa.h), and
  // equivalent() (decide.h) decides it for all. Constant time.
  friend bool operator==(Lang a, Lang b);
  friend Lang operator+(Lang a, Lang b);  // concatenation

 private:
  Context* context_;
  TermId id_;  // may be a number of Context::spell()
  Bound bound_;
};

class Context {
 public:
  explicit Context(Alphabet alphabet = Alphabet::kBytes);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Alphabet alphabet() const;

  Lang empty();                         // no word at all
  Lang epsilon();                       // the empty word only
  Lang all();                           // every word
  Lang set(const CharSet& symbols);     // the words of one symbol of the set
  Lang literal(std::string_view word);  // one word, coded as char_set.h says
  // The words a shared automaton accepts; it takes part in lazy operations without being expanded.
  // Its alphabet is the context's.
  Lang automaton(std::shared_ptr<const Dfa> dfa);
  // The union of words, in any order, repeated or not. Linear in the text: 100,000 words take tens
  // of milliseconds. (dictionary.h makes the Dfa, to be shared between contexts.)
  Lang words(std::span<const std::string_view> words);

  // No later operation or question within this context spends more than `limit`, whatever budget it
  // is given: for analyses that ask thousands of questions and want an answer soon. Once all of
  // them together have made `total` states, each may make only `least`.
  void set_limit(const Budget& limit, uint64_t total = ~uint64_t{0}, uint64_t least = 0);
  [[nodiscard]] Budget limited(const Budget& budget) const;
  void spend(uint64_t states) { spent_ += states; }
  [[nodiscard]] uint64_t spent() const { return spent_; }

  // Most literals, and concatenations of them, are never queried, so their terms (one per letter)
  // are built lazily. Until then an id has this bit and counts them.
  static constexpr uint32_t kWaits = uint32_t{1} << 31;
  static constexpr bool waits(TermId id) { return (static_cast<uint32_t>(id) & kWaits) != 0; }
  TermId spell(TermId waiting);

  // For the files of this module: the terms themselves (terms.h), and what was found out (memo.h).
  [[nodiscard]] TermStore& terms() { return *terms_; }
  [[nodiscard]] Memo& memo() { return *memo_; }

 private:
  std::unique_ptr<TermStore> terms_;
  std::unique_ptr<Memo> memo_;
  Budget limit_ = {~uint64_t{0}, ~uint64_t{0}, {}};
  uint64_t total_ = ~uint64_t{0};
  uint64_t least_ = 0;
  uint64_t spent_ = 0;
};

inline TermId Lang::id() const { return Context::waits(id_) ? context_->spell(id_) : id_; }

inline bool operator==(Lang a, Lang b) {
  if (a.context_ != b.context_) return false;
  return a.id_ == b.id_ || ((Context::waits(a.id_) || Context::waits(b.id_)) && a.id() == b.id());
}

inline constexpr uint32_t kUnbounded = ~uint32_t{0};

// Operations. All are cheap and purely symbolic: they normalise (units, absorption, x & !x, merged
// counters) but never search. Bounds follow: the complement of a superset is a subset.
Lang operator+(Lang a, Lang b);  // concatenation
Lang operator|(Lang a, Lang b);  // union
Lang operator&(Lang a, Lang b);  // intersection
Lang operator-(Lang a, Lang b);  // difference
Lang operator!(Lang a);          // complement, relative to every word of the alphabet
Lang star(Lang a);
Lang plus(Lang a);
Lang optional(Lang a);
// Between `least` and `most` times (kUnbounded: no limit). Counters stay symbolic: {1000}{1000} is
// one small term. Bounds from kUnbounded up count as unbounded; most < least gives the empty
// language.
Lang repeat(Lang a, uint32_t least, uint32_t most);
// The words of `a` read backwards. Automaton leaves are reversed and determinised.
Lang reverse(Lang a);

// The n-ary forms, much cheaper than folding for long lists.
Lang concat(Context& context, std::span<const Lang> parts);
Lang any_of(Context& context, std::span<const Lang> parts);
Lang all_of(Context& context, std::span<const Lang> parts);

// { w : prefix w in a }.
Lang derivative(Lang a, Symbol symbol);
Lang derivative(Lang a, std::string_view prefix);
// Is the empty word in `a`?
bool is_nullable(Lang a);
// The symbols that begin a word of `a`; a superset only if a term denotes the empty language
// without being cx.empty().
CharSet first_symbols(Lang a);
// A superset of the symbols that occur in words of `a` (exact without intersections, complements).
CharSet symbols_of(Lang a);
// What a language was built from: the factors of a concatenation in order (of anything else, itself
// alone), and the set S of a language S*.
std::vector<Lang> factors_of(Lang a);
std::optional<CharSet> starred_set(Lang a);
// Whether these show that every word but the empty one ends with the symbol. A "no" may be wrong:
// it is not searched for.
bool ends_with(Lang a, Symbol symbol);
// Membership: linear in the word.
bool contains(Lang a, std::string_view word);

}  // namespace nacre::regular
