// The syntax tree of an awk program: POSIX awk with what gawk and mawk add (`**`, `func`, `switch`,
// `|&`, `@include`, BEGINFILE, indirect calls). What one of them rejects and another accepts is
// accepted: the tree serves analysis, and a program that runs somewhere deserves an answer.
//
//   Result<awk::Program> program = awk::parse("{ print $2 }");
//   for (const awk::Rule& rule : program->rules) ...
//
// Spans count bytes of the program text. A Program owns everything in it; expressions and
// statements are ids into its two tables, so it copies and moves as a value. Parsing is linear and
// its depth is limited: a program nested deeper than kMaxDepth is an error (kTooDeep, though awk
// itself would run it), not a stack overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/span.h"

namespace nacre::awk {

inline constexpr int kMaxDepth = 400;
inline constexpr std::string_view kTooDeep = "the program is nested too deeply";

enum class ExprId : uint32_t {};
enum class StmtId : uint32_t {};
using Exprs = std::vector<ExprId>;
using Stmts = std::vector<StmtId>;

enum class UnaryOp : uint8_t { kNot, kMinus, kPlus };
enum class BinaryOp : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kConcat,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kMatch,
  kNotMatch,
  kAnd,
  kOr,
};

struct Number {
  double value;
};
struct String {
  std::string value;
};  // escapes resolved
struct Regex {
  std::string source;
};  // as written between the slashes, with `\/` made `/`
struct Variable {
  std::string name;
};
struct Field {
  ExprId index;
};
struct Element {
  std::string array;
  Exprs subscripts;
};
struct Unary {
  UnaryOp op;
  ExprId operand;
};
struct Binary {
  BinaryOp op;
  ExprId left, right;
};
struct Conditional {
  ExprId condition, then, otherwise;
};
// `op` is the operator before the `=` of a compound assignment.
struct Assign {
  std::optional<BinaryOp> op;
  ExprId target, value;
};
struct Increment {
  bool is_prefix;
  int delta;
  ExprId target;
};
struct Membership {
  Exprs subscripts;
  std::string array;
};
struct Grouping {
  Exprs items;
};  // more than one only in `(i, j) in a` and `print (a, b)`
struct Call {
  std::string function;
  Exprs arguments;
  bool is_builtin, is_indirect;
};
struct Getline {
  enum class Source : uint8_t { kInput, kFile, kCommand, kCoprocess } source;
  std::optional<ExprId> from;  // the file or command
  std::optional<ExprId> target;
};

struct Expr {
  Span span;
  std::variant<Number, String, Regex, Variable, Field, Element, Unary, Binary, Conditional, Assign,
               Increment, Membership, Grouping, Call, Getline>
      node;
};

struct Block {
  Stmts body;
};
struct Simple {
  ExprId value;
};
struct If {
  ExprId condition;
  StmtId then;
  std::optional<StmtId> otherwise;
};
struct While {
  ExprId condition;
  StmtId body;
};
struct DoWhile {
  StmtId body;
  ExprId condition;
};
struct For {
  std::optional<StmtId> init;
  std::optional<ExprId> condition;
  std::optional<StmtId> step;
  StmtId body;
};
struct ForIn {
  std::string variable, array;
  StmtId body;
};
struct SwitchCase {
  std::optional<ExprId> value;
  Stmts body;
};  // no value: `default`
struct Switch {
  ExprId subject;
  std::vector<SwitchCase> cases;
};
struct Output {
  enum class Redirect : uint8_t { kNone, kFile, kAppend, kPipe, kCoprocess };
  bool is_printf;
  Exprs arguments;  // empty: `print` prints $0
  Redirect redirect = Redirect::kNone;
  std::optional<ExprId> destination;
};
struct Delete {
  std::string array;
  Exprs subscripts;
};  // no subscripts: the whole array
struct Jump {
  enum class Kind : uint8_t { kBreak, kContinue, kNext, kNextFile } kind;
};
struct Exit {
  std::optional<ExprId> status;
};
struct Return {
  std::optional<ExprId> value;
};

struct Stmt {
  Span span;
  std::variant<Block, Simple, If, While, DoWhile, For, ForIn, Switch, Output, Delete, Jump, Exit,
               Return>
      node;
};

struct Rule {
  enum class Kind : uint8_t { kBegin, kEnd, kBeginFile, kEndFile, kAlways, kPattern, kRange } kind;
  Span span;
  std::optional<ExprId> pattern, range_end;
  std::optional<StmtId> action;  // none: print $0
};

struct Function {
  Span span;
  std::string name;
  std::vector<std::string> parameters;
  StmtId body;
};

struct Program {
  std::vector<Rule> rules;
  std::vector<Function> functions;
  std::vector<std::string> includes;  // gawk's @include and @load

  [[nodiscard]] const Expr& operator[](ExprId id) const { return exprs[static_cast<uint32_t>(id)]; }
  [[nodiscard]] const Stmt& operator[](StmtId id) const { return stmts[static_cast<uint32_t>(id)]; }

  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
};

Result<Program> parse(std::string_view text);

}  // namespace nacre::awk
