// State elimination over the minimal automaton, simplifying on the way: unions of letters become
// classes, x | xy becomes x(y)?, x(x)* becomes x+.
#include "python/show.h"

#include <algorithm>
#include <fmt/core.h>

#include "python/state.h"

namespace nacre::python {
namespace {

using regular::CharSet;

std::string escaped(uint32_t c, bool in_set) {
  switch (c) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    case '\f': return "\\f";
    case '\v': return "\\v";
    default: break;
  }
  if (c < 32 || (c >= 127 && c < 160)) return fmt::format("\\x{:02x}", c);
  if (c > 0xFFFF) return fmt::format("\\U{:08x}", c);
  if (c >= 0xD800 && c < 0xE000) return fmt::format("\\u{:04x}", c);
  std::string out;
  std::string_view special = in_set ? "\\]^-[" : "\\.^$*+?{}[]|()";
  if (c < 128 && special.find(static_cast<char>(c)) != std::string_view::npos) out = "\\";
  regular::append_symbol(out, c, regular::Alphabet::kCodePoints);
  return out;
}

std::string ranges_text(const CharSet& set) {
  std::string out;
  for (regular::SymbolRange range : set.ranges()) {
    out += escaped(range.first, true);
    if (range.last == range.first) continue;
    if (range.last > range.first + 1) out += '-';
    out += escaped(range.last, true);
  }
  return out;
}

std::string set_text(const CharSet& set) {
  constexpr auto kAlphabet = regular::Alphabet::kCodePoints;
  CharSet others = set.complement(kAlphabet);
  if (others.empty()) return ".";
  if (set.size() == 1) return escaped(set.min(), false);
  std::string inside = ranges_text(set);
  std::string outside = ranges_text(others);
  return inside.size() <= outside.size() ? "[" + inside + "]" : "[^" + outside + "]";
}

// A regex in the making. `binding`: 3 an atom, 2 a sequence, 1 a choice.
struct Piece {
  bool is_none = true;  // no word at all
  bool is_set = false;  // one character of `set`
  CharSet set;
  std::string text;  // "" for the empty word
  int binding = 3;
  bool may_be_empty = false;  // (text)? is meant
};

Piece empty_piece() {
  Piece piece;
  piece.is_none = false;
  return piece;
}

Piece set_piece(const CharSet& set) {
  Piece piece;
  piece.is_none = false;
  piece.is_set = true;
  piece.set = set;
  piece.text = set_text(set);
  return piece;
}

std::string atom(const Piece& piece) {
  return piece.binding == 3 ? piece.text : "(" + piece.text + ")";
}

Piece optional(Piece piece) {
  if (piece.is_none || piece.text.empty()) return empty_piece();
  char last = piece.text.back();
  bool is_starred = piece.binding == 3 && !piece.is_set && last == '*';
  if (is_starred) return piece;
  bool is_plus = piece.binding == 3 && !piece.is_set && last == '+';
  if (is_plus)
    piece.text.back() = '*';
  else
    piece.text = atom(piece) + "?";
  piece.is_set = false;
  piece.binding = 3;
  return piece;
}

Piece unite(const Piece& a, const Piece& b) {
  if (a.is_none) return b;
  if (b.is_none) return a;
  if (a.is_set && b.is_set) return set_piece(a.set | b.set);
  if (a.text == b.text) return a;
  if (a.text.empty()) return optional(b);
  if (b.text.empty()) return optional(a);
  Piece result = empty_piece();
  result.text = a.text + "|" + b.text;
  result.binding = 1;
  return result;
}

Piece star(const Piece& a) {
  if (a.is_none || a.text.empty()) return empty_piece();
  Piece result = empty_piece();
  char last = a.text.back();
  bool is_postfixed = a.binding == 3 && !a.is_set && (last == '?' || last == '+' || last == '*');
  result.text = is_postfixed ? a.text.substr(0, a.text.size() - 1) + "*" : atom(a) + "*";
  return result;
}

Piece concat(const Piece& a, const Piece& b) {
  if (a.is_none || b.is_none) return {};
  if (a.text.empty()) return b;
  if (b.text.empty()) return a;
  Piece result = empty_piece();
  // x x* is x+.
  if (b.binding == 3 && !b.is_set && b.text == atom(a) + "*") {
    result.text = atom(a) + "+";
    return result;
  }
  if (a.binding == 3 && !a.is_set && a.text == atom(b) + "*") {
    result.text = atom(b) + "+";
    return result;
  }
  // The same at the end of a sequence: [ab][0-9] [0-9]* (a class cannot be part of anything else).
  bool repeats =
      b.binding == 3 && !b.is_set && b.text.size() > 2 && b.text[0] == '[' && b.text.back() == '*';
  std::string base = repeats ? b.text.substr(0, b.text.size() - 1) : "";
  if (repeats && a.binding == 2 && a.text.size() > base.size() && a.text.ends_with(base) &&
      a.text[a.text.size() - base.size() - 1] != '\\') {
    result.text = a.text + "+";
    result.binding = 2;
    return result;
  }
  result.text = (a.binding == 1 ? atom(a) : a.text) + (b.binding == 1 ? atom(b) : b.text);
  result.binding = 2;
  return result;
}

constexpr size_t kLongest = 400;

std::string eliminate(const Program& program, const Automaton& automaton) {
  const uint32_t size = automaton.size();
  const uint32_t letters = program.words().letters();
  const uint32_t start = size, end = size + 1;
  std::vector<std::vector<Piece>> arcs(size + 2, std::vector<Piece>(size + 2));
  for (uint32_t s = 0; s < size; ++s) {
    std::vector<CharSet> sets(size);
    for (uint32_t c = 0; c < letters; ++c) {
      uint32_t t = automaton.next[s * letters + c];
      if (t != kNoState) sets[t].add(program.letters()[static_cast<Letter>(c)]);
    }
    for (uint32_t t = 0; t < size; ++t) {
      if (!sets[t].empty()) arcs[s][t] = set_piece(sets[t]);
    }
    if (automaton.accepting[s]) arcs[s][end] = empty_piece();
  }
  arcs[start][0] = empty_piece();
  std::vector<uint32_t> left;
  for (uint32_t s = 0; s < size; ++s) left.push_back(s);
  while (!left.empty()) {
    // The state with the least text around it goes first; among equals the last one.
    auto weight = [&](uint32_t s) {
      size_t in = 0, out = 0, sum = 0;
      for (uint32_t i = 0; i < size + 2; ++i) {
        if (i == s) continue;
        if (!arcs[i][s].is_none) ++in, sum += arcs[i][s].text.size();
        if (!arcs[s][i].is_none) ++out, sum += arcs[s][i].text.size();
      }
      return in * out * (sum + arcs[s][s].text.size() + 1);
    };
    auto best = std::min_element(left.rbegin(), left.rend(),
                                 [&](uint32_t a, uint32_t b) { return weight(a) < weight(b); });
    uint32_t s = *best;
    left.erase(std::next(best).base());
    Piece loop = star(arcs[s][s]);
    for (uint32_t i = 0; i < size + 2; ++i) {
      if (i == s || arcs[i][s].is_none) continue;
      for (uint32_t j = 0; j < size + 2; ++j) {
        if (j == s || arcs[s][j].is_none) continue;
        arcs[i][j] = unite(arcs[i][j], concat(concat(arcs[i][s], loop), arcs[s][j]));
        if (arcs[i][j].text.size() > kLongest) return "";
      }
    }
    for (uint32_t i = 0; i < size + 2; ++i) arcs[i][s] = arcs[s][i] = {};
  }
  return arcs[start][end].text;
}

}  // namespace

std::string python_literal(std::string_view utf8) {
  std::string out = "'";
  for (uint32_t c : regular::decode(utf8, regular::Alphabet::kCodePoints)) {
    if (c == '\'' || c == '\\')
      out += '\\', out += static_cast<char>(c);
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (c < 32 || (c >= 127 && c < 161))
      out += fmt::format("\\x{:02x}", c);
    else if (c > 0xFFFF)
      out += fmt::format("\\U{:08x}", c);
    else if (c >= 0xD800 && c < 0xE000)
      out += fmt::format("\\u{:04x}", c);
    else
      regular::append_symbol(out, c, regular::Alphabet::kCodePoints);
  }
  return out + "'";
}

std::string show(const Program& program, Words words) {
  const WordStore& store = program.words();
  const Automaton& automaton = store[words];
  if (automaton.size() == 0) return "no string at all";
  std::string regex = automaton.size() <= 60 ? eliminate(program, automaton) : "";
  if (!regex.empty() || store[words].max_length == 0) return "r'" + regex + "'";
  std::string examples;
  for (const Word& word : store.first_words(words, 3)) {
    examples += (examples.empty() ? "" : ", ") + python_literal(program.letters().text(word));
  }
  return fmt::format("strings such as {}", examples);
}

std::string show(const Program& program, const Type& type) {
  using TypeKind = Type::Kind;
  auto parts = [&](const char* before, const char* after) {
    std::string out = before;
    for (size_t i = 0; i < type.parts.size(); ++i)
      out += (i > 0 ? ", " : "") + show(program, type.parts[i]);
    return out + after;
  };
  switch (type.kind) {
    case TypeKind::kMissing:
    case TypeKind::kOther:
    case TypeKind::kMatch: return "a value that is not a string";
    case TypeKind::kNone: return "None";
    case TypeKind::kStr: return "str";
    case TypeKind::kBool: return "bool";
    case TypeKind::kFloat: return "float";
    case TypeKind::kBytes: return "bytes";
    case TypeKind::kLanguage: return show(program, type.words);
    case TypeKind::kInt: {
      const Range range = type.range;
      if (range.is_single()) return fmt::format("int, {}", range.low);
      if (range.low > -kUnlimited && range.high < kUnlimited)
        return fmt::format("int, {} to {}", range.low, range.high);
      return "int";
    }
    case TypeKind::kList: return parts("list[", "]");
    case TypeKind::kSet: return parts("set[", "]");
    case TypeKind::kDict: return parts("dict[", "]");
    case TypeKind::kIterable: return parts("Iterable[", "]");
    case TypeKind::kTuple: return parts("tuple[", "]");
    case TypeKind::kTupleOf: return parts("tuple[", ", ...]");
    case TypeKind::kLibrary: return type_name(type);
    case TypeKind::kCallable: return parts("Callable[..., ", "]");
    case TypeKind::kInstance:
    case TypeKind::kEnum: return program.classes()[type.cls].name;
    case TypeKind::kUnion: {
      std::string out;
      for (const Type& part : type.parts) out += (out.empty() ? "" : " | ") + show(program, part);
      return out.empty() ? "nothing" : out;
    }
  }
  return "";
}

}  // namespace nacre::python
