#include "commands/awk_lexer.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"

namespace nacre::awk {

namespace {

constexpr std::pair<std::string_view, Token> kKeywords[] = {
    {"BEGIN", Token::kBegin},
    {"BEGINFILE", Token::kBeginFile},
    {"END", Token::kEndRule},
    {"ENDFILE", Token::kEndFile},
    {"break", Token::kBreak},
    {"case", Token::kCase},
    {"continue", Token::kContinue},
    {"default", Token::kDefault},
    {"delete", Token::kDelete},
    {"do", Token::kDo},
    {"else", Token::kElse},
    {"exit", Token::kExit},
    {"for", Token::kFor},
    {"func", Token::kFunction},
    {"function", Token::kFunction},
    {"getline", Token::kGetline},
    {"if", Token::kIf},
    {"in", Token::kIn},
    {"next", Token::kNext},
    {"nextfile", Token::kNextFile},
    {"print", Token::kPrint},
    {"printf", Token::kPrintf},
    {"return", Token::kReturn},
    {"switch", Token::kSwitch},
    {"while", Token::kWhile},
};

constexpr std::string_view kBuiltins[] = {
    "and",    "asort",    "asorti",   "atan2",     "bindtextdomain",
    "close",  "compl",    "cos",      "dcgettext", "dcngettext",
    "exp",    "fflush",   "gensub",   "gsub",      "index",
    "int",    "isarray",  "length",   "log",       "lshift",
    "match",  "mktime",   "or",       "patsplit",  "rand",
    "rshift", "sin",      "split",    "sprintf",   "sqrt",
    "srand",  "strftime", "strtonum", "sub",       "substr",
    "system", "systime",  "tolower",  "toupper",   "typeof",
    "xor",
};

// Longest spelling first among those with a common beginning.
constexpr std::pair<std::string_view, Token> kOperators[] = {
    {"**=", Token::kPowerAssign},
    {"**", Token::kCaret},
    {"*=", Token::kMultiplyAssign},
    {"*", Token::kStar},
    {"{", Token::kLeftBrace},
    {"}", Token::kRightBrace},
    {"(", Token::kLeftParen},
    {")", Token::kRightParen},
    {"[", Token::kLeftBracket},
    {"]", Token::kRightBracket},
    {";", Token::kSemicolon},
    {",", Token::kComma},
    {"++", Token::kIncrement},
    {"+=", Token::kAddAssign},
    {"+", Token::kPlus},
    {"--", Token::kDecrement},
    {"-=", Token::kSubtractAssign},
    {"-", Token::kMinus},
    {"/=", Token::kDivideAssign},
    {"/", Token::kSlash},
    {"%=", Token::kModuloAssign},
    {"%", Token::kPercent},
    {"^=", Token::kPowerAssign},
    {"^", Token::kCaret},
    {"!=", Token::kNotEqual},
    {"!~", Token::kNotTilde},
    {"!", Token::kNot},
    {">=", Token::kGreaterEqual},
    {">>", Token::kAppend},
    {">", Token::kGreater},
    {"<=", Token::kLessEqual},
    {"<", Token::kLess},
    {"||", Token::kOr},
    {"|&", Token::kPipeBoth},
    {"|", Token::kPipe},
    {"?", Token::kQuestion},
    {":", Token::kColon},
    {"~", Token::kTilde},
    {"$", Token::kDollar},
    {"==", Token::kEqual},
    {"=", Token::kAssign},
    {"&&", Token::kAnd},
    {"@", Token::kAt},
};

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || is_digit(c); }
bool is_octal(char c) { return c >= '0' && c <= '7'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One escape of a string, `at` after the backslash; appends what it stands for and returns where
// it ends. An unknown escape keeps its backslash, as mawk has it; gawk drops it with a warning, and
// for analysis the text with the backslash matters only in dynamic regular expressions, where both
// mean the same.
size_t resolve_escape(std::string_view text, size_t at, std::string& out) {
  const char c = text[at];
  constexpr std::string_view kLetters = "abfnrtv\\\"/";
  constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\\"/";
  if (size_t known = kLetters.find(c); known != std::string_view::npos) {
    out += kValues[known];
    return at + 1;
  }
  if (is_octal(c)) {
    int value = 0;
    size_t end = at;
    while (end < text.size() && end < at + 3 && is_octal(text[end]))
      value = value * 8 + (text[end++] - '0');
    out += static_cast<char>(value);
    return end;
  }
  if (c == 'x' && at + 1 < text.size() && hex_value(text[at + 1]) >= 0) {
    int value = 0;
    size_t end = at + 1;
    while (end < text.size() && end < at + 3 && hex_value(text[end]) >= 0)
      value = value * 16 + hex_value(text[end++]);
    out += static_cast<char>(value);
    return end;
  }
  out += '\\';
  out += c;
  return at + 1;
}

}  // namespace

void Lexer::fail_here(uint32_t begin, std::string message) {
  token_ = Token::kError;
  span_ = {begin, static_cast<uint32_t>(at_)};
  error_ = Error{span_, std::move(message)};
  at_ = text_.size();
}

// Blanks, comments and continued lines. A comment ends before its newline, which is a token.
void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (peek() == ' ' || peek() == '\t' || peek() == '\r') {
      at_++;
    } else if (peek() == '\\' && peek(1) == '\n') {
      at_ += 2;
    } else if (peek() == '\\' && peek(1) == '\r' && peek(2) == '\n') {
      at_ += 3;
    } else if (peek() == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

void Lexer::advance() {
  if (token_ == Token::kError) return;
  previous_end_ = span_.end;
  skip_blanks();
  const auto begin = static_cast<uint32_t>(at_);
  value_.clear();
  if (at_ >= text_.size()) {
    token_ = Token::kEnd;
  } else if (peek() == '\n') {
    at_++;
    token_ = Token::kNewline;
  } else if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
    scan_number();
  } else if (peek() == '"') {
    scan_string();
  } else if (is_name_start(peek())) {
    scan_name();
  } else {
    scan_operator();
  }
  if (token_ != Token::kError) span_ = {begin, static_cast<uint32_t>(at_)};
}

void Lexer::scan_number() {
  token_ = Token::kNumber;
  const char* begin = text_.data() + at_;
  const char* end = text_.data() + text_.size();
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') && hex_value(peek(2)) >= 0) {
    uint64_t value = 0;
    auto [rest, status] = std::from_chars(begin + 2, end, value, 16);
    number_ = static_cast<double>(value);
    at_ += static_cast<size_t>(rest - begin);
    return;
  }
  // strtod() would read "inf", "nan" and hexadecimal digits, too: only the decimal form is given to
  // it.
  const char* rest = begin;
  const auto skip_digits = [&] {
    while (rest < end && is_digit(*rest)) rest++;
  };
  skip_digits();
  if (rest < end && *rest == '.') rest++;
  skip_digits();
  if (rest < end && (*rest == 'e' || *rest == 'E')) {
    const char* exponent = rest + 1;
    if (exponent < end && (*exponent == '+' || *exponent == '-')) exponent++;
    if (exponent < end && is_digit(*exponent)) {
      rest = exponent;
      skip_digits();
    }
  }
  number_ = std::strtod(std::string(begin, rest).c_str(), nullptr);
  at_ += static_cast<size_t>(rest - begin);
}

void Lexer::scan_string() {
  const auto begin = static_cast<uint32_t>(at_++);
  while (at_ < text_.size() && peek() != '"') {
    if (peek() == '\n') return fail_here(begin, "unterminated string");
    if (peek() != '\\') {
      value_ += text_[at_++];
    } else if (peek(1) == '\n') {
      at_ += 2;
    } else if (at_ + 1 >= text_.size()) {
      break;
    } else {
      at_ = resolve_escape(text_, at_ + 1, value_);
    }
  }
  if (at_ >= text_.size()) return fail_here(begin, "unterminated string");
  at_++;
  token_ = Token::kString;
}

void Lexer::scan_name() {
  const size_t begin = at_;
  while (is_name_char(peek()) || (peek() == ':' && peek(1) == ':' && is_name_start(peek(2)))) {
    at_ += peek() == ':' ? 2 : 1;  // gawk's name spaces: a::b
  }
  const std::string_view name = text_.substr(begin, at_ - begin);
  value_ = name;
  for (const auto& [spelling, token] : kKeywords) {
    if (name == spelling) {
      token_ = token;
      return;
    }
  }
  for (std::string_view builtin : kBuiltins) {
    if (name == builtin) {
      token_ = Token::kBuiltin;
      return;
    }
  }
  token_ = peek() == '(' ? Token::kFuncName : Token::kName;  // a call has no blank before its `(`
}

void Lexer::scan_operator() {
  const std::string_view rest = text_.substr(at_);
  for (const auto& [spelling, token] : kOperators) {
    if (!rest.starts_with(spelling)) continue;
    at_ += spelling.size();
    token_ = token;
    return;
  }
  const auto begin = static_cast<uint32_t>(at_++);
  fail_here(begin, "unexpected character '" + std::string(1, text_[begin]) + "'");
}

// `\/` stands for `/`; every other escape is left to the parser of regular expressions.
void Lexer::scan_regex_escape() {
  if (peek(1) != '/') value_ += '\\';
  if (peek(1) != '\n') value_ += peek(1);
  at_ += 2;
}

// A bracket expression, in which a `/` is a plain member: `/[/]/` is one expression for every awk.
void Lexer::scan_regex_bracket() {
  const auto copy = [this] { value_ += text_[at_++]; };
  copy();
  if (peek() == '^') copy();
  if (peek() == ']') copy();
  while (at_ < text_.size() && peek() != '\n' && peek() != ']') {
    const char kind = peek(1);
    const bool is_class = peek() == '[' && (kind == ':' || kind == '.' || kind == '=');
    const size_t close =
        is_class ? text_.find(std::string{kind, ']'}, at_ + 2) : std::string_view::npos;
    if (close != std::string_view::npos) {
      while (at_ < close + 2) copy();
    } else if (peek() == '\\' && at_ + 1 < text_.size()) {
      scan_regex_escape();
    } else {
      copy();
    }
  }
  if (peek() == ']') copy();
}

void Lexer::rescan_regex() {
  const uint32_t begin = span_.begin;
  at_ = begin + 1;
  value_.clear();
  while (at_ < text_.size() && peek() != '\n' && peek() != '/') {
    if (peek() == '\\' && at_ + 1 < text_.size()) {
      scan_regex_escape();
    } else if (peek() == '[') {
      scan_regex_bracket();
    } else {
      value_ += text_[at_++];
    }
  }
  if (peek() != '/') return fail_here(begin, "unterminated regular expression");
  at_++;
  token_ = Token::kRegex;
  span_ = {begin, static_cast<uint32_t>(at_)};
}

}  // namespace nacre::awk
