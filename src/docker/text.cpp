#include "docker/text.h"

#include <algorithm>

namespace nacre::docker {

namespace {

std::string map_letters(std::string_view text, char first, char last, int shift) {
  std::string result(text);
  for (char& c : result) {
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  }
  return result;
}

// Whether `c` is in the bracket that begins at `at` of the pattern; moves after it.
bool in_bracket(char c, std::string_view pattern, size_t& at) {
  const size_t close = std::min(pattern.find(']', at + 1), pattern.size());
  bool is_in = false;
  for (size_t i = at + 1; i < close; i++) {
    if (i + 2 < close && pattern[i + 1] == '-') {
      is_in |= pattern[i] <= c && c <= pattern[i + 2];
      i += 2;
    } else {
      is_in |= pattern[i] == c;
    }
  }
  at = close;
  return is_in;
}

std::string_view without_end(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

}  // namespace

std::string_view trim_left(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::string_view trim(std::string_view text) {
  text = trim_left(text);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string lower_case(std::string_view text) { return map_letters(text, 'A', 'Z', 'a' - 'A'); }
std::string upper_case(std::string_view text) { return map_letters(text, 'a', 'z', 'A' - 'a'); }

bool is_comment(std::string_view line) { return trim_left(line).starts_with('#'); }

std::string_view unquote(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  if (trim(text).empty()) return pieces;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return pieces;
}

std::vector<std::string_view> split_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trim_left(text); !text.empty(); text = trim_left(text)) {
    const size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

// One star is kept to return to: the last one can always take more, so no other need be tried.
bool matches(std::string_view text, std::string_view pattern) {
  size_t at = 0, here = 0, star = std::string_view::npos, resume = 0;
  while (at < text.size()) {
    if (here < pattern.size() && pattern[here] == '*') {
      star = here++;
      resume = at;
      continue;
    }
    size_t next = here;
    const bool fits =
        here < pattern.size() && (pattern[here] == '?' || pattern[here] == text[at] ||
                                  (pattern[here] == '[' && in_bracket(text[at], pattern, next)));
    if (fits) {
      here = next + 1;
      at++;
    } else if (star != std::string_view::npos) {
      here = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (here < pattern.size() && pattern[here] == '*') here++;
  return here == pattern.size();
}

bool is_within(std::string_view path, std::string_view directory) {
  path = without_end(path);
  directory = without_end(directory);
  if (!path.starts_with(directory)) return false;
  return directory == "/" || path.size() == directory.size() || path[directory.size()] == '/';
}

}  // namespace nacre::docker
