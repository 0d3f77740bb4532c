#include "shell/skim.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace nacre::shell {
namespace {

enum class Kind : uint8_t {
  kPlain,      // stands for itself within a word
  kMarked,     // begins something within a word
  kBlank,      // from here on: not within a word
  kSeparator,  // the word after it is a command's first
  kAngle,
};

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> result{};
  for (char c : {'\'', '"', '\\', '$', '\0'}) result[static_cast<uint8_t>(c)] = Kind::kMarked;
  for (char c : {' ', '\t'}) result[static_cast<uint8_t>(c)] = Kind::kBlank;
  for (char c : {'\n', ';', '&', '|', '(', ')', '`'})
    result[static_cast<uint8_t>(c)] = Kind::kSeparator;
  for (char c : {'<', '>'}) result[static_cast<uint8_t>(c)] = Kind::kAngle;
  return result;
}();

constexpr Kind kind_of(char c) { return kKinds[static_cast<uint8_t>(c)]; }

// A command follows these as well.
bool is_opening(std::string_view word) {
  if (word.size() > 5) return false;
  constexpr std::array<std::string_view, 9> kWords = {"if", "then", "else",  "elif", "do",
                                                      "!",  "time", "while", "until"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class Skimmer {
 public:
  Skimmer(std::string_view text, size_t at) : text_(text), at_(text.data() + at) {}

  std::optional<size_t> run() {
    while (at_ < end()) {
      const char c = *at_;
      switch (kind_of(c)) {
        case Kind::kBlank: at_++; break;
        case Kind::kSeparator:
          is_in_backquotes_ ^= c == '`';
          is_first_ = true;
          at_++;
          break;
        case Kind::kAngle:
          if (c == '<' && at_[1] == '<') return std::nullopt;
          at_++;
          break;
        default:
          if (c == '#') {
            skip_comment();
            break;
          }
          const char* begin = at_;
          if (!skip_word() || !take({begin, static_cast<size_t>(at_ - begin)})) return std::nullopt;
          if (depth_ == 0) return ends_line() ? std::optional(at_ - text_.data()) : std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] const char* end() const { return text_.data() + text_.size(); }
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<size_t>(end() - at_)}; }

  [[nodiscard]] bool ends_line() const {
    const size_t next = rest().find_first_not_of(" \t");
    return next == std::string_view::npos || rest()[next] == '\n';
  }

  bool take(std::string_view word) {
    if (word == "{" || word == "}") {
      if (!is_first_ || *at_ == ')') return false;
      word == "{" ? depth_++ : depth_--;
    } else if (word == "function") {
      return false;
    } else {
      is_first_ = is_first_ && is_opening(word);
    }
    return true;
  }

  void skip_comment() {
    const size_t size = rest().find('\n');
    at_ = size == std::string_view::npos ? end() : at_ + size;
  }

  bool skip_word() {
    while (true) {
      while (kind_of(*at_) == Kind::kPlain) at_++;
      if (at_ >= end() || kind_of(*at_) != Kind::kMarked) return at_ <= end();
      const char c = *at_;
      if (c == '\\') {
        if (is_in_backquotes_ && (at_[1] == '\\' || at_[1] == '`')) return false;
        at_ += 2;
      } else if (c == '\'') {
        if (!skip_single_quoted()) return false;
      } else if (c == '"') {
        if (!skip_double_quoted()) return false;
      } else if (c == '$' && at_[1] == '{') {
        if (!skip_parameter()) return false;
      } else if (c == '$' && at_[1] != '\'') {
        at_++;
      } else {
        return false;
      }
    }
  }

  bool skip_single_quoted() {
    at_++;
    const size_t size = rest().find('\'');
    if (size == std::string_view::npos) return false;
    at_ += size + 1;
    return true;
  }

  bool skip_double_quoted() {
    at_++;
    while (at_ < end()) {
      const char c = *at_;
      if (c == '"') {
        at_++;
        return true;
      }
      if (c == '`') {
        if (is_in_backquotes_ || !skip_backquoted()) return false;
      } else if (c == '$' && at_[1] == '(') {
        if (!skip_bracketed(")('\"`\\#\n")) return false;
      } else if (c == '$' && at_[1] == '{') {
        if (!skip_parameter()) return false;
      } else if (c == '\\') {
        if (is_in_backquotes_) return false;
        at_ += 2;
      } else {
        at_++;
      }
    }
    return false;
  }

  // Between double quotes.
  bool skip_backquoted() {
    for (at_++; at_ < end(); at_++) {
      if (*at_ == '"') return false;
      if (*at_ == '\\' && (kind_of(at_[1]) == Kind::kMarked || at_[1] == '`')) return false;
      if (*at_ != '`') continue;
      at_++;
      return true;
    }
    return false;
  }

  bool skip_parameter() { return skip_bracketed("}'\"`\\({\n"); }

  // From `$` and a bracket to the other one, the first of `stops`; the rest of these are what the
  // parser would have to look into, and so is `case` with its parentheses.
  bool skip_bracketed(std::string_view stops) {
    const std::string_view inside = rest().substr(2);
    const size_t size = inside.find_first_of(stops);
    if (size == std::string_view::npos || inside[size] != stops[0]) return false;
    if (inside.substr(0, size).find("case") != std::string_view::npos) return false;
    at_ += size + 3;
    return true;
  }

  std::string_view text_;
  const char* at_;
  size_t depth_ = 0;
  bool is_first_ = true;  // the next word is the first one of a command
  bool is_in_backquotes_ = false;
};

}  // namespace

std::optional<size_t> end_of_braces(std::string_view text, size_t at) {
  return Skimmer(text, at).run();
}

}  // namespace nacre::shell
