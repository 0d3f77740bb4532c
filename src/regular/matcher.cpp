#include "regular/matcher.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>

#include "regular/terms.h"

namespace nacre::regular {

LineMatcher::LineMatcher(Lang lang) : lang_(lang) {
  assert(lang.context().alphabet() == Alphabet::kBytes);
}

LineMatcher::State LineMatcher::state_of(TermId id) {
  TermStore& terms = lang_.context().terms();
  if (skips_ && id == TermStore::kEmpty) return kRejects;
  Term t = terms.term(id);
  if (skips_ && t.op == Op::kStar && terms.term(TermId{t.a}).op == Op::kSet) {
    CharSet line = CharSet::of('\n').complement(Alphabet::kBytes);
    if (terms.set(t.symbols).contains(line)) return kAccepts;
  }
  uint32_t known = states_[static_cast<uint64_t>(id)];
  return known != IdMap::kAbsent ? known : add_state(id);
}

LineMatcher::State LineMatcher::add_state(TermId id) {
  auto state = static_cast<State>(next_.size());
  states_[static_cast<uint64_t>(id)] = state;
  next_.resize(next_.size() + 256, kUnknown);
  terms_.push_back(id);
  accepting_.push_back(lang_.context().terms().nullable(id) ? 1 : 0);
  return state;
}

void LineMatcher::fill(State state) {
  TermStore& terms = lang_.context().terms();
  State dead = state_of(TermStore::kEmpty);
  std::fill_n(next_.begin() + state, 256, dead);
  for (Arc move : terms.moves(terms_[state / 256])) {
    State target = state_of(move.target);
    for (SymbolRange range : terms.set(move.set).ranges()) {
      std::fill(next_.begin() + state + range.first, next_.begin() + state + range.last + 1,
                target);
    }
  }
  next_[state + '\n'] = accepting_[state / 256] != 0 ? matched_start_ : start_;
}

bool LineMatcher::advance(Cursor& cursor) {
  State next = next_[cursor.state + static_cast<unsigned char>(*cursor.at)];
  if (next == kUnknown) {
    fill(cursor.state);
    return true;
  }
  if ((next & kSpecial) == 0) {
    cursor.matching += next & 1;
    cursor.state = next;
    ++cursor.at;
  } else {
    cursor.matching += next == kAccepts ? 1 : 0;
    auto left = static_cast<size_t>(cursor.end - cursor.at);
    cursor.at = static_cast<const char*>(memchr(cursor.at, '\n', left)) + 1;
    cursor.state = start_;
  }
  return cursor.at != cursor.end;
}

// Reads ordinary bytes at all cursors in turn, up to one that is special or the last of a cursor.
// Each byte waits for the state that the byte before it leads to; this way the processor waits for
// many states at once. The states are locals, so that they stay in registers.
template <size_t... kEach>
void LineMatcher::advance_together(Cursors& cursors, std::index_sequence<kEach...>) {
  const State* next = next_.data();
  const char* at[] = {cursors[kEach].at...};
  State states[] = {cursors[kEach].state...};
  auto steps = static_cast<size_t>(std::min({(cursors[kEach].end - cursors[kEach].at)...}));
  size_t matching = 0;
  for (size_t i = 0; i + 1 < steps; ++i) {
    const State after[] = {next[states[kEach] + static_cast<unsigned char>(at[kEach][i])]...};
    const uint64_t sum = (uint64_t{after[kEach]} + ...);
    if (sum >= kSpecial) {
      steps = i + 1;
      break;
    }
    matching += sum & 15;  // how many are odd; the next bits are zero
    ((states[kEach] = after[kEach]), ...);
  }
  ((cursors[kEach].at += steps - 1), ...);
  ((cursors[kEach].state = states[kEach]), ...);
  cursors[0].matching += matching;
}

size_t LineMatcher::count_whole_lines(std::string_view text) {
  Cursors cursors{};
  bool all_busy = true;
  for (size_t i = 0, begin = 0; i < kCursors; ++i) {
    size_t newline = text.find('\n', begin + (text.size() - begin) / (kCursors - i));
    size_t end = newline == text.npos ? text.size() : newline + 1;
    cursors[i] = {text.data() + begin, text.data() + end, start_, 0};
    all_busy &= begin != end;
    begin = end;
  }
  while (all_busy) {
    advance_together(cursors, std::make_index_sequence<kCursors>());
    for (Cursor& cursor : cursors) all_busy &= advance(cursor);
  }
  size_t matching = 0;
  for (Cursor& cursor : cursors) {
    while (cursor.at != cursor.end) advance(cursor);
    matching += cursor.matching;
  }
  return matching;
}

size_t LineMatcher::count(std::string_view text) {
  if (start_ == kUnknown) {
    constexpr ptrdiff_t kLongLine = 40;
    std::string_view sample = text.substr(0, 4096);
    skips_ = std::count(sample.begin(), sample.end(), '\n') * kLongLine < std::ssize(sample);
    matched_start_ = add_state(lang_.id()) + 1;
    add_state(lang_.id());  // its row reaches into the next one, which stays unused
    start_ = add_state(lang_.id());
  }
  size_t whole = text.rfind('\n') + 1;  // 0 if there is none
  size_t matching = whole == 0 ? 0 : count_whole_lines(text.substr(0, whole));
  if (whole < text.size()) matching += count_whole_lines(std::string(text.substr(whole)) + '\n');
  return matching;
}

}  // namespace nacre::regular
