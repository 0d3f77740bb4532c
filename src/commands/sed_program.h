// The syntax tree of a sed script: POSIX sed and what GNU sed adds (`0,/re/`, `first~step`, `e F Q
// R T v W z`, one-line `a text`). It is a flat list of commands; `{`, `b`, `t`, `T` hold the index
// where control goes on, so that an interpreter needs no search. Error messages are those of GNU
// sed.
//
//   Result<sed::Program> program = sed::parse("/^#/d; s/a/b/g");
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/span.h"

namespace nacre::sed {

// A regular expression as written, its delimiters gone: `\` before the delimiter is removed, the
// rest is for the parser of BREs or EREs. Empty: the last one used.
struct Pattern {
  Span span;
  std::string source;
  bool ignores_case = false;
  bool is_multiline = false;
};

struct Address {
  enum class Kind : uint8_t {
    kLine,  // N; 0 only before a regex
    kStep,  // first~step
    kLast,  // $
    kPattern,
    kPlus,      // second address only: +N lines
    kMultiple,  // second address only: ~N, up to a multiple of N
  } kind = Kind::kLine;
  uint64_t line = 0, step = 0;
  Pattern pattern;
};

struct Substitution {
  Pattern pattern;
  Span replacement_span;
  std::string replacement;  // as written, `\` before the delimiter removed
  uint64_t occurrence = 1;
  bool is_global = false, prints = false, executes = false;
  std::optional<std::string> file;  // `w file`
};

struct Command {
  Span span;
  std::optional<Address> first, second;
  bool is_negated = false;
  char name = 0;  // `{`, `}` and `:` too
  std::string
      text;  // of a c i: what is added; of : its label; of r R w W: the file; of e its command
  std::optional<uint64_t> number;  // of q Q: the status; of l L: the width
  std::string from, to;            // of y, escapes resolved, of equal length
  Substitution substitution;       // of s
  size_t target =
      0;  // of `{`: after its `}`; of b t T: where to jump, the program's size for the end
};

struct Program {
  std::vector<Command> commands;
  bool starts_with_n = false;  // `#n` as the first line is the option -n
};

// `sandboxed` is --sandbox: e, r, w are refused. The pieces of several -e are joined with newlines
// by the caller.
Result<Program> parse(std::string_view text, bool sandboxed = false);

}  // namespace nacre::sed
