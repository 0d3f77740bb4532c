// printf.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/builtins.h"
#include "machine/escapes.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

class Formatter {
 public:
  Formatter(Machine& machine, Args args) : machine_(machine), args_(args), next_(2) {}

  int run(std::string_view format) {
    do {
      consumed_ = false;
      if (!once(format)) break;
    } while (consumed_ && next_ < args_.size());
    return status_;
  }

 private:
  // One pass over the format; false when the output ends here.
  bool once(std::string_view format) {
    size_t at = 0;
    while (at < format.size()) {
      char c = format[at];
      if (c == '\\') {
        append_escape(format, at, false, machine_.out_buffer, machine_.is_bash());
      } else if (c == '%') {
        ++at;
        if (!conversion(format, at)) return false;
      } else {
        machine_.out_buffer += c;
        ++at;
      }
    }
    return true;
  }

  std::string_view argument() {
    consumed_ = true;
    return next_ < args_.size() ? args_[next_++] : std::string_view();
  }

  void complain(std::string_view message) {
    machine_.builtin_error("printf", message);
    status_ = 1;
  }

  bool conversion(std::string_view format, size_t& at) {
    if (at < format.size() && format[at] == '%') {
      machine_.out_buffer += '%';
      ++at;
      return true;
    }
    std::string spec = "%";
    while (at < format.size() &&
           std::string_view("-+ #0'").find(format[at]) != std::string_view::npos)
      spec += format[at++];
    number_or_star(format, at, spec);
    if (at < format.size() && format[at] == '.') {
      spec += format[at++];
      number_or_star(format, at, spec);
    }
    while (at < format.size() &&
           std::string_view("hlLjzt").find(format[at]) != std::string_view::npos)
      ++at;
    if (machine_.is_bash() && at < format.size() && format[at] == '(') {
      size_t end = format.find(")T", at);
      if (end != std::string_view::npos) {
        print_text(spec, time_text(format.substr(at + 1, end - at - 1)));
        at = end + 2;
        return true;
      }
    }
    if (at >= format.size()) {
      complain("missing format character");
      return false;
    }
    return convert(format[at++], spec);
  }

  void number_or_star(std::string_view format, size_t& at, std::string& spec) {
    if (at < format.size() && format[at] == '*') {
      ++at;
      spec += std::to_string(static_cast<int>(integer(argument())));
      return;
    }
    while (at < format.size() && format[at] >= '0' && format[at] <= '9') spec += format[at++];
  }

  // A number of more than eight digits: more than any output is wide.
  static bool is_too_wide(std::string_view spec) {
    constexpr size_t kMaxDigits = 8;
    size_t digits = 0;
    for (char c : spec) {
      digits = c >= '0' && c <= '9' ? digits + 1 : 0;
      if (digits > kMaxDigits) return true;
    }
    return false;
  }

  bool convert(char kind, const std::string& spec) {
    if (is_too_wide(spec)) {
      complain("the width or precision is too large");
      return false;
    }
    switch (kind) {
      case 'd':
      case 'i': print(spec + "lld", static_cast<long long>(integer(argument()))); return true;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        print(spec + "ll" + kind, static_cast<unsigned long long>(integer(argument(), true)));
        return true;
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': print(spec + kind, real(argument())); return true;
      case 'c': {
        static constexpr char kNul = '\0';
        std::string_view text = argument().substr(0, 1);
        print_text(spec, text.empty() ? std::string_view(&kNul, 1) : text);
        return true;
      }
      case 's': print_text(spec, argument()); return true;
      case 'q':
        if (machine_.is_bash()) {
          print_text(spec, backslash_quoted(argument()));
          return true;
        }
        complain("%q: invalid directive");
        return false;
      case 'Q':
        if (machine_.is_bash()) {
          print_text(spec, backslash_quoted(argument()));
          return true;
        }
        complain("%Q: invalid directive");
        return false;
      case 'b': {
        std::string text;
        bool goes_on = append_escaped(argument(), text, machine_.is_bash());
        print_text(spec, text);
        return goes_on;
      }
      default: complain(fmt::format("%{}: invalid directive", kind)); return false;
    }
  }

  template <typename Value>
  void print(const std::string& spec, Value value) {
    char buffer[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int size = std::snprintf(buffer, sizeof buffer, spec.c_str(), value);
    if (size < static_cast<int>(sizeof buffer)) {
      machine_.out_buffer.append(buffer, static_cast<size_t>(std::max(size, 0)));
      return;
    }
    std::string large(static_cast<size_t>(size) + 1, '\0');
    std::snprintf(large.data(), large.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
    machine_.out_buffer.append(large.data(), static_cast<size_t>(size));
  }

  // By hand: the text may hold zero bytes, and the precision counts bytes.
  void print_text(const std::string& spec, std::string_view text) {
    bool left = spec.find('-') != std::string::npos;
    size_t dot = spec.find('.');
    if (dot != std::string::npos && spec[dot + 1] != '-') {
      text = text.substr(0, static_cast<size_t>(std::atol(spec.c_str() + dot + 1)));
    }
    size_t digits = spec.find_first_of("123456789");
    size_t width = digits < dot && digits != std::string::npos
                       ? static_cast<size_t>(std::atol(spec.c_str() + digits))
                       : 0;
    size_t padding = width > text.size() ? width - text.size() : 0;
    if (!left) machine_.out_buffer.append(padding, ' ');
    machine_.out_buffer += text;
    if (left) machine_.out_buffer.append(padding, ' ');
  }

  // %(format)T: -1 is now, -2 when the shell started.
  std::string time_text(std::string_view format) {
    bool has_argument = next_ < args_.size();
    int64_t seconds = has_argument ? integer(argument()) : -1;
    consumed_ = true;
    if (seconds == -1) seconds = machine_.os->clock_ns() / world::kNanosecondsPerSecond;
    if (seconds == -2) seconds = machine_.state.started_ns / world::kNanosecondsPerSecond;
    auto moment = static_cast<time_t>(seconds);
    std::tm parts{};
    localtime_r(&moment, &parts);
    std::string wanted(format.empty() ? "%X" : format);
    char buffer[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    size_t size = std::strftime(buffer, sizeof buffer, wanted.c_str(), &parts);
#pragma GCC diagnostic pop
    return std::string(buffer, size);
  }

  // 'c is the code of a character. What is wrong is said; what could be read counts.
  int64_t integer(std::string_view text, bool is_unsigned = false) {
    if (text.empty()) return 0;
    if (text[0] == '"' || text[0] == '\'') {
      if (text.size() < 2) return 0;
      std::string_view rest = text.substr(1);
      size_t size = machine_.state.locale.next(rest);
      // A byte that is not a character of the locale counts as itself.
      if (size == 1) return static_cast<unsigned char>(rest[0]);
      return machine_.state.locale.decode(rest.substr(0, size));
    }
    std::string copy(text);
    char* end = nullptr;
    errno = 0;
    int64_t value = is_unsigned && copy.find('-') == std::string::npos
                        ? static_cast<int64_t>(std::strtoull(copy.c_str(), &end, 0))
                        : std::strtoll(copy.c_str(), &end, 0);
    if (errno == ERANGE) {
      complain(fmt::format("{}: Numerical result out of range", text));
    } else if (end == copy.c_str()) {
      complain(bad_number(text, "expected numeric value"));
    } else if (*end != '\0') {
      complain(bad_number(text, "not completely converted"));
    }
    return value;
  }

  [[nodiscard]] std::string bad_number(std::string_view text, std::string_view why) const {
    return fmt::format("{}: {}", text, machine_.is_bash() ? "invalid number" : why);
  }

  double real(std::string_view text) {
    if (text.empty()) return 0;
    if (text[0] == '"' || text[0] == '\'') return static_cast<double>(integer(text));
    std::string copy(text);
    char* end = nullptr;
    double value = std::strtod(copy.c_str(), &end);
    if (end == copy.c_str()) {
      complain(bad_number(text, "expected numeric value"));
    } else if (*end != '\0') {
      complain(bad_number(text, "not completely converted"));
    }
    return value;
  }

  Machine& machine_;
  Args args_;
  size_t next_;
  bool consumed_ = false;
  int status_ = 0;
};

// printf -v name
int print_to_variable(Machine& machine, Args args) {
  bool is_joined = args[1].size() > 2;
  std::string target(is_joined ? args[1].substr(2) : args[2]);
  Args after = args.from(is_joined ? 1 : 2);
  Args rest = after.size() > 1 && after[1] == "--" ? after.from(1) : after;
  if (!is_name(std::string_view(target).substr(0, target.find('[')))) {
    return machine.builtin_failure("printf", fmt::format("`{}': not a valid identifier", target),
                                   2);
  }
  if (rest.size() < 2) {
    return machine.usage_failure("printf");
  }
  int status = Formatter(machine, rest).run(rest[1]);
  std::string value = std::move(machine.out_buffer);
  machine.out_buffer.clear();
  value.resize(std::min(value.find('\0'), value.size()));
  return machine.assign_named(target, value) ? status : 1;
}

}  // namespace

int run_printf(Machine& machine, Args args) {
  if (machine.is_bash() && args.size() > 2 && args[1].starts_with("-v")) {
    return print_to_variable(machine, args);
  }
  Args rest = args.size() > 1 && args[1] == "--" ? args.from(1) : args;
  if (rest.size() < 2 && machine.is_bash()) return machine.usage_failure("printf");
  if (rest.size() < 2)
    return machine.builtin_failure("printf", "usage: printf format [argument...]", 2);
  return Formatter(machine, rest).run(rest[1]);
}

}  // namespace nacre::machine
