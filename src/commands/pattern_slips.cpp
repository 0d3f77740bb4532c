#include "commands/pattern_slips.h"

#include <bitset>
#include <fmt/core.h>

#include "base/ascii.h"

namespace nacre::commands {

namespace {

// Where the set that begins at `at` ends: after its `]`, or npos.
size_t end_of_set(std::string_view pattern, size_t at, InSets backslash) {
  size_t i = at + 1;
  if (i < pattern.size() && pattern[i] == '^') i++;
  if (i < pattern.size() && pattern[i] == ']') i++;
  while (i < pattern.size() && pattern[i] != ']') {
    if (pattern[i] == '\\' && backslash == InSets::kBackslashQuotes) i++;
    const char kind = i + 1 < pattern.size() && pattern[i] == '[' ? pattern[i + 1] : '\0';
    if (kind == ':' || kind == '.' || kind == '=') {
      const size_t end = pattern.find(std::string{kind, ']'}, i + 2);
      if (end == std::string_view::npos) return end;
      i = end + 1;
    }
    i++;
  }
  return i < pattern.size() ? i + 1 : std::string_view::npos;
}

// Calls `look` with each set, and with what follows it.
template <typename Look>
void for_each_set(std::string_view pattern, InSets backslash, Look look) {
  for (size_t i = 0; i < pattern.size(); i++) {
    if (pattern[i] == '\\') i++;
    if (i >= pattern.size() || pattern[i] != '[' || (i > 0 && pattern[i - 1] == '\\')) continue;
    const size_t end = end_of_set(pattern, i, backslash);
    if (end == std::string_view::npos) return;
    look(pattern.substr(i, end - i), pattern.substr(end));
    i = end - 1;
  }
}

// `[^\[]` and then `]*`: the backslash shows that the second `]` was meant to end the set.
std::string early_end(std::string_view set, std::string_view rest) {
  const bool is_repeated =
      rest.size() > 1 && rest[0] == ']' && (rest[1] == '*' || rest[1] == '+' || rest[1] == '?');
  return is_repeated && set.find('\\') != std::string_view::npos
             ? fmt::format("the bracket expression {} ends at its first ']'; another ']' follows",
                           set)
             : "";
}

// Letters, digits and underscores only, one of them twice: a set has no use for that.
bool is_word(std::string_view members) {
  std::bitset<256> seen;
  bool has_twice = false;
  for (const char c : members) {
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_') return false;
    has_twice |= seen[static_cast<unsigned char>(c)];
    seen.set(static_cast<unsigned char>(c));
  }
  return has_twice;
}

constexpr std::string_view kClasses[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                         "lower", "print", "punct", "space", "upper", "xdigit"};

// `[:lower]` or `[lower:]`: a class with a colon too few; or nothing.
std::string_view broken_class(std::string_view set) {
  for (const std::string_view name : kClasses) {
    const size_t at = set.find(name);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view before = set.substr(0, at), after = set.substr(at + name.size());
    const bool opens = before.ends_with("[:"), closes = after.starts_with(":]");
    if (opens && !closes && after.starts_with(']')) return name;
    if (closes && !opens && before.ends_with('[')) return name;
  }
  return "";
}

}  // namespace

std::string slip_in_tr(std::string_view set) {
  const std::string_view name = broken_class(set);
  return name.empty() ? ""
                      : fmt::format("{} lists these characters; the class is [:{}:]", set, name);
}

std::string slip_in(std::string_view pattern, InSets backslash) {
  std::string result;
  for_each_set(pattern, backslash, [&](std::string_view set, std::string_view rest) {
    if (result.empty() && is_word(set.substr(1, set.size() - 2)))
      result = fmt::format("{} matches one of these characters, not the word", set);
    if (result.empty()) result = early_end(set, rest);
  });
  return result;
}

std::string slip_in_any(std::string_view pattern) {
  std::string result;
  for_each_set(pattern, InSets::kBackslashQuotes, [&](std::string_view set, std::string_view rest) {
    if (result.empty()) result = early_end(set, rest);
  });
  return result;
}

}  // namespace nacre::commands
