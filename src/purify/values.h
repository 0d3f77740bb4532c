// Questions about the values of expansions that obligations ask: each is answered by the language
// that the checker found for the place, and "no" where it found none.
#pragma once

#include "purify/script.h"

namespace nacre::purify {

// Null if the checker never got there.
[[nodiscard]] const flow::ExpansionFact* expansion_of(const Script& script,
                                                      const shell::Part& part);
// Exactly one field, whatever the value: FIELD.
[[nodiscard]] bool is_one_field(const Script& script, const shell::Part& part);
// Every value lies in the type, written as in docs/types.md.
[[nodiscard]] bool is_of_type(const Script& script, const shell::Part& part, std::string_view type);
[[nodiscard]] bool has_no_newline(const Script& script, const shell::Part& part);
// The one value that it has on every pass.
[[nodiscard]] std::optional<std::string> constant_of(const Script& script, const shell::Part& part);
// The one value of a word.
[[nodiscard]] std::optional<std::string> constant_of(const Script& script, const shell::Word& word);
// What a name holds before a command; nothing if the command is never reached.
[[nodiscard]] const flow::Value* variable_before(const Script& script, const Place& place,
                                                 std::string_view name);

}  // namespace nacre::purify
