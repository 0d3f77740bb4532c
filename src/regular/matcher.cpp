#include "regular/matcher.h"

#include <cassert>
#include <cstring>

#include "regular/terms.h"

namespace nacre::regular {

Matcher::Matcher(Lang lang) : lang_(lang), next_(256, kUnknown) {
  assert(lang.context().alphabet() == Alphabet::kBytes);
  terms_.push_back(TermStore::kEmpty);  // of state 0, which no word reaches
  accepting_.push_back(0);
  settled_.push_back(0);
  state_of(TermStore::kEmpty);
  start_ = state_of(lang.id());
}

Matcher::State Matcher::state_of(TermId id) {
  uint32_t& known = states_[static_cast<uint64_t>(id)];
  if (known != IdMap::kAbsent) return known;
  known = static_cast<State>(next_.size());
  TermStore& terms = lang_.context().terms();
  next_.resize(next_.size() + 256, id == TermStore::kEmpty ? kDead : kUnknown);
  terms_.push_back(id);
  accepting_.push_back(terms.nullable(id) ? 1 : 0);
  Term t = terms.term(id);
  CharSet line = CharSet::of('\n').complement(Alphabet::kBytes);
  bool holds_all = t.op == Op::kStar && terms.term(TermId{t.a}).op == Op::kSet &&
                   terms.set(t.symbols).contains(line);
  settled_.push_back(id == TermStore::kEmpty || holds_all ? 1 : 0);
  return known;
}

void Matcher::fill(State state) {
  TermStore& terms = lang_.context().terms();
  std::fill_n(next_.begin() + state, 256, kDead);
  for (Arc move : terms.moves(terms_[state / 256])) {
    State target = state_of(move.target);
    for (SymbolRange range : terms.set(move.set).ranges()) {
      for (Symbol symbol = range.first; symbol <= range.last; ++symbol) {
        next_[state + symbol] = target;
      }
    }
  }
}

Matcher::State Matcher::run(const char* begin, const char* end) {
  State state = start_;
  while (begin != end && !is_settled(state)) {
    State next = next_[state + static_cast<unsigned char>(*begin)];
    if (next == kUnknown) {
      fill(state);
    } else {
      state = next;
      ++begin;
    }
  }
  return state;
}

bool Matcher::matches(std::string_view word) {
  State state = start_;
  for (size_t i = 0; i < word.size() && state != kDead;) {
    State next = next_[state + static_cast<unsigned char>(word[i])];
    if (next == kUnknown) {
      fill(state);
    } else {
      state = next;
      ++i;
    }
  }
  return accepts(state);
}

size_t Matcher::count_lines(std::string_view text) {
  size_t count = 0;
  const char* end = text.data() + text.size();
  for (const char* line = text.data(); line != end;) {
    const auto* newline =
        static_cast<const char*>(memchr(line, '\n', static_cast<size_t>(end - line)));
    if (newline == nullptr) newline = end;
    if (accepts(run(line, newline))) ++count;
    line = newline == end ? end : newline + 1;
  }
  return count;
}

}  // namespace nacre::regular
