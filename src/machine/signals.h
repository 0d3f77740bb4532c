// Signals by name and number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nacre::machine {

// "INT"; "EXIT" for 0; "" if there is no such signal.
[[nodiscard]] std::string signal_name(int signal);
// What people read when a job ends by it: "Terminated", "Segmentation fault".
[[nodiscard]] std::string signal_description(int signal);
// A number, or a name with or without SIG, in any case; EXIT is 0.
[[nodiscard]] std::optional<int> signal_number(std::string_view text);

}  // namespace nacre::machine
