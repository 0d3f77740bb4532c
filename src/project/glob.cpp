// A pattern is a sequence of elements; matching keeps the set of elements that could come next, as
// an automaton does.
#include "project/glob.h"

#include <algorithm>
#include <cctype>

namespace nacre::project {

namespace {

constexpr unsigned char kSlash = '/';

struct NamedClass {
  std::string_view name;
  int (*contains)(int);
};
constexpr NamedClass kNamedClasses[] = {
    {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank},
    {"cntrl", std::iscntrl}, {"digit", std::isdigit}, {"graph", std::isgraph},
    {"lower", std::islower}, {"print", std::isprint}, {"punct", std::ispunct},
    {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit},
};

bool add_named_class(std::string_view name, std::bitset<256>& set) {
  for (const NamedClass& each : kNamedClasses) {
    if (each.name != name) continue;
    for (int c = 0; c < 128; c++) {
      if (each.contains(c) != 0) set.set(static_cast<size_t>(c));
    }
    return true;
  }
  return false;
}

}  // namespace

struct Glob::Parser {
  std::string_view rest;
  bool is_at_start = true;  // of the pattern or of a directory
  // Git compares the part before the first special character by itself and matches the rest as a
  // pattern of its own, in which `**` then stands at the start: `a**/b` crosses directories.
  bool is_literal_so_far = true;
  std::vector<Element> elements = {};

  bool parse() {
    while (!rest.empty()) {
      if (!parse_element()) return false;
    }
    return true;
  }

  bool parse_element() {
    char c = rest.front();
    if (c == '*') return parse_star();
    is_at_start = false;
    rest.remove_prefix(1);
    if (c == '?' || c == '[' || c == '\\') is_literal_so_far = false;
    switch (c) {
      case '?': add_class(~std::bitset<256>()); return true;
      case '[': return parse_bracket();
      case '\\':
        if (rest.empty()) return false;
        c = rest.front();
        rest.remove_prefix(1);
        break;
      default: break;
    }
    add_literal(c);
    is_at_start = c == '/';
    return true;
  }

  bool parse_star() {
    size_t end = std::min(rest.find_first_not_of('*'), rest.size());
    bool is_double = end >= 2 && (is_at_start || is_literal_so_far);
    is_literal_so_far = false;
    rest.remove_prefix(end);
    if (is_double && rest.starts_with('/')) {
      rest.remove_prefix(1);
      elements.push_back({Kind::kDirectories, {}});
      return true;  // still at the start of a directory
    }
    elements.push_back({is_double && rest.empty() ? Kind::kRest : Kind::kStar, {}});
    is_at_start = false;
    return true;
  }

  // One member of a bracket expression, unescaped; nothing at the end of the pattern.
  std::optional<unsigned char> take_member() {
    if (rest.starts_with('\\')) rest.remove_prefix(1);
    if (rest.empty()) return std::nullopt;
    char c = rest.front();
    rest.remove_prefix(1);
    return static_cast<unsigned char>(c);
  }

  bool parse_bracket() {
    std::bitset<256> set;
    bool is_negated = rest.starts_with('!') || rest.starts_with('^');
    if (is_negated) rest.remove_prefix(1);
    for (bool is_first = true; is_first || !rest.starts_with(']'); is_first = false) {
      if (rest.starts_with("[:")) {
        size_t end = rest.find(":]");
        if (end == std::string_view::npos || !add_named_class(rest.substr(2, end - 2), set))
          return false;
        rest.remove_prefix(end + 2);
        continue;
      }
      if (!parse_range(set)) return false;
    }
    rest.remove_prefix(1);
    add_class(is_negated ? ~set : set);
    return true;
  }

  bool parse_range(std::bitset<256>& set) {
    auto first = take_member();
    if (!first) return false;
    auto last = first;
    if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']') {
      rest.remove_prefix(1);
      last = take_member();
      if (!last) return false;
    }
    for (unsigned c = *first; c <= *last; c++) set.set(c);
    return true;
  }

  void add_literal(char c) {
    std::bitset<256> set;
    set.set(static_cast<unsigned char>(c));
    elements.push_back({Kind::kClass, set});
  }

  // Nothing but a slash itself matches a slash.
  void add_class(std::bitset<256> set) {
    set.reset(kSlash);
    elements.push_back({Kind::kClass, set});
  }
};

Glob::Glob(std::string_view pattern) {
  Parser parser{pattern};
  if (parser.parse()) elements_ = std::move(parser.elements);
}

bool Glob::matches(std::string_view path) const {
  if (!elements_) return false;
  const auto& elements = *elements_;
  std::vector<bool> now(elements.size() + 1);
  // Stars may match nothing; a position is reached together with those after them.
  auto reach = [&](std::vector<bool>& set, size_t at) {
    set[at] = true;
    while (at < elements.size() && elements[at].kind != Kind::kClass) set[++at] = true;
  };
  reach(now, 0);
  for (char byte : path) {
    auto c = static_cast<unsigned char>(byte);
    std::vector<bool> next(now.size());
    for (size_t at = 0; at < elements.size(); at++) {
      if (!now[at]) continue;
      switch (elements[at].kind) {
        case Kind::kClass:
          if (elements[at].set[c]) reach(next, at + 1);
          break;
        case Kind::kStar:
          if (c != kSlash) reach(next, at);
          break;
        case Kind::kRest: reach(next, at); break;
        case Kind::kDirectories:
          if (c == kSlash) {
            reach(next, at);
          } else {
            next[at] = true;  // in the middle of a name: what follows cannot begin here
          }
          break;
      }
    }
    now = std::move(next);
  }
  return now.back();
}

PathPattern::PathPattern(std::string_view pattern) {
  if (pattern.ends_with('/')) {
    is_directory_only_ = true;
    pattern.remove_suffix(1);
  }
  is_anchored_ = pattern.find('/') != std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (!pattern.empty()) glob_.emplace(pattern);
}

bool PathPattern::matches(std::string_view path, bool is_directory) const {
  if (!glob_ || (is_directory_only_ && !is_directory)) return false;
  return glob_->matches(is_anchored_ ? path : path.substr(path.rfind('/') + 1));
}

}  // namespace nacre::project
