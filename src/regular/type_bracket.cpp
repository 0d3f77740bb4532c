#include <algorithm>
#include <fmt/core.h>

#include "regular/char_classes.h"
#include "regular/type_parser.h"

namespace nacre::regular {
namespace {

// Classes are ASCII's, so that a type means the same over bytes and characters.
CharSet ascii_class(char letter) {
  const char small = static_cast<char>(letter | 0x20);
  if (small == 'd') return *posix_class("digit", Alphabet::kBytes);
  if (small == 's') return *posix_class("space", Alphabet::kBytes);
  return word_characters(Alphabet::kBytes);
}

CharSet without_newline(const CharSet& set, Alphabet alphabet) {
  return set.complement(alphabet) - CharSet::of('\n');
}

std::optional<Symbol> read_hex(PatternReader& reader, uint32_t digits) {
  Symbol value = 0;
  for (uint32_t i = 0; i < digits; ++i) {
    const int c = reader.peek();
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<Symbol>(digit);
    reader.skip();
  }
  return value;
}

Result<TypeEscape> parse_number(PatternReader& reader, uint32_t digits, Alphabet alphabet,
                                uint32_t begin) {
  const auto value = read_hex(reader, digits);
  if (!value) {
    return fail(reader.span_from(begin), fmt::format("expected {} hexadecimal digits", digits));
  }
  if (*value > last_symbol(alphabet)) {
    return fail(reader.span_from(begin), alphabet == Alphabet::kBytes
                                             ? "no byte has this number; write the character itself"
                                             : "no character has this number");
  }
  return TypeEscape{CharSet::of(*value), false};
}

class TypeBracket {
 public:
  TypeBracket(PatternReader& reader, Alphabet alphabet)
      : reader_(reader), alphabet_(alphabet), open_(reader.pos() - 1) {}

  Result<TypeSet> parse() {
    if (auto bare = bare_class()) return TypeSet{*bare, {}};
    const bool negated = reader_.take('^');
    for (bool is_first = true; is_first || reader_.peek() != ']'; is_first = false) {
      if (auto error = parse_item()) return tl::unexpected(*error);
    }
    reader_.skip();
    if (!negated) return TypeSet{set_, characters_};
    if (characters_.empty()) return TypeSet{without_newline(set_, alphabet_), {}};
    const CharSet ascii = CharSet::range(0, 0x7F);
    return TypeSet{without_newline(set_, alphabet_) & ascii,
                   characters_.complement(Alphabet::kCodePoints) - ascii};
  }

 private:
  struct Element {
    CharSet set;
    bool can_start_range = true;
    bool is_character = false;  // beyond ASCII, in a type over bytes
  };

  void add(SymbolRange range, bool is_character) {
    if (!is_character) return set_.add(range);
    const SymbolRange beyond_ascii{std::max<Symbol>(range.first, 0x80), range.last};
    characters_.add(beyond_ascii);
    if (range.first < 0x80) set_.add(SymbolRange{range.first, 0x7F});
  }

  // `[:digit:]` for `[[:digit:]]`.
  std::optional<CharSet> bare_class() {
    if (reader_.peek() != ':') return std::nullopt;
    const size_t close = reader_.rest().find(":]", 1);
    if (close == std::string_view::npos) return std::nullopt;
    auto set = posix_class(reader_.rest().substr(1, close - 1), Alphabet::kBytes);
    if (set) reader_.skip(static_cast<uint32_t>(close) + 2);
    return set;
  }

  std::optional<Error> parse_item() {
    const uint32_t begin = reader_.pos();
    const auto start = parse_element();
    if (!start) return start.error();
    if (start->is_character) {
      characters_.add(start->set);
    } else {
      set_.add(start->set);
    }
    const bool is_range = start->can_start_range && reader_.peek() == '-' && reader_.peek(1) >= 0 &&
                          reader_.peek(1) != ']';
    if (!is_range) return std::nullopt;
    const uint32_t hyphen = reader_.pos();
    reader_.skip();
    const auto end = parse_element();
    if (!end) return end.error();
    if (!end->can_start_range) {  // [a-\d]: no range, as in most dialects
      reader_.seek(hyphen + 1);
      set_.add('-');
      return std::nullopt;
    }
    if (start->set.min() > end->set.min()) {
      return Error{reader_.span_from(begin), "the range ends before it starts"};
    }
    add({start->set.min(), end->set.min()}, end->is_character);
    // [a-z-9]: the hyphen after a range is a member.
    if (reader_.peek() == '-' && reader_.peek(1) != ']' && reader_.peek(1) >= 0) {
      set_.add('-');
      reader_.skip();
    }
    return std::nullopt;
  }

  Result<Element> parse_element() {
    if (reader_.at_end()) return fail(reader_.span_from(open_), "this [ is never closed");
    const int kind = reader_.peek(1);
    if (reader_.peek() == '[' && (kind == ':' || kind == '.' || kind == '=')) {
      return parse_named(static_cast<char>(kind));
    }
    if (reader_.take('\\')) {
      const auto escape = parse_type_escape(reader_, alphabet_);
      if (!escape) return tl::unexpected(escape.error());
      return Element{escape->set, !escape->is_class};
    }
    const Symbol symbol = reader_.next();
    return Element{CharSet::of(symbol), true, symbol >= 0x80 && alphabet_ == Alphabet::kBytes};
  }

  Result<Element> parse_named(char kind) {
    const uint32_t begin = reader_.pos();
    const char close[] = {kind, ']', '\0'};
    const size_t length = reader_.rest().substr(2).find(close);
    if (length == std::string_view::npos) {  // no name: a plain bracket
      reader_.skip();
      return Element{CharSet::of('[')};
    }
    const std::string_view name = reader_.rest().substr(2, length);
    if (kind == ':') {
      reader_.skip(static_cast<uint32_t>(length) + 4);
      const auto set = posix_class(name, Alphabet::kBytes);
      if (!set) return fail(reader_.span_from(begin), fmt::format("no class is called {}", name));
      return Element{*set, false};
    }
    reader_.skip(2);
    const Symbol character = length == 0 ? 0 : reader_.next();
    if (length == 0 || !reader_.take(close)) {
      return fail(reader_.span_from(begin), "a collating element is one character");
    }
    return Element{CharSet::of(character)};
  }

  PatternReader& reader_;
  Alphabet alphabet_;
  uint32_t open_;
  CharSet set_;
  CharSet characters_;
};

}  // namespace

Result<TypeEscape> parse_type_escape(PatternReader& reader, Alphabet alphabet) {
  const uint32_t begin = reader.pos() - 1;
  if (reader.at_end()) return fail(reader.span_from(begin), "nothing follows the backslash");
  const Symbol c = reader.next();
  auto one = [](Symbol symbol) { return TypeEscape{CharSet::of(symbol), false}; };
  switch (c) {
    case 'n': return one('\n');
    case 't': return one('\t');
    case 'r': return one('\r');
    case 'f': return one('\f');
    case 'v': return one('\v');
    case 'a': return one('\a');
    case 'e': return one('\x1b');
    case '0': return one('\0');
    case 'x': return parse_number(reader, 2, alphabet, begin);
    case 'u': return parse_number(reader, 4, alphabet, begin);
    case 'U': return parse_number(reader, 8, alphabet, begin);
    case 'd':
    case 's':
    case 'w': return TypeEscape{ascii_class(static_cast<char>(c)), true};
    case 'D':
    case 'S':
    case 'W': return TypeEscape{without_newline(ascii_class(static_cast<char>(c)), alphabet), true};
    default: break;
  }
  const bool is_alphanumeric = c < 0x80 && posix_class("alnum", Alphabet::kBytes)->contains(c);
  if (is_alphanumeric) {
    return fail(reader.span_from(begin),
                fmt::format("\\{} is not an escape of types", static_cast<char>(c)));
  }
  return one(c);
}

Result<TypeSet> parse_type_bracket(PatternReader& reader, Alphabet alphabet) {
  return TypeBracket(reader, alphabet).parse();
}

}  // namespace nacre::regular
