// Signals by name and number.
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::machine {

// What `trap` of bash takes besides signals, numbered after them.
constexpr int kErrTrap = NSIG;
constexpr int kDebugTrap = NSIG + 1;
constexpr int kReturnTrap = NSIG + 2;
constexpr int kTrapCount = NSIG + 3;

// "INT"; "EXIT" for 0; "" if there is no such signal.
[[nodiscard]] std::string signal_name(int signal);
// What people read when a job ends by it: "Terminated", "Segmentation fault".
[[nodiscard]] std::string signal_description(int signal);
// A number, or a name with or without SIG, in any case; EXIT is 0.
[[nodiscard]] std::optional<int> signal_number(std::string_view text);
// As signal_number(), or ERR, DEBUG or RETURN where they are known.
[[nodiscard]] std::optional<int> trap_number(std::string_view text, bool in_bash);

}  // namespace nacre::machine
