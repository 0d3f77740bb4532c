// Redirections. Each one is opened at a high descriptor and becomes a Move. What runs in the shell
// (a function, a group) gets it applied to the shell's descriptors and undone later; a program gets
// the list when it is started; a plain builtin only looks up where its output leads to.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace nacre::machine {

using shell::RedirectOp;

namespace {

int open_flags(RedirectOp op) {
  switch (op) {
    case RedirectOp::kInput: return O_RDONLY;
    case RedirectOp::kAppend: return O_WRONLY | O_CREAT | O_APPEND;
    case RedirectOp::kReadWrite: return O_RDWR | O_CREAT;
    default: return O_WRONLY | O_CREAT | O_TRUNC;
  }
}

// -C: an existing regular file is not overwritten.
int open_new(world::Os& os, const char* path) {
  int fd = os.open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd != -EEXIST) return fd;
  fd = os.open(path, O_WRONLY, 0666);
  world::FileStatus status;
  if (fd >= 0 && os.status(fd, status) >= 0 && status.kind == world::FileKind::kRegular) {
    os.close(fd);
    return -EEXIST;
  }
  return fd;
}

// The descriptor that a path like /dev/stdout stands for.
std::optional<int> named_descriptor(std::string_view path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    std::string_view digits = path.substr(prefix.size());
    int64_t number = -1;
    if (is_digits(digits) && digits.size() < 10 && parse_integer(digits, number)) {
      return static_cast<int>(number);
    }
  }
  return std::nullopt;
}

}  // namespace

int Machine::resolve(int fd, size_t base) const {
  for (size_t i = moves.size(); i > base; --i) {
    const Move& move = moves[i - 1];
    if (move.move.target != fd || move.is_applied) continue;
    if (!move.is_copy) return move.move.source;
    // A copy led to what its source led to before this move.
    int source = move.move.source;
    for (size_t j = i - 1; j > base; --j) {
      const Move& earlier = moves[j - 1];
      if (earlier.move.target != source || earlier.is_applied) continue;
      source = earlier.move.source;
      if (!earlier.is_copy) return source;
    }
    return real_fd(source);
  }
  return real_fd(fd);
}

ExpandMode Machine::target_mode(const Redirect& redirect) const {
  bool is_text = redirect.op == RedirectOp::kHereDocument || redirect.op == RedirectOp::kHereString;
  bool is_split = is_bash() && !is_text && !redirect.target.is_joined &&
                  !redirect.target.is_literal && !state.options.has(Option::kPosix);
  return is_split ? ExpandMode::kFields : ExpandMode::kString;
}

std::optional<std::string> Machine::take_target(const Redirect& redirect, const Marks& base,
                                                size_t first_field) {
  if (target_mode(redirect) == ExpandMode::kString) return take_text(base.text);
  std::optional<std::string> target;
  if (fields.size() == first_field + 1) {
    target = std::string(fields[first_field]);
  } else {
    error(fmt::format("{}: ambiguous redirect", redirect.target.written));
  }
  fields.truncate(first_field);
  return target;
}

// What runs in the shell itself, or is about to be started, has descriptors that are only planned.
// A path that names one of them has to lead where it will lead.
bool Machine::open_redirect(const Redirect& redirect, const std::string& target) {
  if (!redirect.variable.empty()) return open_variable_fd(redirect, target);
  const bool is_document =
      redirect.op == RedirectOp::kHereDocument || redirect.op == RedirectOp::kHereString;
  const std::optional<int> named = is_document ? std::nullopt : named_descriptor(target);
  if (named) {
    const int real = resolve(*named, frames.empty() ? 0 : frames.back().base.moves);
    if (real <= kFirstCapture) {
      moves.push_back({.move = {redirect.fd, *named}, .is_copy = true});
      return true;
    }
    if (real >= 0 && real != *named) return open_path(redirect, fmt::format("/dev/fd/{}", real));
  }
  return open_path(redirect, target);
}

namespace {

// What bash takes after >& and <& besides a number and `-`: `N-` moves a descriptor, and the name
// of a file gets both outputs where no descriptor is written.
bool open_bash_copy(Machine& machine, const Redirect& redirect, const std::string& target) {
  std::string_view digits = target;
  int64_t number = -1;
  if (digits.ends_with('-')) digits.remove_suffix(1);
  if (digits.size() < target.size() && is_digits(digits) && digits.size() < 10 &&
      parse_integer(digits, number)) {
    if (!machine.open_path(redirect, std::string(digits))) return false;
    Machine::Move closed;
    closed.move.target = static_cast<int>(number);
    closed.move.source = -1;
    if (number != redirect.fd) machine.moves.push_back(closed);
    return true;
  }
  if (target.empty() || !redirect.written.starts_with(">&")) {
    std::string_view word = redirect.written;
    word.remove_prefix(std::min(word.find('&') + 1, word.size()));
    machine.error(fmt::format("{}: ambiguous redirect", word));
    return false;
  }
  Redirect file = redirect;
  file.op = RedirectOp::kOutput;
  if (!machine.open_path(file, target)) return false;
  machine.moves.push_back({.move = {2, 1}, .is_copy = true});
  return true;
}

}  // namespace

bool Machine::open_path(const Redirect& redirect, const std::string& target) {
  Move move;
  move.move.target = redirect.fd;
  int opened = -1;
  switch (redirect.op) {
    case RedirectOp::kHereDocument: opened = os->here_document(target); break;
    case RedirectOp::kHereString: opened = os->here_document(target + "\n"); break;
    case RedirectOp::kDuplicateInput:
    case RedirectOp::kDuplicateOutput: {
      move.is_copy = true;
      if (target == "-") {
        move.move.source = -1;
        move.is_copy = false;
        moves.push_back(move);
        return true;
      }
      int64_t number = -1;
      bool is_number = is_digits(target) && target.size() < 10 && parse_integer(target, number);
      if (!is_number && is_bash()) return open_bash_copy(*this, redirect, target);
      if (!is_number) {
        error(fmt::format("{}: bad file descriptor", target));
        return false;
      }
      size_t from = frames.empty() ? 0 : frames.back().base.moves;
      int real = resolve(static_cast<int>(number), from);
      bool is_open = real <= kFirstCapture || (real >= 0 && os->is_open(real));
      bool writes = redirect.op == RedirectOp::kDuplicateOutput;
      if (!is_open || (writes && real >= 0 && !os->is_writable(real))) {
        std::string shown = is_bash() ? std::string(redirect.target.written) : target;
        error(fmt::format("{}: {}", shown, std::strerror(EBADF)));
        return false;
      }
      move.move.source = static_cast<int>(number);
      moves.push_back(move);
      return true;
    }
    case RedirectOp::kOutput:
      if (state.options.has(Option::kNoClobber)) {
        opened = open_new(*os, target.c_str());
        break;
      }
      [[fallthrough]];
    default: do { opened = os->open(target.c_str(), open_flags(redirect.op), 0666);
      } while (opened == -EINTR && *signal_flag == 0);
  }
  if (opened < 0) {
    bool reads = redirect.op == RedirectOp::kInput;
    std::string what =
        is_bash() ? target : fmt::format("cannot {} {}", reads ? "open" : "create", target);
    bool is_clobber = is_bash() && opened == -EEXIST;
    error(fmt::format("{}: {}", what,
                      is_clobber ? "cannot overwrite existing file" : std::strerror(-opened)));
    return false;
  }
  move.move.source = opened;
  moves.push_back(move);
  return true;
}

// {fd}>file: a free descriptor, which stays open after the command; {fd}>&- closes it again.
bool Machine::open_variable_fd(const Redirect& redirect, const std::string& target) {
  std::string name(redirect.variable);
  bool copies =
      redirect.op == RedirectOp::kDuplicateInput || redirect.op == RedirectOp::kDuplicateOutput;
  if (copies && target == "-") {
    std::string scratch;
    std::optional<Place> place = place_named(name);
    const std::string* value = place ? value_at(*place, scratch) : nullptr;
    int64_t fd = -1;
    if (value == nullptr || !parse_integer(*value, fd)) {
      error(fmt::format("{}: Bad file descriptor", name));
      return false;
    }
    os->close(static_cast<int>(fd));
    moves.push_back({.move = {}, .is_applied = true, .is_kept = true});
    return true;
  }
  Redirect plain = redirect;
  plain.variable = {};
  if (!open_redirect(plain, target)) return false;
  Move move = moves.back();
  moves.pop_back();
  int fd = 10;
  while (os->is_open(fd)) ++fd;
  int source = move.is_copy ? real_fd(move.move.source) : move.move.source;
  int failed = os->duplicate_to(source, fd);
  if (!move.is_copy) os->close(move.move.source);
  if (failed < 0) {
    error(fmt::format("{}: {}", name, std::strerror(-failed)));
    return false;
  }
  moves.push_back({.move = {}, .is_applied = true, .is_kept = true});
  return assign_named(name, std::to_string(fd));
}

// One redirection may have made two moves: `5<&6-`, `>&file`.
bool Machine::apply_last_move() {
  size_t base = frames.empty() ? 0 : frames.back().base.moves;
  size_t first = moves.size() - 1;
  while (first > base && !moves[first - 1].is_applied && !moves[first - 1].is_kept) --first;
  for (size_t i = first; i < moves.size(); ++i) {
    if (!apply_move(moves[i])) {
      moves.erase(moves.begin() + static_cast<ptrdiff_t>(i));
      return false;
    }
  }
  return true;
}

bool Machine::apply_move(Move& move) {
  if (move.is_kept) return true;
  int target = move.move.target;
  if (subshell_level > 0 && target < 3) {  // no process will see the shell's descriptors
    move.saved_io = io[target];
    int source = move.move.source;
    io[target] = move.is_copy ? real_fd(source) : source;
    move.is_applied = true;
    return true;
  }
  move.saved = os->duplicate(target);
  if (move.saved < 0 && move.saved != -EBADF) {
    error(fmt::format("{}: {}", target, std::strerror(-move.saved)));
    return false;
  }
  if (move.saved < 0) move.saved = -1;
  int source = move.move.source;
  int result = source < 0 ? os->close(target) : os->duplicate_to(source, target);
  if (source >= 0 && !move.is_copy && source != target) os->close(source);
  if (source >= 0 && result < 0) {
    error(fmt::format("{}: {}", target, std::strerror(-result)));
    if (move.saved >= 0) os->close(move.saved);
    return false;
  }
  move.is_applied = true;
  move.saved_io = target < 3 ? io[target] : 0;
  move.move.source = -1;
  move.is_copy = false;
  return true;
}

void Machine::undo_moves(size_t base) {
  while (moves.size() > base) {
    Move move = moves.back();
    moves.pop_back();
    if (move.is_kept) continue;
    int target = move.move.target;
    bool was_virtual = move.is_applied && subshell_level > 0 && target < 3;
    if (!move.is_applied || was_virtual) {
      if (was_virtual) io[target] = move.saved_io;
      if (!move.is_copy && move.move.source >= 0) os->close(move.move.source);
      continue;
    }
    if (move.saved >= 0) {
      os->duplicate_to(move.saved, target);
      os->close(move.saved);
    } else {
      os->close(target);
    }
  }
}

void Machine::keep_moves(size_t base) {
  while (moves.size() > base) {
    if (moves.back().is_applied && moves.back().saved >= 0) os->close(moves.back().saved);
    moves.pop_back();
  }
}

}  // namespace nacre::machine
