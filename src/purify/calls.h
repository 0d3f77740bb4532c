// The words of a simple command as options and operands, for rules about flags.
#pragma once

#include "commands/invocation.h"
#include "purify/script.h"

namespace nacre::purify {

struct Call {
  const Place* place = nullptr;
  std::string_view name;
  std::span<const shell::Word> words;  // with the name

  [[nodiscard]] bool is(std::string_view what) const { return name == what; }
  // A short option in any group, or the long one.
  [[nodiscard]] bool has(char letter, std::string_view long_name = {}) const;
  [[nodiscard]] std::vector<const shell::Word*> operands() const;
  [[nodiscard]] Span span() const { return place->command->span; }
};

// Calls of commands (not of functions of that name) whose bytes may be edited.
[[nodiscard]] std::vector<Call> calls_of(const Script& script);

// The call as its command reads it, with the values that the checker found. Without a card:
// nothing.
[[nodiscard]] std::optional<commands::Invocation> invocation_of(const Script& script,
                                                                const Call& call);

// What stands between the words of the call: " >&2". Edits that replace the words keep it.
[[nodiscard]] std::string redirections_within(const Script& script, const Call& call, Span words);

// Adds letters to the first group of options that has only `joinable` ones, or a group of its own.
[[nodiscard]] Edit add_letters(const Script& script, const Call& call, std::string_view letters,
                               std::string_view joinable);

}  // namespace nacre::purify
