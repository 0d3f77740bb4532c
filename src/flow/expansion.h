// Words: to the fields that a command gets, or to one value where nothing is split. Expanding may
// change the environment (`${x:=a}`, `$((i++))`) and publishes what happens. Internal to this
// module.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/call.h"
#include "flow/field.h"
#include "flow/run.h"

namespace nacre::flow {

std::vector<Field> expand(Run& run, const shell::Word& word, Environment& environment);
std::vector<Field> expand_all(Run& run, std::span<const shell::Word> words,
                              Environment& environment);
Value value_of(Run& run, const shell::Word& word, Environment& environment);
// The same of words that were expanded before: no events, and the environment stays as it is.
Value value_again(Run& run, const shell::Word& word, const Environment& environment);
std::vector<Field> fields_again(Run& run, const shell::Word& word, const Environment& environment);
// What one argument of a call or one item of a list may be.
Value value_of_field(Run& run, const Field& field, Span origin);

// Pieces of words.
void add_fragments(Run& run, std::span<const shell::Part> parts, bool is_quoted,
                   Environment& environment, std::vector<Fragment>& out);
Fragment fragment_of(Run& run, const shell::Part& part, bool is_quoted, Environment& environment);
Fragment parameter_fragment(Run& run, const shell::Part& part, bool is_quoted,
                            Environment& environment);  // parameter.cpp
// The lines that the body prints, with the last newlines removed (substitution.cpp).
Value substitution_value(Run& run, const shell::Sequence& body, Span span,
                         Environment& environment);

// Arithmetic (arithmetic.cpp).
Value arithmetic_value(Run& run, const shell::Arithmetic& node, Environment& environment);
void evaluate_subscript(Run& run, std::string_view array, const shell::Subscript& subscript,
                        Environment& environment);

// Patterns (pattern.cpp).
PatternLang pattern_of(Run& run, const shell::Word& word, Environment& environment);
// The language of all patterns of an arm; they are added to `seen`.
PatternLang arm_pattern(Run& run, const shell::CaseArm& arm, SeenArms& seen,
                        Environment& environment);

// $1, $2, ...: one of them, or any (parameter.cpp).
ValueId positional_parameter(Run& run, uint32_t position, Environment& environment);
Value any_argument(Run& run, Environment& environment, Span origin);

// The bytes at which expansions are split; a guess if it is not known.
std::string ifs(Run& run, const Environment& environment);
// One of several that the script has set is not known; what others may have set is not assumed.
bool knows_ifs(Run& run, const Environment& environment);

}  // namespace nacre::flow
