// Shell arithmetic on intmax_t, as in C: all operators of POSIX including assignment, plus ++ --
// and
// **. Overflow wraps; division by zero and a shift out of range are handled, not undefined.
//
// An Expression is parsed once where its text is known in advance; where expansions make the text,
// it is parsed when it runs. Names may stand for expressions themselves (x=1+2; $((x*2)) is 6).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "machine/array.h"
#include "machine/names.h"
#include "shell/arena.h"
#include "shell/ast.h"

namespace nacre::machine {

struct Expression {
  // kSlot: a leaf that was written `$name`, whose value the caller gives when it runs.
  enum Kind : uint8_t { kNumber, kVariable, kSlot, kUnary, kPostfix, kBinary, kAssign, kTernary };
  Kind kind = kNumber;
  shell::ArithmeticOp op = shell::ArithmeticOp::kNone;
  int64_t value = 0;           // kNumber; kSlot: which one
  NameId name = kNoName;       // kVariable
  bool has_subscript = false;  // kVariable: `left` is its index, `key` its text
  std::string_view key;
  const Expression* left = nullptr;
  const Expression* right = nullptr;
  const Expression* condition = nullptr;
};

// Where names get their values; failures come back as messages.
class Bindings {
 public:
  virtual ~Bindings() = default;
  // Null if unset; fails only under `set -u`.
  virtual Result<const std::string*> lookup(NameId name) = 0;
  virtual Result<int> assign(NameId name, std::string_view value) = 0;
  // Elements of arrays; only bash has them.
  [[nodiscard]] virtual bool has_arrays() const { return false; }
  [[nodiscard]] virtual bool is_associative(NameId /*name*/) { return false; }
  virtual Result<const std::string*> lookup(NameId /*name*/, const Key& /*key*/) { return nullptr; }
  virtual Result<int> assign(NameId name, const Key& /*key*/, std::string_view value) {
    return assign(name, value);
  }
};

// `has_arrays`: name[index] is an operand.
[[nodiscard]] Result<const Expression*> parse_arithmetic(std::string_view text, Names& names,
                                                         shell::Arena& arena,
                                                         bool has_arrays = false);
[[nodiscard]] Result<int64_t> evaluate(const Expression& expression, Bindings& bindings,
                                       Names& names, std::span<const int64_t> slots = {});

// Decimal, 0 octal, 0x hexadecimal, with an optional sign and surrounding blanks; false if not one.
[[nodiscard]] bool parse_integer(std::string_view text, int64_t& value);

}  // namespace nacre::machine
