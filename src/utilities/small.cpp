// basename dirname seq yes sleep readlink realpath pathchk cmp id whoami uname hostname nproc sync
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/table.h"

namespace nacre::utilities {

int basename(Context& context) {
  auto options = parse_options(context, "basename", "asz");
  if (!options) return options.error();
  std::vector<std::string> operands = options->operands;
  if (operands.empty()) return context.fail("missing operand");
  bool is_multiple = options->has('a') || options->has('s');
  std::string suffix = options->has('s') ? *options->last('s') : "";
  if (!is_multiple && operands.size() > 2)
    return context.fail(fmt::format("extra operand {}", quoted(operands[2])));
  if (!is_multiple && operands.size() == 2) {
    suffix = operands[1];
    operands.pop_back();
  }
  for (const std::string& path : operands) {
    std::string_view name = base_name(path);
    if (name.size() > suffix.size() && name.ends_with(suffix)) name.remove_suffix(suffix.size());
    context.out(name);
    context.out(options->has('z') ? '\0' : '\n');
  }
  return 0;
}

int dirname(Context& context) {
  auto options = parse_options(context, "dirname", "z");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  for (const std::string& path : options->operands) {
    context.out(directory_name(path));
    context.out(options->has('z') ? '\0' : '\n');
  }
  return 0;
}

int seq(Context& context) {
  auto options = parse_options(context, "seq", "sw");
  if (!options) return options.error();
  const std::vector<std::string>& words = options->operands;
  const std::string separator = options->has('s') ? *options->last('s') : "\n";
  const bool is_equal_width = options->has('w');
  if (words.empty()) return context.fail("missing operand");
  if (words.size() > 3) return context.fail(fmt::format("extra operand {}", quoted(words[3])));
  std::vector<long double> numbers;
  size_t decimals = 0;
  size_t width = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    char* end = nullptr;
    numbers.push_back(std::strtold(words[i].c_str(), &end));
    if (words[i].empty() || *end != '\0' || !std::isfinite(numbers.back())) {
      return context.fail(fmt::format("invalid floating point argument: {}", quoted(words[i])));
    }
    size_t dot = words[i].find('.');
    bool counts = i + 1 < words.size() || words.size() == 1;
    if (dot != std::string::npos && counts)
      decimals = std::max(decimals, words[i].size() - dot - 1);
  }
  long double first = words.size() > 1 ? numbers[0] : 1;
  long double step = words.size() > 2 ? numbers[1] : 1;
  long double last = numbers.back();
  if (step == 0)
    return context.fail(fmt::format("invalid Zero increment value: {}", quoted(words[1])));
  auto text = [&](long double value) { return fmt::format("{:.{}f}", value, decimals); };
  if (is_equal_width) width = std::max(text(first).size(), text(last).size());
  bool has_any = false;
  for (uint64_t i = 0;; ++i) {
    long double value = first + static_cast<long double>(i) * step;
    if (step > 0 ? value > last : value < last) break;
    if (has_any) context.out(separator);
    std::string shown = text(value);
    if (shown.size() < width)
      shown.insert(shown.starts_with('-') ? 1 : 0, width - shown.size(), '0');
    context.out(shown);
    if (i % 16 == 0) context.os.spend(64);  // writing a number out is much work
    has_any = true;
  }
  if (has_any) context.out('\n');
  return 0;
}

int yes(Context& context) {
  auto options = parse_options(context, "yes", "");
  if (!options) return options.error();
  const auto& words = options->operands;
  const std::string line = words.empty() ? "y\n" : fmt::format("{}\n", fmt::join(words, " "));
  std::string block;
  while (block.size() < 8192) block += line;
  do {
    context.out(block);
  } while (context.flush());
  return 1;
}

int sleep(Context& context) {
  auto options = parse_options(context, "sleep", "");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  long double total = 0;
  for (const std::string& operand : options->operands) {
    char* end = nullptr;
    long double value = std::strtold(operand.c_str(), &end);
    std::string_view unit = end;
    long double scale = unit.empty() || unit == "s" ? 1
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                        : unit == "d"               ? 86400
                                                    : -1;
    if (operand.empty() || end == operand.c_str() || value < 0 || scale < 0) {
      return context.fail(fmt::format("invalid time interval {}", quoted(operand)));
    }
    total += value * scale;
  }
  constexpr long double kMax = 9e9L;
  context.os.sleep(static_cast<int64_t>(std::min(total, kMax) * 1e9L));
  return 0;
}

namespace {

// Every link resolved. `missing`: how many last components need not exist (0, 1, all).
int resolve(Context& context, const std::string& path, size_t missing, std::string& result) {
  std::string rest = path;
  if (path.empty()) return -ENOENT;
  result.clear();
  if (path[0] != '/') {
    if (int error = context.os.current_directory(result); error < 0) return error;
    if (result == "/") result.clear();
  }
  int links = 0;
  while (true) {
    size_t begin = rest.find_first_not_of('/');
    if (begin == std::string::npos) break;
    size_t end = std::min(rest.find('/', begin), rest.size());
    std::string name = rest.substr(begin, end - begin);
    rest.erase(0, end);
    if (name == ".") continue;
    if (name == "..") {
      result.resize(result.rfind('/') == std::string::npos ? 0 : result.rfind('/'));
      continue;
    }
    std::string next = result + "/" + name;
    world::FileStatus status;
    int error = context.os.status(next.c_str(), false, status);
    bool is_last = rest.find_first_not_of('/') == std::string::npos;
    bool may_miss = missing > 1 || (missing == 1 && is_last && error == -ENOENT);
    if (error < 0 && !may_miss) return error;
    if (error >= 0 && status.kind == world::FileKind::kLink) {
      if (++links > 40) return -ELOOP;
      std::string target;
      context.os.read_symbolic_link(next.c_str(), target);
      if (target.starts_with('/')) result.clear();
      rest = target + rest;
      continue;
    }
    bool needs_directory = !rest.empty();
    if (error >= 0 && needs_directory && status.kind != world::FileKind::kDirectory && missing < 2)
      return -ENOTDIR;
    result = next;
  }
  if (result.empty()) result = "/";
  return 0;
}

}  // namespace

int readlink(Context& context) {
  auto options = parse_options(context, "readlink", "femnzqsv");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  int how = options->last_of("fem");
  int status = 0;
  for (const std::string& path : options->operands) {
    std::string target;
    int error = how == 0 ? context.os.read_symbolic_link(path.c_str(), target)
                         : resolve(context, path,
                                   how == 'f'   ? 1
                                   : how == 'm' ? 2
                                                : 0,
                                   target);
    if (error < 0) {
      status = 1;
      if (options->has('v')) context.fail(path, error);
      continue;
    }
    context.out(target);
    if (options->has('z'))
      context.out('\0');
    else if (!options->has('n') || options->operands.size() > 1)
      context.out('\n');
  }
  return status;
}

int realpath(Context& context) {
  auto options = parse_options(context, "realpath", "emqz");
  if (!options) return options.error();
  if (options->has('s')) return context.not_modelled("option '-s'");
  if (options->operands.empty()) return context.fail("missing operand");
  int status = 0;
  for (const std::string& path : options->operands) {
    std::string target;
    size_t missing = options->has('e') ? 0 : options->has('m') ? 2 : 1;
    if (int error = resolve(context, path, missing, target); error < 0) {
      status = 1;
      if (!options->has('q')) context.fail(path, error);
      continue;
    }
    context.out(target);
    context.out(options->has('z') ? '\0' : '\n');
  }
  return status;
}

int cmp(Context& context) {
  auto options = parse_options(context, "cmp", "s --silent:s", 2);
  if (!options) return options.error();
  if (options->operands.empty()) {
    context.fail("missing operand");
    return 2;
  }
  std::string names[2] = {options->operands[0],
                          options->operands.size() > 1 ? options->operands[1] : "-"};
  std::string bytes[2];
  world::FileStatus files[2];
  bool is_one_file = context.os.status(names[0].c_str(), true, files[0]) >= 0 &&
                     context.os.status(names[1].c_str(), true, files[1]) >= 0 &&
                     is_same_file(files[0], files[1]);
  if (is_one_file && context.os.may(names[0].c_str(), world::Access::kRead)) return 0;
  for (int i = 0; i < 2; ++i) {
    Input input(context, names[i]);
    if (input.error() == 0) bytes[i] = input.rest();
    if (input.error() == 0) continue;
    if (!options->has('s') || input.error() != -ENOENT) context.fail(names[i], input.error());
    return 2;
  }
  size_t same = 0;
  uint64_t line = 1;
  size_t shorter = std::min(bytes[0].size(), bytes[1].size());
  for (; same < shorter && bytes[0][same] == bytes[1][same]; ++same)
    line += bytes[0][same] == '\n' ? 1 : 0;
  if (same == bytes[0].size() && same == bytes[1].size()) return 0;
  if (options->has('s')) return 1;
  if (same < shorter) {
    context.out(
        fmt::format("{} {} differ: char {}, line {}\n", names[0], names[1], same + 1, line));
  } else {
    const std::string& name = names[bytes[0].size() < bytes[1].size() ? 0 : 1];
    bool ends_line = same == 0 || bytes[0][same - 1] == '\n';
    context.fail(same == 0 ? fmt::format("EOF on {} which is empty", quoted(name))
                           : fmt::format("EOF on {} after byte {}, {}line {}", quoted(name), same,
                                         ends_line ? "" : "in ", ends_line ? line - 1 : line));
  }
  return 1;
}

int id(Context& context) {
  auto options = parse_options(context, "id", "augnGr");
  if (!options) return options.error();
  unsigned user = context.os.user_id();
  unsigned group = context.os.group_of_user();
  std::vector<unsigned> groups = context.os.supplementary_groups();
  if (!options->operands.empty()) {
    const std::string& name = options->operands[0];
    user = user_number(context.os, name);
    bool is_known =
        user != world::kSameOwner && user_name(context.os, user) != std::to_string(user);
    if (!is_known) return context.fail(fmt::format("{}: no such user", quoted(name)));
    group = login_group(context.os, user);
    groups.clear();
  }
  if (std::find(groups.begin(), groups.end(), group) == groups.end())
    groups.insert(groups.begin(), group);
  bool by_name = options->has('n');
  auto user_text = [&] { return by_name ? user_name(context.os, user) : std::to_string(user); };
  auto group_text = [&](unsigned number) {
    return by_name ? group_name(context.os, number) : std::to_string(number);
  };
  switch (options->last_of("ugG")) {
    case 'u': context.out(user_text() + "\n"); return 0;
    case 'g': context.out(group_text(group) + "\n"); return 0;
    case 'G': {
      std::string line;
      for (unsigned number : groups) line += (line.empty() ? "" : " ") + group_text(number);
      context.out(line + "\n");
      return 0;
    }
    default: break;
  }
  if (by_name) return context.fail("cannot print only names or real IDs in default format");
  std::string list;
  for (unsigned number : groups) {
    list +=
        fmt::format("{}{}({})", list.empty() ? "" : ",", number, group_name(context.os, number));
  }
  context.out(fmt::format("uid={}({}) gid={}({}) groups={}\n", user, user_name(context.os, user),
                          group, group_name(context.os, group), list));
  return 0;
}

int whoami(Context& context) {
  auto options = parse_options(context, "whoami", "");
  if (!options) return options.error();
  if (!options->operands.empty())
    return context.fail(fmt::format("extra operand {}", quoted(options->operands[0])));
  context.out(user_name(context.os, context.os.user_id()) + "\n");
  return 0;
}

int logname(Context& context) { return whoami(context); }

int uname(Context& context) {
  auto options = parse_options(context, "uname", "asnrvmo --sysname:s --release:r");
  if (!options) return options.error();
  struct Part {
    char letter;
    std::string_view text;
  };
  static constexpr Part kParts[] = {{'s', "Linux"},  {'n', "nacre"},  {'r', "6.1.0"},
                                    {'v', "#1 SMP"}, {'m', "x86_64"}, {'o', "GNU/Linux"}};
  bool is_default = options->given.empty();
  std::string line;
  for (const Part& part : kParts) {
    bool shows =
        options->has('a') || options->has(part.letter) || (is_default && part.letter == 's');
    if (shows) line += (line.empty() ? "" : " ") + std::string(part.text);
  }
  context.out(line + "\n");
  return 0;
}

int hostname(Context& context) {
  auto options = parse_options(context, "hostname", "sf");
  if (!options) return options.error();
  if (!options->operands.empty()) return context.not_modelled("setting the name");
  context.out("nacre\n");
  return 0;
}

int nproc(Context& context) {
  auto options = parse_options(context, "nproc", "--all");
  if (!options) return options.error();
  context.out("1\n");
  return 0;
}

int sync(Context& context) {
  auto options = parse_options(context, "sync", "");
  return options ? 0 : options.error();
}

}  // namespace nacre::utilities
