#include "python/walk.h"

#include <iterator>

namespace nacre::python {
namespace {

using VisitExpr = std::function<void(ExprId)>;
using VisitBlock = std::function<void(const Block&)>;

struct Children {
  const VisitExpr& visit;

  void one(ExprId id) const { visit(id); }
  void one(const Optional& id) const {
    if (id) visit(*id);
  }
  void all(const Exprs& ids) const {
    for (ExprId id : ids) visit(id);
  }
  void all(const std::vector<Comprehension>& parts) const {
    for (const Comprehension& part : parts)
      one(part.iterable), one(part.target), all(part.conditions);
  }
  void all(const std::vector<Keyword>& keywords) const {
    for (const Keyword& keyword : keywords) one(keyword.value);
  }
  void all(const Parameters& parameters) const {
    all(parameters.defaults);
    for (const Optional& fallback : parameters.keyword_defaults) one(fallback);
  }

  void operator()(const FormattedValue& e) const { one(e.value), one(e.format); }
  void operator()(const JoinedStr& e) const { all(e.parts); }
  void operator()(const BoolOperation& e) const { all(e.values); }
  void operator()(const NamedExpr& e) const { one(e.value), one(e.target); }
  void operator()(const BinaryOperation& e) const { one(e.left), one(e.right); }
  void operator()(const UnaryOperation& e) const { one(e.operand); }
  void operator()(const Compare& e) const { one(e.left), all(e.comparators); }
  void operator()(const IfExp& e) const { one(e.test), one(e.body), one(e.orelse); }
  void operator()(const Call& e) const { one(e.function), all(e.args), all(e.keywords); }
  void operator()(const Attribute& e) const { one(e.value); }
  void operator()(const Subscript& e) const { one(e.value), one(e.index); }
  void operator()(const Slice& e) const { one(e.lower), one(e.upper), one(e.step); }
  void operator()(const Starred& e) const { one(e.value); }
  void operator()(const TupleExpr& e) const { all(e.items); }
  void operator()(const ListExpr& e) const { all(e.items); }
  void operator()(const SetExpr& e) const { all(e.items); }
  void operator()(const DictExpr& e) const {
    for (const Optional& key : e.keys) one(key);
    all(e.values);
  }
  void operator()(const ComprehensionExpr& e) const { all(e.generators), one(e.element); }
  void operator()(const DictComprehension& e) const { all(e.generators), one(e.key), one(e.value); }
  void operator()(const Lambda& e) const { all(e.parameters), one(e.body); }
  void operator()(const Await& e) const { one(e.value); }
  void operator()(const Yield& e) const { one(e.value); }
  void operator()(const YieldFrom& e) const { one(e.value); }

  void operator()(const Return& s) const { one(s.value); }
  void operator()(const Delete& s) const { all(s.targets); }
  void operator()(const Assign& s) const { one(s.value), all(s.targets); }
  void operator()(const AugAssign& s) const { one(s.value), one(s.target); }
  void operator()(const AnnAssign& s) const { one(s.value), one(s.target); }
  void operator()(const For& s) const { one(s.iterable), one(s.target); }
  void operator()(const While& s) const { one(s.test); }
  void operator()(const If& s) const { one(s.test); }
  void operator()(const With& s) const {
    for (const WithItem& item : s.items) one(item.context), one(item.target);
  }
  void operator()(const Match& s) const {
    one(s.subject);
    for (const MatchCase& part : s.cases) one(part.guard);
  }
  void operator()(const Raise& s) const { one(s.exception), one(s.cause); }
  void operator()(const Try& s) const {
    for (const ExceptHandler& handler : s.handlers) one(handler.type);
  }
  void operator()(const Assert& s) const { one(s.test), one(s.message); }
  void operator()(const ExprStmt& s) const { one(s.value); }
  template <typename Leaf>
  void operator()(const Leaf&) const {}
};

struct Blocks {
  const VisitBlock& visit;

  void operator()(const FunctionDef& s) const { visit(s.body); }
  void operator()(const ClassDef& s) const { visit(s.body); }
  void operator()(const For& s) const { visit(s.body), visit(s.orelse); }
  void operator()(const While& s) const { visit(s.body), visit(s.orelse); }
  void operator()(const If& s) const { visit(s.body), visit(s.orelse); }
  void operator()(const With& s) const { visit(s.body); }
  void operator()(const Match& s) const {
    for (const MatchCase& part : s.cases) visit(part.body);
  }
  void operator()(const Try& s) const {
    visit(s.body);
    for (const ExceptHandler& handler : s.handlers) visit(handler.body);
    visit(s.orelse), visit(s.finally);
  }
  template <typename Leaf>
  void operator()(const Leaf&) const {}
};

}  // namespace

void for_each_child(const Tree& tree, ExprId expr, const VisitExpr& visit) {
  std::visit(Children{visit}, tree[expr].node);
}

void for_each_expression(const Tree& tree, StmtId stmt, const VisitExpr& visit) {
  std::visit(Children{visit}, tree[stmt].node);
}

void for_each_block(const Tree& tree, StmtId stmt, const VisitBlock& visit) {
  std::visit(Blocks{visit}, tree[stmt].node);
}

void for_all_expressions(const Tree& tree, ExprId expr, const VisitExpr& visit) {
  visit(expr);
  for_each_child(tree, expr, [&](ExprId child) { for_all_expressions(tree, child, visit); });
}

void for_all_statements(const Tree& tree, const Block& block,
                        const std::function<void(StmtId)>& visit) {
  for (StmtId stmt : block) {
    visit(stmt);
    for_each_block(tree, stmt, [&](const Block& inner) { for_all_statements(tree, inner, visit); });
  }
}

void for_each_own_block(const Tree& tree, StmtId stmt, const VisitBlock& visit) {
  if (tree.get<FunctionDef>(stmt) == nullptr && tree.get<ClassDef>(stmt) == nullptr)
    for_each_block(tree, stmt, visit);
}

void for_own_statements(const Tree& tree, const Block& block,
                        const std::function<void(StmtId)>& visit) {
  for (StmtId stmt : block) {
    visit(stmt);
    for_each_own_block(tree, stmt,
                       [&](const Block& inner) { for_own_statements(tree, inner, visit); });
  }
}

namespace {

using VisitName = std::function<void(const std::string&)>;

void bound_names(const Tree& tree, ExprId target, const VisitName& visit) {
  if (const auto* name = tree.get<Name>(target)) return visit(name->id);
  if (const auto* star = tree.get<Starred>(target)) return bound_names(tree, star->value, visit);
  const Exprs* items = nullptr;
  if (const auto* tuple = tree.get<TupleExpr>(target)) items = &tuple->items;
  if (const auto* list = tree.get<ListExpr>(target)) items = &list->items;
  if (items == nullptr) return;
  for (ExprId item : *items) bound_names(tree, item, visit);
}

struct Captures {
  const Tree& tree;
  const VisitName& visit;

  void all(const std::vector<PatternId>& patterns) const {
    for (PatternId pattern : patterns) std::visit(*this, tree[pattern].node);
  }
  void name(const std::string& name) const {
    if (!name.empty()) visit(name);
  }
  void operator()(const MatchValue&) const {}
  void operator()(const MatchSequence& p) const { all(p.patterns); }
  void operator()(const MatchMapping& p) const { all(p.patterns), name(p.rest); }
  void operator()(const MatchClass& p) const { all(p.patterns), all(p.keyword_patterns); }
  void operator()(const MatchStar& p) const { name(p.name); }
  void operator()(const MatchAs& p) const {
    if (p.pattern) std::visit(*this, tree[*p.pattern].node);
    name(p.name);
  }
  void operator()(const MatchOr& p) const { all(p.patterns); }
};

}  // namespace

void for_each_captured_name(const Tree& tree, PatternId pattern, const VisitName& visit) {
  std::visit(Captures{tree, visit}, tree[pattern].node);
}

void for_each_bound_name(const Tree& tree, StmtId stmt, const VisitName& visit) {
  if (const auto* assign = tree.get<Assign>(stmt)) {
    for (ExprId target : assign->targets) bound_names(tree, target, visit);
  } else if (const auto* augmented = tree.get<AugAssign>(stmt)) {
    bound_names(tree, augmented->target, visit);
  } else if (const auto* annotated = tree.get<AnnAssign>(stmt)) {
    bound_names(tree, annotated->target, visit);
  } else if (const auto* loop = tree.get<For>(stmt)) {
    bound_names(tree, loop->target, visit);
  } else if (const auto* alias = tree.get<TypeAlias>(stmt)) {
    bound_names(tree, alias->name, visit);
  } else if (const auto* with = tree.get<With>(stmt)) {
    for (const WithItem& item : with->items) {
      if (item.target) bound_names(tree, *item.target, visit);
    }
  } else if (const auto* match = tree.get<Match>(stmt)) {
    for (const MatchCase& part : match->cases) for_each_captured_name(tree, part.pattern, visit);
  } else if (const auto* attempt = tree.get<Try>(stmt)) {
    for (const ExceptHandler& handler : attempt->handlers) {
      if (!handler.name.empty()) visit(handler.name);
    }
  } else if (const auto* function = tree.get<FunctionDef>(stmt)) {
    visit(function->name);
  } else if (const auto* cls = tree.get<ClassDef>(stmt)) {
    visit(cls->name);
  } else if (const auto* import = tree.get<Import>(stmt)) {
    for (const ImportName& name : import->names)
      visit(name.alias.empty() ? name.name.substr(0, name.name.find('.')) : name.alias);
  } else if (const auto* from = tree.get<ImportFrom>(stmt)) {
    for (const ImportName& name : from->names) visit(name.alias.empty() ? name.name : name.alias);
  }
  for_each_expression(tree, stmt, [&](ExprId expr) {
    for_all_expressions(tree, expr, [&](ExprId id) {
      if (const auto* walrus = tree.get<NamedExpr>(id)) bound_names(tree, walrus->target, visit);
    });
  });
}

bool is_generator(const Tree& tree, const Block& body) {
  bool found = false;
  for_own_statements(tree, body, [&](StmtId stmt) {
    for_each_expression(tree, stmt, [&](ExprId expr) {
      for_all_expressions(tree, expr, [&](ExprId id) {
        found = found || tree.get<Yield>(id) != nullptr || tree.get<YieldFrom>(id) != nullptr;
      });
    });
  });
  return found;
}

std::string_view kind_name(const Expr& expr) {
  static constexpr std::string_view kNames[] = {"a name",
                                                "None",
                                                "a Boolean",
                                                "an ellipsis",
                                                "an integer",
                                                "a float",
                                                "a string",
                                                "a bytes literal",
                                                "a field",
                                                "an f-string",
                                                "and/or",
                                                "an assignment expression",
                                                "an operator",
                                                "an operator",
                                                "a comparison",
                                                "a conditional expression",
                                                "a call",
                                                "an attribute",
                                                "a subscript",
                                                "a slice",
                                                "a star",
                                                "a tuple",
                                                "a list",
                                                "a set",
                                                "a dictionary",
                                                "a comprehension",
                                                "a dictionary comprehension",
                                                "a lambda",
                                                "await",
                                                "yield",
                                                "yield from"};
  static_assert(std::size(kNames) == std::variant_size_v<decltype(expr.node)>);
  return kNames[expr.node.index()];
}

std::string_view kind_name(const Stmt& stmt) {
  static constexpr std::string_view kNames[] = {
      "a nested function", "a nested class", "return",          "del",
      "an assignment",     "a type alias",   "an assignment",   "an assignment",
      "a for loop",        "a while loop",   "an if statement", "a with statement",
      "a match statement", "raise",          "a try statement", "assert",
      "an import",         "an import",      "global",          "nonlocal",
      "an expression",     "pass",           "break",           "continue"};
  static_assert(std::size(kNames) == std::variant_size_v<decltype(stmt.node)>);
  return kNames[stmt.node.index()];
}

}  // namespace nacre::python
