#include "regular/strip.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "regular/fst.h"
#include "regular/match_pattern.h"
#include "regular/translate_match.h"

namespace nacre::regular {
namespace {

// Any prefix or suffix may go: what is left when the pattern is too large.
Transducer any_rest(Alphabet alphabet, uint32_t before, uint32_t after) {
  FstBuilder fst(alphabet);
  const uint32_t first = fst.add_state(), second = fst.add_state();
  const CharSet all = CharSet::all(alphabet);
  fst.arc(first, all, first, before);
  fst.arc(first, all, second, after);
  fst.arc(second, all, second, after);
  fst.accept(first);
  fst.accept(second);
  return Transducer(fst.finish(false));
}

// Guesses where the prefix ends. State dropping(q): inside the prefix, which has led the pattern to
// q. State copying(q): after it, or there is none; the pattern, having come to q, must not accept
// any more. State `settled`: nothing is left to check.
class PrefixMachine {
 public:
  PrefixMachine(const MatchDfa& pattern, Alphabet alphabet, Extreme extreme)
      : pattern_(pattern), extreme_(extreme), fst_(alphabet) {}

  Fst run() {
    for (size_t i = 0; i < 2 * pattern_.accepts.size() + 2; ++i) fst_.add_state();
    fst_.accept(kSettled);
    for (const CharSet& set : pattern_.classes) fst_.arc(kSettled, set, kSettled);
    const uint32_t start = pattern_.starts[0];
    if (extreme_ == Extreme::kShortest && accepts(start)) {
      for (const CharSet& set : pattern_.classes) fst_.arc(kStart, set, kSettled);
    } else {
      copy_from(kStart, start);
      drop_from(kStart, start);
    }
    fst_.accept(kStart);
    for (uint32_t q = 0; q < pattern_.accepts.size(); ++q) {
      fst_.accept(copying(q));
      copy_from(copying(q), q);
      drop_from(dropping(q), q);
      if (extreme_ == Extreme::kShortest || !accepts(q)) continue;
      fst_.accept(dropping(q));
      copy_from(dropping(q), q);
    }
    return fst_.finish();
  }

 private:
  static constexpr uint32_t kStart = 0, kSettled = 1;
  static uint32_t dropping(uint32_t q) { return 2 + 2 * q; }
  static uint32_t copying(uint32_t q) { return 3 + 2 * q; }
  [[nodiscard]] bool accepts(uint32_t q) const { return pattern_.accepts[q] != 0; }

  void copy_from(uint32_t state, uint32_t q) {
    for (uint32_t c = 0; c < pattern_.classes.size(); ++c) {
      const uint32_t next = pattern_.step(q, c);
      if (next == MatchDfa::kDead) {
        fst_.arc(state, pattern_.classes[c], kSettled);
      } else if (!accepts(next)) {
        fst_.arc(state, pattern_.classes[c], copying(next));
      }
    }
  }

  void drop_from(uint32_t state, uint32_t q) {
    for (uint32_t c = 0; c < pattern_.classes.size(); ++c) {
      const uint32_t next = pattern_.step(q, c);
      if (next == MatchDfa::kDead) continue;
      const bool ends = extreme_ == Extreme::kShortest && accepts(next);
      fst_.arc(state, pattern_.classes[c], ends ? kSettled : dropping(next), Fst::kDrop);
    }
  }

  const MatchDfa& pattern_;
  Extreme extreme_;
  FstBuilder fst_;
};

// Guesses where the shortest suffix begins, or that there is none. `later` holds the pattern's
// states for all beginnings that must not lead to a match at the end. The pattern is not nullable.
class ShortestSuffixMachine {
 public:
  ShortestSuffixMachine(const MatchDfa& pattern, Alphabet alphabet, const Budget& budget)
      : pattern_(pattern), budget_(budget), fst_(alphabet) {}

  std::optional<Fst> run() {
    number({Mode::kStart, 0, {}});
    for (size_t next = 0; next < queue_.size(); ++next) {
      if (queue_.size() > budget_.states) return std::nullopt;
      const State& state = queue_[next]->first;
      const uint32_t source = queue_[next]->second;
      for (uint32_t c = 0; c < pattern_.classes.size(); ++c) read(state, source, c);
      if (may_end(state)) fst_.accept(source);
    }
    return fst_.finish();
  }

 private:
  // kStart: nothing was read; kBefore: a suffix is still to come; kNone: there is none.
  enum class Mode : uint8_t { kStart, kBefore, kSuffix, kNone };
  struct State {
    Mode mode;
    uint32_t suffix;
    std::vector<uint32_t> later;
    friend bool operator<(const State& a, const State& b) {
      return std::tie(a.mode, a.suffix, a.later) < std::tie(b.mode, b.suffix, b.later);
    }
  };

  uint32_t number(State state) {
    const auto [entry, is_new] = numbers_.try_emplace(std::move(state), fst_.size());
    if (is_new) {
      fst_.add_state();
      queue_.push_back(entry);
    }
    return entry->second;
  }

  void read(const State& state, uint32_t source, uint32_t c) {
    const CharSet& set = pattern_.classes[c];
    const uint32_t first = pattern_.step(pattern_.starts[0], c);
    if (state.mode == Mode::kStart || state.mode == Mode::kBefore) {
      fst_.arc(source, set, number({Mode::kBefore, 0, {}}));
      if (first != MatchDfa::kDead) {
        fst_.arc(source, set, number({Mode::kSuffix, first, {}}), Fst::kDrop);
      }
      if (state.mode == Mode::kStart) {
        fst_.arc(source, set, number({Mode::kNone, 0, advance({}, first, c)}));
      }
      return;
    }
    State next = {state.mode, 0, advance(state.later, first, c)};
    if (state.mode == Mode::kSuffix) {
      next.suffix = pattern_.step(state.suffix, c);
      if (next.suffix == MatchDfa::kDead) return;
    }
    const uint32_t copy = state.mode == Mode::kSuffix ? Fst::kDrop : Fst::kSame;
    fst_.arc(source, set, number(std::move(next)), copy);
  }

  [[nodiscard]] std::vector<uint32_t> advance(const std::vector<uint32_t>& later, uint32_t first,
                                              uint32_t c) const {
    std::vector<uint32_t> result;
    if (first != MatchDfa::kDead) result.push_back(first);
    for (const uint32_t q : later) {
      if (const uint32_t next = pattern_.step(q, c); next != MatchDfa::kDead) {
        result.push_back(next);
      }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  [[nodiscard]] bool may_end(const State& state) const {
    const auto accepts = [&](uint32_t q) { return pattern_.accepts[q] != 0; };
    if (std::any_of(state.later.begin(), state.later.end(), accepts)) return false;
    switch (state.mode) {
      case Mode::kStart:
      case Mode::kNone: return true;
      case Mode::kBefore: return false;
      case Mode::kSuffix: return accepts(state.suffix);
    }
    return false;
  }

  const MatchDfa& pattern_;
  const Budget& budget_;
  FstBuilder fst_;
  std::map<State, uint32_t> numbers_;
  std::vector<std::map<State, uint32_t>::const_iterator> queue_;
};

}  // namespace

Transducer strip_prefix(Lang pattern, Extreme extreme, const Budget& budget) {
  const MatchPattern prepared = match_pattern(pattern, budget);
  if (!prepared.whole.is_exact) return any_rest(prepared.alphabet, Fst::kDrop, Fst::kSame);
  return Transducer(PrefixMachine(prepared.whole, prepared.alphabet, extreme).run());
}

// The longest suffix is the leftmost match at the end.
Transducer strip_suffix(Lang pattern, Extreme extreme, const Budget& budget) {
  const MatchPattern prepared = match_pattern(pattern, budget);
  if (extreme == Extreme::kLongest) {
    return translate_match(anchored(prepared, Anchor::kEnd), replacement_text(""), {}, budget);
  }
  if (prepared.whole.is_exact && is_nullable(pattern)) return {};
  if (prepared.whole.is_exact) {
    auto fst = ShortestSuffixMachine(prepared.whole, prepared.alphabet, budget).run();
    if (fst) return Transducer(std::move(*fst));
  }
  return any_rest(prepared.alphabet, Fst::kSame, Fst::kDrop);
}

}  // namespace nacre::regular
