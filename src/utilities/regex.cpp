#include "utilities/regex.h"

#include <span>

namespace nacre::utilities {

namespace {

// The part of `text` from `from` on, searched for the first `wanted` groups; offsets count from the
// start of `text`. `found` has room for one at least: it tells regexec() where to look.
bool execute(const regex_t& compiled, std::string_view text, size_t from,
             std::span<regmatch_t> found, size_t wanted) {
  const int flags = from > 0 ? REG_NOTBOL : 0;  // ^ is at the start of the text alone
#ifdef REG_STARTEND
  found[0].rm_so = static_cast<regoff_t>(from);
  found[0].rm_eo = static_cast<regoff_t>(text.size());
  return regexec(&compiled, text.data(), wanted, found.data(), flags | REG_STARTEND) == 0;
#else
  const std::string rest(text.substr(from));
  if (regexec(&compiled, rest.c_str(), wanted, found.data(), flags) != 0) return false;
  for (regmatch_t& each : found.first(wanted)) {
    if (each.rm_so < 0) continue;
    each.rm_so += static_cast<regoff_t>(from);
    each.rm_eo += static_cast<regoff_t>(from);
  }
  return true;
#endif
}

}  // namespace

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
  if (!execute(*compiled_, text, from, found, kMaxGroups)) return std::nullopt;
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
  return execute(*compiled_, text, 0, found, 0);
}

}  // namespace nacre::utilities
