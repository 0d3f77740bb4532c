// The options of a builtin, as the Utility Syntax Guidelines have them: -ab, -o value, -ovalue, --.
#pragma once

#include <string_view>

#include "machine/fields.h"

namespace nacre::machine {

class OptionScanner {
 public:
  // `accepted`: the letters, each with a `:` after it if it takes a value.
  OptionScanner(Args args, std::string_view accepted) : args_(args), accepted_(accepted) {}

  // The next letter; 0 when the operands begin; '?' for one that is not accepted or lacks its
  // value.
  char next() {
    if (rest_.empty()) {
      if (at_ >= args_.size()) return 0;
      std::string_view arg = args_[at_];
      if (arg.size() < 2 || arg[0] != '-') return 0;
      ++at_;
      if (arg == "--") return 0;
      rest_ = arg.substr(1);
    }
    letter_ = rest_[0];
    rest_.remove_prefix(1);
    size_t found = letter_ == ':' ? std::string_view::npos : accepted_.find(letter_);
    if (found == std::string_view::npos) return '?';
    if (found + 1 < accepted_.size() && accepted_[found + 1] == ':') {
      if (!rest_.empty()) {
        value_ = rest_;
        rest_ = {};
      } else if (at_ < args_.size()) {
        value_ = args_[at_++];
      } else {
        return '?';
      }
    }
    return letter_;
  }
  [[nodiscard]] char letter() const { return letter_; }
  [[nodiscard]] std::string_view value() const { return value_; }
  [[nodiscard]] size_t operands() const { return at_; }  // index of the first

 private:
  Args args_;
  std::string_view accepted_;
  std::string_view rest_;
  std::string_view value_;
  size_t at_ = 1;
  char letter_ = 0;
};

}  // namespace nacre::machine
