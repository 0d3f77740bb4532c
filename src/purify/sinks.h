// Where the words of a call become code or options: what its card says (`sink`), and what may be in
// the values there. For the rules of family J and the proof of injection safety.
#pragma once

#include "purify/calls.h"

namespace nacre::purify {

enum class SinkKind : uint8_t {
  kNone,     // the word stays a word
  kShell,    // it is read as shell code
  kProgram,  // as a program of awk, sed, ...
  kNames,    // as names of variables, whose subscripts bash evaluates
  kOption,   // as an option, if it begins with a dash
};
// Of the word of that index. A command without a card may take any word for an option.
[[nodiscard]] SinkKind sink_of(const Script& script, const Call& call, size_t index);

// The expansions of a word, also those within its quotes.
[[nodiscard]] std::vector<const shell::Part*> values_in(const shell::Word& word);
// The value is not one text that the script itself has written.
[[nodiscard]] bool is_foreign(const Script& script, const shell::Part& part);
// Every foreign value of the word lies in the type.
[[nodiscard]] bool is_harmless(const Script& script, const shell::Word& word,
                               std::string_view type);

enum class Answer : uint8_t { kNo, kYes, kUnknown };
// The word may begin with a dash that the script has not written.
[[nodiscard]] Answer may_begin_with_dash(const Script& script, const std::vector<Call>& calls,
                                         const shell::Word& word);

}  // namespace nacre::purify
