// The tree of a shell program. Nodes are plain immutable data in the arena of their Tree and refer
// to each other by pointer; they live as long as the Tree and never change after parsing, so any
// number of threads may read them.
//
//   const Command& c = *tree.program().items[0].command;
//   if (const auto* simple = std::get_if<SimpleCommand>(&c.node)) use(simple->words[0].literal());
//
// Every node has the span of its text in the file. Spans of children lie within their parent's,
// are in the order of the text and do not overlap; what lies between them is keywords, operators,
// blanks, comments and continued lines. The one exception are bodies of here-documents, which
// follow later in the file and have a span of their own. Text that comes from an alias has the span
// of the word that was replaced.
//
// Literal text is stored without its quoting: what `text` holds is what the shell uses.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "base/span.h"
#include "shell/word.h"

namespace nacre::shell {

// ----------------------------------------------------------------------------------- [[ ... ]]

enum class ConditionalKind : uint8_t { kWord, kUnary, kBinary, kNot, kAnd, kOr, kGroup };

enum class ConditionalOp : uint8_t {
  kNone,
  kEqual /* = == */,
  kNotEqual,
  kMatch /* =~ */,
  kLess,
  kGreater,
  kNumberEqual,
  kNumberNotEqual,
  kNumberLess,
  kNumberLessEqual,
  kNumberGreater,
  kNumberGreaterEqual,
  kNewer /* -nt */,
  kOlder /* -ot */,
  kSameFile /* -ef */,
};

struct ConditionalExpression {
  ConditionalKind kind = ConditionalKind::kWord;
  ConditionalOp op = ConditionalOp::kNone;  // kBinary
  char letter = 0;                          // kUnary: 'f' of -f
  Span span;
  Word left;                                      // kWord, kUnary: the operand
  Word right;                                     // kBinary: pattern of = and !=, regex of =~
  const ConditionalExpression* first = nullptr;   // kNot, kGroup, kAnd, kOr
  const ConditionalExpression* second = nullptr;  // kAnd, kOr
};

// --------------------------------------------------------------------------------- redirections

enum class RedirectOp : uint8_t {
  kInput,            // <
  kOutput,           // >
  kAppend,           // >>
  kReadWrite,        // <>
  kClobber,          // >|
  kDuplicateInput,   // <&
  kDuplicateOutput,  // >&
  kOutputAll,        // &> (and >&word, which means the same where word is no descriptor: run time)
  kAppendAll,        // &>>
  kHereDocument,     // << and <<-
  kHereString,       // <<<
};

struct HereDocument {
  std::string_view delimiter;  // after quote removal
  bool is_quoted = false;      // the body is literal
  bool strips_tabs = false;    // <<-
  bool is_terminated = true;   // false: the file ended first (the shells only warn)
  Span span;                   // of the body, without the line of the delimiter
  Span end_span;               // of the delimiter's line, without its newline; empty if missing
  Word body;                   // parts as within double quotes; tabs of <<- are removed
};

struct Redirection {
  RedirectOp op = RedirectOp::kInput;
  int32_t descriptor = -1;    // -1: none written, the operator's default holds
  Span span;                  // from the descriptor to the end of the target
  std::string_view variable;  // {fd}>: its name, possibly with a subscript
  Word target;                // file, descriptor, delimiter or string
  const HereDocument* here_document = nullptr;
};

// ------------------------------------------------------------------------------------- commands

struct Assignment {
  Span span;
  Span name_span;
  std::string_view name;
  bool is_append = false;  // +=
  const Subscript* subscript = nullptr;
  Word value;  // one kArray part for `a=(...)`; may be empty
};

// Assignments, words and redirections in any order; at least one of the three is there.
struct SimpleCommand {
  std::span<const Assignment> assignments;
  std::span<const Word> words;
};

struct PipelineItem {
  const Command* command = nullptr;
  bool pipes_errors = false;  // `|&` follows: its standard error goes into the pipe, too
};

// At least two commands, or a `!` or `time` before one.
struct Pipeline {
  bool is_negated = false;     // an odd number of `!`
  bool is_timed = false;       // bash's and ksh's reserved word; the command may be missing
  bool time_is_posix = false;  // time -p
  std::span<const PipelineItem> items;
};

enum class AndOrOp : uint8_t { kFirst, kAnd, kOr };

struct AndOrItem {
  AndOrOp op = AndOrOp::kFirst;  // how it is joined to what stands left of it
  const Command* command = nullptr;
};

// At least two commands; `&&` and `||` bind equally, from left to right.
struct AndOr {
  std::span<const AndOrItem> items;
};

struct BraceGroup {
  Sequence body;
};

struct Subshell {
  Sequence body;
};

struct IfArm {
  Sequence condition;
  Sequence body;
};

struct If {
  std::span<const IfArm> arms;          // `if`, then each `elif`
  const Sequence* else_body = nullptr;  // null: there is no `else`
};

struct While {
  bool is_until = false;
  const Sequence* condition = nullptr;
  const Sequence* body = nullptr;
};

// What a loop, a function or a coprocess is called.
struct Name {
  std::string_view text;  // after quote removal
  Span span;
};

// for and select; without `in`, the positional parameters.
struct For {
  bool is_select = false;
  bool has_in = false;
  uint32_t word_count = 0;
  const Name* name = nullptr;
  const Word* first_word = nullptr;
  const Sequence* body = nullptr;

  [[nodiscard]] std::span<const Word> words() const { return {first_word, word_count}; }
};

// for ((a; b; c)): each of the three may be missing.
struct ArithmeticFor {
  const Arithmetic* initial = nullptr;
  const Arithmetic* condition = nullptr;
  const Arithmetic* step = nullptr;
  const Sequence* body = nullptr;
};

enum class CaseEnd : uint8_t { kNone /* only the last arm */, kBreak, kFallThrough, kContinue };

struct CaseArm {
  Span span;
  std::span<const Word> patterns;
  Sequence body;
  CaseEnd end = CaseEnd::kBreak;  // ;; ;& ;;&
};

struct Case {
  const Word* subject = nullptr;
  std::span<const CaseArm> arms;
};

struct Function {
  const Name* name = nullptr;
  bool has_keyword = false;  // function f
  bool has_parentheses = true;
  const Command* body = nullptr;  // with the redirections that stand after it
  std::string_view unread;        // the text of a body that was left out (ParseOptions)
};

// [[ ... ]]
struct Conditional {
  const ConditionalExpression* expression = nullptr;
};

// (( ... ))
struct ArithmeticCommand {
  const Arithmetic* arithmetic = nullptr;
};

struct Coproc {
  const Name* name = nullptr;  // null: COPROC
  const Command* command = nullptr;
};

// A region that could not be understood; a diagnostic says why. Only the whole-file driver makes
// it.
struct Broken {};

// The alternatives are kept small (a name and a list of words are behind pointers), because there
// is a Command for every few words of a script.
struct Command {
  Span span;  // with its redirections
  std::span<const Redirection> redirections;
  std::variant<SimpleCommand, Pipeline, AndOr, BraceGroup, Subshell, If, While, For, ArithmeticFor,
               Case, Function, Conditional, ArithmeticCommand, Coproc, Broken>
      node;
};

}  // namespace nacre::shell
