#include <algorithm>
#include <fmt/core.h>
#include <string>

#include "regular/char_classes.h"
#include "regular/perl_parser.h"

namespace nacre::regular {

using regex::Position;

namespace {

int digit_value(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

bool is_letter(Symbol c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

CharSet horizontal_space(Alphabet alphabet) {
  CharSet set = CharSet::of(" \t\xA0");
  if (alphabet == Alphabet::kBytes) return set;
  for (Symbol c : {0x1680u, 0x180Eu, 0x202Fu, 0x205Fu, 0x3000u}) set.add(c);
  set.add(SymbolRange{0x2000, 0x200A});
  return set;
}

CharSet vertical_space(Alphabet alphabet) {
  CharSet set = CharSet::of("\n\v\f\r\x85");
  if (alphabet == Alphabet::kCodePoints) set.add(SymbolRange{0x2028, 0x2029});
  return set;
}

}  // namespace

// \d \s \w and their complements, \h \v \N of PCRE.
std::optional<CharSet> PerlParser::category(Symbol letter) const {
  const Alphabet classes = flags_.is_ascii || !python() ? Alphabet::kBytes : alphabet_;
  CharSet set;
  switch (letter) {
    case 'd':
    case 'D': set = decimal_digits(classes); break;
    case 's':
    case 'S':
      set = *posix_class("space", classes);
      // str.isspace() counts the separators among the controls as well.
      if (python() && classes == Alphabet::kCodePoints) set.add(SymbolRange{0x1C, 0x1F});
      break;
    case 'w':
    case 'W': set = word_characters(classes); break;
    case 'h':
    case 'H':
      if (python()) return std::nullopt;
      set = horizontal_space(alphabet_);
      break;
    case 'v':
    case 'V':
      if (python()) return std::nullopt;
      set = vertical_space(alphabet_);
      break;
    case 'N':
      if (python()) return std::nullopt;
      return CharSet::all(alphabet_) - CharSet::of('\n');
    default: return std::nullopt;
  }
  return letter < 'a' ? set.complement(alphabet_) : set;
}

// The reader stands after the backslash.
Result<PerlParser::Escape> PerlParser::parse_escape(bool in_class) {
  const uint32_t begin = reader_.pos() - 1;
  if (reader_.at_end()) {
    return error(begin, python() ? "bad escape (end of pattern)" : "\\ at end of pattern");
  }
  if (reader_.peek() >= '0' && reader_.peek() <= '9') return parse_digits(begin, in_class);
  const Symbol c = reader_.next();
  const bool is_named = c == 'N' && reader_.peek() == '{';
  if (!is_named && !(in_class && c == 'N')) {
    if (auto set = category(c)) return set_of(std::move(*set));
  }
  switch (c) {
    case 'a': return symbol('\a');
    case 'f': return symbol('\f');
    case 'n': return symbol('\n');
    case 'r': return symbol('\r');
    case 't': return symbol('\t');
    default: break;
  }
  if (python()) return parse_python_escape(c, begin, in_class);
  return in_class ? parse_pcre_class_escape(c, begin) : parse_pcre_escape(c, begin);
}

Result<PerlParser::Escape> PerlParser::parse_python_escape(Symbol c, uint32_t begin,
                                                           bool in_class) {
  auto position = [](Position where) {
    return Escape{.kind = Escape::Kind::kPosition, .position = where};
  };
  auto number = [&](uint32_t digits) -> Result<Escape> {
    const auto value = parse_hex(begin, digits);
    if (!value) return tl::unexpected(value.error());
    return symbol(*value);
  };
  const bool is_text = alphabet_ == Alphabet::kCodePoints;
  if (c == 'v') return symbol('\v');
  if (c == 'b' && in_class) return symbol('\b');
  if (c == 'x') return number(2);
  if (c == 'u' && is_text) return number(4);
  if (c == 'U' && is_text) {
    auto escape = number(8);
    if (escape && escape->character > 0x10FFFF) return error(begin, "bad escape");
    return escape;
  }
  if (c == 'N' && is_text) return error(begin, "character names are not supported");
  if (!in_class) {
    if (c == 'A') return position(Position::kSubjectStart);
    if (c == 'Z') return position(Position::kSubjectEnd);
    if (c == 'b') return position(Position::kWordBoundary);
    if (c == 'B') return position(Position::kNotWordBoundary);
  }
  if (is_letter(c)) return error(begin, fmt::format("bad escape \\{}", static_cast<char>(c)));
  return symbol(c);
}

// What is the same in a class and outside of it. Nothing: something else.
Result<std::optional<PerlParser::Escape>> PerlParser::parse_pcre_character(Symbol c,
                                                                           uint32_t begin) {
  using Maybe = std::optional<Escape>;
  if (c == 'e') return Maybe(symbol(0x1B));
  if (c == 'p' || c == 'P') return error(begin, "\\p is not supported");
  if (c == 'x' || c == 'o') {
    const bool has_braces = reader_.peek() == '{';
    if (c == 'o' && !has_braces) return error(begin, "missing opening brace after \\o");
    const auto value = has_braces ? parse_braced(begin, c == 'x' ? 16 : 8) : parse_hex(begin, 2);
    if (!value) return tl::unexpected(value.error());
    return Maybe(symbol(*value));
  }
  if (c != 'c') return Maybe{};
  if (reader_.at_end()) return error(begin, "\\c at end of pattern");
  const Symbol letter = reader_.next();
  if (letter < 32 || letter > 126) {
    return error(begin, "\\c must be followed by a printable ASCII character");
  }
  const bool is_small = letter >= 'a' && letter <= 'z';
  return Maybe(symbol((is_small ? letter - 32 : letter) ^ 0x40));
}

Result<PerlParser::Escape> PerlParser::parse_pcre_class_escape(Symbol c, uint32_t begin) {
  auto same = parse_pcre_character(c, begin);
  if (!same) return tl::unexpected(same.error());
  if (*same) return **same;
  if (c == 'b') return symbol('\b');
  if (c == 'B' || c == 'R' || c == 'X' || c == 'N') {
    return error(begin, "escape sequence is invalid in character class");
  }
  if (c == 'Q') in_quote_ = true;
  if (c == 'Q' || c == 'E') return Escape{};
  if (is_letter(c)) return error(begin, "unrecognized character follows \\");
  return symbol(c);
}

Result<PerlParser::Escape> PerlParser::parse_pcre_escape(Symbol c, uint32_t begin) {
  auto same = parse_pcre_character(c, begin);
  if (!same) return tl::unexpected(same.error());
  if (*same) return **same;
  auto position = [](Position where) {
    return Escape{.kind = Escape::Kind::kPosition, .position = where};
  };
  switch (c) {
    case 'A':
    case 'G': return position(Position::kSubjectStart);
    case 'Z': return position(Position::kFinalLineEnd);
    case 'z': return position(Position::kSubjectEnd);
    case 'b': return position(Position::kWordBoundary);
    case 'B': return position(Position::kNotWordBoundary);
    case 'K':
      if (look_nesting_ > 0) return error(begin, "\\K is not allowed in lookarounds");
      return position(Position::kMatchStart);
    case 'C': return set_of(CharSet::all(alphabet_));
    case 'R':
      return Escape{.kind = Escape::Kind::kNode, .node = any_newline(reader_.span_from(begin))};
    case 'X': return error(begin, "\\X is not supported");
    case 'g':
    case 'k': reader_.seek(begin + 1); return parse_pcre_reference(begin);
    case 'F':
    case 'L':
    case 'l':
    case 'U':
    case 'u':
    case 'N': return error(begin, "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
    default: break;
  }
  if (is_letter(c)) return error(begin, "unrecognized character follows \\");
  return symbol(c);
}

// \g1 \g{1} \g{-1} \g{name} \k<name> \k'name' \k{name}; the reader stands at the letter.
Result<PerlParser::Escape> PerlParser::parse_pcre_reference(uint32_t begin) {
  const bool is_g = reader_.next() == 'g';
  const int open = reader_.peek();
  if (is_g && (open == '<' || open == '\'')) {
    return error(begin, "recursion is not regular and not supported");
  }
  const bool has_braces = open == '{';
  if (!is_g && open != '<' && open != '\'' && open != '{') {
    return error(begin, "\\k is not followed by a braced, angle-bracketed, or quoted name");
  }
  if (has_braces || !is_g) reader_.skip();
  const int sign = reader_.peek();
  const bool is_relative = is_g && (sign == '-' || sign == '+');
  if (is_relative) reader_.skip();
  if (const auto number = is_g ? parse_number() : std::nullopt) {
    if (has_braces && !reader_.take('}')) {
      return error(begin, "a numbered reference must not be zero");
    }
    const uint32_t count = builder_.regex().group_count;
    uint32_t group = *number;
    if (is_relative && sign == '-') group = *number > count ? 0 : count - *number + 1;
    if (is_relative && sign == '+') group = count + *number;
    if (group == 0) {
      return error(begin, *number == 0 ? "a numbered reference must not be zero"
                                       : "reference to non-existent subpattern");
    }
    return Escape{.kind = Escape::Kind::kReference, .group = group};
  }
  if (is_g && !has_braces) {
    return error(begin, "a numbered reference must not be zero");
  }
  const auto name = parse_group_name(has_braces ? '}' : open == '<' ? '>' : '\'');
  if (!name) return tl::unexpected(name.error());
  const auto group = group_named(*name);
  if (!group) return error(begin, "reference to non-existent subpattern");
  return Escape{.kind = Escape::Kind::kReference, .group = *group};
}

// Up to `most` octal digits.
Symbol PerlParser::parse_octal(uint32_t most) {
  Symbol value = 0;
  for (uint32_t i = 0; i < most && digit_value(reader_.peek()) < 8; ++i) {
    value = value * 8 + static_cast<Symbol>(digit_value(reader_.peek()));
    reader_.skip();
  }
  return value;
}

// \0 and octal numbers, or references to groups. The reader stands at the first digit.
Result<PerlParser::Escape> PerlParser::parse_digits(uint32_t begin, bool in_class) {
  if (reader_.take('0')) return symbol(parse_octal(2));
  return python() ? parse_python_digits(begin, in_class) : parse_pcre_digits(begin, in_class);
}

// Three octal digits are a character, one or two digits of any kind a group.
Result<PerlParser::Escape> PerlParser::parse_python_digits(uint32_t begin, bool in_class) {
  const auto is_octal = [&](uint32_t ahead) { return digit_value(reader_.peek(ahead)) < 8; };
  const auto first = static_cast<char>(reader_.peek());
  if (is_octal(0) && is_octal(1) && is_octal(2)) {
    const Symbol value = parse_octal(3);
    if (value <= 0377) return symbol(value);
    return error(begin, fmt::format("octal escape value {} outside of range 0-0o377",
                                    reader_.text().substr(begin, 4)));
  }
  uint32_t group = 0;
  for (uint32_t i = 0; i < 2 && digit_value(reader_.peek()) < 10; ++i) {
    group = group * 10 + static_cast<uint32_t>(digit_value(reader_.peek()));
    reader_.skip();
  }
  if (in_class) return error(begin, fmt::format("bad escape \\{}", first));
  return Escape{.kind = Escape::Kind::kReference, .group = group};
}

// A group if the number is below ten or there are that many groups; otherwise octal.
Result<PerlParser::Escape> PerlParser::parse_pcre_digits(uint32_t begin, bool in_class) {
  if (!in_class) {
    const uint32_t first = reader_.pos();
    const uint32_t number = parse_number().value_or(0);
    if (number < 10 || number <= groups_in_all_) {
      return Escape{.kind = Escape::Kind::kReference, .group = number};
    }
    reader_.seek(first);
  }
  if (digit_value(reader_.peek()) > 7) return symbol(reader_.next());  // \8 and \9
  const Symbol value = parse_octal(3);
  if (value <= last_symbol(alphabet_)) return symbol(value);
  return error(begin, "octal value is greater than \\377 in 8-bit non-UTF-8 mode");
}

// Python wants all digits; PCRE takes up to two.
Result<Symbol> PerlParser::parse_hex(uint32_t begin, uint32_t digits) {
  Symbol value = 0;
  for (uint32_t i = 0; i < digits; ++i) {
    const int digit = digit_value(reader_.peek());
    if (digit > 15) {
      if (!python()) break;
      return error(begin, fmt::format("incomplete escape {}",
                                      reader_.text().substr(begin, reader_.pos() - begin)));
    }
    value = value * 16 + static_cast<Symbol>(digit);
    reader_.skip();
  }
  return value;
}

// \x{...} and \o{...}
Result<Symbol> PerlParser::parse_braced(uint32_t begin, int base) {
  reader_.skip();
  uint64_t value = 0;
  const uint32_t first = reader_.pos();
  while (digit_value(reader_.peek()) < base) {
    value = std::min<uint64_t>(
        value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit_value(reader_.peek())),
        0xFFFFFFFF);
    reader_.skip();
  }
  if (reader_.pos() == first && reader_.peek() == '}') {
    return error(begin, "digits missing in \\x{} or \\o{} or \\N{U+}");
  }
  if (!reader_.take('}')) {
    return error(begin, base == 16 ? "non-hex character in \\x{} (closing brace missing?)"
                                   : "non-octal character in \\o{} (closing brace missing?)");
  }
  if (value > last_symbol(alphabet_)) {
    return error(begin, "character code point value in \\x{} or \\o{} is too large");
  }
  return static_cast<Symbol>(value);
}

// \R: a newline of any kind; \r\n is one and never taken apart.
NodeId PerlParser::any_newline(Span span) {
  const NodeId cr = builder_.literal('\r', span);
  const NodeId lf = builder_.literal('\n', span);
  const NodeId both[] = {cr, lf};
  const NodeId alone[] = {cr, builder_.look(lf, false, true, span)};
  const NodeId choices[] = {builder_.sequence(both, span), builder_.sequence(alone, span),
                            builder_.set(vertical_space(alphabet_) - CharSet::of('\r'), span)};
  return builder_.group(builder_.choice(choices, span), 0, false, span);
}

}  // namespace nacre::regular
