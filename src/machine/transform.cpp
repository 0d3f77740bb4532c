#include "machine/transform.h"

#include "machine/pattern.h"

namespace nacre::machine {
namespace {

using shell::ParameterOp;

constexpr size_t kNoMatch = std::string_view::npos;

// The size of the longest match that starts at the start of `text`; kNoMatch if there is none.
size_t longest_match(std::string_view text, std::string_view pattern, const PatternRules& rules) {
  if (std::optional<size_t> length = fixed_length(pattern, rules)) {
    size_t end = 0;
    for (size_t i = 0; i < *length; ++i) {
      if (end == text.size()) return kNoMatch;
      end += rules.locale.next(text.substr(end));
    }
    return matches(pattern, text.substr(0, end), rules) ? end : kNoMatch;
  }
  for (size_t end = text.size();; end = rules.locale.previous(text, end)) {
    if (matches(pattern, text.substr(0, end), rules)) return end;
    if (end == 0) return kNoMatch;
  }
}

// The replacement for one match.
void append_replacement(std::string& to, std::string_view replacement, std::string_view match) {
  for (size_t i = 0; i < replacement.size(); ++i) {
    char c = replacement[i];
    bool escapes = c == '\\' && i + 1 < replacement.size() &&
                   (replacement[i + 1] == '&' || replacement[i + 1] == '\\');
    if (escapes) {
      to += replacement[++i];
    } else if (c == '&') {
      to += match;
    } else {
      to += c;
    }
  }
}

std::string replace_literal(std::string_view value, std::string_view literal,
                            std::string_view replacement, bool all) {
  std::string result;
  while (true) {
    size_t at = value.find(literal);
    if (at == kNoMatch) break;
    result.append(value.substr(0, at));
    append_replacement(result, replacement, literal);
    value.remove_prefix(at + literal.size());
    if (!all) break;
  }
  return result.append(value);
}

std::string replace(std::string_view value, std::string_view pattern, std::string_view replacement,
                    bool all, const PatternRules& rules) {
  if (pattern.empty()) return std::string(value);
  if (!is_pattern(pattern, rules.extended) && !rules.ignores_case)
    return replace_literal(value, unescape(pattern), replacement, all);
  std::string result;
  while (!value.empty()) {
    size_t size = longest_match(value, pattern, rules);
    if (size == kNoMatch || size == 0) {
      size_t step = rules.locale.next(value);
      result.append(value.substr(0, step));
      value.remove_prefix(step);
      continue;
    }
    append_replacement(result, replacement, value.substr(0, size));
    value.remove_prefix(size);
    if (!all) break;
  }
  return result.append(value);
}

std::string replace_at_end(std::string_view value, std::string_view pattern,
                           std::string_view replacement, const PatternRules& rules) {
  for (size_t begin = 0;; begin += rules.locale.next(value.substr(begin))) {
    if (matches(pattern, value.substr(begin), rules)) {
      std::string result(value.substr(0, begin));
      append_replacement(result, replacement, value.substr(begin));
      return result;
    }
    if (begin == value.size()) return std::string(value);
  }
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The case of ASCII letters; others stay as they are.
std::string change_case(std::string_view value, std::string_view pattern, char (*change)(char),
                        bool all, const PatternRules& rules) {
  std::string result(value);
  for (size_t i = 0; i < result.size(); i += rules.locale.next(value.substr(i))) {
    std::string_view character = value.substr(i, rules.locale.next(value.substr(i)));
    bool is_meant = pattern.empty() || matches(pattern, character, rules);
    if (is_meant && character.size() == 1) result[i] = change(result[i]);
    if (!all) break;
  }
  return result;
}

char toggle(char c) { return upper(c) != c ? upper(c) : lower(c); }

}  // namespace

std::string transformed(ParameterOp op, std::string_view value, std::string_view pattern,
                        std::string_view replacement, const PatternRules& rules) {
  switch (op) {
    case ParameterOp::kReplaceFirst: return replace(value, pattern, replacement, false, rules);
    case ParameterOp::kReplaceAll: return replace(value, pattern, replacement, true, rules);
    case ParameterOp::kReplacePrefix: {
      size_t size = longest_match(value, pattern, rules);
      if (size == kNoMatch) return std::string(value);
      std::string result;
      append_replacement(result, replacement, value.substr(0, size));
      return result.append(value.substr(size));
    }
    case ParameterOp::kReplaceSuffix: return replace_at_end(value, pattern, replacement, rules);
    case ParameterOp::kUpperFirst: return change_case(value, pattern, upper, false, rules);
    case ParameterOp::kUpperAll: return change_case(value, pattern, upper, true, rules);
    case ParameterOp::kLowerFirst: return change_case(value, pattern, lower, false, rules);
    case ParameterOp::kLowerAll: return change_case(value, pattern, lower, true, rules);
    case ParameterOp::kToggleFirst: return change_case(value, pattern, toggle, false, rules);
    case ParameterOp::kToggleAll: return change_case(value, pattern, toggle, true, rules);
    default: return std::string(value);
  }
}

}  // namespace nacre::machine
