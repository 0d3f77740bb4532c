// A place in a pattern that a front end is reading: one character at a time, bytes or UTF-8. Bytes
// that are not UTF-8 count as one character each, with the byte's value.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/span.h"
#include "regular/char_set.h"

namespace nacre::regular {

class PatternReader {
 public:
  PatternReader(std::string_view text, Alphabet alphabet) : text_(text), alphabet_(alphabet) {}
  // The text was rewritten before parsing: `origin[i]` is where byte i came from (one more entry
  // for the end), so that spans still point into what the user wrote.
  PatternReader(std::string_view text, Alphabet alphabet, const std::vector<uint32_t>* origin)
      : text_(text), alphabet_(alphabet), origin_(origin) {}

  [[nodiscard]] bool at_end() const { return pos_ >= text_.size(); }
  [[nodiscard]] uint32_t pos() const { return pos_; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(text_.size()); }
  void seek(uint32_t pos) { pos_ = pos; }
  void skip(uint32_t bytes = 1) { pos_ += bytes; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view rest() const { return text_.substr(pos_); }

  // The byte at `ahead`, or -1 after the end.
  [[nodiscard]] int peek(uint32_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? static_cast<unsigned char>(text_[pos_ + ahead]) : -1;
  }
  [[nodiscard]] bool looking_at(std::string_view what) const { return rest().starts_with(what); }
  bool take(char byte) {
    if (peek() != static_cast<unsigned char>(byte)) return false;
    ++pos_;
    return true;
  }
  bool take(std::string_view what) {
    if (!looking_at(what)) return false;
    pos_ += static_cast<uint32_t>(what.size());
    return true;
  }
  // A decimal number, at most `max`; nothing (and nothing is read) if no digit stands here.
  std::optional<uint64_t> take_number(uint64_t max) {
    if (!at_digit()) return std::nullopt;
    uint64_t value = 0;
    for (; at_digit(); ++pos_)
      value = std::min(value * 10 + static_cast<uint64_t>(text_[pos_] - '0'), max);
    return value;
  }
  // The next character; not at the end.
  Symbol next();

  // In the user's text.
  [[nodiscard]] Span span_from(uint32_t begin) const { return span(begin, pos_); }
  [[nodiscard]] Span here() const { return span(pos_, at_end() ? pos_ : pos_ + 1); }
  [[nodiscard]] Span span(uint32_t begin, uint32_t end) const {
    return origin_ == nullptr ? Span{begin, end} : Span{(*origin_)[begin], (*origin_)[end]};
  }

 private:
  [[nodiscard]] bool at_digit() const { return peek() >= '0' && peek() <= '9'; }

  std::string_view text_;
  uint32_t pos_ = 0;
  Alphabet alphabet_;
  const std::vector<uint32_t>* origin_ = nullptr;
};

}  // namespace nacre::regular
