// Shell patterns: what `case`, `[[ == ]]`, ${x#pattern} and pathname expansion match, with bash's
// extglob. Quoting belongs to the pattern ("*"? matches a star and a character), so each byte of
// the text can be marked as quoted; an unquoted backslash quotes what follows it.
//
// Every text is a pattern: a bracket that is never closed is literal, as in all shells. There are
// no errors except nesting beyond Regex::kMaxDepth.
//
//   Regex pattern = *parse_glob("*.[ch]");
//   Lang names = *lower(cx, pattern, {});   // Match::kWhole
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "regular/regex.h"

namespace nacre::regular {

enum class GlobShell : uint8_t {
  kBash,   // [^a] negates; [.a.] and [=a=]; an unknown class matches nothing
  kPosix,  // dash: only [!a] negates, no collating elements, an unknown class is plain characters
};

enum class GlobUse : uint8_t {
  kString,    // case, [[ == ]], ${x#...}: any character may be matched by a wildcard
  kPathname,  // a slash is matched only by a slash, a leading dot only by a dot (unless dotglob)
};

struct GlobOptions {
  GlobShell shell = GlobShell::kBash;
  GlobUse use = GlobUse::kString;
  bool has_extglob = false;
  bool has_dotglob = false;  // kPathname: wildcards match leading dots (but not . and ..)
  bool folds_case = false;   // nocasematch, nocaseglob
  Alphabet alphabet = Alphabet::kBytes;
  const std::vector<bool>* quoted = nullptr;  // by byte of the text; null: nothing is quoted
};

Result<Regex> parse_glob(std::string_view text, const GlobOptions& options = {});

// Is there anything to expand: an unquoted wildcard or a closed bracket? A word without stays as it
// is in pathname expansion.
bool has_glob(std::string_view text, const GlobOptions& options = {});

}  // namespace nacre::regular
