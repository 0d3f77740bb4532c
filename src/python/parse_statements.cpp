// Statements, blocks and the token cursor.
#include <cstdlib>
#include <fmt/core.h>
#include <utf8proc.h>

#include "python/parse.h"
#include "python/parser.h"

namespace nacre::python {
namespace {

std::optional<BinaryOp> augmented(Tok kind) {
  switch (kind) {
    case Tok::kPlusEqual: return BinaryOp::kAdd;
    case Tok::kMinusEqual: return BinaryOp::kSub;
    case Tok::kStarEqual: return BinaryOp::kMult;
    case Tok::kAtEqual: return BinaryOp::kMatMult;
    case Tok::kSlashEqual: return BinaryOp::kDiv;
    case Tok::kPercentEqual: return BinaryOp::kMod;
    case Tok::kDoubleStarEqual: return BinaryOp::kPow;
    case Tok::kLeftShiftEqual: return BinaryOp::kLShift;
    case Tok::kRightShiftEqual: return BinaryOp::kRShift;
    case Tok::kBarEqual: return BinaryOp::kBitOr;
    case Tok::kCaretEqual: return BinaryOp::kBitXor;
    case Tok::kAmpersandEqual: return BinaryOp::kBitAnd;
    case Tok::kDoubleSlashEqual: return BinaryOp::kFloorDiv;
    default: return std::nullopt;
  }
}

}  // namespace

// ---- the cursor

Token Parser::take() {
  Token result = token();
  if (!failed_ && at_ + 1 < tokens_.size()) ++at_;
  return result;
}

bool Parser::accept(Tok wanted) {
  if (kind() != wanted) return false;
  take();
  return true;
}

void Parser::expect(Tok wanted) {
  if (accept(wanted) || failed_) return;
  error(token().span, fmt::format("expected {}, found {}", describe(wanted), describe(kind())));
}

void Parser::error(Span span, std::string message) {
  if (failed_) return;
  failed_ = true;
  error_ = {span, std::move(message)};
}

void Parser::unexpected() {
  error(token().span, fmt::format("invalid syntax: {} cannot stand here", describe(kind())));
}

std::string Parser::take_name() {
  if (kind() != Tok::kName) {
    expect(Tok::kName);
    return "";
  }
  return identifier(take().span);
}

std::string Parser::identifier(Span span) {
  std::string name(text(span));
  if (std::none_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; })) return name;
  uint8_t* normal = utf8proc_NFKC(reinterpret_cast<const uint8_t*>(name.c_str()));
  if (normal != nullptr) name = reinterpret_cast<const char*>(normal);
  std::free(normal);
  return name;
}

// ---- blocks

Result<Tree> Parser::run() {
  Block body;
  while (!failed_ && kind() != Tok::kEnd) statement(body);
  if (failed_) return tl::unexpected<Error>(error_);
  tree_.set_body(std::move(body));
  return std::move(tree_);
}

// After the colon: statements on the same line, or an indented block.
Block Parser::block() {
  Block result;
  expect(Tok::kColon);
  if (!accept(Tok::kNewline)) {
    bool is_compound = compound_statement(result);
    if (is_compound) unexpected();
    statement(result);
    return result;
  }
  if (kind() != Tok::kIndent) error(token().span, "expected an indented block");
  accept(Tok::kIndent);
  while (!failed_ && kind() != Tok::kDedent && kind() != Tok::kEnd) statement(result);
  accept(Tok::kDedent);
  return result;
}

void Parser::statement(Block& into) {
  Depth depth(*this);
  if (kind() == Tok::kIndent) return error(token().span, "unexpected indent");
  if (compound_statement(into)) return;
  do {
    into.push_back(simple_statement());
  } while (accept(Tok::kSemicolon) && kind() != Tok::kNewline);
  expect(Tok::kNewline);
}

bool Parser::compound_statement(Block& into) {
  uint32_t begin = here();
  switch (kind()) {
    case Tok::kIf: into.push_back(if_statement()); return true;
    case Tok::kWhile: into.push_back(while_statement()); return true;
    case Tok::kFor: into.push_back(for_statement(begin, false)); return true;
    case Tok::kTry: into.push_back(try_statement()); return true;
    case Tok::kWith: into.push_back(with_statement(begin, false)); return true;
    case Tok::kAt: into.push_back(decorated()); return true;
    case Tok::kDef: into.push_back(function(begin, {}, false)); return true;
    case Tok::kClass: into.push_back(class_definition(begin, {})); return true;
    case Tok::kAsync:
      take();
      if (kind() == Tok::kDef)
        into.push_back(function(begin, {}, true));
      else if (kind() == Tok::kFor)
        into.push_back(for_statement(begin, true));
      else if (kind() == Tok::kWith)
        into.push_back(with_statement(begin, true));
      else
        unexpected();
      return true;
    case Tok::kName: return at_name("match") && match_statement(into);
    default: return false;
  }
}

StmtId Parser::simple_statement() {
  uint32_t begin = here();
  switch (kind()) {
    case Tok::kPass: take(); return stmt(begin, Pass{});
    case Tok::kBreak: take(); return stmt(begin, Break{});
    case Tok::kContinue: take(); return stmt(begin, Continue{});
    case Tok::kReturn: {
      take();
      Optional value;
      if (at_expression()) value = star_expressions();
      return stmt(begin, Return{value});
    }
    case Tok::kRaise: return raise_statement();
    case Tok::kAssert: {
      take();
      ExprId test = expression();
      Optional message;
      if (accept(Tok::kComma)) message = expression();
      return stmt(begin, Assert{test, message});
    }
    case Tok::kDel: return delete_statement();
    case Tok::kImport: return import_statement();
    case Tok::kFrom: return import_from();
    case Tok::kGlobal: return names_statement(true);
    case Tok::kNonlocal: return names_statement(false);
    default: break;
  }
  if (at_name("type") && next_kind() == Tok::kName) return type_alias();
  return expression_statement();
}

StmtId Parser::expression_statement() {
  uint32_t begin = here();
  ExprId first = kind() == Tok::kYield ? yield_expression() : star_expressions();
  if (kind() == Tok::kColon) return annotated(begin, first);
  if (std::optional<BinaryOp> op = augmented(kind())) {
    check_target(first, TargetUse::kAugmented);
    take();
    ExprId value = kind() == Tok::kYield ? yield_expression() : star_expressions();
    return stmt(begin, AugAssign{first, *op, value});
  }
  if (kind() == Tok::kEqual) return assignment(begin, first);
  return stmt(begin, ExprStmt{first});
}

StmtId Parser::annotated(uint32_t begin, ExprId target) {
  check_target(target, TargetUse::kAnnotated);
  bool is_simple = tree_.get<Name>(target) != nullptr && text_[begin] != '(';
  expect(Tok::kColon);
  ExprId annotation = expression();
  Optional value;
  if (accept(Tok::kEqual)) value = kind() == Tok::kYield ? yield_expression() : star_expressions();
  return stmt(begin, AnnAssign{target, annotation, value, is_simple});
}

StmtId Parser::assignment(uint32_t begin, ExprId first) {
  Exprs chain = {first};
  while (accept(Tok::kEqual)) {
    chain.push_back(kind() == Tok::kYield ? yield_expression() : star_expressions());
  }
  ExprId value = chain.back();
  chain.pop_back();
  for (ExprId target : chain) check_target(target, TargetUse::kAssign);
  return stmt(begin, Assign{std::move(chain), value});
}

void Parser::check_target(ExprId id, TargetUse use) {
  const Expr& target = tree_[id];
  if (std::holds_alternative<Name>(target.node) || std::holds_alternative<Attribute>(target.node) ||
      std::holds_alternative<Subscript>(target.node)) {
    return;
  }
  bool may_unpack =
      use == TargetUse::kAssign || use == TargetUse::kDelete || use == TargetUse::kLoop;
  if (may_unpack) {
    const auto* tuple = std::get_if<TupleExpr>(&target.node);
    const auto* list = std::get_if<ListExpr>(&target.node);
    if (tuple != nullptr || list != nullptr) {
      Exprs items = tuple != nullptr ? tuple->items : list->items;
      for (ExprId item : items) check_target(item, use);
      return;
    }
    const auto* starred = std::get_if<Starred>(&target.node);
    if (starred != nullptr && use != TargetUse::kDelete) {
      if (tree_.get<Starred>(starred->value) == nullptr) return check_target(starred->value, use);
    }
  }
  error(target.span, use == TargetUse::kDelete ? "cannot delete this expression"
                                               : "cannot assign to this expression");
}

// ---- simple statements

std::string Parser::dotted_name() {
  std::string name = take_name();
  while (accept(Tok::kDot)) name += "." + take_name();
  return name;
}

StmtId Parser::import_statement() {
  uint32_t begin = here();
  expect(Tok::kImport);
  Import result;
  do {
    ImportName item{dotted_name(), ""};
    if (accept(Tok::kAs)) item.alias = take_name();
    result.names.push_back(std::move(item));
  } while (accept(Tok::kComma));
  return stmt(begin, std::move(result));
}

StmtId Parser::import_from() {
  uint32_t begin = here();
  expect(Tok::kFrom);
  ImportFrom result;
  while (kind() == Tok::kDot || kind() == Tok::kEllipsis) {
    result.level += take().kind == Tok::kDot ? 1 : 3;
  }
  if (result.level == 0 || kind() != Tok::kImport) result.module = dotted_name();
  expect(Tok::kImport);
  if (accept(Tok::kStar)) {
    result.names.push_back({"*", ""});
    return stmt(begin, std::move(result));
  }
  bool has_parens = accept(Tok::kLeftParen);
  do {
    if (has_parens && kind() == Tok::kRightParen && !result.names.empty()) break;
    ImportName item{take_name(), ""};
    if (accept(Tok::kAs)) item.alias = take_name();
    result.names.push_back(std::move(item));
  } while (accept(Tok::kComma));
  if (has_parens) expect(Tok::kRightParen);
  return stmt(begin, std::move(result));
}

StmtId Parser::raise_statement() {
  uint32_t begin = here();
  expect(Tok::kRaise);
  Raise result;
  if (at_expression()) {
    result.exception = expression();
    if (accept(Tok::kFrom)) result.cause = expression();
  }
  return stmt(begin, result);
}

StmtId Parser::delete_statement() {
  uint32_t begin = here();
  expect(Tok::kDel);
  Delete result;
  do {
    if (!at_expression() && !result.targets.empty()) break;
    result.targets.push_back(await_primary());
    check_target(result.targets.back(), TargetUse::kDelete);
  } while (accept(Tok::kComma));
  return stmt(begin, std::move(result));
}

StmtId Parser::names_statement(bool is_global) {
  uint32_t begin = here();
  take();
  std::vector<std::string> names;
  do {
    names.push_back(take_name());
  } while (accept(Tok::kComma));
  return is_global ? stmt(begin, Global{std::move(names)})
                   : stmt(begin, Nonlocal{std::move(names)});
}

StmtId Parser::type_alias() {
  uint32_t begin = here();
  take();
  ExprId name = atom();
  std::vector<TypeParameter> params = type_parameters();
  expect(Tok::kEqual);
  ExprId value = expression();
  return stmt(begin, TypeAlias{name, std::move(params), value});
}

std::vector<TypeParameter> Parser::type_parameters() {
  std::vector<TypeParameter> result;
  if (!accept(Tok::kLeftBracket)) return result;
  do {
    if (kind() == Tok::kRightBracket && !result.empty()) break;
    TypeParameter item{TypeParameterKind::kVariable, "", {}};
    if (accept(Tok::kStar))
      item.kind = TypeParameterKind::kTuple;
    else if (accept(Tok::kDoubleStar))
      item.kind = TypeParameterKind::kSpec;
    item.name = take_name();
    if (item.kind == TypeParameterKind::kVariable && accept(Tok::kColon)) item.bound = expression();
    result.push_back(std::move(item));
  } while (accept(Tok::kComma));
  expect(Tok::kRightBracket);
  return result;
}

Result<Tree> parse(std::string_view text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens) return tl::unexpected<Error>(tokens.error());
  return Parser(text, std::move(*tokens)).run();
}

}  // namespace nacre::python
