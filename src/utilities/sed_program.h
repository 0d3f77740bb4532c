// A sed script, parsed.
#pragma once

#include <array>
#include <optional>

#include "utilities/regex.h"
#include "utilities/utility.h"

namespace nacre::utilities {

struct SedAddress {
  enum Kind : uint8_t { kNone, kLine, kLast, kRegex, kStep, kPlus, kMultiple } kind = kNone;
  size_t number = 0;  // kLine, kPlus, kMultiple; kStep: the first
  size_t step = 0;
  std::optional<Regex> regex;  // nothing: the last one that was used
};

// A piece of the replacement of s: text, a group (0 is &), or a change of case.
struct SedPiece {
  enum Kind : uint8_t {
    kText,
    kGroup,
    kUpper,
    kLower,
    kUpperOne,
    kLowerOne,
    kEndCase
  } kind = kText;
  std::string text;
  size_t group = 0;
};

struct SedCommand {
  SedAddress first;
  SedAddress second;
  bool is_negated = false;
  char name = 0;
  std::string text;   // of a i c, the file of r w, the label of b t T :
  size_t target = 0;  // of b t T {: where to go on
  std::optional<Regex> regex;
  std::vector<SedPiece> replacement;
  std::array<char, 256> map{};  // of y
  bool is_global = false;
  bool prints = false;
  size_t occurrence = 1;
  int exit_status = 0;  // of q Q
};

struct SedProgram {
  std::vector<SedCommand> commands;
  bool is_quiet_by_comment = false;  // #n
};

// Nothing after a message; `status` is then the exit status.
[[nodiscard]] std::optional<SedProgram> parse_sed(Context& context, const std::string& script,
                                                  bool is_extended, int& status);

}  // namespace nacre::utilities
