// Command lines as getopt_long() reads them: letters that may be clustered, values attached or
// separate, long names that may be abbreviated, operands anywhere, `--`.
#pragma once

#include <initializer_list>
#include <optional>

#include "utilities/utility.h"

namespace nacre::utilities {

struct LongOption {
  std::string_view name;  // with '=' at its end if it takes a value
  int letter;             // what it is the same as; above 255 if it has none
};

struct Given {
  int letter;
  std::string value;
};

struct Options {
  std::vector<Given> given;  // in their order
  std::vector<std::string> operands;

  [[nodiscard]] bool has(int letter) const { return last(letter) != nullptr; }
  [[nodiscard]] const std::string* last(int letter) const;  // its value
  // The last of these that was given; 0.
  [[nodiscard]] int last_of(std::string_view letters) const;
};

// `letters`: those that are modelled, each followed by ':' if it takes a value; a '+' in front
// stops at the first operand. Nothing after the message about an option that is not modelled:
// return kNotModelled then.
[[nodiscard]] std::optional<Options> parse_options(Context& context, std::string_view letters,
                                                   std::initializer_list<LongOption> names = {});

// A decimal number with an optional sign; nothing if it is not one.
[[nodiscard]] std::optional<int64_t> parse_number(std::string_view text);

}  // namespace nacre::utilities
