#include "colis/test_expression.h"

#include <optional>
#include <span>

namespace nacre::colis {

namespace {

std::optional<long long> integer(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return std::nullopt;
  const size_t end = text.find_last_not_of(" \t\n") + 1;
  std::string digits = text.substr(begin, end - begin);
  const bool has_sign = digits[0] == '-' || digits[0] == '+';
  const std::string bare = digits.substr(has_sign ? 1 : 0);
  if (bare.empty() || bare.size() > 18 || bare.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const long long value = std::stoll(bare);
  return digits[0] == '-' ? -value : value;
}

bool is_binary(const std::string& word) {
  static const char* const kOperators[] = {"=",   "!=",  "-eq", "-ne", "-lt", "-le", "-gt",
                                           "-ge", "-nt", "-ot", "-ef", "-a",  "-o"};
  for (const char* one : kOperators) {
    if (word == one) return true;
  }
  return false;
}

bool is_unary(const std::string& word) {
  static const std::string kLetters = "bcdefghknprstuwxzLOGS";
  return word.size() == 2 && word[0] == '-' && kLetters.find(word[1]) != std::string::npos;
}

using Words = std::span<const std::string>;

class Evaluator {
 public:
  explicit Evaluator(const AskFiles& ask) : ask_(ask) {}

  bool run(Words words) {
    switch (words.size()) {
      case 0: return false;
      case 1: return !words[0].empty();
      case 2:
        if (words[0] == "!") return words[1].empty();
        if (is_unary(words[0])) return unary(words[0], words[1]);
        return fail(words[0] + ": unexpected operator");
      case 3:
        if (is_binary(words[1])) return binary(words[0], words[1], words[2]);
        if (words[0] == "!") return !run(words.subspan(1));
        if (words[0] == "(" && words[2] == ")") return !words[1].empty();
        return fail(words[1] + ": unexpected operator");
      case 4:
        if (words[0] == "!") return !run(words.subspan(1));
        if (words[0] == "(" && words[3] == ")") return run(words.subspan(1, 2));
        break;
      default: break;
    }
    rest_ = words;
    const bool result = disjunction(0);
    return rest_.empty() ? result : fail(rest_[0] + ": unexpected operator");
  }

  std::string error;

 private:
  static constexpr int kMaxDepth = 200;

  bool fail(std::string message) {
    if (error.empty()) error = std::move(message);
    return false;
  }
  bool accept(const char* word) {
    if (rest_.empty() || rest_[0] != word) return false;
    rest_ = rest_.subspan(1);
    return true;
  }

  bool disjunction(int depth) {
    bool result = conjunction(depth);
    while (error.empty() && accept("-o")) result = conjunction(depth) || result;
    return result;
  }
  bool conjunction(int depth) {
    bool result = primary(depth);
    while (error.empty() && accept("-a")) result = primary(depth) && result;
    return result;
  }
  bool primary(int depth) {
    if (depth > kMaxDepth) return fail("nested too deeply");
    if (rest_.empty()) return fail("argument expected");
    const bool is_operation =
        rest_.size() >= 3 && is_binary(rest_[1]) && rest_[1] != "-a" && rest_[1] != "-o";
    if (is_operation) {
      const Words three = rest_.subspan(0, 3);
      rest_ = rest_.subspan(3);
      return binary(three[0], three[1], three[2]);
    }
    if (accept("!")) return !primary(depth + 1);
    if (accept("(")) {
      const bool result = disjunction(depth + 1);
      return accept(")") ? result : fail("closing parenthesis expected");
    }
    if (rest_.size() >= 2 && is_unary(rest_[0])) {
      const Words two = rest_.subspan(0, 2);
      rest_ = rest_.subspan(2);
      return unary(two[0], two[1]);
    }
    const std::string& word = rest_[0];
    rest_ = rest_.subspan(1);
    return !word.empty();
  }

  bool unary(const std::string& op, const std::string& operand) {
    if (!error.empty()) return false;
    if (op == "-n") return !operand.empty();
    if (op == "-z") return operand.empty();
    return ask_(op, operand, "");
  }

  bool binary(const std::string& left, const std::string& op, const std::string& right) {
    if (!error.empty()) return false;
    if (op == "=") return left == right;
    if (op == "!=") return left != right;
    if (op == "-a") return !left.empty() && !right.empty();
    if (op == "-o") return !left.empty() || !right.empty();
    if (op == "-nt" || op == "-ot" || op == "-ef") return ask_(op, left, right);
    const auto a = integer(left), b = integer(right);
    if (!a || !b) return fail("Illegal number: " + (a ? right : left));
    if (op == "-eq") return *a == *b;
    if (op == "-ne") return *a != *b;
    if (op == "-lt") return *a < *b;
    if (op == "-le") return *a <= *b;
    if (op == "-gt") return *a > *b;
    return *a >= *b;
  }

  const AskFiles& ask_;
  Words rest_;
};

}  // namespace

TestAnswer evaluate_test(const std::vector<std::string>& words, const AskFiles& ask) {
  Evaluator evaluator(ask);
  const bool is_true = evaluator.run(words);
  return {is_true && evaluator.error.empty(), evaluator.error};
}

}  // namespace nacre::colis
