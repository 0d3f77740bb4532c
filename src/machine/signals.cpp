#include "machine/signals.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>

#include "base/ascii.h"

namespace nacre::machine {

std::string signal_name(int signal) {
  if (signal == 0) return "EXIT";
  if (signal == kErrTrap) return "ERR";
  if (signal == kDebugTrap) return "DEBUG";
  if (signal == kReturnTrap) return "RETURN";
  if (const char* name = sigabbrev_np(signal)) return name;
  if (signal == SIGRTMIN) return "RTMIN";
  if (signal == SIGRTMAX) return "RTMAX";
  if (signal > SIGRTMIN && signal < SIGRTMAX) return fmt::format("RTMIN+{}", signal - SIGRTMIN);
  return "";
}

std::string signal_description(int signal) {
  const char* text = sigdescr_np(signal);
  return text != nullptr ? text : "Signal " + std::to_string(signal);
}

std::optional<int> signal_number(std::string_view text) {
  if (is_digits(text)) {
    if (text.size() > 3) return std::nullopt;
    int number = std::stoi(std::string(text));
    return number < NSIG ? std::optional(number) : std::nullopt;
  }
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  if (upper.starts_with("SIG")) upper.erase(0, 3);
  if (upper.empty()) return std::nullopt;
  for (int signal = 0; signal < NSIG; ++signal) {
    if (signal_name(signal) == upper) return signal;
  }
  return std::nullopt;
}

std::optional<int> trap_number(std::string_view text, bool in_bash) {
  for (int trap = kErrTrap; in_bash && trap < kTrapCount; ++trap) {
    if (text == signal_name(trap)) return trap;
  }
  return signal_number(text);
}

}  // namespace nacre::machine
