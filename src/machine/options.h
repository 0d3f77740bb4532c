// The options of `set`: one letter, one name, or both.
#pragma once

#include <bitset>
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
  // More of shopt: about sessions, old versions, details.
  kAutocd,
  kAssocExpandOnce,
  kCdableVars,
  kCdspell,
  kCheckhash,
  kCheckjobs,
  kCheckwinsize,
  kCmdhist,
  kCompat31,
  kCompat32,
  kCompat40,
  kCompat41,
  kCompat42,
  kCompat43,
  kCompat44,
  kCompleteFullquote,
  kDirexpand,
  kDirspell,
  kExecfail,
  kExtdebug,
  kExtquote,
  kForceFignore,
  kGlobasciiranges,
  kGlobskipdots,
  kGnuErrfmt,
  kHistappend,
  kHistreedit,
  kHistverify,
  kHostcomplete,
  kHuponexit,
  kLithist,
  kLocalvarInherit,
  kLocalvarUnset,
  kLoginShell,
  kMailwarn,
  kNoEmptyCmdCompletion,
  kNoexpandTranslation,
  kProgcomp,
  kProgcompAlias,
  kPromptvars,
  kRestrictedShell,
  kShiftVerbose,
  kVarredirClose,
  kCount,
};
constexpr size_t kOptionCount = static_cast<size_t>(Option::kCount);

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
  [[nodiscard]] bool has(Option option) const { return bits_[static_cast<size_t>(option)]; }
  void set(Option option, bool on) { bits_[static_cast<size_t>(option)] = on; }
  [[nodiscard]] std::string letters() const;  // the value of $-
  // All of them: equal for equal options.
  [[nodiscard]] const std::bitset<kOptionCount>& bits() const { return bits_; }
  void set_bash_defaults();

 private:
  std::bitset<kOptionCount> bits_;
};

}  // namespace nacre::machine
