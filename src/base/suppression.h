// Directives in comments that switch findings off:
//
//   command   # nacre disable=T101,X -- reason       this line
//   # nacre disable=T101 -- reason                   the statement that follows
//   # nacre disable-begin=T101 ... # nacre disable-end=T101
//   # nacre disable-file=T101                        the whole file, wherever it stands
//   # shellcheck disable=SC2086,SC3000-SC4000        our codes with these ShellCheck twins,
//   with ShellCheck's reach
//
// A code may be shortened to a family ("X") or be "all". Comments are `#` to the end of the line in
// every language that Nacre reads; in Dockerfiles only where nothing stands before it. Reading
// directives never fails: what is wrong with one is itself a finding (S007), and so is one that
// switched nothing off (S008).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace nacre {

struct Suppression {
  Span directive;       // the whole comment
  std::string pattern;  // one code, family or "all"; a ShellCheck code or range of them
  bool is_shellcheck = false;
  bool is_alias = false;    // the pattern is another tool's name for a finding
  bool is_alone = false;    // the directive says nothing else and can be removed
  uint32_t first_line = 1;  // it reaches findings that begin on these lines
  uint32_t last_line = UINT32_MAX;

  [[nodiscard]] bool reaches(const Diagnostic& diagnostic) const;
};

// What a parser knows about the text, both sorted by place. Without `statements`, a directive
// reaches the next line with its continuations.
struct Layout {
  std::vector<Span> comments;    // from the `#` to the end of the line
  std::vector<Span> statements;  // a directive before one reaches it whole
  // Expansions outside of quotes, if the parser tells: without one, nothing can lack quotes.
  std::optional<std::vector<Span>> unquoted;
  // By the directives of other tools for this language, which only its parser knows.
  std::vector<Suppression> suppressions;
};

enum class CommentStyle : uint8_t {
  kHash,      // from a `#` where a word could begin
  kHashLine,  // only lines that begin with one, after blanks
};

// Comments by the look of the lines, for texts that have no parser: a `#` in a string is taken for
// one.
Layout guess_layout(const SourceFile& file, CommentStyle style = CommentStyle::kHash);

struct Suppressions {
  std::vector<Suppression> list;
  std::vector<Diagnostic> mistakes;  // directives that cannot be read or name no code
};

Suppressions find_suppressions(const SourceFile& file, const Layout& layout,
                               size_t max_directives = 10'000);

}  // namespace nacre
