// The options of `set`: one letter, one name, or both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nacre::machine {

enum class Option : uint8_t {
  kAllExport,
  kNotify,
  kNoClobber,
  kErrExit,
  kNoGlob,
  kHashAll,
  kInteractive,
  kMonitor,
  kNoExec,
  kStandardInput,
  kNoUnset,
  kVerbose,
  kTrace,
  kIgnoreEof,
  kNoLog,
  kVi,
  kEmacs,
  kPipeFail,
  kBash,               // the language and the builtins of bash
  kNonLexicalControl,  // break and continue in a function reach the caller's loop
  // Options of set that only bash has.
  kBraceExpand,
  kErrTrace,
  kFuncTrace,
  kHistExpand,
  kHistory,
  kInteractiveComments,
  kKeyword,
  kOneCommand,
  kPhysical,
  kPosix,
  kPrivileged,
  // Options of bash's shopt.
  kDotGlob,
  kExpandAliases,
  kExtGlob,
  kFailGlob,
  kGlobStar,
  kInheritErrExit,
  kLastPipe,
  kNoCaseGlob,
  kNoCaseMatch,
  kNullGlob,
  kPatsubReplacement,
  kSourcePath,
  kXpgEcho,
  kCount,
};
static_assert(static_cast<int>(Option::kCount) <= 64);

struct OptionName {
  Option option;
  char letter;            // 0: none
  std::string_view name;  // "": none
};

// In the order in which `set -o` lists them. Those of bash come and go with its language.
[[nodiscard]] std::span<const OptionName> option_names(bool in_bash = false);
// An option of bash whose effect is not there: switching it is an error, not a silence.
[[nodiscard]] bool is_missing(Option option, bool on);
// Null if there is none.
[[nodiscard]] const OptionName* find_option(std::string_view name, bool in_bash = false);
[[nodiscard]] const OptionName* find_option(char letter, bool in_bash = false);
// The option of shopt with this name.
[[nodiscard]] std::span<const OptionName> shopt_names();

class Options {
 public:
  [[nodiscard]] bool has(Option option) const {
    return (bits_ >> static_cast<int>(option) & 1) != 0;
  }
  void set(Option option, bool on) {
    uint64_t bit = uint64_t{1} << static_cast<int>(option);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }
  [[nodiscard]] std::string letters() const;  // the value of $-
  // All of them as one number: equal for equal options.
  [[nodiscard]] uint64_t bits() const { return bits_; }
  void set_bash_defaults();

 private:
  uint64_t bits_ = 0;
};

}  // namespace nacre::machine
