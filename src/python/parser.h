// The recursive-descent parser behind parse.h, private to this module. One class, four files:
// blocks and statements (parse_statements.cpp), expressions (parse_expressions.cpp), literals and
// f-strings (parse_literals.cpp), patterns of `match` (parse_patterns.cpp).
//
// After the first error the current token is the end of the file, so every loop ends and every
// function returns something harmless; `parse` looks at the error once, at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "python/ast.h"
#include "python/token.h"

namespace nacre::python {

// What may be assigned to in `what = ...`, `what += ...`, `what: T`, `del what`.
enum class TargetUse : uint8_t { kAssign, kAugmented, kAnnotated, kDelete, kLoop };

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}
  Result<Tree> run();

 private:
  // Tokens.
  [[nodiscard]] const Token& token() const { return failed_ ? tokens_.back() : tokens_[at_]; }
  [[nodiscard]] Tok kind() const { return token().kind; }
  [[nodiscard]] Tok next_kind() const {
    return failed_ || at_ + 1 >= tokens_.size() ? Tok::kEnd : tokens_[at_ + 1].kind;
  }
  [[nodiscard]] std::string_view text(Span span) const {
    return text_.substr(span.begin, span.size());
  }
  [[nodiscard]] bool at_name(std::string_view name) const {
    return kind() == Tok::kName && text(token().span) == name;
  }
  [[nodiscard]] uint32_t here() const { return token().span.begin; }
  [[nodiscard]] Span since(uint32_t begin) const {
    return {begin, at_ > 0 ? std::max(begin, tokens_[at_ - 1].span.end) : begin};
  }
  Token take();
  bool accept(Tok kind);
  void expect(Tok kind);
  void error(Span span, std::string message);
  void unexpected();
  std::string take_name();
  std::string identifier(Span span);  // normalised as Python does, by NFKC

  template <typename Node>
  ExprId expr(uint32_t begin, Node node) {
    return tree_.add(Expr{since(begin), std::move(node)});
  }
  template <typename Node>
  StmtId stmt(uint32_t begin, Node node) {
    return tree_.add(Stmt{since(begin), std::move(node)});
  }
  template <typename Node>
  PatternId pattern(uint32_t begin, Node node) {
    return tree_.add(Pattern{since(begin), std::move(node)});
  }

  // Statements.
  Block block();
  void statement(Block& into);
  StmtId simple_statement();
  bool compound_statement(Block& into);
  StmtId expression_statement();
  StmtId annotated(uint32_t begin, ExprId target);
  StmtId assignment(uint32_t begin, ExprId first);
  StmtId import_statement();
  StmtId import_from();
  std::string dotted_name();
  StmtId raise_statement();
  StmtId delete_statement();
  StmtId names_statement(bool is_global);
  StmtId type_alias();
  StmtId if_statement();
  StmtId while_statement();
  StmtId for_statement(uint32_t begin, bool is_async);
  StmtId with_statement(uint32_t begin, bool is_async);
  bool parenthesized_with_items(std::vector<WithItem>& items);
  WithItem with_item();
  StmtId try_statement();
  ExceptHandler except_handler(bool& is_star);
  StmtId decorated();
  StmtId function(uint32_t begin, Exprs decorators, bool is_async);
  StmtId class_definition(uint32_t begin, Exprs decorators);
  bool match_statement(Block& into);
  MatchCase match_case();
  std::vector<TypeParameter> type_parameters();
  Block orelse();
  void check_target(ExprId target, TargetUse use);

  // Expressions; the names are those of the grammar in the language reference.
  ExprId star_expressions(bool allow_walrus = false);  // a tuple without parentheses, too
  ExprId star_expression(bool allow_walrus);
  ExprId named_expression();
  ExprId expression();
  ExprId disjunction();
  ExprId conjunction();
  ExprId inversion();
  ExprId comparison();
  ExprId binary(int min_precedence);
  ExprId unary();
  ExprId power();
  ExprId await_primary();
  ExprId primary();
  ExprId call(uint32_t begin, ExprId function);
  void arguments(Exprs& args, std::vector<Keyword>& keywords, Tok closing);
  ExprId subscript(uint32_t begin, ExprId value);
  ExprId slice();
  ExprId atom();
  ExprId parenthesized();
  ExprId list_display();
  ExprId brace_display();
  ExprId dict_display(uint32_t begin);
  ExprId lambda();
  ExprId yield_expression();
  ExprId target_list();
  std::vector<Comprehension> comprehensions();
  [[nodiscard]] bool at_comprehension() const;
  Parameters parameters(Tok closing, bool annotated);
  Parameter parameter(bool annotated, bool may_be_starred);
  [[nodiscard]] bool at_expression() const;

  // Literals.
  ExprId number();
  ExprId strings();
  void fstring(Exprs& parts, std::string& pending, bool& is_exact);
  void field(Exprs& parts, std::string& pending, bool& is_exact, bool is_raw);
  void flush(Exprs& parts, std::string& pending, bool& is_exact, uint32_t begin);
  std::string decode(Span span, bool is_raw, bool is_bytes, bool is_fstring, bool& is_exact);

  // Patterns.
  PatternId patterns();
  PatternId as_pattern();
  PatternId or_pattern();
  PatternId closed_pattern();
  PatternId literal_pattern();
  PatternId maybe_star_pattern();
  PatternId sequence_pattern(uint32_t begin, Tok closing);
  PatternId mapping_pattern();
  PatternId class_pattern(uint32_t begin, ExprId cls);
  PatternId name_pattern();
  ExprId signed_number();

  // Recursion that no bracket limits: `not not ...`, `lambda: lambda: ...`, `elif` chains.
  struct Depth {
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) parser_.error(parser_.token().span, "too deeply nested");
    }
    ~Depth() { --parser_.depth_; }
    Parser& parser_;
  };
  static constexpr uint32_t kMaxDepth = 1000;

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  uint32_t depth_ = 0;
  bool failed_ = false;
  Error error_;
  Tree tree_;
};

}  // namespace nacre::python
