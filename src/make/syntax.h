// The lines of a Makefile, as GNU make's reader takes them: a flat list of statements that covers
// every byte, in the order in which make tries the readings (recipe line, assignment, conditional,
// directive, rule). Nothing is expanded here. Where make itself needs values to tell what a line is
// (`$(rule)` alone), the statement is kExpanded and the evaluator (read.h) decides.
//
//   for (const Statement& s : parse(file.bytes())) ...;      print(text, statements) == text
//
// A statement is one logical line with its continuations and its newline; a `define` is one
// statement with its body. Linear in the text. Errors are not found here: every text has
// statements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace nacre::make {

enum class Kind : uint8_t {
  kBlank,   // also a line with only a comment
  kRecipe,  // begins with the recipe prefix while a rule is open
  kAssign,  // also of one target: see `is_for_targets`
  kDefine,  // define ... endef
  kUndefine,
  kIf,    // ifdef ifndef ifeq ifneq
  kElse,  // also `else ifeq ...`
  kEndif,
  kExport,  // export, unexport without an assignment
  kVpath,
  kInclude,  // include, -include, sinclude
  kLoad,
  kRule,
  kExpanded,  // no colon outside of references
};

enum class AssignOp : uint8_t {
  kRecursive,
  kSimple,
  kPosixSimple,
  kImmediate,
  kConditional,
  kAppend,
  kShell
};

// `override export X = 1`.
struct Modifiers {
  bool exports = false;
  bool overrides = false;
  bool is_private = false;
};

// Spans are of the text as it stands, with its continuations; empty where there is nothing.
struct Statement {
  Kind kind = Kind::kBlank;
  Span span;     // whole, with the newline
  Span keyword;  // of a directive: "ifeq", "-include"; of an `else ifeq` the second word
  Modifiers modifiers;
  AssignOp op = AssignOp::kRecursive;
  Span name;              // of a variable
  Span operation;         // `=`, `:=` ...; of a rule `:`, `::`, `&:`, `&::`
  Span value;             // of a variable; the rest of the line of a directive
  Span body;              // lines of a define; a recipe line without its prefix
  bool is_closed = true;  // false: a define without endef, which has no body
  Span targets;           // of a rule or an assignment of targets, up to the colon
  Span prerequisites;     // with the target pattern of a static rule and order-only ones
  Span inline_recipe;     // after the `;` of a rule
  Span comment;           // from the `#`, without the newline
};

// Where the reader is: what the lines before have left open.
struct ReaderState {
  bool rule_is_open = false;
  char recipe_prefix = '\t';
};

// Reads statement after statement; the caller says what it knows.
class Reader {
 public:
  explicit Reader(std::string_view text, uint32_t at = 0) : text_(text), at_(at) {}
  [[nodiscard]] std::optional<Statement> next(const ReaderState& state);

 private:
  [[nodiscard]] Span logical_line() const;
  [[nodiscard]] uint32_t line_end(uint32_t from) const;
  void finish_define(Statement& statement);

  std::string_view text_;
  uint32_t at_;
};

[[nodiscard]] std::vector<Statement> parse(std::string_view text);
[[nodiscard]] std::string print(std::string_view text, const std::vector<Statement>& statements);

// The words of a list, outside of references: `a $(b c) d` has three.
[[nodiscard]] std::vector<Span> word_spans(std::string_view text, Span list);

// The name, operator and value of an assignment; nothing if the text is none.
struct Assignment {
  Span name;
  Span operation;
  AssignOp op = AssignOp::kRecursive;
  uint32_t value = 0;  // where the value begins
};
[[nodiscard]] std::optional<Assignment> find_assignment(std::string_view text);

}  // namespace nacre::make
