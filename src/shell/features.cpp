#include "shell/features.h"

#include <array>

namespace nacre::shell {

namespace {

enum : uint8_t { kBashBit = 1, kKshBit = 2, kBusyboxBit = 4, kAll = 7 };

struct Row {
  Feature feature;
  std::string_view name;
  uint8_t dialects;  // dash and sh have none of them
};

// ksh: what ksh93 and mksh share. busybox: ash as Debian builds it.
constexpr std::array kRows = {
    Row{Feature::kArrays, "arrays", kBashBit | kKshBit},
    Row{Feature::kArithmeticCommand, "the arithmetic command `(( ))`", kBashBit | kKshBit},
    Row{Feature::kArithmeticFor, "the arithmetic `for (( ; ; ))`", kBashBit | kKshBit},
    Row{Feature::kConditional, "the conditional command `[[ ]]`", kAll},
    Row{Feature::kProcessSubstitution, "process substitution", kAll},
    Row{Feature::kHereString, "the here-string `<<<`", kAll & ~kBusyboxBit},
    Row{Feature::kOutputAll, "the redirection `&>`", kAll},
    Row{Feature::kPipeErrors, "the pipe `|&`", kBashBit},
    Row{Feature::kFunctionKeyword, "the word `function`", kAll},
    Row{Feature::kFunctionNames, "function names that are not valid variable names", kAll},
    Row{Feature::kSelect, "the `select` loop", kBashBit | kKshBit},
    Row{Feature::kCoproc, "coprocesses", kBashBit},
    Row{Feature::kTime, "the reserved word `time`", kBashBit | kKshBit},
    Row{Feature::kBraceExpansion, "brace expansion", kBashBit | kKshBit},
    Row{Feature::kExtendedGlobs, "extended patterns such as `@(a|b)`", kBashBit | kKshBit},
    Row{Feature::kAnsiQuotes, "the quotes `$'...'`", kAll},
    Row{Feature::kLocaleQuotes, "the quotes `$\"...\"`", kBashBit | kKshBit},
    Row{Feature::kCaseFallThrough, "the case terminator `;&`", kAll & ~kBusyboxBit},
    Row{Feature::kCaseContinue, "the case terminator `;;&`", kBashBit},
    Row{Feature::kAppendAssignment, "the assignment `+=`", kBashBit | kKshBit},
    Row{Feature::kDescriptorVariable, "the redirection `{name}>`", kBashBit | kKshBit},
    Row{Feature::kParameterReplace, "the replacement `${x/a/b}`", kAll},
    Row{Feature::kParameterSlice, "the slice `${x:a:b}`", kAll},
    Row{Feature::kParameterCase, "the case change `${x^}` or `${x,}`", kBashBit},
    Row{Feature::kParameterTransform, "the transformation `${x@Q}`", kBashBit | kKshBit},
    Row{Feature::kParameterIndirect, "the indirection `${!x}`", kBashBit | kKshBit},
    Row{Feature::kBracketArithmetic, "the arithmetic `$[ ]`", kBashBit},
    Row{Feature::kRepeatedBang, "`!` more than once", kBashBit | kKshBit},
    Row{Feature::kIncrement, "the operators `++`, `--`, `**` and `,`", kAll},
};

constexpr bool rows_are_in_order() {
  for (size_t i = 0; i < kRows.size(); i++) {
    if (static_cast<size_t>(kRows[i].feature) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_order());

}  // namespace

bool has(Dialect dialect, Feature feature) {
  uint8_t dialects = kRows[static_cast<size_t>(feature)].dialects;
  switch (dialect) {
    case Dialect::kBash: return (dialects & kBashBit) != 0;
    case Dialect::kKsh: return (dialects & kKshBit) != 0;
    case Dialect::kBusybox: return (dialects & kBusyboxBit) != 0;
    case Dialect::kSh:
    case Dialect::kDash: return false;
  }
  return false;
}

std::string_view name_of(Feature feature) { return kRows[static_cast<size_t>(feature)].name; }

}  // namespace nacre::shell
