// Numbers, strings and f-strings: from their spelling to their value.
#include <fmt/core.h>

#include "python/parser.h"

namespace nacre::python {
namespace {

void append_utf8(std::string& out, uint32_t c) {
  auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12), tail(6), tail(0);
  }
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

constexpr std::string_view kSimpleEscapes = "\\\\''\"\"a\ab\bf\fn\nr\rt\tv\v";

std::string lower(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c != '_') result += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return result;
}

struct Prefix {
  bool is_raw = false, is_bytes = false;
  uint32_t size = 0;    // of the prefix
  uint32_t quotes = 1;  // on each side
};

Prefix prefix_of(std::string_view literal) {
  Prefix prefix;
  while (literal[prefix.size] != '"' && literal[prefix.size] != '\'') {
    char c = static_cast<char>(literal[prefix.size++] | 0x20);
    prefix.is_raw |= c == 'r';
    prefix.is_bytes |= c == 'b';
  }
  std::string_view body = literal.substr(prefix.size);
  bool is_triple = body.size() >= 3 && body[1] == body[0] && body[2] == body[0];
  prefix.quotes = is_triple ? 3 : 1;
  return prefix;
}

}  // namespace

ExprId Parser::number() {
  uint32_t begin = here();
  std::string digits = lower(text(take().span));
  bool is_hex = digits.size() > 1 && digits[1] == 'x';
  if (!is_hex && digits.find_first_of(".ej") != std::string::npos) {
    return expr(begin, FloatLiteral{std::move(digits)});
  }
  return expr(begin, IntLiteral{std::move(digits)});
}

// Adjacent literals are one: `'a' "b" f'{c}'`.
ExprId Parser::strings() {
  uint32_t begin = here();
  bool is_joined = false;
  bool is_exact = true;
  std::string pending;
  Exprs parts;
  int bytes = -1;  // unknown, then 0 or 1
  while (kind() == Tok::kString || kind() == Tok::kFStringStart) {
    Prefix prefix = prefix_of(text(token().span));
    if (bytes >= 0 && (bytes == 1) != prefix.is_bytes) {
      error(token().span, "cannot mix bytes and nonbytes literals");
      break;
    }
    bytes = prefix.is_bytes ? 1 : 0;
    if (kind() == Tok::kFStringStart) {
      is_joined = true;
      fstring(parts, pending, is_exact);
      continue;
    }
    Span whole = take().span;
    Span body{whole.begin + prefix.size + prefix.quotes, whole.end - prefix.quotes};
    pending += decode(body, prefix.is_raw, prefix.is_bytes, false, is_exact);
  }
  if (is_joined) {
    flush(parts, pending, is_exact, begin);
    return expr(begin, JoinedStr{std::move(parts)});
  }
  if (bytes == 1) return expr(begin, BytesLiteral{std::move(pending)});
  return expr(begin, StringLiteral{std::move(pending), is_exact});
}

void Parser::flush(Exprs& parts, std::string& pending, bool& is_exact, uint32_t begin) {
  if (!pending.empty()) parts.push_back(expr(begin, StringLiteral{std::move(pending), is_exact}));
  pending.clear();
  is_exact = true;
}

void Parser::fstring(Exprs& parts, std::string& pending, bool& is_exact) {
  bool is_raw = prefix_of(text(take().span)).is_raw;
  while (!failed_ && kind() != Tok::kFStringEnd) {
    if (kind() == Tok::kFStringText) {
      pending += decode(take().span, is_raw, false, true, is_exact);
    } else if (kind() == Tok::kLeftBrace) {
      field(parts, pending, is_exact, is_raw);
    } else {
      unexpected();
    }
  }
  expect(Tok::kFStringEnd);
}

// `{value=!r:format}`; with `=` the text of the expression goes into the string before the value.
void Parser::field(Exprs& parts, std::string& pending, bool& is_exact, bool is_raw) {
  uint32_t begin = here();
  expect(Tok::kLeftBrace);
  if (kind() == Tok::kRightBrace)
    error(token().span, "f-string: valid expression required before '}'");
  FormattedValue result{kind() == Tok::kYield ? yield_expression() : star_expressions(), 0, {}};
  bool shows_itself = accept(Tok::kEqual);
  if (shows_itself) pending += text({begin + 1, here()});
  flush(parts, pending, is_exact, begin);
  if (accept(Tok::kExclamation)) {
    std::string name = take_name();
    if (name != "s" && name != "r" && name != "a")
      error(since(begin), "f-string: invalid conversion character");
    result.conversion = name.empty() ? '\0' : name[0];
  }
  if (kind() == Tok::kColon) {
    uint32_t format_begin = here() + 1;
    take();
    Exprs format;
    std::string format_text;
    bool format_is_exact = true;
    while (kind() == Tok::kFStringText || kind() == Tok::kLeftBrace) {
      if (kind() == Tok::kFStringText) {
        format_text += decode(take().span, is_raw, false, false, format_is_exact);
      } else {
        field(format, format_text, format_is_exact, is_raw);
      }
    }
    flush(format, format_text, format_is_exact, format_begin);
    result.format = expr(format_begin, JoinedStr{std::move(format)});
  } else if (shows_itself && result.conversion == 0) {
    result.conversion = 'r';
  }
  expect(Tok::kRightBrace);
  parts.push_back(expr(begin, result));
}

// The value of a literal's body. Doubled braces are single in the text of an f-string.
std::string Parser::decode(Span span, bool is_raw, bool is_bytes, bool is_fstring, bool& is_exact) {
  std::string_view body = text(span);
  std::string out;
  auto digits = [&](size_t& i, size_t most, int base, size_t least) -> uint32_t {
    uint32_t value = 0;
    size_t count = 0;
    for (; count < most && i < body.size() && digit_value(body[i]) < base; ++i, ++count) {
      value = value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit_value(body[i]));
    }
    if (count < least) error(span, "truncated escape in a string");
    return value;
  };
  for (size_t i = 0; i < body.size();) {
    char c = body[i++];
    if (is_bytes && (c & 0x80) != 0) error(span, "bytes can only contain ASCII literal characters");
    if (c == '\r') {  // the language sees \n for every kind of line end
      if (i < body.size() && body[i] == '\n') ++i;
      out += '\n';
      continue;
    }
    if (is_fstring && (c == '{' || c == '}') && i < body.size() && body[i] == c) ++i;
    if (c != '\\' || is_raw || i >= body.size()) {
      out += c;
      continue;
    }
    char escape = body[i++];
    size_t simple = 0;
    while (simple < kSimpleEscapes.size() && kSimpleEscapes[simple] != escape) simple += 2;
    if (simple < kSimpleEscapes.size()) {
      out += kSimpleEscapes[simple + 1];
    } else if (escape == '\r' || escape == '\n') {
      if (escape == '\r' && i < body.size() && body[i] == '\n') ++i;
    } else if (escape >= '0' && escape <= '7') {
      --i;
      uint32_t value = digits(i, 3, 8, 1);
      is_bytes ? out += static_cast<char>(value) : (append_utf8(out, value), out);
    } else if (escape == 'x') {
      uint32_t value = digits(i, 2, 16, 2);
      is_bytes ? out += static_cast<char>(value) : (append_utf8(out, value), out);
    } else if (!is_bytes && (escape == 'u' || escape == 'U')) {
      size_t count = escape == 'u' ? 4 : 8;
      uint32_t value = digits(i, count, 16, count);
      if (value > 0x10FFFF) error(span, "illegal Unicode character");
      append_utf8(out, value);
    } else if (!is_bytes && escape == 'N') {
      size_t close = body.find('}', i);
      if (i >= body.size() || body[i] != '{' || close == std::string_view::npos) {
        error(span, "malformed \\N character escape");
        return out;
      }
      i = close + 1;
      append_utf8(out, 0xFFFD);
      is_exact = false;
    } else {
      out += '\\';
      --i;  // what follows stands for itself (and may be a multi-byte character)
      if (body[i] != '{' && body[i] != '}') out += body[i++];
    }
  }
  return out;
}

}  // namespace nacre::python
