#include "regular/replacement.h"

#include <cctype>
#include <fmt/core.h>

namespace nacre::regular {
namespace {

char convert(char c, LetterCase to) {
  const bool is_lower = c >= 'a' && c <= 'z', is_upper = c >= 'A' && c <= 'Z';
  if (to == LetterCase::kUpper && is_lower) return static_cast<char>(c - 'a' + 'A');
  if (to == LetterCase::kLower && is_upper) return static_cast<char>(c - 'A' + 'a');
  return c;
}

class SedReplacement {
 public:
  SedReplacement(std::string_view text, uint32_t group_count)
      : text_(text), group_count_(group_count) {}

  Result<Replacement> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '&') {
        add_reference(0);
      } else if (c == '\\' && at_ < text_.size()) {
        if (auto ok = escape(text_[at_++]); !ok) return tl::unexpected(ok.error());
      } else {
        add_byte(c);
      }
    }
    return std::move(items_);
  }

 private:
  Result<void> escape(char c) {
    if (c >= '0' && c <= '9') {
      const auto group = static_cast<uint32_t>(c - '0');
      if (group > group_count_) {
        return fail({static_cast<uint32_t>(at_ - 2), static_cast<uint32_t>(at_)},
                    fmt::format("invalid reference \\{} on `s' command's RHS", group));
      }
      add_reference(group);
      return {};
    }
    switch (c) {
      case 'U': return set_case(LetterCase::kUpper);
      case 'L': return set_case(LetterCase::kLower);
      case 'E': return set_case(LetterCase::kKeep);
      case 'u': first_ = LetterCase::kUpper; return {};
      case 'l': first_ = LetterCase::kLower; return {};
      case 'a': add_byte('\a'); return {};
      case 'f': add_byte('\f'); return {};
      case 'n': add_byte('\n'); return {};
      case 'r': add_byte('\r'); return {};
      case 't': add_byte('\t'); return {};
      case 'v': add_byte('\v'); return {};
      case 'c': add_control(); return {};
      case 'd': add_number(c, 10, 3); return {};
      case 'o': add_number(c, 8, 3); return {};
      case 'x': add_number(c, 16, 2); return {};
      default: add_byte(c); return {};
    }
  }

  // \U, \L and \E also forget a \u or \l that still waits.
  Result<void> set_case(LetterCase to) {
    all_ = to;
    first_ = LetterCase::kKeep;
    return {};
  }

  void add_control() {
    if (at_ == text_.size()) return add_byte('c');
    const auto letter = static_cast<unsigned char>(text_[at_++]);
    add_byte(static_cast<char>(std::toupper(letter) ^ 0x40));
  }

  void add_number(char letter, int base, size_t max_digits) {
    int value = 0;
    size_t digits = 0;
    for (; digits < max_digits && at_ < text_.size(); ++digits, ++at_) {
      const int digit = digit_value(text_[at_]);
      if (digit >= base) break;
      value = value * base + digit;
    }
    add_byte(digits == 0 ? letter : static_cast<char>(value));
  }

  static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
  }

  void add_byte(char c) {
    if (items_.empty() || items_.back().group) items_.emplace_back();
    c = convert(c, first_ == LetterCase::kKeep ? all_ : first_);
    items_.back().text += c;
    first_ = LetterCase::kKeep;
  }

  void add_reference(uint32_t group) {
    items_.push_back({{}, group, all_, first_});
    first_ = LetterCase::kKeep;
  }

  std::string_view text_;
  uint32_t group_count_;
  size_t at_ = 0;
  LetterCase all_ = LetterCase::kKeep, first_ = LetterCase::kKeep;
  Replacement items_;
};

}  // namespace

Result<Replacement> parse_sed_replacement(std::string_view text, uint32_t group_count) {
  return SedReplacement(text, group_count).run();
}

}  // namespace nacre::regular
