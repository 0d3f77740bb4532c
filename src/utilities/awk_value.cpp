#include "utilities/awk_value.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/ascii.h"
#include "utilities/awk_format.h"

namespace nacre::utilities {
namespace {

constexpr double kMaxExact = 1e18;  // integers below it are written as such without rounding

// How much of `text`, which starts with no blank, is a decimal number; 0 if nothing is.
size_t number_length(std::string_view text) {
  size_t at = 0;
  auto at_char = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  if (at_char(at) == '+' || at_char(at) == '-') ++at;
  size_t digits = 0;
  while (is_digit(at_char(at))) ++at, ++digits;
  if (at_char(at) == '.') {
    ++at;
    while (is_digit(at_char(at))) ++at, ++digits;
  }
  if (digits == 0) return 0;
  if (at_char(at) == 'e' || at_char(at) == 'E') {
    size_t exponent = at + 1;
    if (at_char(exponent) == '+' || at_char(exponent) == '-') ++exponent;
    if (is_digit(at_char(exponent))) {
      while (is_digit(at_char(exponent))) ++exponent;
      at = exponent;
    }
  }
  return at;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank_or_newline(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank_or_newline(text.back())) text.remove_suffix(1);
  return text;
}

double prefix_number(std::string_view text) {
  while (!text.empty() && is_blank_or_newline(text.front())) text.remove_prefix(1);
  size_t length = number_length(text);
  return length == 0 ? 0 : std::strtod(std::string(text.substr(0, length)).c_str(), nullptr);
}

}  // namespace

double AwkValue::to_number() const {
  return kind_ == kNumber ? number_ : kind_ == kUnset ? 0 : prefix_number(text_);
}

std::string AwkValue::to_text(const std::string& format) const {
  return kind_ == kNumber ? number_text(number_, format) : text_;
}

bool AwkValue::is_numeric() const {
  if (kind_ != kInput) return kind_ != kString;
  std::string_view text = without_blanks(text_);
  return !text.empty() && number_length(text) == text.size();
}

bool AwkValue::is_true() const {
  if (kind_ == kNumber) return number_ != 0;
  if (kind_ == kInput && is_numeric()) return prefix_number(text_) != 0;
  return !text_.empty();
}

int compare(const AwkValue& a, const AwkValue& b, const std::string& format) {
  if (a.is_numeric() && b.is_numeric()) {
    double x = a.to_number();
    double y = b.to_number();
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return a.to_text(format).compare(b.to_text(format));
}

std::string number_text(double value, const std::string& format) {
  if (std::isfinite(value) && value == std::trunc(value)) {
    char text[400];
    if (std::fabs(value) < kMaxExact) {
      std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
    } else {
      std::snprintf(text, sizeof text, "%.0f", value);
    }
    return text;
  }
  return format_number(format, value);
}

std::string resolve_escapes(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    char c = text[++i];
    constexpr std::string_view kNames = "abfnrtv\\\"/";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\\"/";
    if (size_t known = kNames.find(c); known != std::string_view::npos) {
      result += kMeanings[known];
    } else if (c >= '0' && c <= '7') {
      int code = 0;
      size_t end = std::min(i + 3, text.size());
      for (; i < end && text[i] >= '0' && text[i] <= '7'; ++i) code = code * 8 + (text[i] - '0');
      --i;
      result += static_cast<char>(code);
    } else {
      result += '\\';
      result += c;
    }
  }
  return result;
}

}  // namespace nacre::utilities
