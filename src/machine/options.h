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
  kCount,
};

struct OptionName {
  Option option;
  char letter;            // 0: none
  std::string_view name;  // "": none
};

// In the order in which `set -o` lists them.
[[nodiscard]] std::span<const OptionName> option_names();
// Null if there is none.
[[nodiscard]] const OptionName* find_option(std::string_view name);
[[nodiscard]] const OptionName* find_option(char letter);

class Options {
 public:
  [[nodiscard]] bool has(Option option) const {
    return (bits_ >> static_cast<int>(option) & 1) != 0;
  }
  void set(Option option, bool on) {
    uint32_t bit = 1u << static_cast<int>(option);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }
  [[nodiscard]] std::string letters() const;  // the value of $-

 private:
  uint32_t bits_ = 0;
};

}  // namespace nacre::machine
