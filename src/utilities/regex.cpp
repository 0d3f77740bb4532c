#include "utilities/regex.h"

namespace nacre::utilities {

std::optional<Regex> Regex::compile(const std::string& pattern, bool is_extended, bool ignores_case,
                                    std::string& error) {
  auto* compiled = new regex_t();
  int flags = (is_extended ? REG_EXTENDED : 0) | (ignores_case ? REG_ICASE : 0);
  if (int failed = regcomp(compiled, pattern.c_str(), flags); failed != 0) {
    char message[256];
    regerror(failed, compiled, message, sizeof message);
    error = message;
    delete compiled;
    return std::nullopt;
  }
  return Regex(compiled);
}

std::optional<Match> Regex::search(std::string_view text, size_t from) const {
  constexpr size_t kMaxGroups = 10;
  regmatch_t found[kMaxGroups];
  // REG_STARTEND looks at the whole text only from `from` on, so ^ must be told.
  found[0].rm_so = static_cast<regoff_t>(from);
  found[0].rm_eo = static_cast<regoff_t>(text.size());
  int flags = REG_STARTEND | (from > 0 ? REG_NOTBOL : 0);
  if (regexec(compiled_.get(), text.data(), kMaxGroups, found, flags) != 0) return std::nullopt;
  Match match;
  for (size_t i = 0; i < std::min(kMaxGroups, compiled_->re_nsub + 1); ++i) {
    Match::Range range;
    if (found[i].rm_so >= 0) {
      range = {static_cast<size_t>(found[i].rm_so), static_cast<size_t>(found[i].rm_eo)};
    }
    match.groups.push_back(range);
  }
  return match;
}

bool Regex::matches(std::string_view text) const {
  regmatch_t found[1];
  found[0].rm_so = 0;
  found[0].rm_eo = static_cast<regoff_t>(text.size());
  return regexec(compiled_.get(), text.data(), 0, found, REG_STARTEND) == 0;
}

}  // namespace nacre::utilities
