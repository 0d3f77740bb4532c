// Awk's regular expressions in the syntax of regcomp(). What differs:
//
// 1. `\` escapes in brackets, too, where POSIX takes it for itself.
// 2. `\t`, `\/`, `\"`, `\052` and their like are characters; gawk's `\y` is regcomp()'s `\b`.
// 3. A `{` that begins no interval, and an operator with nothing before it, are characters.
#include "utilities/awk_value.h"

namespace nacre::utilities {
namespace {

class Translator {
 public:
  explicit Translator(std::string_view source) : source_(source) {}

  std::string run() {
    while (at_ < source_.size()) {
      char c = source_[at_];
      if (c == '\\') {
        escape();
      } else if (c == '[') {
        bracket();
      } else {
        plain(c);
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] char ahead(size_t count) const {
    return at_ + count < source_.size() ? source_[at_ + count] : '\0';
  }

  void literal(char c) {
    constexpr std::string_view kSpecial = "\\^$.[]|()*+?{}";
    if (kSpecial.find(c) != std::string_view::npos) result_ += '\\';
    result_ += c;
    can_repeat_ = true;
  }

  void plain(char c) {
    bool repeats = c == '*' || c == '+' || c == '?' || (c == '{' && is_interval());
    if (c == '{' && !is_interval()) {
      literal(c);
    } else if (repeats && !can_repeat_) {
      literal(c);
    } else {
      result_ += c;
      can_repeat_ = c != '(' && c != '|' && c != '^';
    }
    ++at_;
  }

  // {n}, {n,} or {n,m}
  [[nodiscard]] bool is_interval() const {
    size_t end = source_.find('}', at_);
    if (end == std::string_view::npos) return false;
    std::string_view inside = source_.substr(at_ + 1, end - at_ - 1);
    return !inside.empty() && inside.find_first_not_of("0123456789,") == std::string_view::npos &&
           inside[0] != ',' && inside.find(',') == inside.rfind(',');
  }

  // The character that an escape stands for, after which `at_` is then; or 0.
  char escaped_character() {
    size_t end = at_ + 2;
    if (ahead(1) >= '0' && ahead(1) <= '7') {
      while (end < source_.size() && end < at_ + 4 && source_[end] >= '0' && source_[end] <= '7')
        ++end;
    } else if (std::string_view("abfnrtv/\"").find(ahead(1)) == std::string_view::npos) {
      return 0;
    }
    char c = resolve_escapes(source_.substr(at_, end - at_))[0];
    at_ = end;
    return c;
  }

  void escape() {
    if (at_ + 1 == source_.size()) {
      result_ += "\\\\";
      ++at_;
      return;
    }
    if (char c = escaped_character(); c != 0) return literal(c);
    char c = ahead(1);
    at_ += 2;
    constexpr std::string_view kOperators = "<>BwWsS`'";
    if (c == 'y') {
      result_ += "\\b";
    } else if (kOperators.find(c) != std::string_view::npos) {
      result_ += '\\';
      result_ += c;
    } else {
      return literal(c);
    }
    can_repeat_ = true;
  }

  // `]`, `^` and `-` that were escaped go to the places where they stand for themselves.
  void bracket() {
    size_t begin = at_++;
    bool negated = ahead(0) == '^';
    if (negated) ++at_;
    bool has_bracket = ahead(0) == ']';
    if (has_bracket) ++at_;
    bool has_caret = false;
    bool has_dash = false;
    std::string items;
    while (at_ < source_.size() && source_[at_] != ']') {
      char c = source_[at_];
      if (c == '[' && (ahead(1) == ':' || ahead(1) == '.' || ahead(1) == '=')) {
        const char close[] = {ahead(1), ']'};
        size_t end = source_.find(std::string_view(close, 2), at_ + 2);
        if (end != std::string_view::npos) {
          items += source_.substr(at_, end + 2 - at_);
          at_ = end + 2;
          continue;
        }
      }
      bool is_escaped = c == '\\' && at_ + 1 < source_.size();
      if (is_escaped) {
        c = escaped_character();
        if (c == 0) {
          c = ahead(1);
          at_ += 2;
        }
      } else {
        ++at_;
      }
      if (is_escaped && c == ']') {
        has_bracket = true;
      } else if (c == '^' && items.empty()) {
        has_caret = true;
      } else if (is_escaped && c == '-') {
        has_dash = true;
      } else {
        items += c;
      }
    }
    if (at_ == source_.size()) {  // no end: regcomp() says so
      result_ += source_.substr(begin);
      return;
    }
    ++at_;
    finish_bracket(negated, has_bracket, has_caret, has_dash, items);
  }

  void finish_bracket(bool negated, bool has_bracket, bool has_caret, bool has_dash,
                      const std::string& items) {
    can_repeat_ = true;
    if (!negated && !has_bracket && !has_dash && has_caret && items.empty()) {
      result_ += "\\^";
      return;
    }
    result_ += negated ? "[^" : "[";
    if (has_bracket) result_ += ']';
    result_ += items;
    if (has_caret) result_ += '^';
    if (has_dash) result_ += '-';
    result_ += ']';
  }

  std::string_view source_;
  std::string result_;
  size_t at_ = 0;
  bool can_repeat_ = false;  // what stands before
};

}  // namespace

std::string posix_regex(std::string_view source) { return Translator(source).run(); }

}  // namespace nacre::utilities
