// pushd, popd and dirs: a stack of directories whose top is the working directory.
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

std::string shown(Machine& machine, const std::string& directory, bool is_long) {
  const std::string* home = machine.state.variables.get("HOME");
  if (is_long || home == nullptr || home->empty() || !directory.starts_with(*home))
    return directory;
  if (directory.size() == home->size()) return "~";
  return directory[home->size()] == '/' ? "~" + directory.substr(home->size()) : directory;
}

std::vector<std::string> stack_of(Machine& machine) {
  std::vector<std::string> result = {machine.state.directory};
  result.insert(result.end(), machine.state.directories.begin(), machine.state.directories.end());
  return result;
}

void list(Machine& machine) {
  std::string line;
  for (const std::string& directory : stack_of(machine)) {
    line += (line.empty() ? "" : " ") + shown(machine, directory, false);
  }
  machine.out(line + "\n");
}

int change(Machine& machine, std::string_view command, const std::string& directory) {
  Fields fields;
  fields.push(command);
  fields.push("--");
  fields.push(directory);
  return run_cd(machine, Args(fields, 0));
}

// +N counts from the top, -N from the bottom; nothing if it is neither.
std::optional<int64_t> position(std::string_view text, size_t size) {
  int64_t number = 0;
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-') || !is_digits(text.substr(1)) ||
      !parse_integer(text.substr(1), number)) {
    return std::nullopt;
  }
  return text[0] == '+' ? number : static_cast<int64_t>(size) - 1 - number;
}

// -m, +x: neither an index nor a directory.
int invalid_number(Machine& machine, std::string_view command, std::string_view text,
                   std::string_view usage) {
  int status = machine.builtin_failure(command, fmt::format("{}: invalid number", text), 1);
  machine.write_all(machine.io[2], fmt::format("{}: usage: {}\n", command, usage));
  return status;
}

bool is_within(int64_t at, size_t size) { return at >= 0 && static_cast<size_t>(at) < size; }

int out_of_range(Machine& machine, std::string_view command, std::string_view index) {
  return machine.builtin_failure(command,
                                 fmt::format("{}: directory stack index out of range", index), 1);
}

// What became of the stack: the top is the working directory already.
void store(Machine& machine, const std::vector<std::string>& stack) {
  machine.state.directories.assign(stack.begin() + 1, stack.end());
}

}  // namespace

int run_dirs(Machine& machine, Args args) {
  bool is_long = false;
  bool by_line = false;
  bool is_numbered = false;
  std::optional<size_t> only;
  std::vector<std::string> stack = stack_of(machine);
  for (size_t i = 1; i < args.size(); ++i) {
    if (std::optional<int64_t> at = position(args[i], stack.size())) {
      if (!is_within(*at, stack.size())) return out_of_range(machine, args[0], args[i].substr(1));
      only = static_cast<size_t>(*at);
      continue;
    }
    if (!args[i].starts_with('-')) {
      machine.builtin_error(args[0], fmt::format("{}: invalid option", args[i]));
      return machine.usage_failure(args[0]);
    }
    for (char letter : args[i].substr(1)) {
      switch (letter) {
        case 'c': machine.state.directories.clear(); return 0;
        case 'l': is_long = true; break;
        case 'p': by_line = true; break;
        case 'v': by_line = is_numbered = true; break;
        default:
          machine.builtin_error(args[0], fmt::format("-{}: invalid number", letter));
          return machine.usage_failure(args[0]);
      }
    }
  }
  std::string text;
  for (size_t i = 0; i < stack.size(); ++i) {
    if (only && *only != i) continue;
    if (!text.empty()) text += by_line ? '\n' : ' ';
    if (is_numbered) text += fmt::format("{:>2}  ", i);
    text += shown(machine, stack[i], is_long);
  }
  machine.out(text + "\n");
  return 0;
}

int run_pushd(Machine& machine, Args args) {
  size_t at = 1;
  bool stays = args.size() > at && args[at] == "-n";
  if (stays) ++at;
  bool ends_options = args.size() > at && args[at] == "--";
  if (ends_options) ++at;
  std::vector<std::string> stack = stack_of(machine);
  if (at >= args.size()) {  // the two on top change places
    if (stack.size() < 2) return machine.builtin_failure(args[0], "no other directory", 1);
    if (stays) return 0;
    std::swap(stack[0], stack[1]);
    if (int status = change(machine, args[0], stack[0])) return status;
  } else if (std::optional<int64_t> index = position(args[at], stack.size())) {
    if (stack.size() < 2) return machine.builtin_failure(args[0], "directory stack empty", 1);
    if (!is_within(*index, stack.size())) return out_of_range(machine, args[0], args[at]);
    std::rotate(stack.begin(), stack.begin() + *index, stack.end());
    if (stays) {  // the working directory stands before the rest
      store(machine, stack);
      return 0;
    }
    if (int status = change(machine, args[0], stack[0])) return status;
  } else if (!ends_options && args[at].size() > 1 && args[at][0] == '-') {
    return invalid_number(machine, args[0], args[at], "pushd [-n] [+N | -N | dir]");
  } else if (stays) {
    stack.insert(stack.begin() + 1, std::string(args[at]));
  } else {
    std::string old = machine.state.directory;
    if (int status = change(machine, args[0], std::string(args[at]))) return status;
    stack.insert(stack.begin(), machine.state.directory);
    stack[1] = old;
  }
  store(machine, stack);
  list(machine);
  return 0;
}

int run_popd(Machine& machine, Args args) {
  size_t at = 1;
  bool stays = args.size() > at && args[at] == "-n";
  if (stays) ++at;
  std::vector<std::string> stack = stack_of(machine);
  if (args.size() > at && !position(args[at], stack.size())) {
    return invalid_number(machine, args[0], args[at], "popd [-n] [+N | -N]");
  }
  if (stack.size() < 2) return machine.builtin_failure(args[0], "directory stack empty", 1);
  int64_t index = stays ? 1 : 0;
  if (args.size() > at) {
    index = *position(args[at], stack.size());
    if (!is_within(index, stack.size())) return out_of_range(machine, args[0], args[at]);
  }
  if (index == 0) {
    if (int status = change(machine, args[0], stack[1])) return status;
  }
  stack.erase(stack.begin() + index);
  store(machine, stack);
  list(machine);
  return 0;
}

}  // namespace nacre::machine
