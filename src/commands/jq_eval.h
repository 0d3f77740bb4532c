// What a jq program makes of a value: the shapes that it may print, and how many values.
#pragma once

#include <string>

#include "commands/jq_program.h"
#include "commands/jq_shape.h"

namespace nacre::jq {

struct Outcome {
  ShapePointer shape = any_shape();
  bool may_be_none = false;  // no value at all, of some input
  bool may_be_many = false;
  // A comparison of a string with a number on the way: it has the same answer for every value.
  bool compares_kinds = false;
  // Why jq stops at every value: "an array has no member 'name'"; empty: it need not.
  std::string refusal = {};
};

Outcome evaluate(Context& context, const Filter& filter, const ShapePointer& input);

}  // namespace nacre::jq
