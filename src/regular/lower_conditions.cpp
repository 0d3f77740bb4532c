#include <algorithm>
#include <utility>

#include "regular/lowering.h"

namespace nacre::regular {

using regex::Position;

Lang Lowering::through_program(NodeId id, Lang prefix, Lang suffix) {
  if (drops_conditions_) return prefix + plain(id) + suffix;
  std::optional<ContextProgram> outer = std::exchange(program_, ContextProgram(cx_));
  const Place end = program_->consume(suffix, program_->accept());
  const Place start = program_->consume(prefix, compile(id, end));
  std::optional<ContextProgram::Outcome> outcome;
  if (!error_ && program_->size() <= options_.budget.states) {
    outcome = program_->run(start, false, options_.budget);
  }
  program_ = std::move(outer);
  if (outcome && outcome->is_complete) return outcome->language;
  const bool was_dropping = std::exchange(drops_conditions_, true);
  const Lang superset = prefix + plain(id) + suffix;
  drops_conditions_ = was_dropping;
  return Lang(cx_, superset.id(), Bound::kSuperset);
}

Place Lowering::compile(NodeId id, Place next) {
  if (!traits(id).has_conditions) return program_->consume(plain(id), next);
  if (program_->size() > options_.budget.states) return next;  // through_program() gives up
  return std::visit(
      Overloaded{[&](const regex::Sequence& list) {
                   const auto items = regex_.children(list);
                   Place place = next;
                   for (size_t i = items.size(); i-- > 0;) place = compile(items[i], place);
                   return place;
                 },
                 [&](const regex::Choice& list) {
                   const auto items = regex_.children(list);
                   Place place = compile(items.back(), next);
                   for (size_t i = items.size() - 1; i-- > 0;) {
                     place = program_->either(compile(items[i], next), place);
                   }
                   return place;
                 },
                 [&](const regex::Group& group) { return compile(group.body, next); },
                 [&](const regex::Repeat& repeat) { return compile_repeat(repeat, next); },
                 [&](const regex::Assert& assertion) {
                   return compile_position(assertion.position, next);
                 },
                 [&](const regex::Look& look) { return compile_look(id, look, next); },
                 [&](const auto&) { return program_->consume(plain(id), next); }},
      regex_.node(id));
}

Place Lowering::compile_position(Position position, Place next) {
  const Lang newline = characters(CharSet::of('\n'));
  switch (position) {
    case Position::kSubjectStart:
      return program_->demand_before(program_->track(cx_.epsilon()), true, next);
    case Position::kLineStart: {
      const Lang at_start = optional(everything_ + newline);
      return program_->demand_before(program_->track(at_start), true, next);
    }
    case Position::kSubjectEnd: return program_->demand(cx_.epsilon(), next);
    case Position::kFinalLineEnd: return program_->demand(optional(newline), next);
    case Position::kLineEnd: return program_->demand(optional(newline + everything_), next);
    case Position::kMatchStart: return next;
    default: return compile_word_edge(position, next);
  }
}

Place Lowering::compile_word_edge(Position position, Place next) {
  const Lang word = characters(regex_.word);
  const Lang word_follows = word + everything_;
  const TrackId word_before = program_->track(everything_ + word);
  const Place before_word = program_->demand(word_follows, next);
  const Place before_other = program_->demand(everything_ - word_follows, next);
  const Place start = program_->demand_before(word_before, false, before_word);
  const Place end = program_->demand_before(word_before, true, before_other);
  if (position == Position::kWordStart) return start;
  if (position == Position::kWordEnd) return end;
  if (position == Position::kWordBoundary) return program_->either(start, end);
  return program_->either(program_->demand_before(word_before, true, before_word),
                          program_->demand_before(word_before, false, before_other));
}

Place Lowering::compile_copies(NodeId body, uint32_t count, Place next) {
  for (; count > 0 && program_->size() <= options_.budget.states; --count) {
    next = compile(body, next);
  }
  return next;
}

Place Lowering::compile_repeat(const regex::Repeat& repeat, Place next) {
  if (repeat.greed == regex::Greed::kPossessive && !class_of(repeat.body).empty()) {
    return compile_possessive(repeat, next);
  }
  Place place = next;
  if (repeat.max == kUnbounded) {
    const Place loop = program_->forward();
    program_->resolve(loop, program_->either(compile(repeat.body, loop), next));
    place = loop;
  } else {
    for (uint32_t i = repeat.min; i < repeat.max; ++i) {
      if (program_->size() > options_.budget.states) break;
      place = program_->either(compile(repeat.body, place), next);
    }
  }
  return compile_copies(repeat.body, repeat.min, place);
}

// x{n,m}+ takes all it can: it stops at m, or earlier only where no x follows.
Place Lowering::compile_possessive(const regex::Repeat& repeat, Place next) {
  const Lang one = characters(class_of(repeat.body));
  const Place stops = program_->demand(everything_ - (one + everything_), next);
  if (repeat.max == kUnbounded) {
    return program_->consume(nacre::regular::repeat(one, repeat.min, kUnbounded), stops);
  }
  const Place full = program_->consume(nacre::regular::repeat(one, repeat.max, repeat.max), next);
  if (repeat.min == repeat.max) return full;
  const Lang fewer = nacre::regular::repeat(one, repeat.min, repeat.max - 1);
  return program_->either(full, program_->consume(fewer, stops));
}

Place Lowering::compile_look(NodeId id, const regex::Look& look, Place next) {
  if (look.is_negative && traits(look.body).is_inexact) {
    is_inexact_ = true;
    return next;
  }
  if (look.is_behind) return compile_lookbehind(id, look, next);
  if (const auto suffix = right_edge(look.body, everything_)) {
    return program_->demand(look.is_negative ? everything_ - *suffix : *suffix, next);
  }
  const Place end = program_->consume(everything_, program_->accept());
  return program_->demand_branch(compile(look.body, end), look.is_negative, next);
}

Place Lowering::compile_lookbehind(NodeId id, const regex::Look& look, Place next) {
  std::optional<Lang> prefix = left_edge(look.body, everything_);
  if (!prefix) {
    ContextProgram outer = std::move(*program_);
    program_.emplace(cx_);
    const Place start = program_->consume(everything_, compile(look.body, program_->accept()));
    const auto outcome = program_->run(start, true, options_.budget);
    program_ = std::move(outer);
    if (outcome.looks_beyond_end) {
      refuse(id, "a lookbehind that looks ahead beyond its own end is not supported");
    }
    if (!outcome.is_complete) {
      is_inexact_ = true;
      return next;
    }
    prefix = outcome.language;
  }
  return program_->demand_before(program_->track(*prefix), !look.is_negative, next);
}

}  // namespace nacre::regular
