#include "commands/dialect_slips.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/ascii.h"

namespace nacre::commands {

namespace {

bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// One item of an expression: a character, an escape or a set.
struct Item {
  std::string_view text;
  [[nodiscard]] bool is(std::string_view wanted) const { return text == wanted; }
  // Several characters could stand here, so that a repetition after it makes sense.
  [[nodiscard]] bool is_class() const {
    return text.size() > 1 && (text[0] == '[' || text == "\\s" || text == "\\w" || text == "\\d" ||
                               text == "\\S" || text == "\\W");
  }
};

size_t end_of_set(std::string_view pattern, size_t at) {
  size_t i = at + 1;
  if (i < pattern.size() && pattern[i] == '^') i++;
  if (i < pattern.size() && pattern[i] == ']') i++;
  while (i < pattern.size() && pattern[i] != ']') {
    const bool is_named = pattern[i] == '[' && i + 1 < pattern.size() &&
                          (pattern[i + 1] == ':' || pattern[i + 1] == '.' || pattern[i + 1] == '=');
    const size_t end =
        is_named ? pattern.find(std::string{pattern[i + 1], ']'}, i + 2) : std::string_view::npos;
    i = end == std::string_view::npos ? i + 1 : end + 2;
  }
  return std::min(i + 1, pattern.size());
}

template <typename Look>
std::string first_slip(std::string_view pattern, Look look) {
  Item before{};
  for (size_t i = 0; i < pattern.size();) {
    const size_t end =
        pattern[i] == '[' ? end_of_set(pattern, i) : i + (pattern[i] == '\\' ? 2 : 1);
    const Item item{pattern.substr(i, std::min(end, pattern.size()) - i)};
    const std::string slip = look(before, item, pattern.substr(std::min(end, pattern.size())));
    if (!slip.empty()) return slip;
    before = item;
    i = end;
  }
  return "";
}

// `error|warning`: two words of at least three letters.
bool is_between_words(std::string_view pattern, size_t bar, size_t width) {
  constexpr size_t kMinLetters = 3;
  size_t left = 0, right = 0;
  while (left < bar && is_word_character(pattern[bar - left - 1])) left++;
  const size_t from = bar + width;
  while (from + right < pattern.size() && is_word_character(pattern[from + right])) right++;
  return left >= kMinLetters && right >= kMinLetters;
}

// A pattern for file names: `*.log`, `*.tar.gz`.
bool is_glob(std::string_view pattern) {
  if (!pattern.starts_with("*.") || pattern.size() < 4) return false;
  const std::string_view rest = pattern.substr(2);
  return std::all_of(rest.begin(), rest.end(),
                     [](char c) { return is_word_character(c) || c == '.'; });
}

std::string repetition_slip(std::string_view pattern) {
  if (is_glob(pattern))
    return fmt::format(
        "{} is a file name pattern; in a regular expression a leading * is a literal star: write "
        "'\\{}$'",
        pattern, pattern.substr(1));
  if (pattern.find(" * *") != std::string_view::npos)
    return "' *' matches any number of spaces, not a star; -F searches for the literal text";
  return "";
}

std::string basic_slip(std::string_view pattern) {
  const size_t bar = pattern.find('|');
  if (bar != std::string_view::npos && (bar == 0 || pattern[bar - 1] != '\\') &&
      is_between_words(pattern, bar, 1))
    return "without -E a | is an ordinary character: write \\| or use -E";
  return first_slip(pattern, [](const Item& before, const Item& item, std::string_view rest) {
    if (before.is_class() && item.is("+"))
      return std::string("without -E a + is an ordinary character: write \\+ or use -E");
    const bool is_count = item.is("{") && !rest.empty() && is_digit(rest[0]);
    if (before.is_class() && is_count)
      return std::string("without -E braces are ordinary characters: write \\{n\\} or use -E");
    return std::string();
  });
}

std::string extended_slip(std::string_view pattern) {
  const size_t bar = pattern.find("\\|");
  if (bar != std::string_view::npos && is_between_words(pattern, bar, 2))
    return "with -E \\| is an ordinary |: write |";
  return "";
}

std::string digit_slip(std::string_view pattern) {
  return first_slip(pattern, [](const Item&, const Item& item, std::string_view rest) {
    // sed's \d065 is a character by its number.
    const bool is_number = rest.size() > 2 && is_digit(rest[0]) && is_digit(rest[1]);
    return item.is("\\d") && !is_number
               ? std::string("\\d is the letter d here: write [0-9], or use grep -P")
               : std::string();
  });
}

std::string fixed_slip(std::string_view pattern) {
  const bool has_any = pattern.find(".*") != std::string_view::npos;
  return has_any ? "-F searches for the literal text: .* is a dot and a star" : "";
}

std::string glob_slip(std::string_view pattern) {
  if (pattern.find("\\.") != std::string_view::npos ||
      (pattern.starts_with(".*") && pattern.size() > 2 && pattern.ends_with('$')))
    return "this is a regular expression, but a file name pattern is needed: write '*.txt', or use "
           "-regex";
  const size_t group = pattern.find("(");
  if (group != std::string_view::npos && pattern.find('|', group) != std::string_view::npos &&
      pattern.find(')', group) != std::string_view::npos)
    return "a file name pattern has no alternatives: write -name A -o -name B";
  return "";
}

}  // namespace

std::string dialect_slip(std::string_view pattern, PatternDialect dialect) {
  if (dialect == PatternDialect::kFixed) return fixed_slip(pattern);
  if (dialect == PatternDialect::kGlob) return glob_slip(pattern);
  std::string slip = repetition_slip(pattern);
  if (slip.empty()) slip = digit_slip(pattern);
  if (!slip.empty()) return slip;
  return dialect == PatternDialect::kBasic ? basic_slip(pattern) : extended_slip(pattern);
}

}  // namespace nacre::commands
