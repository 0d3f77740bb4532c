// The options of a utility, read as its card says (commands/invocation.h): the card knows which
// there are, which take a value, and whether the first operand ends them. A utility names only
// those that it has code for; any other option of the card is answered with kNotModelled, and one
// that the card does not have is refused as the real command refuses it.
//
//   auto options = parse_options(context, "cut", "bcfds --complement");
//   if (!options) return options.error();
//   if (options->has("--complement")) ...
#pragma once

#include <optional>
#include <tl/expected.hpp>

#include "utilities/utility.h"

namespace nacre::utilities {

struct Given {
  char letter;            // 0 if it has none
  std::string_view name;  // "--complement"; empty if it has none
  std::string value;
};

struct Options {
  std::vector<Given> given;  // in their order
  std::vector<std::string> operands;

  [[nodiscard]] bool has(char letter) const { return last(letter) != nullptr; }
  [[nodiscard]] bool has(std::string_view name) const { return last(name) != nullptr; }
  [[nodiscard]] const std::string* last(char letter) const;  // its value
  [[nodiscard]] const std::string* last(std::string_view name) const;
  // The last of these that was given; 0.
  [[nodiscard]] char last_of(std::string_view letters) const;
};

// `modelled`: the letters, then the options that have none (--complement, -NUM), separated by
// blanks.
// `=` after one: also the value of an optional argument (`I= --color=`). `--silent:q`: an option
// that does the same as -q. An error is the status to return, after its message; `usage_status` is
// the one that the command has for a wrong option.
[[nodiscard]] tl::expected<Options, int> parse_options(Context& context, std::string_view card,
                                                       std::string_view modelled,
                                                       int usage_status = 1);

// A decimal number with an optional sign; nothing if it is not one.
[[nodiscard]] std::optional<int64_t> parse_number(std::string_view text);

}  // namespace nacre::utilities
