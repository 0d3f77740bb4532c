// Shell programs that stand in a script as constant text: the string of `sh -c`, of `trap` and
// `eval`, also after `find -exec`, `xargs`, `sudo` and the like, and what `ssh` runs on its host.
// Each is parsed with spans in the file of the script, through whatever quoting is around it.
//
//   for (const Embedded& inner : find_embedded(tree)) check(inner.program.tree);
#pragma once

#include <cstdint>
#include <vector>

#include "base/text_map.h"
#include "shell/parse.h"
#include "shell/tree.h"

namespace nacre::shell {

enum class EmbeddedKind : uint8_t { kShell, kTrap, kEval, kSsh };

struct Embedded {
  EmbeddedKind kind = EmbeddedKind::kShell;
  const Command* host = nullptr;  // the command that holds it
  Span span;                      // of the word or words that hold it
  ParseResult program;
};

// Those of the whole tree, without those within others (call it again on their trees). A text that
// is put together only when the script runs is not looked at.
[[nodiscard]] std::vector<Embedded> find_embedded(const Tree& tree);

// A program from elsewhere (a sourced file, a text made by the script) that runs at `place` of
// `file`: the span of each of its nodes is that place. The text is followed by a NUL and outlives
// the tree.
[[nodiscard]] ParseResult parse_elsewhere(const SourceFile& file, Span place, std::string_view text,
                                          const ParseOptions& options);

// A program that another language holds, put together from pieces of `file` (RUN of a Dockerfile, a
// recipe of make): the spans of its nodes are lifted through `map`. The tree keeps a copy of
// `text`.
[[nodiscard]] ParseResult parse_mapped(const SourceFile& file, TextMap map, std::string_view text,
                                       const ParseOptions& options);

}  // namespace nacre::shell
