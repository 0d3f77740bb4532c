#include "machine/pattern_group.h"

#include <vector>

namespace nacre::machine {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr int kMaxGroups = 100;  // of groups; deeper ones are literal

// After one element of a pattern: a bracket expression, an escaped or ordinary character.
size_t after_element(std::string_view p, size_t i) {
  if (p[i] == '[') {
    size_t end = bracket_end(p, i + 1);
    if (end != kNowhere) return end;
  }
  return p[i] == '\\' && i + 1 < p.size() ? i + 2 : i + 1;
}

bool starts_group(std::string_view p, size_t i) {
  return i + 1 < p.size() && p[i + 1] == '(' && std::string_view("?*+@!").find(p[i]) != kNowhere;
}

// The position of the `)` that closes the group whose operator is p[i]; kNowhere if there is none.
// Adds where its alternatives are separated.
size_t group_end(std::string_view p, size_t i, std::vector<size_t>* bars) {
  int depth = 1;
  for (size_t at = i + 2; at < p.size();) {
    if (starts_group(p, at)) {
      ++depth;
      at += 2;
    } else if (p[at] == ')') {
      if (--depth == 0) return at;
      ++at;
    } else {
      if (p[at] == '|' && depth == 1 && bars != nullptr) bars->push_back(at);
      at = after_element(p, at);
    }
  }
  return kNowhere;
}

// Positions in the text, one flag each.
using Positions = std::vector<bool>;

class GroupMatcher {
 public:
  GroupMatcher(std::string_view text, const Locale& locale) : text_(text), locale_(locale) {}

  bool matches(std::string_view pattern) {
    Positions start(text_.size() + 1, false);
    start[0] = true;
    return ends(pattern, std::move(start), 0)[text_.size()];
  }

 private:
  // Where a match of `p` that starts at one of `from` can end.
  Positions ends(std::string_view p, Positions from, int depth) {
    for (size_t i = 0; i < p.size();) {
      std::vector<size_t> bars;
      size_t close = depth < kMaxGroups && starts_group(p, i) ? group_end(p, i, &bars) : kNowhere;
      if (close != kNowhere) {
        from = group(p, i, close, bars, from, depth + 1);
        i = close + 1;
      } else if (p[i] == '*') {
        bool reached = false;
        for (size_t at = 0; at < from.size(); ++at) from[at] = reached = reached || from[at];
        ++i;
      } else {
        Positions to(from.size(), false);
        for (size_t at = 0; at < from.size(); ++at) {
          size_t element = i;
          size_t end = at;
          if (from[at] && match_one(p, element, text_, end, locale_)) to[end] = true;
        }
        from = std::move(to);
        i = after_element(p, i);
      }
    }
    return from;
  }

  Positions once(std::string_view p, size_t open, size_t close, const std::vector<size_t>& bars,
                 const Positions& from, int depth) {
    Positions result(from.size(), false);
    size_t begin = open + 2;
    for (size_t i = 0; i <= bars.size(); ++i) {
      size_t end = i < bars.size() ? bars[i] : close;
      add(result, ends(p.substr(begin, end - begin), from, depth));
      begin = end + 1;
    }
    return result;
  }

  Positions group(std::string_view p, size_t open, size_t close, const std::vector<size_t>& bars,
                  const Positions& from, int depth) {
    if (p[open] == '!') return anything_but(p, open, close, bars, from, depth);
    Positions result = once(p, open, close, bars, from, depth);
    if (p[open] == '*' || p[open] == '+') {
      Positions last = result;
      while (true) {
        Positions more = once(p, open, close, bars, last, depth);
        if (!add(result, more)) break;
        last = std::move(more);
      }
    }
    if (p[open] == '*' || p[open] == '?') add(result, from);
    return result;
  }

  Positions anything_but(std::string_view p, size_t open, size_t close,
                         const std::vector<size_t>& bars, const Positions& from, int depth) {
    Positions result(from.size(), false);
    for (size_t at = 0; at < from.size(); ++at) {
      if (!from[at]) continue;
      Positions start(from.size(), false);
      start[at] = true;
      Positions taken = once(p, open, close, bars, start, depth);
      for (size_t end = at; end < from.size(); ++end) {
        if (!taken[end]) result[end] = true;
      }
    }
    return result;
  }

  // True if something new came to `to`.
  static bool add(Positions& to, const Positions& from) {
    bool is_more = false;
    for (size_t i = 0; i < to.size(); ++i) {
      is_more |= from[i] && !to[i];
      to[i] = to[i] || from[i];
    }
    return is_more;
  }

  std::string_view text_;
  const Locale& locale_;
};

}  // namespace

bool has_group(std::string_view p) {
  if (p.find('(') == kNowhere) return false;
  for (size_t i = 0; i < p.size(); i = after_element(p, i)) {
    if (starts_group(p, i) && group_end(p, i, nullptr) != kNowhere) return true;
  }
  return false;
}

bool matches_groups(std::string_view pattern, std::string_view text, const Locale& locale) {
  return GroupMatcher(text, locale).matches(pattern);
}

}  // namespace nacre::machine
