// Words as text: what they look like in quotes, in here-documents, and whether they need quotes.
// Everything is made of the source text, so that what is kept is kept byte for byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "purify/script.h"

namespace nacre::purify {

// An expansion whose result would be split: `$x`, `$(cmd)`; not `$#`, `$?` or `$((1))`, which hold
// no blanks, and not `$@`, which has a rule of its own.
[[nodiscard]] bool is_splittable(const shell::Part& part);
[[nodiscard]] bool has_splittable(const shell::Word& word);
// `$@` or `$*`, without quotes.
[[nodiscard]] bool is_all_arguments(const shell::Part& part);

// The word with quotes around its expansions; wildcards and tildes stay outside.
[[nodiscard]] std::string quoted(const Script& script, const shell::Word& word);
// What stands between double quotes for the same value; nothing if that cannot be said: a
// wildcard, a tilde, several words.
[[nodiscard]] std::optional<std::string> double_quoted_text(const Script& script,
                                                            const shell::Word& word);
// The lines of an unquoted here-document for the same value; nothing if that cannot be said.
[[nodiscard]] std::optional<std::string> here_document_text(const Script& script,
                                                            const shell::Word& word);
// As one word: plain if it has no special character, else in single quotes.
[[nodiscard]] std::string shell_word(std::string_view text);
[[nodiscard]] std::string single_quoted(std::string_view text);
[[nodiscard]] bool is_identifier(std::string_view text);

}  // namespace nacre::purify
