// Changing a script by its nodes: each function gives the smallest text change, as Edits of the
// file, and leaves every other byte alone. Edits of several calls may be collected in one Fix as
// long as they do not overlap; apply_edits (base/edits.h) applies them, sorted.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "shell/tree.h"

namespace nacre::shell {

[[nodiscard]] inline Edit replace(Span node, std::string text) { return {node, std::move(text)}; }

[[nodiscard]] inline Edit insert_before(Span node, std::string text) {
  return {{node.begin, node.begin}, std::move(text)};
}

[[nodiscard]] inline Edit insert_after(Span node, std::string text) {
  return {{node.end, node.end}, std::move(text)};
}

// Puts `text` around the node: quotes, braces.
[[nodiscard]] std::vector<Edit> surround(Span node, std::string before, std::string after);

// A line of its own above the command, with its indentation.
[[nodiscard]] Edit insert_line_above(const Tree& tree, const Command& command,
                                     std::string_view line);

// A word or redirection with the blanks before it.
[[nodiscard]] Edit remove_from_command(const Tree& tree, Span node);

// The command with its terminator and its here-documents. Lines on which nothing else stands go
// altogether. The last command of a compound one must not be removed: replace it by `:`.
[[nodiscard]] std::vector<Edit> remove(const Tree& tree, const Item& item);

}  // namespace nacre::shell
