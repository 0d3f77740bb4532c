#include "docker/expand.h"

#include <algorithm>

namespace nacre::docker {

namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

class Expander {
 public:
  Expander(std::string_view word, char escape, const Lookup& lookup, int depth)
      : word_(word), escape_(escape), lookup_(lookup), depth_(depth) {}

  Expanded run() {
    char quote = '\0';
    while (at_ < word_.size()) {
      const char c = word_[at_];
      if (quote == '\'') {
        quote = c == '\'' ? '\0' : quote;
        if (c != '\'') result_.text += c;
        at_++;
      } else if (c == escape_) {
        escaped(quote);
      } else if (c == '$') {
        variable();
      } else if (c == quote) {
        quote = '\0';
        at_++;
      } else if (quote == '\0' && (c == '"' || c == '\'')) {
        quote = c;
        at_++;
      } else {
        result_.text += c;
        at_++;
      }
    }
    return std::move(result_);
  }

 private:
  // Within double quotes it protects only what is special there.
  void escaped(char quote) {
    if (at_ + 1 >= word_.size()) {
      result_.text += word_[at_++];
      return;
    }
    const char next = word_[at_ + 1];
    if (quote == '"' && next != '"' && next != '$' && next != escape_) result_.text += escape_;
    result_.text += next;
    at_ += 2;
  }

  void variable() {
    at_++;
    if (at_ < word_.size() && word_[at_] == '{') return braced();
    const std::string_view name = take_name();
    if (name.empty()) {
      result_.text += '$';
      return;
    }
    use(name, false);
    put(lookup_(name));
  }

  std::string_view take_name() {
    const size_t begin = at_;
    if (at_ < word_.size() && is_name_start(word_[at_])) {
      while (at_ < word_.size() && is_name_char(word_[at_])) at_++;
    }
    return word_.substr(begin, at_ - begin);
  }

  void use(std::string_view name, bool has_default) {
    result_.uses.push_back({std::string(name), has_default});
  }

  void put(const std::optional<std::string>& value) {
    if (value) {
      result_.text += *value;
    } else {
      result_.is_known = false;
    }
  }

  // The text up to the brace that closes, over those that are opened within.
  std::string_view take_operand() {
    const size_t begin = at_;
    for (int open = 1; at_ < word_.size(); at_++) {
      if (word_[at_] == '{') open++;
      if (word_[at_] == '}' && --open == 0) break;
    }
    const std::string_view operand = word_.substr(begin, at_ - begin);
    at_ = std::min(at_ + 1, word_.size());
    return operand;
  }

  void braced() {
    at_++;
    const std::string_view name = take_name();
    std::string_view operand = take_operand();
    if (name.empty()) {
      result_.is_known = false;
      return;
    }
    const bool has_colon = operand.starts_with(':');
    if (has_colon) operand.remove_prefix(1);
    const char op = operand.empty() ? '\0' : operand[0];
    if (!operand.empty()) operand.remove_prefix(1);
    use(name, op == '-' || op == '+' || op == '?');
    auto value = lookup_(name);
    if (op == '\0' || op == '?') return put(value);
    if (op != '-' && op != '+') return put(std::nullopt);  // patterns: not followed
    with_default(op, has_colon, value, operand);
  }

  void with_default(char op, bool has_colon, const std::optional<std::string>& value,
                    std::string_view operand) {
    constexpr int kMaxDepth = 16;
    if (depth_ >= kMaxDepth || !value) {
      // Whether it is set is not known, nor then which of the two holds.
      result_.is_known = false;
      if (depth_ < kMaxDepth) {
        for (auto& each : inner(operand).uses) result_.uses.push_back(std::move(each));
      }
      return;
    }
    const bool is_set = !has_colon || !value->empty();
    if (op == '-' && is_set) return put(value);
    if (op == '+' && !is_set) return;
    const Expanded made = inner(operand);
    result_.uses.insert(result_.uses.end(), made.uses.begin(), made.uses.end());
    result_.text += made.text;
    result_.is_known &= made.is_known;
  }

  [[nodiscard]] Expanded inner(std::string_view operand) const {
    return Expander(operand, escape_, lookup_, depth_ + 1).run();
  }

  std::string_view word_;
  char escape_;
  const Lookup& lookup_;
  int depth_;
  size_t at_ = 0;
  Expanded result_;
};

}  // namespace

Expanded expand(std::string_view word, char escape, const Lookup& lookup) {
  return Expander(word, escape, lookup, 0).run();
}

Expanded find_variables(std::string_view word, char escape) {
  return expand(word, escape, [](std::string_view) { return std::optional<std::string>(); });
}

}  // namespace nacre::docker
