// What a condition tells about the values it asks about. A Branches has the state in which it is
// true and the one in which it is false; one that cannot be is unreachable. Internal to this
// module.
#pragma once

#include "flow/call.h"
#include "flow/condition.h"
#include "flow/run.h"

namespace nacre::flow {

// Expands the operands (and publishes what happens on the way), and narrows what they hold.
Branches decide(Run& run, const Condition& condition, Span span, const Environment& before);
// The same without events, for a condition that was decided before.
Branches decide_again(Run& run, const Condition& condition, Span span, const Environment& before);
Branches decide_arithmetic(Run& run, const shell::ArithmeticExpression& node,
                           const Environment& before);
// Nothing is learnt.
Branches either_way(const Environment& before);

// Expands a word as an operand of the condition.
void read_operand(Run& run, const shell::Word& word, const Condition& condition,
                  Environment& environment);

// The word is a member of `wanted`, or it is not. If not `is_exact`, nothing follows from the
// latter.
Branches narrow_word(Run& run, const shell::Word& word, Lang wanted, bool is_exact,
                     const Environment& before);

// Restrict the parameter of a word to what makes the word a member of `wanted`; false if nothing
// does (restriction.cpp).
bool restrict_word(Run& run, const shell::Word& word, Lang wanted, Environment& environment);
bool restrict_parts(Run& run, std::span<const shell::Part> parts, Lang wanted,
                    Environment& environment);
// A file of that name exists.
void restrict_file(Run& run, const shell::Word& word, Environment& environment);

// The numbers, as texts, that compare so.
Lang numbers_that(Run& run, shell::ConditionalOp op, int64_t bound);

}  // namespace nacre::flow
