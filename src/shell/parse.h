// Text to tree, whole file at once: for everything that analyses. Linear in the size of the text;
// never fails: where the text is wrong there is a diagnostic, and what follows is parsed on. The
// tree of a text with errors has Broken commands and gaps, but its spans still cover the file.
//
//   ParseResult result = parse_file(file, Dialect::kBash);
//   if (result.is_valid()) walk(result.tree.program());
//
// is_valid() is the verdict of the dialect's own shell with -n (`dash -n`, `bash -n`). Diagnostics
// of features that the dialect lacks (family P) and of what only fails when it runs do not count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "shell/tree.h"

namespace nacre::shell {

class BodyIndex;

// The alias of that name at this moment, or nothing.
using AliasLookup = std::function<std::optional<std::string_view>(std::string_view name)>;

struct ParseOptions {
  Dialect dialect = Dialect::kSh;
  bool posix_mode = false;     // bash --posix, where it changes the grammar
  bool posix_2024 = false;     // sh: has what that standard added, whatever dash does
  bool extended_globs = true;  // bash: shopt extglob
  AliasLookup aliases = {};    // none: no alias is replaced
  // Bodies of functions whose end is plain to see are left out: Function::body is null.
  bool defers_bodies = false;
  const BodyIndex* bodies = nullptr;  // where they end, if that is known
  uint32_t max_depth = 250;           // of commands, words and expressions within each other
  uint32_t max_findings =
      500;  // what is reported of one text; the last one says that it was reached
};

struct ParseResult {
  Tree tree;
  std::vector<Diagnostic> diagnostics;
  bool valid = true;

  [[nodiscard]] bool is_valid() const { return valid; }
};

[[nodiscard]] ParseResult parse_file(const SourceFile& file, const ParseOptions& options);
[[nodiscard]] ParseResult parse_file(const SourceFile& file, Dialect dialect);

}  // namespace nacre::shell
