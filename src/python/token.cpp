// The rules are those of the language reference, chapter 2, as CPython's tokenizer reads them:
// indentation is compared twice, with tabs of width 8 and of width 1, and the two must agree; line
// ends inside brackets vanish; numbers and names are checked here, not in the parser.
#include "python/token.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <utf8proc.h>

#include "base/ascii.h"
#include "python/characters.h"

namespace nacre::python {
namespace {

struct Spelling {
  std::string_view text;
  Tok kind;
};

#define NACRE_PYTHON_SPELLING(name, text) Spelling{text, Tok::name},
constexpr Spelling kOperators[] = {NACRE_PYTHON_OPERATORS(NACRE_PYTHON_SPELLING)};
constexpr Spelling kKeywords[] = {NACRE_PYTHON_KEYWORDS(NACRE_PYTHON_SPELLING)};  // sorted
#undef NACRE_PYTHON_SPELLING

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_byte(char c) { return is_letter(c) || is_digit(c) || (c & 0x80) != 0; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

Tok name_kind(std::string_view text) {
  const auto* found = std::lower_bound(
      std::begin(kKeywords), std::end(kKeywords), text,
      [](const Spelling& keyword, std::string_view name) { return keyword.text < name; });
  return found != std::end(kKeywords) && found->text == text ? found->kind : Tok::kName;
}

// The encoding that a comment in the first two lines declares (PEP 263); "" if none does.
std::string declared_encoding(std::string_view text) {
  for (int line = 0; line < 2; ++line) {
    std::string_view first = text.substr(0, text.find('\n'));
    size_t hash = first.find_first_not_of(" \t\f");
    if (hash != std::string_view::npos && first[hash] != '#') return "";
    size_t at = first.find("coding");
    if (at != std::string_view::npos && at + 6 < first.size() &&
        (first[at + 6] == ':' || first[at + 6] == '=')) {
      size_t begin = std::min(first.find_first_not_of(" \t", at + 7), first.size());
      size_t end = begin;
      while (end < first.size() && (is_letter(first[end]) || is_digit(first[end]) ||
                                    first[end] == '-' || first[end] == '.'))
        ++end;
      std::string name(first.substr(begin, end - begin));
      for (char& c : name)
        c = c == '_' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
      return name;
    }
    text.remove_prefix(std::min(first.size() + 1, text.size()));
  }
  return "";
}

// One open quote of an f-string, or the brackets of one of its replacement fields.
struct StringForm {
  char quote = '"';
  bool is_triple = false;
  bool is_raw = false;
  [[nodiscard]] uint32_t quotes() const { return is_triple ? 3 : 1; }
};

class Tokenizer {
 public:
  Tokenizer(std::string_view text, TokenLimits limits) : text_(text), limits_(limits) {}

  Result<std::vector<Token>> run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    if (size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      return fail({at(nul), at(nul) + 1}, "source code cannot contain null bytes");
    }
    std::string encoding = declared_encoding(text_);
    // Another encoding is no matter as long as every byte means the same in it.
    bool is_ascii =
        std::none_of(text_.begin(), text_.end(), [](char c) { return (c & 0x80) != 0; });
    bool is_utf8 = encoding.empty() || encoding == "utf8" || encoding.substr(0, 5) == "utf-8";
    if (!is_ascii && !is_utf8) {
      return fail({0, 1}, fmt::format("the encoding '{}' is not supported", encoding));
    }
    while (!failed_ && at_ < text_.size()) {
      if (at_line_start_ && !begin_line()) continue;
      if (!failed_) lex_one();
    }
    if (!failed_) finish();
    if (failed_) return tl::unexpected<Error>(error_);
    return std::move(tokens_);
  }

 private:
  static uint32_t at(size_t offset) { return static_cast<uint32_t>(offset); }
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool starts(std::string_view prefix) const {
    return at_ < text_.size() && text_.substr(at_, prefix.size()) == prefix;
  }
  void push(Tok kind, size_t begin) { tokens_.push_back({kind, {at(begin), at(at_)}}); }
  void fail_at(size_t begin, std::string message) {
    if (failed_) return;
    failed_ = true;
    error_ = {{at(begin), at(std::max(begin + 1, at_))}, std::move(message)};
  }

  bool begin_line();
  void indent_to(uint32_t column, uint32_t alternative);
  void lex_one();
  void lex_newline();
  void lex_operator();
  void open_bracket(char c);
  void close_bracket(char c);
  void lex_name();
  void lex_number();
  bool lex_digits(bool (*is_member)(char));
  bool lex_string();
  void skip_string(size_t begin, StringForm form);
  void lex_fstring(size_t begin, StringForm form);
  bool lex_fstring_text(StringForm form, bool in_format);
  void lex_field(StringForm form, uint32_t format_depth);
  void finish();

  std::string_view text_;
  TokenLimits limits_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
  std::vector<std::pair<char, size_t>> brackets_;  // the opening character and its offset
  // Columns with tab stops at 8 and with tabs of width 1.
  std::vector<std::pair<uint32_t, uint32_t>> indents_ = {{0, 0}};
  bool at_line_start_ = true;
  uint32_t fstring_depth_ = 0;
  bool failed_ = false;
  Error error_;
};

// Measures the indentation. False when the line has no token (blank or comment only).
bool Tokenizer::begin_line() {
  uint32_t column = 0;
  uint32_t alternative = 0;
  for (;; ++at_) {
    char c = peek();
    if (c == ' ') {
      ++column, ++alternative;
    } else if (c == '\t') {
      column = (column / 8 + 1) * 8;
      ++alternative;
    } else if (c == '\f') {
      column = alternative = 0;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\r' ? 2 : 1;  // the next line's blanks count on
    } else {
      break;
    }
  }
  if (peek() == '#') at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
  if (at_ >= text_.size()) return false;
  if (peek() == '\n' || peek() == '\r') {
    ++at_;
    return false;
  }
  at_line_start_ = false;
  indent_to(column, alternative);
  return true;
}

void Tokenizer::indent_to(uint32_t column, uint32_t alternative) {
  auto [top, top_alternative] = indents_.back();
  if (column == top) {
    if (alternative != top_alternative) fail_at(at_, "inconsistent use of tabs and spaces");
    return;
  }
  if (column > top) {
    if (alternative <= top_alternative) return fail_at(at_, "inconsistent use of tabs and spaces");
    if (indents_.size() >= limits_.indents) return fail_at(at_, "too many levels of indentation");
    indents_.emplace_back(column, alternative);
    push(Tok::kIndent, at_);
    return;
  }
  while (indents_.back().first > column) {
    indents_.pop_back();
    push(Tok::kDedent, at_);
  }
  if (indents_.back() != std::pair{column, alternative}) {
    fail_at(at_, "unindent does not match any outer indentation level");
  }
}

void Tokenizer::lex_one() {
  char c = peek();
  if (c == ' ' || c == '\t' || c == '\f') {
    ++at_;
  } else if (c == '#') {
    at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
  } else if (c == '\n' || c == '\r') {
    lex_newline();
  } else if (c == '\\') {
    size_t begin = at_++;
    if (peek() == '\r') ++at_;
    if (peek() != '\n')
      return fail_at(begin, "unexpected character after line continuation character");
    ++at_;
    if (at_ >= text_.size()) fail_at(begin, "unexpected end of file");
  } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
    lex_number();
  } else if (c == '"' || c == '\'' || is_letter(c) || (c & 0x80) != 0) {
    if (!lex_string()) lex_name();
  } else {
    lex_operator();
  }
}

void Tokenizer::lex_newline() {
  size_t begin = at_;
  at_ += starts("\r\n") ? 2 : 1;
  if (!brackets_.empty()) return;
  push(Tok::kNewline, begin);
  at_line_start_ = true;
}

void Tokenizer::lex_operator() {
  size_t begin = at_;
  for (const Spelling& spelling : kOperators) {
    if (!starts(spelling.text)) continue;
    at_ += spelling.text.size();
    if (spelling.text.size() == 1) {
      char c = spelling.text[0];
      if (c == '(' || c == '[' || c == '{') open_bracket(c);
      if (c == ')' || c == ']' || c == '}') close_bracket(c);
    }
    return push(spelling.kind, begin);
  }
  if (starts("<>")) return fail_at(begin, "'<>' is not an operator; use '!='");
  fail_at(begin, fmt::format("invalid character '{}'", peek()));
}

void Tokenizer::open_bracket(char c) {
  if (brackets_.size() >= limits_.brackets) fail_at(at_ - 1, "too many nested parentheses");
  brackets_.emplace_back(c, at_ - 1);
}

void Tokenizer::close_bracket(char c) {
  char open = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (brackets_.empty()) return fail_at(at_ - 1, fmt::format("unmatched '{}'", c));
  if (brackets_.back().first != open) {
    return fail_at(
        at_ - 1, fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'", c,
                             brackets_.back().first));
  }
  brackets_.pop_back();
}

void Tokenizer::lex_name() {
  size_t begin = at_;
  bool is_ascii = true;
  while (at_ < text_.size() && is_name_byte(text_[at_])) is_ascii &= (text_[at_++] & 0x80) == 0;
  std::string_view name = text_.substr(begin, at_ - begin);
  if (is_ascii) return push(name_kind(name), begin);
  for (size_t i = 0; i < name.size();) {
    int32_t c = 0;
    auto rest = static_cast<utf8proc_ssize_t>(name.size() - i);
    auto bytes = utf8proc_iterate(reinterpret_cast<const uint8_t*>(name.data()) + i, rest, &c);
    if (bytes <= 0) return fail_at(begin + i, "the source is not valid UTF-8");
    const auto& allowed = character_class(i == 0 ? "identifier_start" : "identifier_part");
    if (!allowed.contains(static_cast<regular::Symbol>(c))) {
      at_ = begin + i + static_cast<size_t>(bytes);
      return fail_at(begin + i, fmt::format("invalid character '{}' (U+{:04X})",
                                            name.substr(i, static_cast<size_t>(bytes)), c));
    }
    i += static_cast<size_t>(bytes);
  }
  push(Tok::kName, begin);
}

// Digits with single underscores between them; false if there is none or an underscore is astray.
bool Tokenizer::lex_digits(bool (*is_member)(char)) {
  if (!is_member(peek())) return false;
  while (is_member(peek()) || peek() == '_') {
    if (peek() == '_' && !is_member(peek(1))) return false;
    ++at_;
  }
  return true;
}

void Tokenizer::lex_number() {
  size_t begin = at_;
  bool is_good = true;
  char base = static_cast<char>(peek(1) | 0x20);
  if (peek() == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    at_ += 2;
    if (peek() == '_') ++at_;
    is_good = lex_digits(base == 'x'   ? is_hex
                         : base == 'o' ? [](char c) { return c >= '0' && c <= '7'; }
                                       : [](char c) { return c == '0' || c == '1'; });
  } else {
    bool is_float = false;
    if (peek() != '.') is_good = lex_digits(is_digit);
    size_t digits = at_ - begin;
    if (is_good && peek() == '.') {
      is_float = true;
      ++at_;
      if (is_digit(peek())) is_good = lex_digits(is_digit);
    }
    size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (is_good && (peek() | 0x20) == 'e' && is_digit(peek(1 + sign))) {
      is_float = true;
      at_ += 1 + sign;
      is_good = lex_digits(is_digit);
    }
    if (is_good && (peek() | 0x20) == 'j') is_float = true, ++at_;
    bool has_leading_zero =
        digits > 1 && text_[begin] == '0' &&
        text_.substr(begin, digits).find_first_not_of("0_") != std::string_view::npos;
    if (has_leading_zero && !is_float) is_good = false;
  }
  if (!is_good || peek() == '_') return fail_at(begin, "invalid number");
  // CPython allows a keyword glued to a number (`1if x else y`), and no other name.
  if (is_name_byte(peek())) {
    std::string_view rest = text_.substr(at_);
    bool is_keyword =
        std::any_of(std::begin(kKeywords), std::end(kKeywords), [&](const Spelling& keyword) {
          constexpr std::array kAllowed = {Tok::kAnd, Tok::kElse, Tok::kFor, Tok::kIf,
                                           Tok::kIn,  Tok::kIs,   Tok::kNot, Tok::kOr};
          return rest.substr(0, keyword.text.size()) == keyword.text &&
                 std::find(kAllowed.begin(), kAllowed.end(), keyword.kind) != kAllowed.end();
        });
    if (!is_keyword) return fail_at(begin, "invalid number");
  }
  push(Tok::kNumber, begin);
}

// A string literal with its prefix, if there is one here.
bool Tokenizer::lex_string() {
  size_t quote = at_;
  while (quote < text_.size() && quote - at_ < 3 && is_letter(text_[quote])) ++quote;
  if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) return false;
  std::string prefix(text_.substr(at_, quote - at_));
  for (char& c : prefix) c = static_cast<char>(c | 0x20);
  constexpr std::string_view kPrefixes[] = {"", "r", "u", "b", "br", "rb", "f", "fr", "rf"};
  if (std::find(std::begin(kPrefixes), std::end(kPrefixes), prefix) == std::end(kPrefixes))
    return false;

  StringForm form{text_[quote], text_.substr(quote, 3) == std::string(3, text_[quote]),
                  prefix.find('r') != std::string::npos};
  size_t begin = at_;
  at_ = quote + form.quotes();
  if (prefix.find('f') != std::string::npos) {
    lex_fstring(begin, form);
  } else {
    skip_string(begin, form);
    push(Tok::kString, begin);
  }
  return true;
}

void Tokenizer::skip_string(size_t begin, StringForm form) {
  const std::string closing(form.quotes(), form.quote);
  for (; at_ < text_.size(); ++at_) {
    if (starts(closing)) {
      at_ += closing.size();
      return;
    }
    if (text_[at_] == '\\') {
      ++at_;
      if (starts("\r\n")) ++at_;
    } else if (!form.is_triple && (text_[at_] == '\n' || text_[at_] == '\r')) {
      break;
    }
  }
  at_ = begin + 1;
  fail_at(begin, form.is_triple ? "unterminated triple-quoted string" : "unterminated string");
}

void Tokenizer::lex_fstring(size_t begin, StringForm form) {
  if (++fstring_depth_ > limits_.fstrings) return fail_at(begin, "too many nested f-strings");
  push(Tok::kFStringStart, begin);
  const std::string closing(form.quotes(), form.quote);
  while (!failed_) {
    if (!lex_fstring_text(form, false)) break;
    if (starts(closing)) {
      size_t end = at_;
      at_ += closing.size();
      push(Tok::kFStringEnd, end);
      break;
    }
    lex_field(form, 0);
  }
  --fstring_depth_;
}

// The text up to the closing quotes or a replacement field (in a format also up to its end).
bool Tokenizer::lex_fstring_text(StringForm form, bool in_format) {
  const std::string closing(form.quotes(), form.quote);
  size_t begin = at_;
  for (; at_ < text_.size(); ++at_) {
    char c = text_[at_];
    if (starts(closing)) break;
    if (!form.is_triple && (c == '\n' || c == '\r')) {
      fail_at(begin, "unterminated f-string");
      return false;
    }
    if (c == '\\') {
      bool is_named = !form.is_raw && peek(1) == 'N' && peek(2) == '{';
      if (is_named) {
        at_ = std::min(text_.find('}', at_), text_.size() - 1);
      } else if (peek(1) != '{' && peek(1) != '}') {
        ++at_;
      }
    } else if (c == '{' || c == '}') {
      if (in_format || peek(1) != c) break;
      ++at_;  // a doubled brace stands for itself
    }
  }
  if (at_ >= text_.size()) {
    at_ = begin;
    fail_at(begin, "unterminated f-string");
    return false;
  }
  if (at_ > begin) push(Tok::kFStringText, begin);
  if (text_[at_] == '}' && !in_format) {
    fail_at(at_, "f-string: single '}' is not allowed");
    return false;
  }
  return true;
}

// `{expression=!r:format}`. A colon outside brackets begins the format, whatever comes before it.
void Tokenizer::lex_field(StringForm form, uint32_t format_depth) {
  size_t begin = at_++;
  open_bracket('{');
  push(Tok::kLeftBrace, begin);
  const size_t depth = brackets_.size();
  while (!failed_ && at_ < text_.size()) {
    if (brackets_.size() == depth) {
      if (peek() == '!' && peek(1) != '=') {
        push(Tok::kExclamation, at_++);
        continue;
      }
      if (peek() == ':') {
        size_t colon = at_++;
        push(Tok::kColon, colon);
        if (format_depth >= 2) return fail_at(colon, "f-string: expressions nested too deeply");
        while (lex_fstring_text(form, true) && peek() == '{') lex_field(form, format_depth + 1);
        if (!failed_ && peek() != '}') fail_at(at_, "f-string: expecting '}'");
      }
    }
    if (failed_) return;
    lex_one();
    if (brackets_.size() < depth) return;
  }
  fail_at(begin, "f-string: expecting '}'");
}

void Tokenizer::finish() {
  if (!brackets_.empty()) {
    auto [open, offset] = brackets_.back();
    at_ = offset + 1;
    return fail_at(offset, fmt::format("'{}' was never closed", open));
  }
  if (!tokens_.empty() && !at_line_start_) push(Tok::kNewline, at_);
  for (; indents_.size() > 1; indents_.pop_back()) push(Tok::kDedent, at_);
  push(Tok::kEnd, at_);
}

}  // namespace

std::string_view describe(Tok kind) {
  switch (kind) {
    case Tok::kName: return "a name";
    case Tok::kNumber: return "a number";
    case Tok::kString:
    case Tok::kFStringStart: return "a string";
    case Tok::kFStringText:
    case Tok::kFStringEnd: return "the rest of an f-string";
    case Tok::kExclamation: return "'!'";
    case Tok::kNewline: return "the end of the line";
    case Tok::kIndent: return "an indented line";
    case Tok::kDedent: return "the end of the block";
    case Tok::kEnd: return "the end of the file";
#define NACRE_PYTHON_DESCRIPTION(name, text) \
  case Tok::name: return "'" text "'";
      NACRE_PYTHON_OPERATORS(NACRE_PYTHON_DESCRIPTION)
      NACRE_PYTHON_KEYWORDS(NACRE_PYTHON_DESCRIPTION)
#undef NACRE_PYTHON_DESCRIPTION
  }
  return "a token";
}

Result<std::vector<Token>> tokenize(std::string_view text, TokenLimits limits) {
  return Tokenizer(text, limits).run();
}

}  // namespace nacre::python
