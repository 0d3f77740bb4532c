// A value of a running awk program: a number, a string, a string from the input (which is compared
// as a number if it looks like one), or nothing yet, which is both 0 and "".
#pragma once

#include <string>
#include <string_view>

namespace nacre::utilities {

class AwkValue {
 public:
  AwkValue() = default;
  static AwkValue number(double value) {
    AwkValue result;
    result.kind_ = kNumber;
    result.number_ = value;
    return result;
  }
  static AwkValue truth(bool value) { return number(value ? 1 : 0); }
  static AwkValue string(std::string text) { return AwkValue(kString, std::move(text)); }
  static AwkValue input(std::string text) { return AwkValue(kInput, std::move(text)); }

  [[nodiscard]] double to_number() const;
  // Numbers that are not integers are written by `format`: CONVFMT, or OFMT in `print`.
  [[nodiscard]] std::string to_text(const std::string& format) const;
  [[nodiscard]] bool is_true() const;
  [[nodiscard]] bool is_unset() const { return kind_ == kUnset; }
  [[nodiscard]] size_t bytes() const { return text_.size(); }
  // Compared as a number with another that is, too.
  [[nodiscard]] bool is_numeric() const;

 private:
  enum Kind : unsigned char { kUnset, kNumber, kString, kInput };
  AwkValue(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

  Kind kind_ = kUnset;
  double number_ = 0;
  std::string text_;
};

// Negative, 0 or positive.
[[nodiscard]] int compare(const AwkValue& a, const AwkValue& b, const std::string& format);
// An integer as such, everything else by `format`.
[[nodiscard]] std::string number_text(double value, const std::string& format);
// What -v, operands and strings of the program mean by `\t` and its like.
[[nodiscard]] std::string resolve_escapes(std::string_view text);
// `source`, an expression as awk writes it, for regcomp(): brackets know `\`, and operators that
// have nothing to repeat are characters.
[[nodiscard]] std::string posix_regex(std::string_view source);

}  // namespace nacre::utilities
