#include "utilities/awk_format.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace nacre::utilities {
namespace {

constexpr int kMaxWidth = 1'000'000;
constexpr double kMaxInteger = 9.2e18;

// "%-5.3" without its conversion character, and the numbers in it.
struct Directive {
  std::string flags;
  std::optional<int> width;
  std::optional<int> precision;
  char conversion = 0;
};

template <typename T>
std::string print_by(const Directive& directive, std::string_view length, char conversion,
                     T value) {
  std::string format = "%" + directive.flags;
  if (directive.width) format += std::to_string(*directive.width);
  if (directive.precision) format += "." + std::to_string(*directive.precision);
  format += length;
  format += conversion;
  int size = std::snprintf(nullptr, 0, format.c_str(), value);
  std::string text(static_cast<size_t>(std::max(size, 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

std::string padded(const Directive& directive, std::string text) {
  size_t width = static_cast<size_t>(std::abs(directive.width.value_or(0)));
  if (text.size() >= width) return text;
  bool is_left = directive.flags.find('-') != std::string::npos || directive.width.value_or(0) < 0;
  text.insert(is_left ? text.size() : 0, width - text.size(), ' ');
  return text;
}

std::string integer(const Directive& directive, double value) {
  if (std::isnan(value) || std::isinf(value)) {
    std::string text = std::isnan(value) ? "nan" : "inf";
    return padded(directive, (std::signbit(value) ? "-" : "+") + text);
  }
  value = std::trunc(value);
  if (std::fabs(value) >= kMaxInteger) {
    Directive whole = directive;
    whole.precision = 0;
    return print_by(whole, "", 'f', value);
  }
  bool is_signed = directive.conversion == 'd' || directive.conversion == 'i' || value < 0;
  auto number = static_cast<long long>(value);
  if (is_signed) return print_by(directive, "ll", 'd', number);
  return print_by(directive, "ll", directive.conversion, static_cast<unsigned long long>(number));
}

std::string real(const Directive& directive, double value) {
  if (!std::isnan(value) && !std::isinf(value)) {
    return print_by(directive, "", directive.conversion, value);
  }
  std::string text = std::isnan(value) ? "nan" : "inf";
  return padded(directive, (std::signbit(value) ? "-" : "+") + text);
}

std::string character(const Directive& directive, const AwkValue& value) {
  if (value.is_numeric()) {
    return padded(directive,
                  std::string(1, static_cast<char>(static_cast<int64_t>(value.to_number()))));
  }
  return padded(directive, value.to_text("").substr(0, 1));
}

class Formatter {
 public:
  Formatter(const std::string& format, const std::vector<AwkValue>& arguments,
            const std::string& number_format)
      : format_(format), arguments_(arguments), number_format_(number_format) {}

  std::optional<std::string> run(std::string& error) {
    while (at_ < format_.size() && error_.empty()) {
      size_t percent = std::min(format_.find('%', at_), format_.size());
      result_.append(format_, at_, percent - at_);
      at_ = percent;
      if (at_ < format_.size()) directive();
    }
    error = error_;
    return error_.empty() ? std::optional(std::move(result_)) : std::nullopt;
  }

 private:
  AwkValue next() {
    if (next_ < arguments_.size()) return arguments_[next_++];
    error_ = "not enough arguments to satisfy format string";
    return {};
  }

  std::optional<int> size() {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      return checked(next().to_number());
    }
    if (at_ == format_.size() || format_[at_] < '0' || format_[at_] > '9') return std::nullopt;
    double value = 0;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_)
      value = value * 10 + (format_[at_] - '0');
    return checked(value);
  }
  int checked(double value) {
    if (std::fabs(value) <= kMaxWidth) return static_cast<int>(value);
    error_ = fmt::format("the width {} is too large", value);
    return 0;
  }

  void directive() {
    size_t begin = at_++;
    Directive found;
    while (at_ < format_.size() &&
           std::string_view("-+ #0").find(format_[at_]) != std::string::npos)
      found.flags += format_[at_++];
    found.width = size();
    if (found.width.value_or(0) < 0) {
      found.flags += '-';
      found.width = -*found.width;
    }
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      found.precision = size().value_or(0);
      if (*found.precision < 0) found.precision.reset();
    }
    while (at_ < format_.size() && std::string_view("hlLq").find(format_[at_]) != std::string::npos)
      ++at_;
    if (at_ == format_.size()) {
      result_.append(format_, begin);
      return;
    }
    found.conversion = format_[at_++];
    convert(found, std::string_view(format_).substr(begin, at_ - begin));
  }

  void convert(const Directive& directive, std::string_view source) {
    switch (directive.conversion) {
      case '%': result_ += '%'; break;
      case 'c': result_ += character(directive, next()); break;
      case 's': {
        std::string text = next().to_text(number_format_);
        if (directive.precision) text.resize(std::min(text.size(), size_t(*directive.precision)));
        result_ += padded(directive, std::move(text));
        break;
      }
      case 'd':
      case 'i':
      case 'o':
      case 'x':
      case 'X':
      case 'u': result_ += integer(directive, next().to_number()); break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': result_ += real(directive, next().to_number()); break;
      default: result_ += source; break;
    }
  }

  const std::string& format_;
  const std::vector<AwkValue>& arguments_;
  const std::string& number_format_;
  std::string result_;
  std::string error_;
  size_t at_ = 0;
  size_t next_ = 0;
};

}  // namespace

std::string format_number(const std::string& format, double value) {
  std::string error;
  return format_values(format, {AwkValue::number(value)}, "%.6g", error).value_or("");
}

std::optional<std::string> format_values(const std::string& format,
                                         const std::vector<AwkValue>& arguments,
                                         const std::string& number_format, std::string& error) {
  return Formatter(format, arguments, number_format).run(error);
}

}  // namespace nacre::utilities
