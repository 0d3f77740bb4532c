#include "regular/line_select.h"

#include <algorithm>

#include "regular/fst.h"

namespace nacre::regular {
namespace {

const CharSet& newline() {
  static const CharSet kNewline = CharSet::of('\n');
  return kNewline;
}

CharSet text(Alphabet alphabet) { return CharSet::all(alphabet) - newline(); }

// Any relation between a text and a subsequence of it: what is left when a count is too large.
Transducer any_part(Alphabet alphabet) {
  FstBuilder fst(alphabet);
  const uint32_t state = fst.add_state();
  fst.arc(state, CharSet::all(alphabet), state, Fst::kSame);
  fst.arc(state, CharSet::all(alphabet), state, Fst::kDrop);
  fst.accept(state);
  return Transducer(fst.finish(false));
}

}  // namespace

Transducer each_line(Alphabet alphabet, Pieces pieces) {
  FstBuilder fst(alphabet);
  const uint32_t choose = fst.add_state();  // at the start of a piece that may be taken
  const uint32_t skip = fst.add_state();
  const uint32_t take = fst.add_state();
  const uint32_t done = fst.add_state();
  fst.arc(choose, text(alphabet), take);
  fst.arc(choose, text(alphabet), skip, Fst::kDrop);
  fst.arc(choose, newline(), choose, Fst::kDrop);
  fst.arc(choose, newline(), done, Fst::kDrop);
  fst.arc(skip, text(alphabet), skip, Fst::kDrop);
  fst.arc(skip, newline(), choose, Fst::kDrop);
  fst.arc(take, text(alphabet), take);
  fst.arc(take, newline(), done, Fst::kDrop);
  fst.arc(done, CharSet::all(alphabet), done, Fst::kDrop);
  if (pieces == Pieces::kSegments) fst.accept(choose);
  fst.accept(take);
  fst.accept(done);
  return Transducer(fst.finish());
}

// State i: i lines were seen. `before` says what happens to the first `count` lines, `after` to the
// others.
static Transducer by_first_lines(Alphabet alphabet, uint64_t count, const Budget& budget,
                                 uint32_t before, uint32_t after) {
  if (count >= budget.states) return any_part(alphabet);
  FstBuilder fst(alphabet);
  for (uint64_t i = 0; i <= count; ++i) fst.accept(fst.add_state());
  const auto last = static_cast<uint32_t>(count);
  for (uint32_t i = 0; i < last; ++i) {
    fst.arc(i, text(alphabet), i, before);
    fst.arc(i, newline(), i + 1, before);
  }
  fst.arc(last, CharSet::all(alphabet), last, after);
  return Transducer(fst.finish());
}

Transducer first_lines(Alphabet alphabet, uint64_t count, const Budget& budget) {
  return by_first_lines(alphabet, count, budget, Fst::kSame, Fst::kDrop);
}

Transducer without_first_lines(Alphabet alphabet, uint64_t count, const Budget& budget) {
  return by_first_lines(alphabet, count, budget, Fst::kDrop, Fst::kSame);
}

// Guesses where the last `count` lines begin, and then counts that exactly that number follow. A
// text that has no more lines than that has no part before: its counting may begin at any number.
static Transducer by_last_lines(Alphabet alphabet, uint64_t count, const Budget& budget,
                                uint32_t before, uint32_t after) {
  if (count == 0) return by_first_lines(alphabet, 0, budget, before, before);
  if (count >= budget.states / 2) return any_part(alphabet);
  FstBuilder fst(alphabet);
  const uint32_t start = fst.add_state();
  const uint32_t in_line = fst.add_state();  // of the part before
  const uint32_t at_line = fst.add_state();
  const uint32_t counted = fst.add_state();  // counted + 2 * i: after i lines; - 1: in the i-th
  for (uint64_t i = 0; i < 2 * count; ++i) fst.add_state();
  const auto last = static_cast<uint32_t>(counted + 2 * count);
  for (const uint32_t state : {start, in_line, at_line}) {
    fst.arc(state, text(alphabet), in_line, before);
    fst.arc(state, newline(), at_line, before);
  }
  const auto read_line = [&](uint32_t from, uint32_t line) {
    fst.arc(from, text(alphabet), line, after);
    fst.arc(from, newline(), line + 1, after);
  };
  read_line(at_line, counted + 1);
  for (uint32_t state = counted; state < last; state += 2) {
    read_line(start, state + 1);
    read_line(state, state + 1);
    read_line(state + 1, state + 1);
  }
  fst.accept(start);
  fst.accept(last - 1);
  fst.accept(last);
  return Transducer(fst.finish());
}

Transducer last_lines(Alphabet alphabet, uint64_t count, const Budget& budget) {
  return by_last_lines(alphabet, count, budget, Fst::kDrop, Fst::kSame);
}

Transducer without_last_lines(Alphabet alphabet, uint64_t count, const Budget& budget) {
  return by_last_lines(alphabet, count, budget, Fst::kSame, Fst::kDrop);
}

Transducer without_trailing_newlines(Alphabet alphabet) {
  FstBuilder fst(alphabet);
  const uint32_t copying = fst.add_state();
  const uint32_t trailing = fst.add_state();
  const uint32_t inside = fst.add_state();  // after a newline that text must still follow
  fst.arc(copying, text(alphabet), copying);
  fst.arc(copying, newline(), trailing, Fst::kDrop);
  fst.arc(copying, newline(), inside);
  fst.arc(trailing, newline(), trailing, Fst::kDrop);
  fst.arc(inside, newline(), inside);
  fst.arc(inside, text(alphabet), copying);
  fst.accept(copying);
  fst.accept(trailing);
  return Transducer(fst.finish());
}

}  // namespace nacre::regular
