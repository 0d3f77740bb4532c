#include "make/text.h"

#include <algorithm>

namespace nacre::make {

namespace {

// How many backslashes stand directly before `at`.
size_t backslashes_before(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && text[begin - 1] == '\\') begin--;
  return at - begin;
}

}  // namespace

std::string_view skip_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view strip(std::string_view text) {
  text = skip_space(text);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while (true) {
    while (at < text.size() && is_space(text[at])) at++;
    if (at == text.size()) return words;
    const size_t begin = at;
    while (at < text.size() && !is_space(text[at])) at++;
    words.push_back(text.substr(begin, at - begin));
  }
}

std::string collapse_lines(std::string_view text) {
  std::string out;
  size_t in = 0;
  for (size_t newline = text.find('\n'); newline != std::string_view::npos;
       newline = text.find('\n', in)) {
    size_t end = newline;
    if (end > in && text[end - 1] == '\r') end--;
    const size_t quotes = std::min(backslashes_before(text, end), end - in);
    out += text.substr(in, end - in - quotes);
    out.append(quotes / 2, '\\');
    in = newline + 1;
    if (quotes % 2 == 0) {
      out += '\n';
      continue;
    }
    while (in < text.size() && is_blank(text[in])) in++;
    while (!out.empty() && is_blank(out.back())) out.pop_back();
    out += ' ';
  }
  return out += text.substr(in);
}

size_t reference_end(std::string_view text, size_t at) {
  if (at + 1 >= text.size()) return text.size();
  const char open = text[at + 1];
  if (open != '(' && open != '{') return at + 2;
  const char close = open == '(' ? ')' : '}';
  size_t depth = 0;
  for (size_t i = at + 1; i < text.size(); i++) {
    if (text[i] == open) depth++;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return text.size();
}

size_t find_unquoted(std::string_view text, std::string_view stops, bool skips_references) {
  for (size_t at = 0; at < text.size(); at++) {
    if (skips_references && text[at] == '$') {
      at = reference_end(text, at) - 1;
      continue;
    }
    if (stops.find(text[at]) == std::string_view::npos) continue;
    if (backslashes_before(text, at) % 2 == 0) return at;
  }
  return std::string_view::npos;
}

std::string unquote(std::string_view text, std::string_view stops, bool skips_references) {
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size(); at++) {
    if (skips_references && text[at] == '$') {
      const size_t end = reference_end(text, at);
      out += text.substr(at, end - at);
      at = end - 1;
      continue;
    }
    if (stops.find(text[at]) != std::string_view::npos) {
      const size_t quotes = backslashes_before(out, out.size());
      out.resize(out.size() - (quotes + 1) / 2);
    }
    out += text[at];
  }
  return out;
}

Pattern::Pattern(std::string_view word) : written(word) {
  const size_t percent = find_unquoted(word, "%", false);
  has_percent = percent != std::string_view::npos;
  if (!has_percent) {
    prefix = unquote(word, "%", false);
    return;
  }
  prefix = unquote(word.substr(0, percent), "%", false);
  // Backslashes before the `%` itself: an even number of them, of which half stay.
  const size_t quotes = backslashes_before(prefix, prefix.size());
  prefix.resize(prefix.size() - quotes / 2);
  suffix = word.substr(percent + 1);
}

std::optional<std::string_view> Pattern::stem_of(std::string_view word) const {
  if (!has_percent) return word == prefix ? std::optional(std::string_view()) : std::nullopt;
  if (word.size() < prefix.size() + suffix.size()) return std::nullopt;
  if (!word.starts_with(prefix) || !word.ends_with(suffix)) return std::nullopt;
  return word.substr(prefix.size(), word.size() - prefix.size() - suffix.size());
}

std::string Pattern::with_stem(std::string_view stem) const {
  if (!has_percent) return prefix;
  std::string result = prefix;
  result += stem;
  return result += suffix;
}

std::string substitute_word(const Pattern& pattern, const Pattern& replacement,
                            std::string_view word) {
  const auto stem = pattern.stem_of(word);
  if (!stem) return std::string(word);
  return pattern.has_percent ? replacement.with_stem(*stem) : replacement.written;
}

std::string directory_part(std::string_view word) {
  const size_t slash = word.rfind('/');
  return slash == std::string_view::npos ? "./" : std::string(word.substr(0, slash + 1));
}

std::string_view file_part(std::string_view word) { return word.substr(word.rfind('/') + 1); }

std::string join_words(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

}  // namespace nacre::make
