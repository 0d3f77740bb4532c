// Walking over the parts of expressions and statements, for analyses that need only a few kinds.
#pragma once

#include <functional>
#include <string_view>

#include "python/ast.h"

namespace nacre::python {

// The direct sub-expressions, in the order of evaluation as far as one exists.
void for_each_child(const Tree& tree, ExprId expr, const std::function<void(ExprId)>& visit);
// The expressions that a statement holds directly, and the blocks inside it.
void for_each_expression(const Tree& tree, StmtId stmt, const std::function<void(ExprId)>& visit);
void for_each_block(const Tree& tree, StmtId stmt, const std::function<void(const Block&)>& visit);

// Every expression at or below `expr`; every statement in a block and below.
void for_all_expressions(const Tree& tree, ExprId expr, const std::function<void(ExprId)>& visit);
void for_all_statements(const Tree& tree, const Block& block,
                        const std::function<void(StmtId)>& visit);

// The same without the bodies of functions and classes, which have names of their own.
void for_each_own_block(const Tree& tree, StmtId stmt,
                        const std::function<void(const Block&)>& visit);
void for_own_statements(const Tree& tree, const Block& block,
                        const std::function<void(StmtId)>& visit);

// Names that the statement itself binds: assignments, loops, imports, definitions, `with ... as`,
// `except ... as`, patterns of `match` and `:=`; not what the blocks inside it bind.
void for_each_bound_name(const Tree& tree, StmtId stmt,
                         const std::function<void(const std::string&)>& visit);
void for_each_captured_name(const Tree& tree, PatternId pattern,
                            const std::function<void(const std::string&)>& visit);

// Has the function's own body a yield?
bool is_generator(const Tree& tree, const Block& body);

// What messages call this kind of expression or statement: "a lambda", "a with statement".
std::string_view kind_name(const Expr& expr);
std::string_view kind_name(const Stmt& stmt);

}  // namespace nacre::python
