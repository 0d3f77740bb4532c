// Writing variables, and learning more about their values. Internal to this module.
#pragma once

#include <string_view>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

// An assignment, with what the attributes of the variable make of it.
void store(Run& run, Name name, Value value, Environment& environment);
// Records where a variable is set or read, if facts are wanted.
void note_name(Run& run, Span place, Name name, NameUse use, const Value& value);
// To the variable that a word names; if it is not known which, any. An element of an array is one
// of several.
void store_by_name(Run& run, const commands::Argument& word, Value value, Environment& environment);
// What may become of a value by the attributes of its variable, if it has them here.
void apply_attributes(Run& run, Value& value);

// What is known of a parameter is known better now; so is what is known of its copies.
void refine_parameter(Run& run, const shell::Parameter& node, Value value,
                      Environment& environment);
// `x=$1; [ -n "$1" ] || exit`: x is not empty, either.
void refine_copies(Run& run, std::string_view name, ValueId before, ValueId after,
                   Environment& environment);
// The same value, known not to be empty.
ValueId present_value(Run& run, ValueId id);
// Makes $1 to $N values of their own, which can be told apart from those after a `shift`.
void keep_positional(Run& run, const shell::Parameter& node, Environment& environment);

// Any variable may have been set, and any function defined. That unknown code empties what the
// script relies on is not assumed.
void forget_variables(Run& run, Environment& environment, Span by);

// What the environment of any process holds (inherited.cpp).
void inherit_variables(Run& run, Environment& environment);
// The environment as it is now, if the options give it.
void inherit_present(Run& run, Environment& environment);

}  // namespace nacre::flow
