// The tree of a Python 3.12 module, shaped as CPython's `ast` module shapes it, so that the two can
// be compared. Nodes live in the arena `Tree` and name each other by id; each carries its span.
// Nothing here is changed after parsing; a Tree may be read from several threads.
//
//   const Expr& e = tree[id];
//   if (const auto* call = std::get_if<Call>(&e.node)) ... tree[call->function] ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/span.h"

namespace nacre::python {

enum class ExprId : uint32_t {};
enum class StmtId : uint32_t {};
enum class PatternId : uint32_t {};

using Exprs = std::vector<ExprId>;
using Block = std::vector<StmtId>;
using Optional = std::optional<ExprId>;

enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMult,
  kMatMult,
  kDiv,
  kMod,
  kPow,
  kLShift,
  kRShift,
  kBitOr,
  kBitXor,
  kBitAnd,
  kFloorDiv
};
enum class UnaryOp : uint8_t { kInvert, kNot, kPlus, kMinus };
enum class CompareOp : uint8_t { kEq, kNotEq, kLt, kLtE, kGt, kGtE, kIs, kIsNot, kIn, kNotIn };
enum class BoolOp : uint8_t { kAnd, kOr };

// ---- expressions

struct Name {
  std::string id;
};
struct NoneLiteral {};
struct BoolLiteral {
  bool value;
};
struct EllipsisLiteral {};
struct IntLiteral {
  std::string digits;
};  // as written, without underscores, in lower case
struct FloatLiteral {
  std::string text;
};  // also imaginary numbers, which end in 'j'
// UTF-8; lone surrogates as three bytes each. `\N{...}` is kept as U+FFFD and makes it inexact.
struct StringLiteral {
  std::string value;
  bool is_exact = true;
};
struct BytesLiteral {
  std::string value;
};
struct FormattedValue {
  ExprId value;
  char conversion = 0;
  Optional format;
};  // 's', 'r', 'a' or 0
struct JoinedStr {
  Exprs parts;
};  // StringLiteral and FormattedValue
struct BoolOperation {
  BoolOp op;
  Exprs values;
};
struct NamedExpr {
  ExprId target;
  ExprId value;
};
struct BinaryOperation {
  BinaryOp op;
  ExprId left;
  ExprId right;
};
struct UnaryOperation {
  UnaryOp op;
  ExprId operand;
};
struct Compare {
  ExprId left;
  std::vector<CompareOp> ops;
  Exprs comparators;
};
struct IfExp {
  ExprId test;
  ExprId body;
  ExprId orelse;
};
struct Keyword {
  std::string name;
  ExprId value;
  Span span;
};  // no name: **value
struct Call {
  ExprId function;
  Exprs args;
  std::vector<Keyword> keywords;
};
struct Attribute {
  ExprId value;
  std::string name;
};
struct Subscript {
  ExprId value;
  ExprId index;
};
struct Slice {
  Optional lower, upper, step;
};
struct Starred {
  ExprId value;
};
struct TupleExpr {
  Exprs items;
};
struct ListExpr {
  Exprs items;
};
struct SetExpr {
  Exprs items;
};
struct DictExpr {
  std::vector<Optional> keys;
  Exprs values;
};  // no key: **value
struct Comprehension {
  ExprId target;
  ExprId iterable;
  Exprs conditions;
  bool is_async = false;
};
enum class ComprehensionKind : uint8_t { kList, kSet, kGenerator };
struct ComprehensionExpr {
  ComprehensionKind kind;
  ExprId element;
  std::vector<Comprehension> generators;
};
struct DictComprehension {
  ExprId key;
  ExprId value;
  std::vector<Comprehension> generators;
};
struct Parameter {
  std::string name;
  Optional annotation;
  Span span;
};
struct Parameters {
  std::vector<Parameter> positional_only, positional, keyword_only;
  std::optional<Parameter> rest, keyword_rest;
  Exprs defaults;                          // of the last positional parameters
  std::vector<Optional> keyword_defaults;  // one for each keyword-only parameter
};
struct Lambda {
  Parameters parameters;
  ExprId body;
};
struct Await {
  ExprId value;
};
struct Yield {
  Optional value;
};
struct YieldFrom {
  ExprId value;
};

struct Expr {
  Span span;
  std::variant<Name, NoneLiteral, BoolLiteral, EllipsisLiteral, IntLiteral, FloatLiteral,
               StringLiteral, BytesLiteral, FormattedValue, JoinedStr, BoolOperation, NamedExpr,
               BinaryOperation, UnaryOperation, Compare, IfExp, Call, Attribute, Subscript, Slice,
               Starred, TupleExpr, ListExpr, SetExpr, DictExpr, ComprehensionExpr,
               DictComprehension, Lambda, Await, Yield, YieldFrom>
      node;
};

// ---- patterns of `match`

struct MatchValue {
  ExprId value;
};  // also None, True and False
struct MatchSequence {
  std::vector<PatternId> patterns;
};
struct MatchMapping {
  Exprs keys;
  std::vector<PatternId> patterns;
  std::string rest;
};
struct MatchClass {
  ExprId cls;
  std::vector<PatternId> patterns;
  std::vector<std::string> names;  // of the keyword patterns
  std::vector<PatternId> keyword_patterns;
};
struct MatchStar {
  std::string name;
};  // no name: *_
struct MatchAs {
  std::optional<PatternId> pattern;
  std::string name;
};  // neither: _
struct MatchOr {
  std::vector<PatternId> patterns;
};

struct Pattern {
  Span span;
  std::variant<MatchValue, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr>
      node;
};

// ---- statements

enum class TypeParameterKind : uint8_t { kVariable, kTuple, kSpec };
struct TypeParameter {
  TypeParameterKind kind;
  std::string name;
  Optional bound;
};

struct FunctionDef {
  std::string name;
  Parameters parameters;
  Block body;
  Exprs decorators;
  Optional returns;
  std::vector<TypeParameter> type_parameters;
  bool is_async = false;
  Span name_span;
};
struct ClassDef {
  std::string name;
  Exprs bases;
  std::vector<Keyword> keywords;
  Block body;
  Exprs decorators;
  std::vector<TypeParameter> type_parameters;
};
struct Return {
  Optional value;
};
struct Delete {
  Exprs targets;
};
struct Assign {
  Exprs targets;
  ExprId value;
};
struct TypeAlias {
  ExprId name;
  std::vector<TypeParameter> type_parameters;
  ExprId value;
};
struct AugAssign {
  ExprId target;
  BinaryOp op;
  ExprId value;
};
struct AnnAssign {
  ExprId target;
  ExprId annotation;
  Optional value;
  bool is_simple;
};
struct For {
  ExprId target;
  ExprId iterable;
  Block body, orelse;
  bool is_async = false;
};
struct While {
  ExprId test;
  Block body, orelse;
};
struct If {
  ExprId test;
  Block body, orelse;
};
struct WithItem {
  ExprId context;
  Optional target;
};
struct With {
  std::vector<WithItem> items;
  Block body;
  bool is_async = false;
};
struct MatchCase {
  PatternId pattern;
  Optional guard;
  Block body;
};
struct Match {
  ExprId subject;
  std::vector<MatchCase> cases;
};
struct Raise {
  Optional exception, cause;
};
struct ExceptHandler {
  Optional type;
  std::string name;
  Block body;
  Span span;
};
struct Try {
  Block body;
  std::vector<ExceptHandler> handlers;
  Block orelse, finally;
  bool is_star = false;
};
struct Assert {
  ExprId test;
  Optional message;
};
struct ImportName {
  std::string name, alias;
};
struct Import {
  std::vector<ImportName> names;
};
struct ImportFrom {
  std::string module;
  std::vector<ImportName> names;
  uint32_t level = 0;
};
struct Global {
  std::vector<std::string> names;
};
struct Nonlocal {
  std::vector<std::string> names;
};
struct ExprStmt {
  ExprId value;
};
struct Pass {};
struct Break {};
struct Continue {};

struct Stmt {
  Span span;
  std::variant<FunctionDef, ClassDef, Return, Delete, Assign, TypeAlias, AugAssign, AnnAssign, For,
               While, If, With, Match, Raise, Try, Assert, Import, ImportFrom, Global, Nonlocal,
               ExprStmt, Pass, Break, Continue>
      node;
};

class Tree {
 public:
  [[nodiscard]] const Expr& operator[](ExprId id) const {
    return exprs_[static_cast<uint32_t>(id)];
  }
  [[nodiscard]] const Stmt& operator[](StmtId id) const {
    return stmts_[static_cast<uint32_t>(id)];
  }
  [[nodiscard]] const Pattern& operator[](PatternId id) const {
    return patterns_[static_cast<uint32_t>(id)];
  }
  [[nodiscard]] const Block& body() const { return body_; }
  [[nodiscard]] size_t statement_count() const { return stmts_.size(); }
  [[nodiscard]] size_t expression_count() const { return exprs_.size(); }

  template <typename T>
  [[nodiscard]] const T* get(ExprId id) const {
    return std::get_if<T>(&(*this)[id].node);
  }
  template <typename T>
  [[nodiscard]] const T* get(StmtId id) const {
    return std::get_if<T>(&(*this)[id].node);
  }

  ExprId add(Expr expr) { return exprs_.push_back(std::move(expr)), ExprId(exprs_.size() - 1); }
  StmtId add(Stmt stmt) { return stmts_.push_back(std::move(stmt)), StmtId(stmts_.size() - 1); }
  PatternId add(Pattern pattern) {
    return patterns_.push_back(std::move(pattern)), PatternId(patterns_.size() - 1);
  }
  void set_body(Block body) { body_ = std::move(body); }

 private:
  std::vector<Expr> exprs_;
  std::vector<Stmt> stmts_;
  std::vector<Pattern> patterns_;
  Block body_;
};

}  // namespace nacre::python
