// Tokens of an awk program. Awk cannot be tokenised without its parser: a `/` begins a regular
// expression only where an operand may stand, so the parser asks for it (`rescan_regex`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/span.h"

namespace nacre::awk {

enum class Token : uint8_t {
  kEnd,
  kNewline,
  kError,
  kNumber,
  kString,
  kRegex,
  kName,
  kFuncName,
  kBuiltin,
  kDirective,
  // keywords
  kBegin,
  kBeginFile,
  kBreak,
  kCase,
  kContinue,
  kDefault,
  kDelete,
  kDo,
  kElse,
  kEndRule,
  kEndFile,
  kExit,
  kFor,
  kFunction,
  kGetline,
  kIf,
  kIn,
  kNext,
  kNextFile,
  kPrint,
  kPrintf,
  kReturn,
  kSwitch,
  kWhile,
  // operators, by their spelling
  kLeftBrace,
  kRightBrace,
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kSemicolon,
  kComma,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kCaret,
  kNot,
  kGreater,
  kLess,
  kPipe,
  kPipeBoth,
  kQuestion,
  kColon,
  kTilde,
  kNotTilde,
  kDollar,
  kAssign,
  kAddAssign,
  kSubtractAssign,
  kMultiplyAssign,
  kDivideAssign,
  kModuloAssign,
  kPowerAssign,
  kEqual,
  kLessEqual,
  kGreaterEqual,
  kNotEqual,
  kIncrement,
  kDecrement,
  kAnd,
  kOr,
  kAppend,
  kAt,
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  [[nodiscard]] Token token() const { return token_; }
  [[nodiscard]] Span span() const { return span_; }
  // A name: its spelling. A string or regex: its value with escapes resolved.
  [[nodiscard]] const std::string& value() const { return value_; }
  [[nodiscard]] double number() const { return number_; }
  [[nodiscard]] const Error& error() const { return error_; }  // when token() is kError
  [[nodiscard]] uint32_t previous_end() const { return previous_end_; }

  void advance();
  // The current token is kSlash or kDivideAssign and an operand is wanted: makes it a kRegex (or
  // kError).
  void rescan_regex();

 private:
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_blanks();
  void scan_number();
  void scan_string();
  void scan_name();
  void scan_operator();
  void scan_regex_escape();
  void scan_regex_bracket();
  void fail_here(uint32_t begin, std::string message);

  std::string_view text_;
  size_t at_ = 0;
  uint32_t previous_end_ = 0;
  Token token_ = Token::kEnd;
  Span span_;
  std::string value_;
  double number_ = 0;
  Error error_;
};

}  // namespace nacre::awk
