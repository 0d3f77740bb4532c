// Expressions in brackets, comprehensions, lambdas and parameters.
#include "python/parser.h"

namespace nacre::python {

ExprId Parser::parenthesized() {
  uint32_t begin = here();
  expect(Tok::kLeftParen);
  if (accept(Tok::kRightParen)) return expr(begin, TupleExpr{});
  if (kind() == Tok::kYield) {
    ExprId value = yield_expression();
    expect(Tok::kRightParen);
    return value;
  }
  ExprId first = star_expression(true);
  if (at_comprehension() && tree_.get<Starred>(first) == nullptr) {
    auto generators = comprehensions();
    expect(Tok::kRightParen);
    return expr(begin,
                ComprehensionExpr{ComprehensionKind::kGenerator, first, std::move(generators)});
  }
  if (kind() != Tok::kComma) {
    if (tree_.get<Starred>(first) != nullptr)
      error(since(begin), "cannot use starred expression here");
    expect(Tok::kRightParen);
    return first;
  }
  Exprs items = {first};
  while (accept(Tok::kComma) && kind() != Tok::kRightParen && !failed_) {
    items.push_back(star_expression(true));
  }
  expect(Tok::kRightParen);
  return expr(begin, TupleExpr{std::move(items)});
}

ExprId Parser::list_display() {
  uint32_t begin = here();
  expect(Tok::kLeftBracket);
  Exprs items;
  while (!failed_ && kind() != Tok::kRightBracket) {
    items.push_back(star_expression(true));
    if (items.size() == 1 && at_comprehension() && tree_.get<Starred>(items[0]) == nullptr) {
      auto generators = comprehensions();
      expect(Tok::kRightBracket);
      return expr(begin,
                  ComprehensionExpr{ComprehensionKind::kList, items[0], std::move(generators)});
    }
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRightBracket);
  return expr(begin, ListExpr{std::move(items)});
}

// A set, a dictionary, or a comprehension of either.
ExprId Parser::brace_display() {
  uint32_t begin = here();
  expect(Tok::kLeftBrace);
  if (kind() == Tok::kRightBrace || kind() == Tok::kDoubleStar) return dict_display(begin);
  size_t first_token = at_;
  ExprId first = star_expression(true);
  if (kind() == Tok::kColon) {
    at_ = first_token;
    return dict_display(begin);
  }
  if (at_comprehension() && tree_.get<Starred>(first) == nullptr) {
    auto generators = comprehensions();
    expect(Tok::kRightBrace);
    return expr(begin, ComprehensionExpr{ComprehensionKind::kSet, first, std::move(generators)});
  }
  Exprs items = {first};
  while (accept(Tok::kComma) && kind() != Tok::kRightBrace && !failed_) {
    items.push_back(star_expression(true));
  }
  expect(Tok::kRightBrace);
  return expr(begin, SetExpr{std::move(items)});
}

ExprId Parser::dict_display(uint32_t begin) {
  DictExpr dict;
  while (!failed_ && kind() != Tok::kRightBrace) {
    if (accept(Tok::kDoubleStar)) {
      dict.keys.emplace_back();
      dict.values.push_back(binary(1));
    } else {
      ExprId key = expression();
      expect(Tok::kColon);
      ExprId value = expression();
      if (dict.keys.empty() && at_comprehension()) {
        auto generators = comprehensions();
        expect(Tok::kRightBrace);
        return expr(begin, DictComprehension{key, value, std::move(generators)});
      }
      dict.keys.emplace_back(key);
      dict.values.push_back(value);
    }
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRightBrace);
  return expr(begin, std::move(dict));
}

ExprId Parser::lambda() {
  uint32_t begin = here();
  expect(Tok::kLambda);
  Parameters params = parameters(Tok::kColon, false);
  expect(Tok::kColon);
  ExprId body = expression();
  return expr(begin, Lambda{std::move(params), body});
}

ExprId Parser::yield_expression() {
  uint32_t begin = here();
  expect(Tok::kYield);
  if (accept(Tok::kFrom)) {
    ExprId value = expression();
    return expr(begin, YieldFrom{value});
  }
  Optional value;
  if (at_expression()) value = star_expressions();
  return expr(begin, Yield{value});
}

// What `for` binds: the names end where `in` begins.
ExprId Parser::target_list() {
  uint32_t begin = here();
  auto one = [&] {
    uint32_t item = here();
    if (!accept(Tok::kStar)) return binary(1);
    ExprId value = binary(1);
    return expr(item, Starred{value});
  };
  ExprId first = one();
  if (kind() == Tok::kComma) {
    Exprs items = {first};
    while (accept(Tok::kComma) && kind() != Tok::kIn && !failed_) items.push_back(one());
    first = expr(begin, TupleExpr{std::move(items)});
  }
  check_target(first, TargetUse::kLoop);
  return first;
}

bool Parser::at_comprehension() const {
  return kind() == Tok::kFor || (kind() == Tok::kAsync && next_kind() == Tok::kFor);
}

std::vector<Comprehension> Parser::comprehensions() {
  std::vector<Comprehension> result;
  while (at_comprehension()) {
    Comprehension part{};
    part.is_async = accept(Tok::kAsync);
    expect(Tok::kFor);
    part.target = target_list();
    expect(Tok::kIn);
    part.iterable = disjunction();
    while (accept(Tok::kIf)) part.conditions.push_back(disjunction());
    result.push_back(std::move(part));
  }
  return result;
}

Parameter Parser::parameter(bool annotated, bool may_be_starred) {
  uint32_t begin = here();
  Parameter result;
  result.name = take_name();
  if (annotated && accept(Tok::kColon)) {
    result.annotation = may_be_starred ? star_expression(false) : expression();
  }
  result.span = since(begin);
  return result;
}

// `a, b=1, /, c, *rest, d=2, **others` up to (not including) `closing`.
Parameters Parser::parameters(Tok closing, bool annotated) {
  Parameters result;
  bool after_star = false;
  bool has_slash = false;
  while (!failed_ && kind() != closing) {
    uint32_t begin = here();
    if (accept(Tok::kSlash)) {
      if (has_slash || after_star || result.positional.empty()) {
        error(since(begin), "'/' is misplaced among the parameters");
      }
      has_slash = true;
      result.positional_only.swap(result.positional);
    } else if (accept(Tok::kDoubleStar)) {
      result.keyword_rest = parameter(annotated, false);
      accept(Tok::kComma);
      if (kind() != closing) unexpected();
      return result;
    } else if (accept(Tok::kStar)) {
      if (after_star) error(since(begin), "'*' may appear only once");
      after_star = true;
      if (kind() == Tok::kName) {
        result.rest = parameter(annotated, true);
      } else if (kind() != Tok::kComma || next_kind() == closing ||
                 next_kind() == Tok::kDoubleStar) {
        error(since(begin), "named arguments must follow bare '*'");
      }
    } else {
      Parameter item = parameter(annotated, false);
      Optional fallback;
      if (accept(Tok::kEqual)) fallback = expression();
      if (after_star) {
        result.keyword_only.push_back(std::move(item));
        result.keyword_defaults.push_back(fallback);
      } else {
        if (fallback) {
          result.defaults.push_back(*fallback);
        } else if (!result.defaults.empty()) {
          error(item.span, "parameter without a default follows parameter with a default");
        }
        result.positional.push_back(std::move(item));
      }
    }
    if (!accept(Tok::kComma)) break;
  }
  return result;
}

}  // namespace nacre::python
