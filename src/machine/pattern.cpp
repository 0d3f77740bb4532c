#include "machine/pattern.h"

#include "machine/pattern_group.h"

namespace nacre::machine {
namespace {

constexpr size_t kNone = std::string_view::npos;

}  // namespace

size_t bracket_end(std::string_view p, size_t at) {
  if (at < p.size() && (p[at] == '!' || p[at] == '^')) ++at;
  bool first = true;
  while (at < p.size()) {
    if (p[at] == ']' && !first) return at + 1;
    first = false;
    if (p[at] == '[' && at + 1 < p.size() &&
        (p[at + 1] == ':' || p[at + 1] == '.' || p[at + 1] == '=')) {
      const char close[2] = {p[at + 1], ']'};
      size_t end = p.find(std::string_view(close, 2), at + 2);
      at = end == kNone ? at + 1 : end + 2;
    } else if (p[at] == '\\' && at + 1 < p.size()) {
      at += 2;
    } else {
      ++at;
    }
  }
  return kNone;
}

namespace {

constexpr uint32_t kNoCharacter = 0x7FFFFFFF;

// Names of the POSIX locale: [.space.].
uint32_t character_named(std::string_view name) {
  struct Named {
    std::string_view name;
    char character;
  };
  static constexpr Named kCollatingNames[] = {{"alert", '\a'},
                                              {"backspace", '\b'},
                                              {"tab", '\t'},
                                              {"newline", '\n'},
                                              {"vertical-tab", '\v'},
                                              {"form-feed", '\f'},
                                              {"carriage-return", '\r'},
                                              {"space", ' '},
                                              {"exclamation-mark", '!'},
                                              {"quotation-mark", '"'},
                                              {"number-sign", '#'},
                                              {"dollar-sign", '$'},
                                              {"percent-sign", '%'},
                                              {"ampersand", '&'},
                                              {"apostrophe", '\''},
                                              {"left-parenthesis", '('},
                                              {"right-parenthesis", ')'},
                                              {"asterisk", '*'},
                                              {"plus-sign", '+'},
                                              {"comma", ','},
                                              {"hyphen", '-'},
                                              {"hyphen-minus", '-'},
                                              {"minus", '-'},
                                              {"dash", '-'},
                                              {"period", '.'},
                                              {"full-stop", '.'},
                                              {"slash", '/'},
                                              {"solidus", '/'},
                                              {"zero", '0'},
                                              {"one", '1'},
                                              {"two", '2'},
                                              {"three", '3'},
                                              {"four", '4'},
                                              {"five", '5'},
                                              {"six", '6'},
                                              {"seven", '7'},
                                              {"eight", '8'},
                                              {"nine", '9'},
                                              {"colon", ':'},
                                              {"semicolon", ';'},
                                              {"less-than-sign", '<'},
                                              {"equals-sign", '='},
                                              {"greater-than-sign", '>'},
                                              {"question-mark", '?'},
                                              {"commercial-at", '@'},
                                              {"left-square-bracket", '['},
                                              {"backslash", '\\'},
                                              {"reverse-solidus", '\\'},
                                              {"right-square-bracket", ']'},
                                              {"circumflex", '^'},
                                              {"circumflex-accent", '^'},
                                              {"underscore", '_'},
                                              {"grave-accent", '`'},
                                              {"left-brace", '{'},
                                              {"left-curly-bracket", '{'},
                                              {"vertical-line", '|'},
                                              {"right-brace", '}'},
                                              {"right-curly-bracket", '}'},
                                              {"tilde", '~'},
                                              {"DEL", '\x7f'}};
  for (const Named& known : kCollatingNames) {
    if (known.name == name) return static_cast<unsigned char>(known.character);
  }
  return kNoCharacter;
}

// One bracket expression over characters; `p` is what stands between the brackets.
class Bracket {
 public:
  Bracket(std::string_view p, const Locale& locale) : p_(p), locale_(locale) {}

  bool contains(uint32_t wanted) {
    bool negated = !p_.empty() && (p_[0] == '!' || p_[0] == '^');
    if (negated) ++at_;
    bool found = false;
    while (at_ < p_.size()) {
      if (p_.substr(at_).starts_with("[:")) {
        size_t end = p_.find(":]", at_ + 2);
        if (end != kNone) {
          found |= locale_.is_in_class(wanted, p_.substr(at_ + 2, end - at_ - 2));
          at_ = end + 2;
          continue;
        }
      }
      uint32_t low = element();
      uint32_t high = low;
      if (at_ + 1 < p_.size() && p_[at_] == '-') {
        ++at_;
        high = element();
      }
      found |= low <= wanted && wanted <= high;
    }
    return found != negated;
  }

 private:
  // A character, [.c.] or [=c=].
  uint32_t element() {
    std::string_view rest = p_.substr(at_);
    if (rest.size() > 1 && rest[0] == '[' && (rest[1] == '.' || rest[1] == '=')) {
      const char close[2] = {rest[1], ']'};
      size_t end = rest.find(std::string_view(close, 2), 2);
      if (end != kNone && end > 2) {
        at_ += end + 2;
        std::string_view symbol = rest.substr(2, end - 2);
        if (locale_.next(symbol) == symbol.size()) return locale_.decode(symbol);
        // A symbol of several characters is none that a single character could be.
        return rest[1] == '.' ? character_named(symbol) : kNoCharacter;
      }
    }
    if (rest[0] == '\\' && rest.size() > 1) {
      ++at_;
      rest.remove_prefix(1);
    }
    size_t size = locale_.next(rest);
    at_ += size;
    return locale_.decode(rest.substr(0, size));
  }

  std::string_view p_;
  const Locale& locale_;
  size_t at_ = 0;
};

}  // namespace

bool match_one(std::string_view p, size_t& i, std::string_view text, size_t& j,
               const Locale& locale) {
  char c = p[i];
  if (c == '?') {
    if (j == text.size()) return false;
    j += locale.next(text.substr(j));
    ++i;
    return true;
  }
  if (c == '[') {
    size_t end = bracket_end(p, i + 1);
    if (end != kNone) {
      if (j == text.size()) return false;
      size_t size = locale.next(text.substr(j));
      uint32_t character = locale.decode(text.substr(j, size));
      if (!Bracket(p.substr(i + 1, end - i - 2), locale).contains(character)) return false;
      i = end;
      j += size;
      return true;
    }
  }
  size_t skip = c == '\\' && i + 1 < p.size() ? 1 : 0;
  if (j == text.size() || p[i + skip] != text[j]) return false;
  i += 1 + skip;
  ++j;
  return true;
}

namespace {

// The position of the only active element, a `*` at one end; the rest literal. These are nearly all
// patterns of ${x#...} and ${x%...}.
struct SimpleStar {
  bool applies = false;
  bool star_first = false;
  std::string_view literal;
};
SimpleStar simple_star(std::string_view p) {
  SimpleStar result;
  if (p.size() < 2) return result;
  result.star_first = p.front() == '*';
  if (!result.star_first && p.back() != '*') return result;
  result.literal = result.star_first ? p.substr(1) : p.substr(0, p.size() - 1);
  result.applies = result.literal.find_first_of("*?[\\") == kNone;
  return result;
}

// With a `*` that is not an escaped one.
bool ends_with_star(std::string_view p) {
  if (!p.ends_with('*')) return false;
  size_t before = p.size() - 1;
  while (before > 0 && p[before - 1] == '\\') --before;
  return (p.size() - 1 - before) % 2 == 0;
}

}  // namespace

namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

bool matches(std::string_view p, std::string_view text, const PatternRules& rules) {
  if (rules.ignores_case) {
    return matches(lower_case(p), lower_case(text), {rules.locale, rules.extended});
  }
  if (rules.extended && has_group(p)) return matches_groups(p, text, rules.locale);
  const Locale& locale = rules.locale;
  size_t i = 0;
  size_t j = 0;
  size_t star = kNone;  // after the last `*`; text before `retry` is taken by it
  size_t retry = 0;
  while (true) {
    if (i < p.size() && p[i] == '*') {
      star = ++i;
      retry = j;
      if (i == p.size()) return true;
    } else if (i < p.size() ? match_one(p, i, text, j, locale) : j == text.size()) {
      if (i == p.size() && j == text.size()) return true;
    } else {
      if (star == kNone || retry >= text.size()) return false;
      retry += locale.next(text.substr(retry));
      i = star;
      j = retry;
    }
  }
}

namespace {

// Then the shortcuts for plain patterns do not hold.
bool has_rules_of_bash(const PatternRules& rules, std::string_view pattern) {
  return rules.ignores_case || (rules.extended && has_group(pattern));
}

}  // namespace

std::string_view without_prefix(std::string_view text, std::string_view pattern, bool longest,
                                const PatternRules& rules) {
  if (SimpleStar simple = simple_star(pattern);
      simple.applies && !has_rules_of_bash(rules, pattern) && simple.star_first) {
    size_t at = longest ? text.rfind(simple.literal) : text.find(simple.literal);
    return at == kNone ? text : text.substr(at + simple.literal.size());
  }
  if (!is_pattern(pattern, rules.extended) && !rules.ignores_case) {
    std::string literal = unescape(pattern);
    return text.starts_with(literal) ? text.substr(literal.size()) : text;
  }
  // After the star anything may follow: the longest match is the whole text or nothing.
  if (ends_with_star(pattern) && !has_rules_of_bash(rules, pattern)) {
    if (longest) return matches(pattern, text, rules) ? text.substr(text.size()) : text;
    pattern.remove_suffix(1);
    return without_prefix(text, pattern, false, rules);
  }
  size_t end = longest ? text.size() : 0;
  while (!matches(pattern, text.substr(0, end), rules)) {
    if (end == (longest ? 0 : text.size())) return text;
    end = longest ? rules.locale.previous(text, end) : end + rules.locale.next(text.substr(end));
  }
  return text.substr(end);
}

std::string_view without_suffix(std::string_view text, std::string_view pattern, bool longest,
                                const PatternRules& rules) {
  if (SimpleStar simple = simple_star(pattern);
      simple.applies && !has_rules_of_bash(rules, pattern) && !simple.star_first) {
    size_t at = longest ? text.find(simple.literal) : text.rfind(simple.literal);
    return at == kNone ? text : text.substr(0, at);
  }
  if (!is_pattern(pattern, rules.extended) && !rules.ignores_case) {
    std::string literal = unescape(pattern);
    return text.ends_with(literal) ? text.substr(0, text.size() - literal.size()) : text;
  }
  // Before the star anything may stand.
  if (pattern[0] == '*' && !has_rules_of_bash(rules, pattern)) {
    if (longest) return matches(pattern, text, rules) ? text.substr(0, 0) : text;
    return without_suffix(text, pattern.substr(1), false, rules);
  }
  size_t begin = longest ? 0 : text.size();
  while (!matches(pattern, text.substr(begin), rules)) {
    if (begin == (longest ? text.size() : 0)) return text;
    begin = longest ? begin + rules.locale.next(text.substr(begin))
                    : rules.locale.previous(text, begin);
  }
  return text.substr(0, begin);
}

bool is_pattern(std::string_view p, bool extended) {
  if (extended && has_group(p)) return true;
  for (size_t i = 0; i < p.size(); ++i) {
    if (p[i] == '*' || p[i] == '?') return true;
    if (p[i] == '[' && bracket_end(p, i + 1) != kNone) return true;
    if (p[i] == '\\') ++i;
  }
  return false;
}

std::optional<size_t> fixed_length(std::string_view p, const PatternRules& rules) {
  if (rules.extended && has_group(p)) return std::nullopt;
  size_t length = 0;
  for (size_t i = 0; i < p.size(); ++length) {
    if (p[i] == '*') return std::nullopt;
    size_t end = p[i] == '[' ? bracket_end(p, i + 1) : kNone;
    if (end != kNone) {
      i = end;
      continue;
    }
    if (p[i] == '\\' && i + 1 < p.size()) ++i;
    i += rules.locale.next(p.substr(i));
  }
  return length;
}

std::string unescape(std::string_view p) {
  std::string result;
  result.reserve(p.size());
  for (size_t i = 0; i < p.size(); ++i) {
    if (p[i] == '\\' && i + 1 < p.size()) ++i;
    result += p[i];
  }
  return result;
}

}  // namespace nacre::machine
