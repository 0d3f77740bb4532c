// What the machine runs: the tree of shell/ast.h lowered to a form made for running. Names are
// interned, quoting is resolved into regions, literal words are ready, builtins are looked up. One
// Code is one complete command (or one `eval`, `.` or trap text); functions keep it alive.
// Immutable except for the caches of the fork analysis, so it is shared by clones of a machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/span.h"
#include "machine/arithmetic.h"
#include "machine/names.h"
#include "shell/arena.h"
#include "shell/ast.h"
#include "shell/tree.h"

namespace nacre::machine {

struct Builtin;
struct Code;
struct Node;
struct Word;

// What may still happen to a piece of an expanded word (the `src`, `exp` and quoted forms of the
// semantics): kSource may glob, kExpanded may also be split, kQuoted is left alone.
enum class Region : uint8_t { kSource, kExpanded, kQuoted };

enum class PartKind : uint8_t { kText, kTilde, kParameter, kCommand, kArithmetic, kProcess };

enum class ParameterKind : uint8_t { kVariable, kPositional, kSpecial };

// [...] after a name. The text is a key or an expression, as the array has it.
struct Subscript {
  shell::SubscriptKind kind = shell::SubscriptKind::kExpression;
  const Word* word = nullptr;
};

struct Parameter {
  ParameterKind kind = ParameterKind::kVariable;
  char special = 0;  // @ * # ? - $ ! 0
  uint32_t position = 0;
  NameId name = kNoName;
  shell::ParameterOp op = shell::ParameterOp::kNone;
  bool has_colon = false;
  const Word* argument = nullptr;
  const Word* replacement = nullptr;  // of ${x/p/r}; the length of a slice
  bool is_indirect = false;           // ${!x}
  bool is_plain = false;              // $x: a variable and nothing else
  const Subscript* subscript = nullptr;
  char letter = 0;        // ${x@Q}, ${!x*}
  std::string_view text;  // as written, for messages
};

struct Part {
  PartKind kind = PartKind::kText;
  Region region = Region::kSource;
  bool may_glob = false;  // kText: holds an active * ? [
  std::string_view text;  // kText; kTilde: the user; kArithmetic: the source
  const Parameter* parameter = nullptr;
  const Node* body = nullptr;  // kCommand, kProcess; null for an empty substitution
  bool is_input = false;       // kProcess: <(...), the command reads what the body writes
  const Word* expression_word = nullptr;  // kArithmetic
  // kArithmetic: the tree if it is known in advance. It holds as long as the values of `slots` are
  // plain numbers; with others the text has to be expanded and parsed.
  const Expression* expression = nullptr;
  std::span<const Parameter* const> slots;
  std::span<const NameId> arrays;  // that the tree is wrong for if they are associative
};

struct Compound;

struct Word {
  Span span;
  std::string_view written;  // its source text
  std::span<const Part> parts;
  std::string_view literal;    // is_literal: its one value
  bool is_literal = false;     // no expansion and nothing to glob
  bool is_inline = false;      // runs no command and no nested word: expanded in one go
  bool is_joined = false;      // never more or less than one field, never globbed
  bool is_assignment = false;  // an argument of export & co. that is treated as an assignment
  const Compound* compound = nullptr;  // `declare a=(...)`: the literal is what stands before the (
};

// One element of a=(...): a word that makes any number of values, or [key]=value.
struct CompoundElement {
  const Subscript* subscript = nullptr;
  bool is_append = false;
  Word value;
};

// The value of a=(...).
struct Compound {
  std::span<const CompoundElement> elements;
};

struct Assignment {
  NameId name = kNoName;
  const Subscript* subscript = nullptr;
  const Compound* compound = nullptr;
  Word value;
  // The value starts with the variable itself and goes on with harmless parts (`s="$s$c"`): it can
  // be appended in place.
  bool appends = false;
  bool is_append = false;  // += of bash
};

struct Redirect {
  shell::RedirectOp op = shell::RedirectOp::kInput;
  int fd = 0;
  Word target;                 // kHereDocument: the body
  std::string_view written;    // its source text: `2>&1`, `<<E`
  std::string_view variable;   // {fd}>: the name, perhaps with a subscript
  std::string_view delimiter;  // kHereDocument
};

struct CaseArm {
  std::span<const Word> patterns;
  const Node* body = nullptr;  // null: empty
  bool falls_through = false;  // ;&
  bool continues = false;      // ;;& of bash: the patterns after it are tested, too
};

// One test of [[ ]], and where to go on: with another test, or with the result.
struct Condition {
  static constexpr int32_t kIsTrue = -1;
  static constexpr int32_t kIsFalse = -2;
  shell::ConditionalKind kind = shell::ConditionalKind::kWord;  // kWord, kUnary, kBinary
  shell::ConditionalOp op = shell::ConditionalOp::kNone;
  char letter = 0;
  uint32_t left = 0;  // of Node::words; the right operand of kBinary follows it
  int32_t if_true = kIsTrue;
  int32_t if_false = kIsFalse;
};

enum class NodeKind : uint8_t {
  kSimple,
  kSequence,
  kAndOr,
  kNot,
  kPipeline,
  kBackground,
  kSubshell,
  kGroup,  // a body with redirections
  kIf,
  kWhile,
  kFor,
  kCase,
  kFunction,
  kConditional,     // [[ ]]
  kArithmetic,      // (( ))
  kArithmeticLoop,  // for (( ; ; ))
  kSelect,
  kTime,
  kCoproc,
  kUnsupported,
};

// One command. Which fields are used depends on the kind:
//   kSequence kAndOr kPipeline  children (kAndOr: `ops` beside them)
//   kNot kBackground kSubshell kGroup kFunction  children[0]
//   kIf     condition, body, condition, body, ..., [else body]
//   kWhile  condition, body; `negated` for until
//   kFor    name, words, has_in, children[0]
//   kCase   words[0], arms
//   kSimple assignments, words, command, builtin
//   kSelect as kFor
//   kTime   children[0], or none; `negated` for -p
//   kCoproc name, children[0]
//   kConditional     words, conditions
//   kArithmetic      words[0], whose one part is arithmetic
//   kArithmeticLoop  words: initial, condition, step, each without parts if missing; children[0]
struct Node {
  NodeKind kind = NodeKind::kSequence;
  bool negated = false;
  bool has_in = false;
  uint32_t line = 0;
  Span span;
  std::span<const Node* const> children;
  std::span<const shell::AndOrOp> ops;
  std::span<const Assignment> assignments;
  std::span<const Word> words;
  std::span<const Redirect> redirects;
  std::span<const CaseArm> arms;
  std::span<const Condition> conditions;
  NameId name = kNoName;  // kFor, kFunction; kSimple: the command's name if it is literal
  const Builtin* builtin = nullptr;        // kSimple with a literal name
  std::string_view text;                   // kUnsupported: what it is; otherwise the source
  const Code* owner = nullptr;             // kFunction: who keeps the body alive
  const shell::Command* source = nullptr;  // kFunction: its body in the tree
  // The fork analysis' answer for the table of functions of that generation.
  mutable uint32_t safe_generation = 0;
  mutable bool safe = false;
};

struct Code : std::enable_shared_from_this<Code> {
  shell::Arena arena;
  std::shared_ptr<const shell::Tree> tree;  // spans and source text
  const Node* root = nullptr;               // null: nothing to do
};

}  // namespace nacre::machine
