// Patterns of `match`, after the language reference, 8.6.
#include "python/parser.h"

namespace nacre::python {

// The top of a case: a sequence may stand without brackets.
PatternId Parser::patterns() {
  uint32_t begin = here();
  PatternId first = maybe_star_pattern();
  bool is_star = std::holds_alternative<MatchStar>(tree_[first].node);
  if (kind() != Tok::kComma) {
    if (is_star) error(since(begin), "a starred pattern needs a sequence around it");
    return first;
  }
  std::vector<PatternId> items = {first};
  while (accept(Tok::kComma) && kind() != Tok::kColon && kind() != Tok::kIf && !failed_) {
    items.push_back(maybe_star_pattern());
  }
  return pattern(begin, MatchSequence{std::move(items)});
}

PatternId Parser::maybe_star_pattern() {
  uint32_t begin = here();
  if (!accept(Tok::kStar)) return as_pattern();
  std::string name = take_name();
  if (name == "_") name.clear();
  return pattern(begin, MatchStar{std::move(name)});
}

PatternId Parser::as_pattern() {
  uint32_t begin = here();
  PatternId inner = or_pattern();
  if (!accept(Tok::kAs)) return inner;
  if (at_name("_")) error(token().span, "cannot use '_' as a target");
  std::string name = take_name();
  if (kind() == Tok::kDot || kind() == Tok::kLeftParen) unexpected();
  return pattern(begin, MatchAs{inner, std::move(name)});
}

PatternId Parser::or_pattern() {
  uint32_t begin = here();
  PatternId first = closed_pattern();
  if (kind() != Tok::kBar) return first;
  std::vector<PatternId> items = {first};
  while (accept(Tok::kBar)) items.push_back(closed_pattern());
  return pattern(begin, MatchOr{std::move(items)});
}

PatternId Parser::closed_pattern() {
  Depth depth(*this);
  uint32_t begin = here();
  switch (kind()) {
    case Tok::kName: return name_pattern();
    case Tok::kLeftParen: take(); return sequence_pattern(begin, Tok::kRightParen);
    case Tok::kLeftBracket: take(); return sequence_pattern(begin, Tok::kRightBracket);
    case Tok::kLeftBrace: return mapping_pattern();
    default: return literal_pattern();
  }
}

PatternId Parser::literal_pattern() {
  uint32_t begin = here();
  switch (kind()) {
    case Tok::kNumber:
    case Tok::kMinus: {
      ExprId value = signed_number();
      return pattern(begin, MatchValue{value});
    }
    case Tok::kString:
    case Tok::kFStringStart:
    case Tok::kNone:
    case Tok::kTrue:
    case Tok::kFalse: {
      ExprId value = atom();
      if (tree_.get<JoinedStr>(value) != nullptr)
        error(since(begin), "patterns may only match literals");
      return pattern(begin, MatchValue{value});
    }
    default: unexpected(); return pattern(begin, MatchAs{});
  }
}

// `-1`, `1.5`, and the complex numbers `1 + 2j`.
ExprId Parser::signed_number() {
  uint32_t begin = here();
  auto one = [&](bool may_be_negative) {
    uint32_t start = here();
    bool is_negative = may_be_negative && accept(Tok::kMinus);
    if (kind() != Tok::kNumber) unexpected();
    ExprId value = atom();
    return is_negative ? expr(start, UnaryOperation{UnaryOp::kMinus, value}) : value;
  };
  ExprId left = one(true);
  if (kind() != Tok::kPlus && kind() != Tok::kMinus) return left;
  BinaryOp op = take().kind == Tok::kPlus ? BinaryOp::kAdd : BinaryOp::kSub;
  ExprId right = one(false);
  const auto* imaginary = tree_.get<FloatLiteral>(right);
  if (imaginary == nullptr || imaginary->text.back() != 'j') {
    error(since(begin), "imaginary number required in complex literal");
  }
  return expr(begin, BinaryOperation{op, left, right});
}

// A capture, `_`, a dotted value, or a class with arguments.
PatternId Parser::name_pattern() {
  uint32_t begin = here();
  std::string name = take_name();
  if (kind() != Tok::kDot && kind() != Tok::kLeftParen) {
    if (name == "_") name.clear();
    return pattern(begin, MatchAs{{}, std::move(name)});
  }
  ExprId value = expr(begin, Name{std::move(name)});
  while (accept(Tok::kDot)) {
    std::string attribute = take_name();
    value = expr(begin, Attribute{value, std::move(attribute)});
  }
  if (kind() == Tok::kLeftParen) return class_pattern(begin, value);
  return pattern(begin, MatchValue{value});
}

PatternId Parser::class_pattern(uint32_t begin, ExprId cls) {
  MatchClass result{cls, {}, {}, {}};
  expect(Tok::kLeftParen);
  while (!failed_ && kind() != Tok::kRightParen) {
    if (kind() == Tok::kName && next_kind() == Tok::kEqual) {
      result.names.push_back(take_name());
      expect(Tok::kEqual);
      result.keyword_patterns.push_back(as_pattern());
    } else {
      if (!result.names.empty()) error(token().span, "positional patterns follow keyword patterns");
      result.patterns.push_back(as_pattern());
    }
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRightParen);
  return pattern(begin, std::move(result));
}

// After the opening bracket. Parentheses around one pattern without a comma only group.
PatternId Parser::sequence_pattern(uint32_t begin, Tok closing) {
  std::vector<PatternId> items;
  bool has_comma = false;
  while (!failed_ && kind() != closing) {
    items.push_back(maybe_star_pattern());
    if (!accept(Tok::kComma)) break;
    has_comma = true;
  }
  expect(closing);
  bool groups = closing == Tok::kRightParen && items.size() == 1 && !has_comma;
  if (groups && !std::holds_alternative<MatchStar>(tree_[items[0]].node)) return items[0];
  if (groups) error(since(begin), "a starred pattern needs a sequence around it");
  return pattern(begin, MatchSequence{std::move(items)});
}

PatternId Parser::mapping_pattern() {
  uint32_t begin = here();
  MatchMapping result;
  expect(Tok::kLeftBrace);
  while (!failed_ && kind() != Tok::kRightBrace) {
    if (accept(Tok::kDoubleStar)) {
      if (at_name("_")) error(token().span, "'**_' is not allowed");
      result.rest = take_name();
      accept(Tok::kComma);
      break;
    }
    PatternId key = kind() == Tok::kName ? name_pattern() : literal_pattern();
    const auto* value = std::get_if<MatchValue>(&tree_[key].node);
    if (value == nullptr) {
      error(since(begin), "a mapping key must be a literal or a dotted name");
      break;
    }
    result.keys.push_back(value->value);
    expect(Tok::kColon);
    result.patterns.push_back(as_pattern());
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRightBrace);
  return pattern(begin, std::move(result));
}

}  // namespace nacre::python
