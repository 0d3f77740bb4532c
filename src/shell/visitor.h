// Walking a tree. for_each_child() calls a function with each direct child of a node, in the order
// of the text; walk() calls a visitor with a node and everything below it. A visitor is a set of
// functions for the kinds of node that matter; one that returns false keeps the walk from going
// below its node.
//
//   walk(tree.program(), Visitor{[&](const Command& command) { ... },
//                                [&](const Word& word) { return !word.is_literal(); }});
//
// The kinds: Sequence, Command, Assignment, Redirection, HereDocument, IfArm, CaseArm, Word, Part,
// Parameter, Subscript, Array, ArrayElement, Arithmetic, ArithmeticExpression,
// ConditionalExpression. Nesting is limited by the parser, so the recursion is.
#pragma once

#include <algorithm>
#include <type_traits>
#include <variant>

#include "shell/ast.h"

namespace nacre::shell {

template <typename... Functions>
struct Visitor : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Visitor(Functions...) -> Visitor<Functions...>;

template <typename F>
void for_each_child(const Sequence& sequence, F&& f) {
  for (const Item& item : sequence.items) f(*item.command);
}

template <typename F>
void for_each_child(const Assignment& assignment, F&& f) {
  if (assignment.subscript != nullptr) f(*assignment.subscript);
  f(assignment.value);
}

template <typename F>
void for_each_child(const HereDocument& document, F&& f) {
  f(document.body);
}

template <typename F>
void for_each_child(const Redirection& redirection, F&& f) {
  f(redirection.target);
  if (redirection.here_document != nullptr) f(*redirection.here_document);
}

template <typename F>
void for_each_child(const IfArm& arm, F&& f) {
  f(arm.condition);
  f(arm.body);
}

template <typename F>
void for_each_child(const CaseArm& arm, F&& f) {
  for (const Word& pattern : arm.patterns) f(pattern);
  f(arm.body);
}

template <typename F>
void for_each_child(const Word& word, F&& f) {
  for (const Part& part : word.parts()) f(part);
}

template <typename F>
void for_each_child(const Subscript& subscript, F&& f) {
  f(subscript.word);
}

template <typename F>
void for_each_child(const Parameter& parameter, F&& f) {
  if (parameter.subscript != nullptr) f(*parameter.subscript);
  if (parameter.argument != nullptr) f(*parameter.argument);
  if (parameter.replacement() != nullptr) f(*parameter.replacement());
}

template <typename F>
void for_each_child(const ArrayElement& element, F&& f) {
  if (element.subscript != nullptr) f(*element.subscript);
  f(element.value);
}

template <typename F>
void for_each_child(const Array& array, F&& f) {
  for (const ArrayElement& element : array.elements) f(element);
}

// The word with its expansions; `expression` is another view of the same text.
template <typename F>
void for_each_child(const Arithmetic& arithmetic, F&& f) {
  f(arithmetic.word);
}

template <typename F>
void for_each_child(const ArithmeticExpression& expression, F&& f) {
  if (expression.condition != nullptr) f(*expression.condition);
  if (expression.left != nullptr) f(*expression.left);
  if (expression.right != nullptr) f(*expression.right);
  if (expression.subscript != nullptr) f(*expression.subscript);
  for (const Part& part : expression.parts) f(part);
}

template <typename F>
void for_each_child(const ConditionalExpression& expression, F&& f) {
  if (expression.first != nullptr) f(*expression.first);
  if (expression.second != nullptr) f(*expression.second);
  if (expression.first != nullptr) return;
  f(expression.left);
  if (expression.kind == ConditionalKind::kBinary) f(expression.right);
}

template <typename F>
void for_each_child(const Part& part, F&& f) {
  switch (part.kind) {
    case PartKind::kDoubleQuoted:
    case PartKind::kLocaleQuoted:
      for (const Part& inner : part.parts()) f(inner);
      break;
    case PartKind::kParameter: f(part.parameter()); break;
    case PartKind::kCommand: f(part.command().body); break;
    case PartKind::kArithmetic: f(part.arithmetic()); break;
    case PartKind::kProcess: f(part.process().body); break;
    case PartKind::kExtGlob:
      for (const Word& word : part.ext_glob().alternatives) f(word);
      break;
    case PartKind::kBrace:
      for (const Word& word : part.brace().alternatives) f(word);
      break;
    case PartKind::kArray: f(part.array()); break;
    default: break;
  }
}

namespace detail {

// Assignments, words and redirections as they are mixed in the text.
template <typename F>
void for_each_in_simple(const SimpleCommand& simple, std::span<const Redirection> redirections,
                        F&& f) {
  auto assignment = simple.assignments.begin();
  auto word = simple.words.begin();
  auto redirection = redirections.begin();
  while (true) {
    uint32_t a = assignment == simple.assignments.end() ? UINT32_MAX : assignment->span.begin;
    uint32_t w = word == simple.words.end() ? UINT32_MAX : word->span.begin;
    uint32_t r = redirection == redirections.end() ? UINT32_MAX : redirection->span.begin;
    uint32_t first = std::min({a, w, r});
    if (first == UINT32_MAX) return;
    if (first == a) {
      f(*assignment++);
    } else if (first == w) {
      f(*word++);
    } else {
      f(*redirection++);
    }
  }
}

template <typename F>
struct CommandChildren {
  F& f;

  void operator()(const SimpleCommand&) const {}
  void operator()(const Pipeline& node) const {
    for (const PipelineItem& item : node.items) f(*item.command);
  }
  void operator()(const AndOr& node) const {
    for (const AndOrItem& item : node.items) f(*item.command);
  }
  void operator()(const BraceGroup& node) const { f(node.body); }
  void operator()(const Subshell& node) const { f(node.body); }
  void operator()(const If& node) const {
    for (const IfArm& arm : node.arms) f(arm);
    if (node.else_body != nullptr) f(*node.else_body);
  }
  void operator()(const While& node) const {
    f(*node.condition);
    f(*node.body);
  }
  void operator()(const For& node) const {
    for (const Word& word : node.words()) f(word);
    f(*node.body);
  }
  void operator()(const ArithmeticFor& node) const {
    for (const Arithmetic* text : {node.initial, node.condition, node.step}) {
      if (text != nullptr) f(*text);
    }
    f(*node.body);
  }
  void operator()(const Case& node) const {
    f(*node.subject);
    for (const CaseArm& arm : node.arms) f(arm);
  }
  void operator()(const Function& node) const {
    if (node.body) f(*node.body);
  }
  void operator()(const Conditional& node) const { f(*node.expression); }
  void operator()(const ArithmeticCommand& node) const { f(*node.arithmetic); }
  void operator()(const Coproc& node) const { f(*node.command); }
  void operator()(const Broken&) const {}
};

}  // namespace detail

template <typename F>
void for_each_child(const Command& command, F&& f) {
  if (const auto* simple = std::get_if<SimpleCommand>(&command.node)) {
    detail::for_each_in_simple(*simple, command.redirections, f);
    return;
  }
  std::visit(detail::CommandChildren<std::remove_reference_t<F>>{f}, command.node);
  for (const Redirection& redirection : command.redirections) f(redirection);
}

template <typename Node, typename V>
void walk(const Node& node, V&& visitor) {
  if constexpr (std::is_invocable_r_v<bool, V&, const Node&>) {
    if (!visitor(node)) return;
  } else if constexpr (std::is_invocable_v<V&, const Node&>) {
    visitor(node);
  }
  for_each_child(node, [&visitor](const auto& child) { walk(child, visitor); });
}

}  // namespace nacre::shell
