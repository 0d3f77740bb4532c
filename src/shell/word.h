// The words of a shell program and what they hold: parts, parameters, substitutions, arithmetic,
// and the sequences of commands within them. The lower half of the tree; ast.h is the upper one and
// says what holds for all nodes.
//
//   for (const Part& part : word.parts())
//     if (part.kind == PartKind::kParameter) use(part.parameter().name);
//   if (word.is_literal()) use(word.literal());
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/span.h"

namespace nacre::shell {

struct Command;
struct ArithmeticExpression;

// Why a command ends where it ends.
enum class Terminator : uint8_t { kNone, kNewline, kSemicolon, kBackground };

struct Item {
  const Command* command = nullptr;
  uint32_t terminator_at = 0;  // offset of the `;`, `&` or newline; without one, the command's end
  Terminator terminator = Terminator::kNone;
};

// Commands one after the other: a program, a body, a condition.
struct Sequence {
  Span span;
  std::span<const Item> items;
};

// ---------------------------------------------------------------------------------------- words

enum class PartKind : uint8_t {
  kLiteral,       // unquoted text without a special meaning
  kGlob,          // unquoted `*`, `?` or a whole bracket expression `[a-z]`
  kTilde,         // `~` or `~user`; text is `user`
  kEscaped,       // `\c`; text is the one character (also `\"` and the like within double quotes)
  kSingleQuoted,  // '...'
  kAnsiQuoted,    // $'...'; text is decoded
  kDoubleQuoted,  // "..."; has parts
  kLocaleQuoted,  // $"..."; has parts
  kParameter,     // $x ${x...}
  kCommand,       // $(...) `...` ${ ...; }
  kArithmetic,    // $((...)) $[...]
  kProcess,       // <(...) >(...)
  kExtGlob,       // ?(...) *(...) +(...) @(...) !(...)
  kBrace,         // {a,b} {1..9}
  kArray,         // the parenthesised value of `a=(...)`
};

struct Parameter;
struct CommandSubstitution;
struct Arithmetic;
struct ProcessSubstitution;
struct ExtGlob;
struct Brace;
struct Array;

// One piece of a word. Which accessor may be called depends on `kind`; the text kinds are kLiteral
// to kAnsiQuoted.
struct Part {
  PartKind kind = PartKind::kLiteral;
  // kTilde only: it follows a `=` or `:` and is expanded only where the word is an assignment.
  bool only_in_assignment = false;
  uint16_t word_flags = 0;  // of the word that holds it in place
  uint32_t size = 0;        // of the text, or number of parts
  Span span;
  union {
    const char* bytes = nullptr;
    const Part* children;
    const Parameter* parameter_;
    const CommandSubstitution* command_;
    const Arithmetic* arithmetic_;
    const ProcessSubstitution* process_;
    const ExtGlob* ext_glob_;
    const Brace* brace_;
    const Array* array_;
  };

  [[nodiscard]] bool is_text() const { return kind <= PartKind::kAnsiQuoted; }
  [[nodiscard]] bool is_quoted() const {
    return kind >= PartKind::kEscaped && kind <= PartKind::kLocaleQuoted;
  }
  [[nodiscard]] bool is_expansion() const { return kind >= PartKind::kParameter; }
  [[nodiscard]] std::string_view text() const { return {bytes, size}; }
  [[nodiscard]] std::span<const Part> parts() const { return {children, size}; }
  [[nodiscard]] const Parameter& parameter() const { return *parameter_; }
  [[nodiscard]] const CommandSubstitution& command() const { return *command_; }
  [[nodiscard]] const Arithmetic& arithmetic() const { return *arithmetic_; }
  [[nodiscard]] const ProcessSubstitution& process() const { return *process_; }
  [[nodiscard]] const ExtGlob& ext_glob() const { return *ext_glob_; }
  [[nodiscard]] const Brace& brace() const { return *brace_; }
  [[nodiscard]] const Array& array() const { return *array_; }
};

// What is known of a word without expanding it: any of the bits.
enum WordFlags : uint16_t {
  kWordIsLiteral = 1,      // no expansion, tilde, glob or brace: literal() is its one value
  kWordIsQuoted = 2,       // some part of it is quoted or escaped
  kWordMayGlob = 4,        // holds an unquoted `*`, `?`, `[` with a later `]`, or an extglob
  kWordHasExpansion = 8,   // a parameter, command, arithmetic or process somewhere
  kWordHasTilde = 16,      // a tilde that is expanded in any context
  kWordHasBrace = 32,      // a brace expansion
  kWordIsAssignment = 64,  // starts with an unquoted `name=`, `name+=` or `name[...]=`
  kWordHasArray = 128,     // has a kArray part
  kWordIsInPlace = 256,    // its one part is held in the word itself
};

// One word, with at least one part unless it is empty (only `"${x:-}"`-like operands and the values
// of assignments may be). A single part is mostly held in place, without an allocation.
struct Word {
  Span span;
  // The one part itself, or what points to the parts. After those of a literal word there is one
  // more, with their joined value. To be read through parts() and literal().
  Part root;

  Word() { root.word_flags = kWordIsLiteral; }

  [[nodiscard]] bool has(WordFlags flag) const { return (root.word_flags & flag) != 0; }
  [[nodiscard]] bool is_literal() const { return has(kWordIsLiteral); }
  [[nodiscard]] bool is_quoted() const { return has(kWordIsQuoted); }
  // Literal and not quoted: may be a keyword, an alias, a file descriptor.
  [[nodiscard]] bool is_plain() const {
    return (root.word_flags & (kWordIsLiteral | kWordIsQuoted)) == kWordIsLiteral;
  }
  [[nodiscard]] bool is_empty() const { return parts().empty(); }
  [[nodiscard]] std::span<const Part> parts() const {
    return has(kWordIsInPlace) ? std::span<const Part>(&root, 1) : root.parts();
  }
  // The value after quote removal of a word that is_literal(); not to be called for others.
  [[nodiscard]] std::string_view literal() const {
    if (has(kWordIsInPlace)) return root.text();
    return root.size == 0 ? std::string_view() : root.children[root.size].text();
  }
};

enum class SubscriptKind : uint8_t { kExpression, kAllSeparate /* [@] */, kAllJoined /* [*] */ };

// `[...]` after a name. Whether the text is arithmetic or a key depends on the array's declaration,
// so both readings are kept; `expression` is null where it is no arithmetic.
struct Subscript {
  SubscriptKind kind = SubscriptKind::kExpression;
  Span span;  // with the brackets
  Word word;
  const ArithmeticExpression* expression = nullptr;
};

enum class ParameterOp : uint8_t {
  kNone,                  // $x ${x}
  kLength,                // ${#x}
  kDefault,               // ${x-w}
  kAssign,                // ${x=w}
  kError,                 // ${x?w}
  kAlternative,           // ${x+w}
  kRemoveShortestPrefix,  // ${x#p}
  kRemoveLongestPrefix,   // ${x##p}
  kRemoveShortestSuffix,  // ${x%p}
  kRemoveLongestSuffix,   // ${x%%p}
  kSlice,                 // ${x:o} ${x:o:l}
  kReplaceFirst,          // ${x/p/r}
  kReplaceAll,            // ${x//p/r}
  kReplacePrefix,         // ${x/#p/r}
  kReplaceSuffix,         // ${x/%p/r}
  kUpperFirst,            // ${x^p}
  kUpperAll,              // ${x^^p}
  kLowerFirst,            // ${x,p}
  kLowerAll,              // ${x,,p}
  kToggleFirst,           // ${x~p}
  kToggleAll,             // ${x~~p}
  kTransform,             // ${x@Q}
  kNames,                 // ${!x*} ${!x@}
  kKeys,                  // ${!a[@]} ${!a[*]}
  kBad,                   // not understood: the shell says "bad substitution" when it is expanded
};

enum class ParameterKind : uint8_t { kVariable, kPositional, kSpecial };

// The operands that only some operators have.
struct ParameterOperands {
  const Word* replacement = nullptr;  // null if there is no second `/`; length of a slice as text
  const ArithmeticExpression* offset = nullptr;  // slices; null where it is no static arithmetic
  const ArithmeticExpression* length = nullptr;
};

struct Parameter {
  std::string_view name;  // "x", "10", "@"; for kBad everything up to `argument`
  uint32_t name_at = 0;   // where it stands
  uint32_t position = 0;  // kPositional: its number (saturated)
  ParameterKind kind = ParameterKind::kVariable;
  ParameterOp op = ParameterOp::kNone;
  char letter = 0;  // kTransform: Q E P A K a k u U L; kNames: '*' or '@'
  bool has_braces = false;
  bool has_colon = false;    // of - = ? +: null counts as unset
  bool is_indirect = false;  // ${!x...}
  const Subscript* subscript = nullptr;
  const Word* argument = nullptr;  // word, pattern; offset of a slice as text
  const ParameterOperands* operands = nullptr;

  [[nodiscard]] Span name_span() const {
    return {name_at, name_at + static_cast<uint32_t>(name.size())};
  }
  [[nodiscard]] const Word* replacement() const {
    return operands == nullptr ? nullptr : operands->replacement;
  }
};

enum class SubstitutionForm : uint8_t { kDollar /* $( ) */, kBackquote, kBrace /* ${ ;} ${| } */ };

struct CommandSubstitution {
  SubstitutionForm form = SubstitutionForm::kDollar;
  Sequence body;
};

struct ProcessSubstitution {
  bool is_input = true;  // <(...)
  Sequence body;
};

// The text of an arithmetic expression is first expanded like a double-quoted word and only then
// parsed by the shell. `expression` is the tree of the text as it stands, with expansions as
// leaves; it is null where there is none (`$((1 $op 2))`), and where a value of an expansion is not
// a plain number the shell may see another tree.
struct Arithmetic {
  Word word;
  const ArithmeticExpression* expression = nullptr;
  bool is_bracket = false;  // $[...]
};

struct ExtGlob {
  char op = '@';  // ? * + @ !
  std::span<const Word> alternatives;
};

enum class BraceForm : uint8_t { kList, kNumbers, kCharacters };

struct Brace {
  BraceForm form = BraceForm::kList;
  std::span<const Word> alternatives;     // kList; for a sequence its two or three bounds
  int64_t first = 0, last = 0, step = 1;  // sequences; characters by their code; step is not 0
  uint32_t width = 0;                     // kNumbers: pad with zeros to this width
};

struct ArrayElement {
  Span span;
  const Subscript* subscript = nullptr;  // [key]=value
  bool is_append = false;
  Word value;
};

struct Array {
  std::span<const ArrayElement> elements;
};

// ----------------------------------------------------------------------------------- arithmetic

enum class ArithmeticKind : uint8_t {
  kNumber,     // value
  kVariable,   // name, subscript
  kExpansion,  // parts: $x, ${x}, $(...), "..." and what they touch (`$x$y`, `10#$x`)
  kGroup,      // ( left )
  kUnary,      // op left
  kPostfix,    // left op: ++ --
  kBinary,     // left op right
  kAssign,     // left op right; op is the compound operator, kNone for `=`
  kTernary,    // condition ? left : right
};

enum class ArithmeticOp : uint8_t {
  kNone,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kPower,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kBitAnd,
  kBitXor,
  kBitOr,
  kAnd,
  kOr,
  kComma,
  kPlus,
  kMinus,
  kNot,
  kComplement,
  kIncrement,
  kDecrement,
};

struct ArithmeticExpression {
  ArithmeticKind kind = ArithmeticKind::kNumber;
  ArithmeticOp op = ArithmeticOp::kNone;
  Span span;
  int64_t value = 0;
  std::string_view name;
  const Subscript* subscript = nullptr;
  std::span<const Part> parts;
  const ArithmeticExpression* left = nullptr;
  const ArithmeticExpression* right = nullptr;
  const ArithmeticExpression* condition = nullptr;
};

}  // namespace nacre::shell
