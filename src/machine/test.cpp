// test and [. Up to four arguments are read as POSIX has it, by their number; more by precedence:
// ( ), !, -a, -o.
#include "machine/test.h"

#include <cerrno>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

bool is_unary(std::string_view op) {
  return op.size() == 2 && op[0] == '-' &&
         std::string_view("abcdefghkLnoOGNprRsStuvwxz").find(op[1]) != std::string_view::npos;
}

constexpr std::string_view kBinaryPrimaries[] = {"=",   "==",  "!=",  "-eq", "-ne", "-gt", "-ge",
                                                 "-lt", "-le", "-nt", "-ot", "-ef", "<",   ">"};
bool is_binary(std::string_view op) {
  return std::find(std::begin(kBinaryPrimaries), std::end(kBinaryPrimaries), op) !=
         std::end(kBinaryPrimaries);
}

class Test {
 public:
  Test(Machine& machine, Args args, size_t end) : machine_(machine), args_(args), end_(end) {}

  // 0, 1, or 2 after an error.
  int run() {
    bool value = evaluate(1, end_);
    return failed_ ? 2 : value ? 0 : 1;
  }

 private:
  std::string_view arg(size_t i) const { return args_[i]; }

  bool complain(std::string_view message) {
    if (!failed_) machine_.builtin_error(machine_.is_bash() ? args_[0] : "test", message);
    failed_ = true;
    return false;
  }

  bool evaluate(size_t from, size_t to) {
    switch (to - from) {
      case 0: return false;
      case 1: return !arg(from).empty();
      case 2:
        if (arg(from) == "!") return arg(from + 1).empty();
        if (is_unary(arg(from))) return unary(from);
        return complain(
            fmt::format("{}: {}", arg(from),
                        machine_.is_bash() ? "unary operator expected" : "unexpected operator"));
      case 3:
        if (is_binary(arg(from + 1))) return binary(from);
        if (arg(from + 1) == "-a") return !arg(from).empty() && !arg(from + 2).empty();
        if (arg(from + 1) == "-o") return !arg(from).empty() || !arg(from + 2).empty();
        if (arg(from) == "!") return !evaluate(from + 1, to);
        if (arg(from) == "(" && arg(to - 1) == ")") return evaluate(from + 1, to - 1);
        return complain(
            fmt::format("{}: {}", arg(from + 1),
                        machine_.is_bash() ? "binary operator expected" : "unexpected operator"));
      case 4:
        if (arg(from) == "!") return !evaluate(from + 1, to);
        if (arg(from) == "(" && arg(to - 1) == ")") return evaluate(from + 1, to - 1);
        break;
      default: machine_.unspecified("test with more than four arguments"); break;
    }
    at_ = from;
    bool value = disjunction(to);
    if (!failed_ && at_ != to) {
      return complain(machine_.is_bash() ? "too many arguments"
                                         : fmt::format("{}: unexpected operator", arg(at_)));
    }
    return value;
  }

  bool disjunction(size_t to) {
    bool value = conjunction(to);
    while (at_ < to && arg(at_) == "-o") {
      ++at_;
      value |= conjunction(to);
    }
    return value;
  }
  bool conjunction(size_t to) {
    bool value = negation(to);
    while (at_ < to && arg(at_) == "-a") {
      ++at_;
      value &= negation(to);
    }
    return value;
  }
  bool negation(size_t to) {
    bool negated = false;
    while (at_ + 1 < to && arg(at_) == "!") {
      negated = !negated;
      ++at_;
    }
    return primary(to) != negated;
  }
  bool primary(size_t to) {
    if (at_ >= to) return complain("argument expected");
    if (at_ + 2 < to && is_binary(arg(at_ + 1))) {
      size_t from = at_;
      at_ += 3;
      return binary(from);
    }
    if (arg(at_) == "(") {
      constexpr int kMaxParentheses = 1000;
      if (depth_ >= kMaxParentheses) return complain("parentheses are nested too deeply");
      ++at_;
      ++depth_;
      bool value = disjunction(to);
      --depth_;
      if (failed_) return false;
      if (at_ >= to || arg(at_) != ")") return complain("closing paren expected");
      ++at_;
      return value;
    }
    if (is_unary(arg(at_)) && at_ + 1 < to) {
      at_ += 2;
      return unary(at_ - 2);
    }
    return !arg(at_++).empty();
  }

  bool integer(std::string_view text, int64_t& value) {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '\n'))
      text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n'))
      text.remove_suffix(1);
    std::string_view all = text;
    bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    uint64_t total = 0;
    bool is_valid = !text.empty();
    for (char c : text) {
      is_valid = is_valid && c >= '0' && c <= '9' && total <= (uint64_t{1} << 63) / 10;
      total = total * 10 + static_cast<uint64_t>(c - '0');
    }
    if (!is_valid && machine_.is_bash()) {
      return complain(fmt::format("{}: integer expression expected", all));
    }
    if (!is_valid) return complain(fmt::format("Illegal number: {}", all));
    value = static_cast<int64_t>(negative ? 0 - total : total);
    return true;
  }

  bool unary(size_t from) {
    int64_t fd = 0;
    if (arg(from)[1] == 't' && !integer(arg(from + 1), fd)) return false;
    return test_unary(machine_, arg(from)[1], std::string(arg(from + 1)));
  }

  bool binary(size_t from) {
    std::string_view left = arg(from);
    std::string_view op = arg(from + 1);
    std::string_view right = arg(from + 2);
    if (op == "=" || op == "==") return left == right;
    if (op == "!=") return left != right;
    if (op == "<" || op == ">") {
      int order = machine_.state.locale.compare(std::string(left), std::string(right));
      return op == "<" ? order < 0 : order > 0;
    }
    if (op == "-nt" || op == "-ot" || op == "-ef")
      return test_files(machine_, op, std::string(left), std::string(right));
    int64_t a = 0;
    int64_t b = 0;
    if (!integer(left, a) || !integer(right, b)) return false;
    if (op == "-eq") return a == b;
    if (op == "-ne") return a != b;
    if (op == "-gt") return a > b;
    if (op == "-ge") return a >= b;
    if (op == "-lt") return a < b;
    return a <= b;
  }

  Machine& machine_;
  Args args_;
  size_t end_;
  size_t at_ = 0;
  int depth_ = 0;  // of parentheses
  bool failed_ = false;
};

}  // namespace

bool test_files(Machine& machine, std::string_view op, const std::string& left,
                const std::string& right) {
  world::FileStatus a;
  world::FileStatus b;
  bool has_a = machine.os->status(left.c_str(), true, a) >= 0;
  bool has_b = machine.os->status(right.c_str(), true, b) >= 0;
  if (op == "-ef") return has_a && has_b && a.device == b.device && a.inode == b.inode;
  if (op == "-nt") return has_a && (!has_b || a.modified_ns > b.modified_ns);
  return has_b && (!has_a || a.modified_ns < b.modified_ns);
}

namespace {

// -v name, -v name[subscript], in bash also -v 1.
bool is_set_variable(Machine& machine, const std::string& text) {
  if (!machine.is_bash()) return machine.state.variables.get(std::string_view(text)) != nullptr;
  bool is_positional = !text.empty() && is_digits(text);
  if (!is_positional && !is_name(std::string_view(text).substr(0, text.find('[')))) return false;
  std::optional<Place> place = machine.place_named(text);
  if (!place) return false;
  if (place->is_list()) return !machine.list_at(*place).values.empty();
  std::string scratch;
  return machine.value_at(*place, scratch) != nullptr;
}

}  // namespace

bool test_unary(Machine& machine, char letter, const std::string& text) {
  const char* path = text.c_str();
  switch (letter) {
    case 'n': return !text.empty();
    case 'z': return text.empty();
    case 't': {
      int64_t fd = 0;
      bool is_small = text.size() < 10 && parse_integer(text, fd);
      int real = is_small ? machine.real_fd(static_cast<int>(fd)) : -1;
      return real >= 0 && machine.os->is_terminal(real);
    }
    case 'r': return machine.os->may(path, world::Access::kRead);
    case 'w': return machine.os->may(path, world::Access::kWrite);
    case 'x': return machine.os->may(path, world::Access::kExecute);
    case 'v': return is_set_variable(machine, text);
    case 'R': {
      NameId id = machine.names().find(text);
      return id != kNoName && machine.state.variables.at(id).is(kReference);
    }
    case 'o': {
      const OptionName* option = find_option(std::string_view(text), machine.is_bash());
      return option != nullptr && machine.state.options.has(option->option);
    }
    default: break;
  }
  world::FileStatus status;
  bool is_link = letter == 'L' || letter == 'h';
  if (letter == 's') machine.os->need_size(path);
  if (machine.os->status(path, !is_link, status) < 0) return false;
  switch (letter) {
    case 'a':
    case 'e': return true;
    case 'f': return status.kind == world::FileKind::kRegular;
    case 'd': return status.kind == world::FileKind::kDirectory;
    case 'L':
    case 'h': return status.kind == world::FileKind::kLink;
    case 'p': return status.kind == world::FileKind::kFifo;
    case 'S': return status.kind == world::FileKind::kSocket;
    case 'b': return status.kind == world::FileKind::kBlockDevice;
    case 'c': return status.kind == world::FileKind::kCharacterDevice;
    case 's': return status.size > 0;
    case 'g': return (status.mode & 02000) != 0;
    case 'u': return (status.mode & 04000) != 0;
    case 'k': return (status.mode & 01000) != 0;
    case 'O': return status.owner == machine.os->user_id();
    case 'G': return status.group == machine.os->group_of_user();
    case 'N': return status.modified_ns > status.accessed_ns;
    default: return false;
  }
}

int run_test(Machine& machine, Args args) {
  size_t end = args.size();
  if (args[0] == "[") {
    if (end < 2 || args[end - 1] != "]") {
      machine.builtin_error("[", machine.is_bash() ? "missing `]'" : "missing ]");
      return 2;
    }
    --end;
  }
  return Test(machine, args, end).run();
}

}  // namespace nacre::machine
