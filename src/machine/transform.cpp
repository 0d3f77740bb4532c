#include "machine/transform.h"

#include "machine/pattern.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

using shell::ParameterOp;

constexpr size_t kNone = std::string_view::npos;

// The size of the longest match that starts at the start of `text`; kNone if there is none.
size_t longest_match(std::string_view text, std::string_view pattern, const Locale& locale) {
  for (size_t end = text.size();; end = locale.previous(text, end)) {
    if (matches(pattern, text.substr(0, end), locale)) return end;
    if (end == 0) return kNone;
  }
}

std::string replace_literal(std::string_view value, std::string_view literal,
                            std::string_view replacement, bool all) {
  std::string result;
  while (true) {
    size_t at = value.find(literal);
    if (at == kNone) break;
    result.append(value.substr(0, at)).append(replacement);
    value.remove_prefix(at + literal.size());
    if (!all) break;
  }
  return result.append(value);
}

std::string replace(std::string_view value, std::string_view pattern, std::string_view replacement,
                    bool all, const Locale& locale) {
  if (pattern.empty()) return std::string(value);
  if (!is_pattern(pattern)) return replace_literal(value, unescape(pattern), replacement, all);
  std::string result;
  while (!value.empty()) {
    size_t size = longest_match(value, pattern, locale);
    if (size == kNone || size == 0) {
      size_t step = locale.next(value);
      result.append(value.substr(0, step));
      value.remove_prefix(step);
      continue;
    }
    result.append(replacement);
    value.remove_prefix(size);
    if (!all) break;
  }
  return result.append(value);
}

std::string replace_at_end(std::string_view value, std::string_view pattern,
                           std::string_view replacement, const Locale& locale) {
  for (size_t begin = 0;; begin += locale.next(value.substr(begin))) {
    if (matches(pattern, value.substr(begin), locale)) {
      return std::string(value.substr(0, begin)).append(replacement);
    }
    if (begin == value.size()) return std::string(value);
  }
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The case of ASCII letters; others stay as they are.
std::string change_case(std::string_view value, std::string_view pattern, char (*change)(char),
                        bool all, const Locale& locale) {
  std::string result(value);
  for (size_t i = 0; i < result.size(); i += locale.next(value.substr(i))) {
    std::string_view character = value.substr(i, locale.next(value.substr(i)));
    bool is_meant = pattern.empty() || matches(pattern, character, locale);
    if (is_meant && character.size() == 1) result[i] = change(result[i]);
    if (!all) break;
  }
  return result;
}

char toggle(char c) { return upper(c) != c ? upper(c) : lower(c); }

std::string by_letter(char letter, std::string_view value, const Locale& locale) {
  switch (letter) {
    case 'Q': return quoted(value);
    case 'U': return change_case(value, "", upper, true, locale);
    case 'u': return change_case(value, "", upper, false, locale);
    case 'L': return change_case(value, "", lower, true, locale);
    default: return std::string(value);
  }
}

}  // namespace

std::string transformed(ParameterOp op, char letter, std::string_view value,
                        std::string_view pattern, std::string_view replacement,
                        const Locale& locale) {
  switch (op) {
    case ParameterOp::kReplaceFirst: return replace(value, pattern, replacement, false, locale);
    case ParameterOp::kReplaceAll: return replace(value, pattern, replacement, true, locale);
    case ParameterOp::kReplacePrefix: {
      size_t size = longest_match(value, pattern, locale);
      if (size == kNone) return std::string(value);
      return std::string(replacement).append(value.substr(size));
    }
    case ParameterOp::kReplaceSuffix: return replace_at_end(value, pattern, replacement, locale);
    case ParameterOp::kUpperFirst: return change_case(value, pattern, upper, false, locale);
    case ParameterOp::kUpperAll: return change_case(value, pattern, upper, true, locale);
    case ParameterOp::kLowerFirst: return change_case(value, pattern, lower, false, locale);
    case ParameterOp::kLowerAll: return change_case(value, pattern, lower, true, locale);
    case ParameterOp::kToggleFirst: return change_case(value, pattern, toggle, false, locale);
    case ParameterOp::kToggleAll: return change_case(value, pattern, toggle, true, locale);
    case ParameterOp::kTransform: return by_letter(letter, value, locale);
    default: return std::string(value);
  }
}

}  // namespace nacre::machine
