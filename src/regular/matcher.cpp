#include "regular/matcher.h"

#include <cassert>
#include <cstring>
#include <string>

#include "regular/terms.h"

namespace nacre::regular {

LineMatcher::LineMatcher(Lang lang) : lang_(lang), start_(state_of(lang.id())) {
  assert(lang.context().alphabet() == Alphabet::kBytes);
}

LineMatcher::State LineMatcher::state_of(TermId id) {
  TermStore& terms = lang_.context().terms();
  if (id == TermStore::kEmpty) return kRejects;
  Term t = terms.term(id);
  if (t.op == Op::kStar && terms.term(TermId{t.a}).op == Op::kSet) {
    CharSet line = CharSet::of('\n').complement(Alphabet::kBytes);
    if (terms.set(t.symbols).contains(line)) return kAccepts;
  }
  uint32_t& known = states_[static_cast<uint64_t>(id)];
  if (known != IdMap::kAbsent) return known;
  known = static_cast<State>(next_.size());
  next_.resize(next_.size() + 256, kUnknown);
  next_[known + '\n'] = kLineEnd;
  terms_.push_back(id);
  accepting_.push_back(t.nullable ? 1 : 0);
  return known;
}

void LineMatcher::fill(State state) {
  TermStore& terms = lang_.context().terms();
  std::fill_n(next_.begin() + state, 256, kRejects);
  for (Arc move : terms.moves(terms_[state / 256])) {
    State target = state_of(move.target);
    for (SymbolRange range : terms.set(move.set).ranges()) {
      std::fill(next_.begin() + state + range.first, next_.begin() + state + range.last + 1,
                target);
    }
  }
  next_[state + '\n'] = kLineEnd;
}

bool LineMatcher::matches_next(const char*& at, const char* end) {
  State state = start_;
  State next = start_;
  const char* p = at;
  if ((start_ & kSpecial) == 0) {
    for (const State* table = next_.data();;) {
      next = table[state + static_cast<unsigned char>(*p)];
      if ((next & kSpecial) == 0) {
        state = next;
        ++p;
      } else if (next == kUnknown) {
        fill(state);
        table = next_.data();
      } else {
        break;
      }
    }
  }
  if (next == kLineEnd) {
    at = p + 1;
    return accepting_[state / 256] != 0;
  }
  at = static_cast<const char*>(memchr(p, '\n', static_cast<size_t>(end - p))) + 1;
  return next == kAccepts;
}

size_t LineMatcher::count(std::string_view text) {
  size_t matching = 0;
  size_t whole = text.rfind('\n') + 1;  // 0 if there is none
  const char* end = text.data() + whole;
  for (const char* at = text.data(); at != end;) matching += matches_next(at, end) ? 1 : 0;
  if (whole < text.size()) matching += count(std::string(text.substr(whole)) + '\n');
  return matching;
}

}  // namespace nacre::regular
