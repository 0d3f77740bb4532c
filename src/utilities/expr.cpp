// expr: one expression, each operator and operand an argument of its own.
#include <fmt/format.h>

#include "utilities/options.h"
#include "utilities/regex.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

class Expression {
 public:
  Expression(Context& context, std::vector<std::string> words)
      : context_(context), words_(std::move(words)) {}

  int run() {
    if (words_.empty()) return error("missing operand");
    std::string value = parse_or();
    if (status_ == 0 && at_ < words_.size()) {
      return error(fmt::format("syntax error: unexpected argument {}", quoted(words_[at_])));
    }
    if (status_ != 0) return status_;
    context_.out(value + "\n");
    return is_null(value) ? 1 : 0;
  }

 private:
  int error(const std::string& message, int status = 2) {
    if (status_ == 0) {
      context_.fail(message);
      status_ = status;
    }
    at_ = words_.size();
    return status_;
  }
  static bool is_null(const std::string& value) {
    if (value.empty()) return true;
    size_t digits = value[0] == '-' ? 1 : 0;
    return digits < value.size() && value.find_first_not_of('0', digits) == std::string::npos;
  }
  // GNU expr has no sign but the minus.
  static std::optional<int64_t> number(const std::string& text) {
    if (text.starts_with('+')) return std::nullopt;
    return parse_number(text);
  }
  [[nodiscard]] bool next_is(std::string_view word) const {
    return at_ < words_.size() && words_[at_] == word;
  }
  bool take(std::string_view word) {
    if (!next_is(word)) return false;
    ++at_;
    return true;
  }

  std::string parse_or() {
    std::string left = parse_and();
    while (take("|")) {
      std::string right = parse_and();
      if (is_null(left)) left = is_null(right) ? "0" : right;
    }
    return left;
  }
  std::string parse_and() {
    std::string left = parse_comparison();
    while (take("&")) {
      std::string right = parse_comparison();
      if (is_null(left) || is_null(right)) left = "0";
    }
    return left;
  }
  std::string parse_comparison() {
    std::string left = parse_sum();
    while (true) {
      std::string_view found;
      for (std::string_view op : {"<", "<=", "=", "==", "!=", ">=", ">"}) {
        if (next_is(op)) found = op;
      }
      if (found.empty()) return left;
      ++at_;
      std::string right = parse_sum();
      auto a = number(left);
      auto b = number(right);
      int order = a && b ? (*a < *b ? -1 : *a > *b ? 1 : 0) : left.compare(right);
      bool holds = found == "<"    ? order < 0
                   : found == "<=" ? order <= 0
                   : found == ">"  ? order > 0
                   : found == ">=" ? order >= 0
                   : found == "!=" ? order != 0
                                   : order == 0;
      left = holds ? "1" : "0";
    }
  }
  std::string arithmetic(const std::string& left, char op, const std::string& right) {
    auto a = number(left);
    auto b = number(right);
    if (!a || !b) {
      error("non-integer argument");
      return "";
    }
    if ((op == '/' || op == '%') && *b == 0) {
      error("division by zero");
      return "";
    }
    auto wrap = [](auto value) { return static_cast<int64_t>(value); };
    auto x = static_cast<uint64_t>(*a);
    auto y = static_cast<uint64_t>(*b);
    if (*b == -1 && op == '/') return std::to_string(wrap(0 - x));
    if (*b == -1 && op == '%') return "0";
    switch (op) {
      case '+': return std::to_string(wrap(x + y));
      case '-': return std::to_string(wrap(x - y));
      case '*': return std::to_string(wrap(x * y));
      case '/': return std::to_string(*a / *b);
      default: return std::to_string(*a % *b);
    }
  }
  std::string parse_sum() {
    std::string left = parse_product();
    while (next_is("+") || next_is("-")) {
      char op = words_[at_++][0];
      left = arithmetic(left, op, parse_product());
    }
    return left;
  }
  std::string parse_product() {
    std::string left = parse_match();
    while (next_is("*") || next_is("/") || next_is("%")) {
      char op = words_[at_++][0];
      left = arithmetic(left, op, parse_match());
    }
    return left;
  }
  std::string parse_match() {
    std::string left = parse_operand();
    while (take(":")) left = match(left, parse_operand());
    return left;
  }
  std::string match(const std::string& text, const std::string& pattern) {
    std::string why;
    auto regex = Regex::compile(pattern, false, false, why);
    if (!regex) {
      error(why);
      return "";
    }
    // Anchored: the leftmost match begins at 0 if any does.
    auto found = regex->search(text);
    bool matches = found && found->begin() == 0;
    if (regex->group_count() > 0) return matches ? std::string(found->group(text, 1)) : "";
    return std::to_string(matches ? found->end() : 0);
  }
  std::string parse_operand() {
    if (depth_ >= kMaxNesting) {
      error("parentheses and operators are nested too deeply");
      return "";
    }
    ++depth_;
    std::string result = parse_nested();
    --depth_;
    return result;
  }
  std::string parse_nested() {
    if (at_ >= words_.size()) {
      error(fmt::format("syntax error: missing argument after {}",
                        quoted(at_ == 0 ? "" : words_[at_ - 1])));
      return "";
    }
    if (take("(")) {
      std::string inner = parse_or();
      if (status_ == 0 && !take(")")) error("syntax error: expecting ')'");
      return inner;
    }
    if (take("+") && at_ < words_.size()) return words_[at_++];
    if (at_ + 1 < words_.size()) {
      if (take("length")) return std::to_string(parse_operand().size());
      if (take("match")) {
        std::string text = parse_operand();
        return match(text, parse_operand());
      }
      if (take("index")) {
        std::string text = parse_operand();
        size_t found = text.find_first_of(parse_operand());
        return std::to_string(found == std::string::npos ? 0 : found + 1);
      }
      if (take("substr")) {
        std::string text = parse_operand();
        auto begin = number(parse_operand());
        auto length = number(parse_operand());
        bool is_bad = !begin || !length || *begin < 1 || *length < 1 ||
                      static_cast<size_t>(*begin) > text.size();
        return is_bad ? ""
                      : text.substr(static_cast<size_t>(*begin) - 1, static_cast<size_t>(*length));
      }
    }
    if (next_is(")")) {
      error("syntax error: unexpected ')'");
      return "";
    }
    return words_[at_++];
  }

  static constexpr int kMaxNesting = 1000;

  Context& context_;
  std::vector<std::string> words_;
  size_t at_ = 0;
  int depth_ = 0;
  int status_ = 0;
};

}  // namespace

int expr(Context& context) {
  std::vector<std::string> words(context.arguments.begin() + 1, context.arguments.end());
  if (!words.empty() && words[0] == "--") words.erase(words.begin());
  return Expression(context, std::move(words)).run();
}

}  // namespace nacre::utilities
