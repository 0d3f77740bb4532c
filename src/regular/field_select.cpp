#include "regular/field_select.h"

#include <algorithm>

#include "regular/fst.h"

namespace nacre::regular {
namespace {

bool selects(const NumberList& list, uint64_t number) {
  return std::any_of(list.begin(), list.end(), [number](NumberRange range) {
    return range.first <= number && number <= range.last;
  });
}

bool begins_range(const NumberList& list, uint64_t number) {
  return std::any_of(list.begin(), list.end(),
                     [number](NumberRange range) { return range.first == number; });
}

// From this number on the list selects all or nothing, and no range begins.
uint64_t settled_from(const NumberList& list) {
  if (list.empty()) return 1;
  const NumberRange range = list.back();
  return range.last == NumberRange::kNoEnd ? range.first + 1 : range.last + 1;
}

// The numbers that a machine can tell apart: 1 .. count, the last standing for all beyond.
struct Numbers {
  uint32_t count;
  bool is_exact;

  Numbers(const NumberList& list, const Budget& budget) {
    const uint64_t settled = settled_from(list);
    is_exact = settled < budget.states / 4;
    count = static_cast<uint32_t>(is_exact ? settled : budget.states / 4);
  }
  [[nodiscard]] uint32_t after(uint32_t number) const { return std::min(number + 1, count); }
};

// How a symbol of number n may be treated; both ways if n stands for numbers that differ.
struct Choice {
  bool may_keep, may_drop;
};

Choice choose(const NumberList& list, const Numbers& numbers, uint32_t number) {
  if (!numbers.is_exact && number == numbers.count) return {true, true};
  const bool keep = selects(list, number);
  return {keep, !keep};
}

// States of field_select(): before the first delimiter one does not know yet whether there is one,
// so the machine guesses. `plain`: there is none. The others come in pairs for field n: nothing
// printed yet, or something, so that the next field needs the output delimiter.
class FieldMachine {
 public:
  FieldMachine(const FieldOptions& options, const Budget& budget)
      : options_(options),
        numbers_(options.list, budget),
        fst_(options.alphabet),
        delimiter_(CharSet::of(options.delimiter)),
        text_(CharSet::all(options.alphabet) - delimiter_) {}

  Fst run() {
    const uint32_t start = fst_.add_state();
    add_plain_lines(start);
    // Field 1 before and after the first delimiter are different: only then may the line end.
    const uint32_t first = fst_.add_state();
    fields_ = fst_.size();
    for (uint32_t i = 0; i < 2 * numbers_.count; ++i) fst_.accept(fst_.add_state());
    add_first_field(start, first);
    for (uint32_t number = 2; number <= numbers_.count; ++number) add_field(number);
    if (numbers_.count == 1) add_field(1);
    return fst_.finish(numbers_.is_exact);
  }

 private:
  [[nodiscard]] uint32_t field(uint32_t number, bool has_printed) const {
    return fields_ + 2 * (number - 1) + (has_printed ? 1 : 0);
  }

  void add_plain_lines(uint32_t start) {
    if (options_.only_delimited) return;
    const uint32_t plain = fst_.add_state();
    fst_.arc(start, text_, plain);
    fst_.arc(plain, text_, plain);
    fst_.accept(start);
    fst_.accept(plain);
  }

  void add_first_field(uint32_t start, uint32_t first) {
    const Choice choice = choose(options_.list, numbers_, 1);
    for (const uint32_t state : {start, first}) {
      if (choice.may_keep) {
        fst_.arc(state, text_, first, Fst::kSame);
        add_delimiter(state, 1, true);
      }
      if (choice.may_drop) {
        fst_.arc(state, text_, first, Fst::kDrop);
        add_delimiter(state, 1, false);
      }
    }
  }

  void add_field(uint32_t number) {
    const Choice choice = choose(options_.list, numbers_, number);
    for (const bool has_printed : {false, true}) {
      const uint32_t state = field(number, has_printed);
      // A state that has printed nothing cannot be inside a kept field.
      if (choice.may_keep && has_printed) fst_.arc(state, text_, state, Fst::kSame);
      if (choice.may_drop) fst_.arc(state, text_, state, Fst::kDrop);
      add_delimiter(state, number, has_printed);
    }
  }

  // The delimiter that ends field `number` is printed in front of the next field, if at all.
  void add_delimiter(uint32_t from, uint32_t number, bool has_printed) {
    const uint32_t next = numbers_.after(number);
    const Choice choice = choose(options_.list, numbers_, next);
    if (choice.may_keep && has_printed) {
      if (options_.output_delimiter) {
        const uint32_t text = fst_.insert(*options_.output_delimiter);
        fst_.arc(from, delimiter_, field(next, true), Fst::kDrop, text);
      } else {
        fst_.arc(from, delimiter_, field(next, true), Fst::kSame);
      }
    }
    if (choice.may_keep && !has_printed) {
      fst_.arc(from, delimiter_, field(next, true), Fst::kDrop);
    }
    if (choice.may_drop) fst_.arc(from, delimiter_, field(next, has_printed), Fst::kDrop);
  }

  const FieldOptions& options_;
  Numbers numbers_;
  FstBuilder fst_;
  CharSet delimiter_, text_;
  uint32_t fields_ = 0;
};

}  // namespace

Transducer field_select(const FieldOptions& options, const Budget& budget) {
  return Transducer(FieldMachine(options, budget).run());
}

// State 2n + p: n positions were read (capped), p: something was printed. Over bytes of UTF-8, the
// continuation bytes belong to the position before them.
Transducer position_select(const PositionOptions& options, const Budget& budget) {
  FstBuilder fst(options.alphabet);
  const Numbers numbers(options.list, budget);
  const bool by_character =
      options.count_by == CountBy::kCharacter && options.alphabet == Alphabet::kBytes;
  const CharSet inner = by_character ? CharSet::range(0x80, 0xBF) : CharSet();
  const CharSet leading = CharSet::all(options.alphabet) - inner;
  for (uint32_t i = 0; i < 2 * (numbers.count + 1); ++i) fst.accept(fst.add_state());
  const uint32_t delimiter = fst.insert(options.output_delimiter);
  for (uint32_t read = 0; read <= numbers.count; ++read) {
    for (const uint32_t printed : {0u, 1u}) {
      const uint32_t state = 2 * read + printed;
      const uint32_t number = numbers.after(read);
      const Choice next = choose(options.list, numbers, number);
      const bool is_known = !(next.may_keep && next.may_drop);
      const bool begins = printed && begins_range(options.list, number);
      if (next.may_keep && (begins || !is_known)) {
        fst.arc(state, leading, 2 * number + 1, Fst::kSame, delimiter);
      }
      if (next.may_keep && !begins) fst.arc(state, leading, 2 * number + 1, Fst::kSame);
      if (next.may_drop) fst.arc(state, leading, 2 * number + printed, Fst::kDrop);
      const Choice here = choose(options.list, numbers, read);
      if (here.may_keep) fst.arc(state, inner, state, Fst::kSame);
      if (here.may_drop) fst.arc(state, inner, state, Fst::kDrop);
    }
  }
  return Transducer(fst.finish(numbers.is_exact));
}

}  // namespace nacre::regular
