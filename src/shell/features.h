// What the dialects of the shell have beyond POSIX.1-2017, by name. A use of a feature that the
// dialect lacks is reported once per place, with the feature's name; whether the file is still
// valid to the dialect's shell depends on the feature (dash takes `[[` for a command's name, but
// stumbles over the parenthesis of an array).
#pragma once

#include <cstdint>
#include <string_view>

#include "shell/dialect.h"

namespace nacre::shell {

enum class Feature : uint8_t {
  kArrays,
  kArithmeticCommand,
  kArithmeticFor,
  kConditional,
  kProcessSubstitution,
  kHereString,
  kOutputAll,
  kPipeErrors,
  kFunctionKeyword,
  kFunctionNames,
  kSelect,
  kCoproc,
  kTime,
  kBraceExpansion,
  kExtendedGlobs,
  kAnsiQuotes,
  kLocaleQuotes,
  kCaseFallThrough,
  kCaseContinue,
  kAppendAssignment,
  kDescriptorVariable,
  kParameterReplace,
  kParameterSlice,
  kParameterCase,
  kParameterTransform,
  kParameterIndirect,
  kBracketArithmetic,
  kRepeatedBang,
  kIncrement,
};

[[nodiscard]] bool has(Dialect dialect, Feature feature);
// As a sentence wants it: "arrays", "the here-string `<<<`".
[[nodiscard]] std::string_view name_of(Feature feature);

}  // namespace nacre::shell
