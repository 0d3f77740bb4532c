// printf as awk has it.
#pragma once

#include <optional>
#include <vector>

#include "utilities/awk_value.h"

namespace nacre::utilities {

// One number by a format such as CONVFMT.
[[nodiscard]] std::string format_number(const std::string& format, double value);
// Nothing, with the reason in `error`, if there are too few arguments or a width is absurd.
[[nodiscard]] std::optional<std::string> format_values(const std::string& format,
                                                       const std::vector<AwkValue>& arguments,
                                                       const std::string& number_format,
                                                       std::string& error);

}  // namespace nacre::utilities
