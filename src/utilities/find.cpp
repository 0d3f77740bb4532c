// find: an expression over the files below some paths, in the order of their names.
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fnmatch.h>
#include <functional>

#include "utilities/mode.h"
#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/spawn.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

using world::FileKind;
using world::FileStatus;

struct Visit {
  std::string path;
  FileStatus status;
  size_t depth = 0;
  bool is_pruned = false;
};

using Test = std::function<bool(Visit&)>;

struct Batch {  // of -exec ... {} +
  std::vector<std::string> command;
  std::vector<std::string> paths;
};

struct Plan {
  std::vector<std::string> starts;
  Test expression;
  size_t min_depth = 0;
  size_t max_depth = SIZE_MAX;
  bool is_depth_first = false;
  bool follows = false;
  bool has_action = false;
  bool quits = false;
  std::vector<std::shared_ptr<Batch>> batches;
  int status = 0;
};

// [+-]N
struct Comparison {
  char sign = 0;
  int64_t number = 0;
  [[nodiscard]] bool holds(int64_t value) const {
    return sign == '+' ? value > number : sign == '-' ? value < number : value == number;
  }
};

std::optional<Comparison> parse_comparison(std::string_view text) {
  Comparison result;
  if (text.starts_with('+') || text.starts_with('-')) {
    result.sign = text[0];
    text.remove_prefix(1);
  }
  auto number = parse_number(text);
  if (!number || *number < 0) return std::nullopt;
  result.number = *number;
  return result;
}

class ExpressionParser {
 public:
  ExpressionParser(Context& context, std::vector<std::string> words, Plan& plan)
      : context_(context), words_(std::move(words)), plan_(plan) {}

  // False after a message; `status` is then what find returns.
  bool parse() {
    if (at_ == words_.size()) return true;
    plan_.expression = parse_or();
    if (plan_.expression && at_ < words_.size())
      fail(fmt::format("paths must precede expression: {}", quoted(words_[at_])));
    return status == 0;
  }
  int status = 0;

 private:
  Test fail(const std::string& message) {
    if (status == 0) status = context_.fail(message);
    return nullptr;
  }
  Test not_modelled(const std::string& what) {
    if (status == 0) status = context_.not_modelled(what);
    return nullptr;
  }
  [[nodiscard]] bool next_is(std::string_view word) const {
    return at_ < words_.size() && words_[at_] == word;
  }
  bool take(std::string_view word) {
    if (!next_is(word)) return false;
    ++at_;
    return true;
  }

  Test parse_or() {
    std::vector<Test> any;
    do {
      Test next = parse_and();
      if (!next) return nullptr;
      any.push_back(std::move(next));
    } while (take("-o") || take("-or"));
    if (any.size() == 1) return any[0];
    return [any = std::move(any)](Visit& visit) {
      return std::any_of(any.begin(), any.end(), [&](const Test& test) { return test(visit); });
    };
  }

  Test parse_and() {
    std::vector<Test> all;
    do {
      Test next = parse_not();
      if (!next) return nullptr;
      all.push_back(std::move(next));
    } while (take("-a") || take("-and") ||
             (at_ < words_.size() && !next_is("-o") && !next_is("-or") && !next_is(")")));
    if (all.size() == 1) return all[0];
    return [all = std::move(all)](Visit& visit) {
      return std::all_of(all.begin(), all.end(), [&](const Test& test) { return test(visit); });
    };
  }

  Test parse_not() {
    bool is_negated = false;
    while (take("!") || take("-not")) is_negated = !is_negated;
    Test inner = next_is("(") ? parse_parentheses() : parse_primary();
    if (!inner || !is_negated) return inner;
    return [inner](Visit& visit) { return !inner(visit); };
  }

  Test parse_parentheses() {
    constexpr int kMaxNesting = 1000;
    if (depth_ >= kMaxNesting) return fail("parentheses are nested too deeply");
    ++at_;
    ++depth_;
    Test inner = parse_or();
    --depth_;
    if (inner && !take(")")) return fail("invalid expression; ')' is missing");
    return inner;
  }

  const std::string* argument(const std::string& option) {
    if (at_ < words_.size()) return &words_[at_++];
    fail(fmt::format("missing argument to '{}'", option));
    return nullptr;
  }

  Test parse_primary() {
    if (at_ == words_.size()) return fail("invalid expression; an operand is missing");
    std::string option = words_[at_++];
    if (!option.starts_with('-')) {
      return fail(fmt::format("paths must precede expression: {}", quoted(option)));
    }
    if (option == "-print" || option == "-print0")
      return print_action(option == "-print0" ? '\0' : '\n');
    if (option == "-exec" || option == "-execdir") return exec_action(option);
    if (option == "-delete") return delete_action();
    if (option == "-prune") return [](Visit& visit) { return visit.is_pruned = true; };
    if (option == "-quit") {
      plan_.has_action = true;
      return [this](Visit&) { return plan_.quits = true; };
    }
    if (option == "-true") return [](Visit&) { return true; };
    if (option == "-false") return [](Visit&) { return false; };
    if (option == "-depth" || option == "-d") {
      plan_.is_depth_first = true;
      return [](Visit&) { return true; };
    }
    if (option == "-empty") return empty_test();
    if (option == "-readable" || option == "-writable" || option == "-executable") {
      auto access = option == "-readable"   ? world::Access::kRead
                    : option == "-writable" ? world::Access::kWrite
                                            : world::Access::kExecute;
      return [this, access](Visit& visit) { return context_.os.may(visit.path.c_str(), access); };
    }
    if (option == "-xdev" || option == "-mount" || option == "-noleaf")
      return [](Visit&) { return true; };
    return parse_test(option);
  }

  Test print_action(char end) {
    plan_.has_action = true;
    return [this, end](Visit& visit) {
      context_.out(visit.path);
      context_.out(end);
      return true;
    };
  }

  Test delete_action() {
    plan_.has_action = plan_.is_depth_first = true;
    return [this](Visit& visit) {
      if (visit.path == ".") return true;
      bool is_dir = visit.status.kind == FileKind::kDirectory;
      int error = is_dir ? context_.os.remove_directory(visit.path.c_str())
                         : context_.os.unlink(visit.path.c_str());
      if (error < 0) {
        plan_.status = context_.fail(fmt::format("cannot delete {}", quoted(visit.path)), error);
      }
      return error >= 0;
    };
  }

  Test exec_action(const std::string& option) {
    if (option == "-execdir") return not_modelled("-execdir");
    plan_.has_action = true;
    std::vector<std::string> command;
    while (at_ < words_.size() && words_[at_] != ";" && words_[at_] != "+")
      command.push_back(words_[at_++]);
    bool batches =
        at_ < words_.size() && words_[at_] == "+" && !command.empty() && command.back() == "{}";
    while (at_ < words_.size() && words_[at_] != ";" && !batches) command.push_back(words_[at_++]);
    if (at_ == words_.size() || command.empty()) return fail("missing argument to '-exec'");
    ++at_;
    if (batches) {
      command.pop_back();
      auto batch = std::make_shared<Batch>(Batch{command, {}});
      plan_.batches.push_back(batch);
      return [batch](Visit& visit) {
        batch->paths.push_back(visit.path);
        return true;
      };
    }
    return [this, command](Visit& visit) {
      std::vector<std::string> words = command;
      for (std::string& word : words) {
        for (size_t i = word.find("{}"); i != std::string::npos;
             i = word.find("{}", i + visit.path.size())) {
          word.replace(i, 2, visit.path);
        }
      }
      return run_command(context_, words) == 0;
    };
  }

  uint64_t size_of(Visit& visit) {
    context_.os.need_size(visit.path.c_str());
    world::FileStatus now;
    bool is_there = context_.os.status(visit.path.c_str(), false, now) >= 0;
    return is_there ? now.size : visit.status.size;
  }

  Test empty_test() {
    return [this](Visit& visit) {
      if (visit.status.kind == FileKind::kRegular) return size_of(visit) == 0;
      if (visit.status.kind != FileKind::kDirectory) return false;
      int error = 0;
      return list(context_.os, visit.path, error).empty() && error == 0;
    };
  }

  Test pattern_test(const std::string& pattern, bool whole_path, bool ignores_case) {
    int flags = ignores_case ? FNM_CASEFOLD : 0;
    return [=](Visit& visit) {
      std::string subject = whole_path ? visit.path : std::string(base_name(visit.path));
      return fnmatch(pattern.c_str(), subject.c_str(), flags) == 0;
    };
  }

  Test parse_test(const std::string& option) {
    const std::string* value = argument(option);
    if (value == nullptr) return nullptr;
    if (option == "-name") return pattern_test(*value, false, false);
    if (option == "-iname") return pattern_test(*value, false, true);
    if (option == "-path" || option == "-wholename") return pattern_test(*value, true, false);
    if (option == "-ipath") return pattern_test(*value, true, true);
    if (option == "-type") return type_test(*value);
    if (option == "-maxdepth" || option == "-mindepth") {
      auto number = parse_number(*value);
      if (!number || *number < 0)
        return fail(fmt::format("Expected a positive decimal integer argument to {}, but got {}",
                                option, quoted(*value)));
      (option == "-maxdepth" ? plan_.max_depth : plan_.min_depth) = static_cast<size_t>(*number);
      return [](Visit&) { return true; };
    }
    if (option == "-size") return size_test(*value);
    if (option == "-perm") return permission_test(*value);
    if (option == "-newer") return newer_test(*value);
    if (option == "-user" || option == "-group") {
      bool is_user = option == "-user";
      unsigned id = is_user ? user_number(context_.os, *value) : group_number(context_.os, *value);
      if (id == world::kSameOwner)
        return fail(fmt::format("{} is not the name of a known {}", quoted(*value),
                                is_user ? "user" : "group"));
      return
          [=](Visit& visit) { return (is_user ? visit.status.owner : visit.status.group) == id; };
    }
    if (option == "-links" || option == "-inum") {
      auto compared = parse_comparison(*value);
      if (!compared)
        return fail(fmt::format("invalid argument {} to '{}'", quoted(*value), option));
      return [=](Visit& visit) {
        return compared->holds(
            static_cast<int64_t>(option == "-links" ? visit.status.links : visit.status.inode));
      };
    }
    if (option.size() == 5 && (option.ends_with("time") || option.ends_with("min")))
      return time_test(option, *value);
    if (option == "-mmin" || option == "-amin" || option == "-cmin")
      return time_test(option, *value);
    return not_modelled(option);
  }

  Test type_test(const std::string& letters) {
    static constexpr std::string_view kLetters = "fdlpsbc";
    std::vector<FileKind> kinds;
    for (char c : letters) {
      size_t index = kLetters.find(c);
      if (c == ',') continue;
      if (index == std::string_view::npos)
        return fail(fmt::format("Unknown argument to -type: {}", c));
      kinds.push_back(static_cast<FileKind>(index));
    }
    return [kinds](Visit& visit) {
      return std::find(kinds.begin(), kinds.end(), visit.status.kind) != kinds.end();
    };
  }

  Test size_test(std::string text) {
    int64_t unit = 512;
    switch (text.empty() ? '\0' : text.back()) {
      case 'c': unit = 1; break;
      case 'w': unit = 2; break;
      case 'b': break;
      case 'k': unit = 1024; break;
      case 'M': unit = 1024 * 1024; break;
      case 'G': unit = 1024 * 1024 * 1024; break;
      default: unit = -1;
    }
    if (unit > 0) text.pop_back();
    if (unit < 0) unit = 512;
    auto compared = parse_comparison(text);
    if (!compared) return fail(fmt::format("Invalid argument {} to -size", quoted(text)));
    return [=, this](Visit& visit) {
      auto size = static_cast<int64_t>(size_of(visit));
      return compared->holds((size + unit - 1) / unit);
    };
  }

  Test permission_test(std::string text) {
    char sign = 0;
    if (text.starts_with('-') || text.starts_with('/')) {
      sign = text[0];
      text.erase(0, 1);
    }
    auto mode = change_mode(text, 0, false, 0);
    if (!mode) return fail(fmt::format("invalid mode {}", quoted(text)));
    unsigned wanted = mode->mode;
    return [=](Visit& visit) {
      unsigned found = visit.status.mode;
      if (sign == '-') return (found & wanted) == wanted;
      return sign == '/' ? wanted == 0 || (found & wanted) != 0 : found == wanted;
    };
  }

  Test newer_test(const std::string& path) {
    FileStatus found;
    int error = context_.os.status(path.c_str(), plan_.follows, found);
    if (error < 0) return fail(fmt::format("{}: {}", quoted(path), error_text(error)));
    int64_t than = found.modified_ns;
    return [than](Visit& visit) { return visit.status.modified_ns > than; };
  }

  Test time_test(const std::string& option, const std::string& value) {
    auto compared = parse_comparison(value);
    if (!compared) return fail(fmt::format("invalid argument {} to '{}'", quoted(value), option));
    char which = option[1];
    if (which != 'm' && which != 'a' && which != 'c') return not_modelled(option);
    int64_t unit = (option.ends_with("min") ? int64_t{60} : int64_t{86'400}) * 1'000'000'000;
    int64_t now = context_.os.clock_ns();
    return [=](Visit& visit) {
      int64_t time = which == 'm'   ? visit.status.modified_ns
                     : which == 'a' ? visit.status.accessed_ns
                                    : visit.status.changed_ns;
      int64_t age = now - time;
      // -5 minutes is newer than five; days are counted whole.
      if (option.ends_with("min")) {
        int64_t rounded = (age + unit - 1) / unit;
        return compared->sign == '-' ? age < compared->number * unit : compared->holds(rounded);
      }
      return compared->holds(age / unit);
    };
  }

  Context& context_;
  std::vector<std::string> words_;
  Plan& plan_;
  size_t at_ = 0;
  int depth_ = 0;  // of parentheses
};

class Finder {
 public:
  Finder(Context& context, Plan& plan) : context_(context), plan_(plan) {}

  void visit(const std::string& path, size_t depth) {
    if (plan_.quits) return;
    context_.os.spend(1);
    Visit here{path, {}, depth, false};
    int error = context_.os.status(path.c_str(), plan_.follows, here.status);
    if (error < 0 && plan_.follows) error = context_.os.status(path.c_str(), false, here.status);
    if (error < 0) {
      plan_.status = context_.fail(quoted(path), error);
      return;
    }
    bool counts = depth >= plan_.min_depth;
    if (!plan_.is_depth_first && counts) apply(here);
    bool descends = here.status.kind == FileKind::kDirectory && depth < plan_.max_depth &&
                    (!here.is_pruned || plan_.is_depth_first);
    if (descends && !plan_.quits) {
      for (const std::string& name : list(context_.os, path, error)) {
        visit(joined(path, name), depth + 1);
      }
      if (error < 0) plan_.status = context_.fail(quoted(path), error);
    }
    if (plan_.is_depth_first && counts && !plan_.quits) apply(here);
  }

 private:
  void apply(Visit& here) {
    bool holds = !plan_.expression || plan_.expression(here);
    if (holds && !plan_.has_action && plan_.batches.empty()) context_.out(here.path + "\n");
  }

  Context& context_;
  Plan& plan_;
};

}  // namespace

int find(Context& context) {
  Plan plan;
  std::vector<std::string> words(context.arguments.begin() + 1, context.arguments.end());
  while (!words.empty() && (words[0] == "-L" || words[0] == "-P" || words[0] == "-H")) {
    plan.follows = words[0] == "-L";
    words.erase(words.begin());
  }
  while (!words.empty() && words[0] != "!" && words[0] != "(" &&
         !(words[0].starts_with('-') && words[0].size() > 1)) {
    plan.starts.push_back(words[0]);
    words.erase(words.begin());
  }
  if (plan.starts.empty()) plan.starts.emplace_back(".");
  ExpressionParser parser(context, std::move(words), plan);
  if (!parser.parse()) return parser.status;
  Finder finder(context, plan);
  for (const std::string& start : plan.starts) finder.visit(start, 0);
  for (const auto& batch : plan.batches) {
    if (batch->paths.empty()) continue;
    std::vector<std::string> command = batch->command;
    command.insert(command.end(), batch->paths.begin(), batch->paths.end());
    if (run_command(context, command) != 0) plan.status = 1;
  }
  return plan.status;
}

}  // namespace nacre::utilities
