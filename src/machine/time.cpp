// time: how long a pipeline takes, on standard error.
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

namespace {

// 0m1.234s, or 1.23 where `is_posix` or a format wants seconds only.
std::string duration(uint64_t nanoseconds, int digits, bool with_minutes) {
  uint64_t seconds = nanoseconds / world::kNanosecondsPerSecond;
  std::string fraction = fmt::format("{:09}", nanoseconds % world::kNanosecondsPerSecond)
                             .substr(0, static_cast<size_t>(digits));
  std::string text = digits == 0 ? "" : "." + fraction;
  if (!with_minutes) return fmt::format("{}{}", seconds, text);
  return fmt::format("{}m{}{}s", seconds / 60, seconds % 60, text);
}

struct Spent {
  uint64_t real = 0, user = 0, system = 0;
};

// TIMEFORMAT: %[digits][l]R, U, S, %P and %%.
std::string formatted(std::string_view format, const Spent& spent) {
  std::string result;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      result += format[i];
      continue;
    }
    ++i;
    int digits = 3;
    if (format[i] >= '0' && format[i] <= '9') digits = std::min(format[i++] - '0', 3);
    bool with_minutes = i < format.size() && format[i] == 'l';
    if (with_minutes) ++i;
    char kind = i < format.size() ? format[i] : '%';
    uint64_t cpu = spent.user + spent.system;
    switch (kind) {
      case 'R': result += duration(spent.real, digits, with_minutes); break;
      case 'U': result += duration(spent.user, digits, with_minutes); break;
      case 'S': result += duration(spent.system, digits, with_minutes); break;
      case 'P':
        result += fmt::format("{:.2f}", spent.real == 0 ? 0.0
                                                        : 100.0 * static_cast<double>(cpu) /
                                                              static_cast<double>(spent.real));
        break;
      default: result += kind; break;
    }
  }
  return result + '\n';
}

}  // namespace

Rule Machine::step_time(Frame& frame) {
  auto& self = frame.as<TimeFrame>();
  const Node& node = *frame.node;
  if (!self.has_started) {
    self.has_started = true;
    self.start_ns = os->clock_ns();
    self.start = os->cpu_times();
    if (node.children.empty()) {
      state.status = 0;
      return Rule::kRun;
    }
    push_node(node.children[0], frame.tested);
    return Rule::kRun;
  }
  world::CpuTimes now = os->cpu_times();
  Spent spent;
  spent.real = static_cast<uint64_t>(os->clock_ns() - self.start_ns);
  spent.user = now.user + now.child_user - self.start.user - self.start.child_user;
  spent.system = now.system + now.child_system - self.start.system - self.start.child_system;
  const std::string* format = state.variables.get("TIMEFORMAT");
  std::string_view wanted = node.negated        ? "real %2R\nuser %2U\nsys %2S"
                            : format != nullptr ? std::string_view(*format)
                                                : "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";
  if (!wanted.empty()) write_all(io[2], formatted(wanted, spent));
  bool tested = frame.tested;
  pop();
  (void)tested;
  return Rule::kRun;
}

}  // namespace nacre::machine
