#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

// Without `.`, `..` and doubled slashes; `..` takes away a component without asking the system.
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> parts;
  size_t at = 0;
  while (at < path.size()) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string result;
  for (std::string_view part : parts) {
    result += '/';
    result += part;
  }
  // Two slashes at the start may be something else than one.
  bool is_double = path.starts_with("//") && !path.starts_with("///");
  if (is_double) result.insert(0, "/");
  return result.empty() || result == "/" ? (is_double ? "//" : "/") : result;
}

// The directory that CDPATH gives, and whether it has to be shown.
std::string search_cdpath(Machine& machine, const std::string& directory, bool& shows) {
  const std::string* cdpath = machine.state.variables.get("CDPATH");
  bool is_searched = directory[0] != '/' && directory != "." && directory != ".." &&
                     !directory.starts_with("./") && !directory.starts_with("../");
  if (cdpath == nullptr || cdpath->empty() || !is_searched) return directory;
  size_t begin = 0;
  while (begin <= cdpath->size()) {
    size_t end = std::min(cdpath->find(':', begin), cdpath->size());
    std::string prefix = cdpath->substr(begin, end - begin);
    begin = end + 1;
    std::string candidate =
        prefix.empty() ? "./" + directory : prefix + (prefix.ends_with('/') ? "" : "/") + directory;
    if (!is_directory(*machine.os, candidate)) continue;
    shows |= !prefix.empty();
    return prefix.empty() ? directory : candidate;
  }
  return directory;
}

int scan_physical(Machine& machine, Args args, bool& physical, size_t& first) {
  OptionScanner options(args, "LPe");
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
    if (letter != 'e') physical = letter == 'P';
  }
  first = options.operands();
  return 0;
}

int cannot_change(Machine& machine, std::string_view command, const std::string& directory,
                  int error) {
  std::string_view before = machine.is_bash() ? "" : "can't cd to ";
  return machine.builtin_failure(
      command, fmt::format("{}{}: {}", before, directory, std::strerror(error)), 1);
}

}  // namespace

int run_cd(Machine& machine, Args args) {
  bool physical = machine.state.options.has(Option::kPhysical);
  size_t first = 1;
  if (int status = scan_physical(machine, args, physical, first)) return status;
  if (args.size() > first + 1) {
    return machine.builtin_failure(args[0], "too many arguments", machine.is_bash() ? 1 : 2);
  }
  Variables& variables = machine.state.variables;
  std::string directory;
  bool shows = false;
  if (first >= args.size()) {
    const std::string* home = variables.get("HOME");
    if (home == nullptr || home->empty())
      return machine.builtin_failure(args[0], "HOME not set", 1);
    directory = *home;
  } else if (args[first] == "-") {
    const std::string* old = variables.get("OLDPWD");
    if (old == nullptr) return machine.builtin_failure(args[0], "OLDPWD not set", 1);
    directory = *old;
    shows = true;
  } else {
    directory = args[first];
  }
  if (directory.empty() && machine.is_bash()) return 0;
  if (directory.empty()) return machine.builtin_failure(args[0], "empty directory name", 1);
  directory = search_cdpath(machine, directory, shows);
  std::string logical = directory;
  if (!physical) {
    const std::string& here = machine.state.directory;
    if (logical[0] != '/') logical = here + (here.ends_with('/') ? "" : "/") + logical;
    // A `..` after something that is not a directory must fail.
    for (size_t at = logical.find("/.."); at != std::string::npos;
         at = logical.find("/..", at + 3)) {
      bool is_component = at + 3 == logical.size() || logical[at + 3] == '/';
      if (is_component && at > 0 && !is_directory(*machine.os, logical.substr(0, at))) {
        return cannot_change(machine, args[0], directory, ENOENT);
      }
    }
    logical = normal_path(logical);
  }
  machine.remember_directory();
  int changed = machine.os->change_directory(logical.c_str());
  if (changed == -ENAMETOOLONG) changed = machine.os->change_directory(directory.c_str());
  if (changed < 0) {
    return cannot_change(machine, args[0], directory, -changed);
  }
  if (physical) machine.os->current_directory(logical);
  machine.assign(variables.id("OLDPWD"), machine.state.directory);
  machine.state.directory = logical;
  machine.assign(variables.id("PWD"), logical);
  if (shows) machine.out(logical + "\n");
  return 0;
}

int run_pwd(Machine& machine, Args args) {
  bool physical = machine.state.options.has(Option::kPhysical);
  size_t first = 1;
  if (int status = scan_physical(machine, args, physical, first)) return status;
  std::string directory = machine.state.directory;
  if (physical || directory.empty()) {
    if (int failed = machine.os->current_directory(directory); failed < 0) {
      return machine.builtin_failure(args[0], std::strerror(-failed), 1);
    }
    if (physical && !machine.state.is_subshell) {
      machine.state.directory = directory;
      machine.assign(machine.state.variables.id("PWD"), directory);
    }
  }
  machine.out(directory + "\n");
  return 0;
}

namespace {

std::string symbolic_mask(unsigned mask) {
  std::string result;
  for (int shift = 6; shift >= 0; shift -= 3) {
    unsigned allowed = ~(mask >> shift) & 7;
    result += shift == 6 ? "u=" : shift == 3 ? ",g=" : ",o=";
    if ((allowed & 4) != 0) result += 'r';
    if ((allowed & 2) != 0) result += 'w';
    if ((allowed & 1) != 0) result += 'x';
  }
  return result;
}

// u=rwx,g-w,+x as chmod reads it, applied to what the mask allows. False if it is not one.
bool parse_symbolic_mask(std::string_view text, unsigned& mask, std::string& why) {
  unsigned allowed = ~mask & 0777;
  size_t at = 0;
  while (at < text.size()) {
    unsigned who = 0;
    for (; at < text.size() && std::string_view("ugoa").find(text[at]) != std::string_view::npos;
         ++at) {
      who |= text[at] == 'u' ? 0700 : text[at] == 'g' ? 0070 : text[at] == 'o' ? 0007 : 0777;
    }
    if (who == 0) who = 0777;
    if (at >= text.size() || std::string_view("+-=").find(text[at]) == std::string_view::npos) {
      why = fmt::format("`{}': invalid symbolic mode operator", text.substr(at, 1));
      return false;
    }
    while (at < text.size() && std::string_view("+-=").find(text[at]) != std::string_view::npos) {
      char op = text[at++];
      unsigned bits = 0;
      for (; at < text.size() &&
             std::string_view("rwxXstugo").find(text[at]) != std::string_view::npos;
           ++at) {
        auto copied = [&](int shift) { return ((allowed >> shift) & 7) * 0111; };
        switch (text[at]) {
          case 'r': bits |= 0444; break;
          case 'w': bits |= 0222; break;
          case 'x': bits |= 0111; break;
          case 'X': bits |= (allowed & 0111) != 0 ? 0111 : 0; break;
          case 'u': bits |= copied(6); break;
          case 'g': bits |= copied(3); break;
          case 'o': bits |= copied(0); break;
          default: break;
        }
      }
      if (op == '+') allowed |= bits & who;
      if (op == '-') allowed &= ~(bits & who);
      if (op == '=') allowed = (allowed & ~who) | (bits & who);
    }
    if (at < text.size() && text[at] != ',') {
      why = fmt::format("`{}': invalid symbolic mode character", text[at]);
      return false;
    }
    ++at;
  }
  mask = ~allowed & 0777;
  return true;
}

}  // namespace

int run_umask(Machine& machine, Args args) {
  OptionScanner options(args, "Sp");
  bool symbolic = false;
  bool reusable = false;
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
    symbolic |= letter == 'S';
    reusable |= letter == 'p';
  }
  size_t first = options.operands();
  unsigned mask = machine.os->set_file_mask(0);
  machine.os->set_file_mask(mask);
  if (first >= args.size()) {
    if (reusable) machine.out(symbolic ? "umask -S " : "umask ");
    machine.out(symbolic ? symbolic_mask(mask) + "\n" : fmt::format("{:04o}\n", mask));
    return 0;
  }
  std::string_view text = args[first];
  unsigned wanted = mask;
  if (is_digits(text)) {
    int64_t octal = 0;
    if (!parse_integer("0" + std::string(text), octal) || octal > 0777) {
      if (machine.is_bash()) {
        return machine.builtin_failure(args[0], fmt::format("{}: octal number out of range", text));
      }
      return machine.builtin_failure(args[0], fmt::format("Illegal number: {}", text), 2);
    }
    wanted = static_cast<unsigned>(octal);
  } else if (std::string why = "`': invalid symbolic mode operator";
             text.empty() || !parse_symbolic_mask(text, wanted, why)) {
    if (machine.is_bash()) return machine.builtin_failure(args[0], why);
    return machine.builtin_failure(args[0], fmt::format("Illegal mode: {}", text), 2);
  }
  machine.os->set_file_mask(wanted);
  if (symbolic && machine.is_bash()) machine.out(symbolic_mask(wanted) + "\n");
  return 0;
}

namespace {

struct LimitKind {
  char letter;
  int resource;
  uint64_t unit;
  std::string_view description;
};
constexpr LimitKind kLimits[] = {
    {'c', RLIMIT_CORE, 512, "core file size (512-byte blocks)"},
    {'d', RLIMIT_DATA, 1024, "data segment (KiB)"},
    {'e', RLIMIT_NICE, 1, "scheduling priority"},
    {'f', RLIMIT_FSIZE, 512, "file size (512-byte blocks)"},
    {'i', RLIMIT_SIGPENDING, 1, "pending signals"},
    {'l', RLIMIT_MEMLOCK, 1024, "locked memory (KiB)"},
    {'m', RLIMIT_RSS, 1024, "resident set (KiB)"},
    {'n', RLIMIT_NOFILE, 1, "file descriptors"},
    {'q', RLIMIT_MSGQUEUE, 1, "message queues (bytes)"},
    {'r', RLIMIT_RTPRIO, 1, "real-time priority"},
    {'s', RLIMIT_STACK, 1024, "stack (KiB)"},
    {'t', RLIMIT_CPU, 1, "cpu time (seconds)"},
    {'u', RLIMIT_NPROC, 1, "processes"},
    {'v', RLIMIT_AS, 1024, "address space (KiB)"},
    {'x', RLIMIT_LOCKS, 1, "file locks"},
};

std::string limit_text(const world::Limit& limit, bool hard, uint64_t unit) {
  uint64_t value = hard ? limit.hard : limit.soft;
  return value == world::kUnlimited ? "unlimited" : std::to_string(value / unit);
}

}  // namespace

int run_ulimit(Machine& machine, Args args) {
  OptionScanner options(args, "HSacdefilmnqrstuvx");
  bool hard = false;
  bool soft = false;
  bool all = false;
  const LimitKind* kind = &kLimits[3];
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
    if (letter == 'H')
      hard = true;
    else if (letter == 'S')
      soft = true;
    else if (letter == 'a')
      all = true;
    else
      for (const LimitKind& known : kLimits)
        if (known.letter == letter) kind = &known;
  }
  world::Limit limit;
  if (all) {
    for (const LimitKind& known : kLimits) {
      machine.os->limit(known.resource, limit);
      machine.out(fmt::format("-{}: {:<36} {}\n", known.letter, known.description,
                              limit_text(limit, hard, known.unit)));
    }
    return 0;
  }
  machine.os->limit(kind->resource, limit);
  if (options.operands() >= args.size()) {
    machine.out(limit_text(limit, hard && !soft, kind->unit) + "\n");
    return 0;
  }
  std::string_view text = args[options.operands()];
  uint64_t value = world::kUnlimited;
  if (text == "hard" || text == "soft") {
    value = text == "hard" ? limit.hard : limit.soft;
  } else if (text != "unlimited") {
    int64_t number = 0;
    bool is_valid = is_digits(text) && parse_integer(text, number);
    if (!is_valid || static_cast<uint64_t>(number) > world::kUnlimited / kind->unit) {
      return machine.builtin_failure(args[0], fmt::format("{}: bad number", text), 2);
    }
    value = static_cast<uint64_t>(number) * kind->unit;
  }
  if (hard || !soft) limit.hard = value;
  if (soft || !hard) limit.soft = value;
  int result = machine.os->set_limit(kind->resource, limit);
  if (result < 0)
    return machine.builtin_failure(
        args[0], fmt::format("error setting limit: {}", std::strerror(-result)), 1);
  return 0;
}

int run_times(Machine& machine, Args) {
  auto show = [](uint64_t ns) {
    uint64_t hundredths = ns / 10'000'000;
    return fmt::format("{}m{}.{:02}s", hundredths / 6000, hundredths / 100 % 60, hundredths % 100);
  };
  world::CpuTimes times = machine.os->cpu_times();
  machine.out(fmt::format("{} {}\n{} {}\n", show(times.user), show(times.system),
                          show(times.child_user), show(times.child_system)));
  return 0;
}

}  // namespace nacre::machine
