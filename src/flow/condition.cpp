#include "flow/condition.h"

#include <span>

namespace nacre::flow {

using shell::ConditionalKind;
using shell::ConditionalOp;
using shell::Word;
using Kind = Condition::Kind;

namespace {

constexpr std::pair<std::string_view, ConditionalOp> kBinaryOperators[] = {
    {"=", ConditionalOp::kEqual},
    {"==", ConditionalOp::kEqual},
    {"!=", ConditionalOp::kNotEqual},
    {"<", ConditionalOp::kLess},
    {">", ConditionalOp::kGreater},
    {"-eq", ConditionalOp::kNumberEqual},
    {"-ne", ConditionalOp::kNumberNotEqual},
    {"-lt", ConditionalOp::kNumberLess},
    {"-le", ConditionalOp::kNumberLessEqual},
    {"-gt", ConditionalOp::kNumberGreater},
    {"-ge", ConditionalOp::kNumberGreaterEqual},
    {"-nt", ConditionalOp::kNewer},
    {"-ot", ConditionalOp::kOlder},
    {"-ef", ConditionalOp::kSameFile},
};

bool is_text(const Word& word, std::string_view text) {
  return word.is_literal() && word.literal() == text;
}

ConditionalOp binary_operator(const Word& word) {
  if (!word.is_literal()) return ConditionalOp::kNone;
  for (const auto& [text, op] : kBinaryOperators) {
    if (word.literal() == text) return op;
  }
  return ConditionalOp::kNone;
}

bool is_unary_operator(const Word& word) {
  if (!word.is_literal()) return false;
  const std::string_view text = word.literal();
  return text.size() == 2 && text[0] == '-' &&
         std::string_view("bcdefghknoprstuvwxzGLNORS").find(text[1]) != std::string_view::npos;
}

Condition nested(Kind kind, std::vector<Condition> parts) {
  Condition result;
  result.kind = kind;
  result.parts = std::move(parts);
  return result;
}

// The words of `[ ]`, by the rules of POSIX for up to four of them, and the usual reading of -a and
// -o beyond.
class TestParser {
 public:
  explicit TestParser(std::span<const Word> words) : rest_(words) {}

  Condition parse() {
    Condition result = disjunction();
    if (!rest_.empty()) result.kind = Kind::kUnknown;
    return result;
  }

 private:
  Condition disjunction() {
    Condition result = conjunction();
    while (!rest_.empty() && is_text(rest_[0], "-o")) {
      rest_ = rest_.subspan(1);
      result = nested(Kind::kOr, {std::move(result), conjunction()});
    }
    return result;
  }

  Condition conjunction() {
    Condition result = primary();
    while (!rest_.empty() && is_text(rest_[0], "-a")) {
      rest_ = rest_.subspan(1);
      result = nested(Kind::kAnd, {std::move(result), primary()});
    }
    return result;
  }

  Condition primary() {
    Condition result;
    if (rest_.empty()) return result;
    if (rest_.size() >= 3 && binary_operator(rest_[1]) != ConditionalOp::kNone) {
      result.kind = Kind::kBinary;
      result.op = binary_operator(rest_[1]);
      result.left = &rest_[0];
      result.right = &rest_[2];
      rest_ = rest_.subspan(3);
    } else if (is_text(rest_[0], "!") && rest_.size() > 1) {
      rest_ = rest_.subspan(1);
      return nested(Kind::kNot, {primary()});
    } else if (is_text(rest_[0], "(") && rest_.size() > 2) {
      rest_ = rest_.subspan(1);
      result = disjunction();
      if (rest_.empty() || !is_text(rest_[0], ")")) return Condition{};
      rest_ = rest_.subspan(1);
    } else if (is_unary_operator(rest_[0]) && rest_.size() >= 2) {
      result.kind = Kind::kUnary;
      result.letter = rest_[0].literal()[1];
      result.left = &rest_[1];
      rest_ = rest_.subspan(2);
    } else {
      result.kind = Kind::kWord;
      result.left = &rest_[0];
      rest_ = rest_.subspan(1);
    }
    return result;
  }

  std::span<const Word> rest_;
};

}  // namespace

Condition condition_of(const shell::ConditionalExpression& expression) {
  Condition result;
  result.is_bracket = true;
  result.letter = expression.letter;
  result.op = expression.op;
  result.left = &expression.left;
  result.right = &expression.right;
  switch (expression.kind) {
    case ConditionalKind::kWord: result.kind = Kind::kWord; break;
    case ConditionalKind::kUnary: result.kind = Kind::kUnary; break;
    case ConditionalKind::kBinary: result.kind = Kind::kBinary; break;
    case ConditionalKind::kNot: return nested(Kind::kNot, {condition_of(*expression.first)});
    case ConditionalKind::kGroup: return condition_of(*expression.first);
    case ConditionalKind::kAnd:
    case ConditionalKind::kOr:
      return nested(expression.kind == ConditionalKind::kAnd ? Kind::kAnd : Kind::kOr,
                    {condition_of(*expression.first), condition_of(*expression.second)});
  }
  return result;
}

std::optional<Condition> test_condition(const shell::SimpleCommand& simple) {
  std::span<const Word> words = simple.words;
  if (words.empty() || !simple.assignments.empty() || !words[0].is_literal()) return std::nullopt;
  if (words[0].literal() == "[") {
    if (!is_text(words.back(), "]")) return std::nullopt;
    words = words.subspan(1, words.size() - 2);
  } else if (words[0].literal() == "test") {
    words = words.subspan(1);
  } else {
    return std::nullopt;
  }
  return TestParser(words).parse();
}

bool compares_numbers(const Condition& condition) {
  return condition.kind == Kind::kBinary && condition.op >= ConditionalOp::kNumberEqual &&
         condition.op <= ConditionalOp::kNumberGreaterEqual;
}

const Word* refused_operand(const Condition& condition) {
  if (!compares_numbers(condition) || condition.is_bracket) return nullptr;
  for (const Word* word : {condition.left, condition.right}) {
    if (!word->is_literal()) continue;
    std::string_view text = word->literal();
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789 \t\n") != text.npos) return word;
  }
  return nullptr;
}

}  // namespace nacre::flow
