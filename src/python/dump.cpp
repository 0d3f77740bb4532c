#include "python/dump.h"

#include <cstdlib>
#include <fmt/core.h>

namespace nacre::python {
namespace {

constexpr std::string_view kBinaryNames[] = {"Add",    "Sub",    "Mult",    "MatMult", "Div",
                                             "Mod",    "Pow",    "LShift",  "RShift",  "BitOr",
                                             "BitXor", "BitAnd", "FloorDiv"};
constexpr std::string_view kUnaryNames[] = {"Invert", "Not", "UAdd", "USub"};
constexpr std::string_view kCompareNames[] = {"Eq",  "NotEq", "Lt",    "LtE", "Gt",
                                              "GtE", "Is",    "IsNot", "In",  "NotIn"};
constexpr std::string_view kComprehensionNames[] = {"ListComp", "SetComp", "GeneratorExp"};
constexpr std::string_view kTypeParameterNames[] = {"TypeVar", "TypeVarTuple", "ParamSpec"};

// The digits of a non-negative integer literal, in base 16 and without leading zeros.
std::string hexadecimal(const std::string& literal) {
  uint32_t base = 10;
  size_t begin = 0;
  if (literal.size() > 1 && literal[0] == '0' && literal[1] > '9') {
    base = literal[1] == 'x' ? 16 : literal[1] == 'o' ? 8 : 2;
    begin = 2;
  }
  std::vector<uint32_t> limbs;  // little-endian
  for (size_t i = begin; i < literal.size(); ++i) {
    char c = literal[i];
    uint64_t carry = static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    for (uint32_t& limb : limbs) {
      carry += static_cast<uint64_t>(limb) * base;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs.push_back(static_cast<uint32_t>(carry));
  }
  std::string out = limbs.empty() ? "0" : "";
  for (size_t i = limbs.size(); i-- > 0;) {
    out += fmt::format("{:0{}x}", limbs[i], i + 1 == limbs.size() ? 1 : 8);
  }
  return out;
}

class Dumper {
 public:
  explicit Dumper(const Tree& tree) : tree_(tree) {}
  std::string run() {
    node("Module", tree_.body());
    return std::move(out_);
  }

  // Expressions.
  void operator()(const Name& e) { node("Name", e.id); }
  void operator()(const NoneLiteral&) { node("None"); }
  void operator()(const BoolLiteral& e) { node(e.value ? "True" : "False"); }
  void operator()(const EllipsisLiteral&) { node("Ellipsis"); }
  void operator()(const IntLiteral& e) { node("Int", hexadecimal(e.digits)); }
  void operator()(const FloatLiteral& e) {
    bool is_imaginary = e.text.back() == 'j';
    node(is_imaginary ? "Imaginary" : "Float",
         fmt::format("{:.17g}", std::strtod(e.text.c_str(), nullptr)));
  }
  void operator()(const StringLiteral& e) { node("Str", e.value); }
  void operator()(const BytesLiteral& e) { node("Bytes", e.value); }
  void operator()(const FormattedValue& e) {
    node("FormattedValue", e.value, std::string(1, e.conversion ? e.conversion : '-'), e.format);
  }
  void operator()(const JoinedStr& e) { node("JoinedStr", e.parts); }
  void operator()(const BoolOperation& e) { node(e.op == BoolOp::kAnd ? "And" : "Or", e.values); }
  void operator()(const NamedExpr& e) { node("NamedExpr", e.target, e.value); }
  void operator()(const BinaryOperation& e) {
    node(kBinaryNames[static_cast<int>(e.op)], e.left, e.right);
  }
  void operator()(const UnaryOperation& e) { node(kUnaryNames[static_cast<int>(e.op)], e.operand); }
  void operator()(const Compare& e) { node("Compare", e.left, e.ops, e.comparators); }
  void operator()(const IfExp& e) { node("IfExp", e.test, e.body, e.orelse); }
  void operator()(const Keyword& k) { node("keyword", k.name, k.value); }
  void operator()(const Call& e) { node("Call", e.function, e.args, e.keywords); }
  void operator()(const Attribute& e) { node("Attribute", e.value, e.name); }
  void operator()(const Subscript& e) { node("Subscript", e.value, e.index); }
  void operator()(const Slice& e) { node("Slice", e.lower, e.upper, e.step); }
  void operator()(const Starred& e) { node("Starred", e.value); }
  void operator()(const TupleExpr& e) { node("Tuple", e.items); }
  void operator()(const ListExpr& e) { node("List", e.items); }
  void operator()(const SetExpr& e) { node("Set", e.items); }
  void operator()(const DictExpr& e) { node("Dict", e.keys, e.values); }
  void operator()(const Comprehension& c) {
    node("comprehension", c.target, c.iterable, c.conditions, c.is_async);
  }
  void operator()(const ComprehensionExpr& e) {
    node(kComprehensionNames[static_cast<int>(e.kind)], e.element, e.generators);
  }
  void operator()(const DictComprehension& e) { node("DictComp", e.key, e.value, e.generators); }
  void operator()(const Parameter& p) { node("arg", p.name, p.annotation); }
  void operator()(const Parameters& p) {
    node("arguments", p.positional_only, p.positional, p.rest, p.keyword_only, p.keyword_defaults,
         p.keyword_rest, p.defaults);
  }
  void operator()(const Lambda& e) { node("Lambda", e.parameters, e.body); }
  void operator()(const Await& e) { node("Await", e.value); }
  void operator()(const Yield& e) { node("Yield", e.value); }
  void operator()(const YieldFrom& e) { node("YieldFrom", e.value); }

  // Patterns.
  void operator()(const MatchValue& p) { node("MatchValue", p.value); }
  void operator()(const MatchSequence& p) { node("MatchSequence", p.patterns); }
  void operator()(const MatchMapping& p) { node("MatchMapping", p.keys, p.patterns, p.rest); }
  void operator()(const MatchClass& p) {
    node("MatchClass", p.cls, p.patterns, p.names, p.keyword_patterns);
  }
  void operator()(const MatchStar& p) { node("MatchStar", p.name); }
  void operator()(const MatchAs& p) { node("MatchAs", p.pattern, p.name); }
  void operator()(const MatchOr& p) { node("MatchOr", p.patterns); }

  // Statements.
  void operator()(const TypeParameter& p) {
    node(kTypeParameterNames[static_cast<int>(p.kind)], p.name, p.bound);
  }
  void operator()(const FunctionDef& s) {
    node(s.is_async ? "AsyncFunctionDef" : "FunctionDef", s.name, s.type_parameters, s.parameters,
         s.body, s.decorators, s.returns);
  }
  void operator()(const ClassDef& s) {
    node("ClassDef", s.name, s.type_parameters, s.bases, s.keywords, s.body, s.decorators);
  }
  void operator()(const Return& s) { node("Return", s.value); }
  void operator()(const Delete& s) { node("Delete", s.targets); }
  void operator()(const Assign& s) { node("Assign", s.targets, s.value); }
  void operator()(const TypeAlias& s) { node("TypeAlias", s.name, s.type_parameters, s.value); }
  void operator()(const AugAssign& s) {
    node("AugAssign", s.target, kBinaryNames[static_cast<int>(s.op)], s.value);
  }
  void operator()(const AnnAssign& s) {
    node("AnnAssign", s.target, s.annotation, s.value, s.is_simple);
  }
  void operator()(const For& s) {
    node(s.is_async ? "AsyncFor" : "For", s.target, s.iterable, s.body, s.orelse);
  }
  void operator()(const While& s) { node("While", s.test, s.body, s.orelse); }
  void operator()(const If& s) { node("If", s.test, s.body, s.orelse); }
  void operator()(const WithItem& i) { node("withitem", i.context, i.target); }
  void operator()(const With& s) { node(s.is_async ? "AsyncWith" : "With", s.items, s.body); }
  void operator()(const MatchCase& c) { node("match_case", c.pattern, c.guard, c.body); }
  void operator()(const Match& s) { node("Match", s.subject, s.cases); }
  void operator()(const Raise& s) { node("Raise", s.exception, s.cause); }
  void operator()(const ExceptHandler& h) { node("ExceptHandler", h.type, h.name, h.body); }
  void operator()(const Try& s) {
    node(s.is_star ? "TryStar" : "Try", s.body, s.handlers, s.orelse, s.finally);
  }
  void operator()(const Assert& s) { node("Assert", s.test, s.message); }
  void operator()(const ImportName& n) { node("alias", n.name, n.alias); }
  void operator()(const Import& s) { node("Import", s.names); }
  void operator()(const ImportFrom& s) {
    node("ImportFrom", s.module, s.names, std::to_string(s.level));
  }
  void operator()(const Global& s) { node("Global", s.names); }
  void operator()(const Nonlocal& s) { node("Nonlocal", s.names); }
  void operator()(const ExprStmt& s) { node("Expr", s.value); }
  void operator()(const Pass&) { node("Pass"); }
  void operator()(const Break&) { node("Break"); }
  void operator()(const Continue&) { node("Continue"); }

 private:
  template <typename... Fields>
  void node(std::string_view name, const Fields&... fields) {
    (out_ += '(') += name;
    ((out_ += ' ', field(fields)), ...);
    out_ += ')';
  }

  void field(ExprId id) { std::visit(*this, tree_[id].node); }
  void field(StmtId id) { std::visit(*this, tree_[id].node); }
  void field(PatternId id) { std::visit(*this, tree_[id].node); }
  void field(bool value) { out_ += value ? '1' : '0'; }
  void field(CompareOp op) { out_ += kCompareNames[static_cast<int>(op)]; }
  // Strings carry their length, so that no quoting is needed.
  void field(std::string_view text) { out_ += fmt::format("{}:{}", text.size(), text); }
  void field(const std::string& text) { field(std::string_view(text)); }
  template <typename T>
  void field(const std::optional<T>& value) {
    if (value)
      field(*value);
    else
      out_ += '-';
  }
  template <typename T>
  void field(const std::vector<T>& items) {
    out_ += '[';
    for (const T& item : items) {
      if (out_.back() != '[') out_ += ' ';
      field(item);
    }
    out_ += ']';
  }
  template <typename T>
  requires requires(Dumper& dumper, const T& part) { dumper(part); }
  void field(const T& part) { (*this)(part); }

  const Tree& tree_;
  std::string out_;
};

}  // namespace

std::string dump(const Tree& tree) { return Dumper(tree).run(); }

}  // namespace nacre::python
