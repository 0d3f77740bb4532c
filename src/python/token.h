// Python 3.12's tokens. `tokenize` reads a whole file once, in linear time, and gives back every
// token that the grammar sees: comments and blank lines are gone, indentation is explicit, and an
// f-string is a sequence (start, text, `{`, the tokens of the expression, `}`, ..., end), so that
// the parser meets expressions in f-strings as it meets any other.
//
// Nesting is limited as in CPython (200 brackets, 100 levels of indentation); the bytes must be
// UTF-8. A token's text is file.text(token.span).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/span.h"

namespace nacre::python {

// The operators and the hard keywords, with their
// spelling. Longer operators come first, so that the first one that fits is the right one.
#define NACRE_PYTHON_OPERATORS(X) \
  X(kDoubleStarEqual, "**=")      \
  X(kDoubleSlashEqual, "//=")     \
  X(kLeftShiftEqual, "<<=")       \
  X(kRightShiftEqual, ">>=")      \
  X(kEllipsis, "...")             \
  X(kDoubleStar, "**")            \
  X(kDoubleSlash, "//")           \
  X(kLeftShift, "<<")             \
  X(kRightShift, ">>")            \
  X(kLessEqual, "<=")             \
  X(kGreaterEqual, ">=")          \
  X(kEqualEqual, "==")            \
  X(kNotEqual, "!=")              \
  X(kArrow, "->")                 \
  X(kPlusEqual, "+=")             \
  X(kMinusEqual, "-=")            \
  X(kStarEqual, "*=")             \
  X(kSlashEqual, "/=")            \
  X(kPercentEqual, "%=")          \
  X(kAmpersandEqual, "&=")        \
  X(kBarEqual, "|=")              \
  X(kCaretEqual, "^=")            \
  X(kAtEqual, "@=")               \
  X(kWalrus, ":=")                \
  X(kLeftParen, "(")              \
  X(kRightParen, ")")             \
  X(kLeftBracket, "[")            \
  X(kRightBracket, "]")           \
  X(kLeftBrace, "{")              \
  X(kRightBrace, "}")             \
  X(kPlus, "+")                   \
  X(kMinus, "-")                  \
  X(kStar, "*")                   \
  X(kSlash, "/")                  \
  X(kPercent, "%")                \
  X(kAt, "@")                     \
  X(kAmpersand, "&")              \
  X(kBar, "|")                    \
  X(kCaret, "^")                  \
  X(kTilde, "~")                  \
  X(kLess, "<")                   \
  X(kGreater, ">")                \
  X(kComma, ",")                  \
  X(kColon, ":")                  \
  X(kDot, ".")                    \
  X(kSemicolon, ";")              \
  X(kEqual, "=")

#define NACRE_PYTHON_KEYWORDS(X) \
  X(kFalse, "False")             \
  X(kNone, "None")               \
  X(kTrue, "True")               \
  X(kAnd, "and")                 \
  X(kAs, "as")                   \
  X(kAssert, "assert")           \
  X(kAsync, "async")             \
  X(kAwait, "await")             \
  X(kBreak, "break")             \
  X(kClass, "class")             \
  X(kContinue, "continue")       \
  X(kDef, "def")                 \
  X(kDel, "del")                 \
  X(kElif, "elif")               \
  X(kElse, "else")               \
  X(kExcept, "except")           \
  X(kFinally, "finally")         \
  X(kFor, "for")                 \
  X(kFrom, "from")               \
  X(kGlobal, "global")           \
  X(kIf, "if")                   \
  X(kImport, "import")           \
  X(kIn, "in")                   \
  X(kIs, "is")                   \
  X(kLambda, "lambda")           \
  X(kNonlocal, "nonlocal")       \
  X(kNot, "not")                 \
  X(kOr, "or")                   \
  X(kPass, "pass")               \
  X(kRaise, "raise")             \
  X(kReturn, "return")           \
  X(kTry, "try")                 \
  X(kWhile, "while")             \
  X(kWith, "with")               \
  X(kYield, "yield")

enum class Tok : uint8_t {
  kName,  // also the soft keywords: match, case, type, _
  kNumber,
  kString,        // a whole literal that is not an f-string, with prefix and quotes
  kFStringStart,  // prefix and opening quotes
  kFStringText,   // text between replacement fields or in a format
  kFStringEnd,    // closing quotes
  kExclamation,   // before a conversion, in a replacement field only
  kNewline,
  kIndent,
  kDedent,
  kEnd,
#define NACRE_PYTHON_ENUMERATOR(name, text) name,
  NACRE_PYTHON_OPERATORS(NACRE_PYTHON_ENUMERATOR) NACRE_PYTHON_KEYWORDS(NACRE_PYTHON_ENUMERATOR)
#undef NACRE_PYTHON_ENUMERATOR
};

// How a token kind is called in messages: "'+='", "a name", "the end of the line".
std::string_view describe(Tok kind);

struct Token {
  Tok kind = Tok::kEnd;
  Span span;
};

struct TokenLimits {
  uint32_t brackets = 200;
  uint32_t indents = 100;
  uint32_t fstrings = 150;  // f-strings inside each other
};

Result<std::vector<Token>> tokenize(std::string_view text, TokenLimits limits = {});

}  // namespace nacre::python
