// chmod chown chgrp, and the modes they read.
#include "utilities/mode.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

constexpr unsigned kSetIds = S_ISUID | S_ISGID;

class ModeParser {
 public:
  ModeParser(std::string_view text, unsigned old, bool is_directory, unsigned mask)
      : text_(text), mode_(old), is_directory_(is_directory), mask_(mask) {}

  std::optional<unsigned> parse() {
    while (true) {
      if (!parse_clause()) return std::nullopt;
      if (at_ == text_.size()) return mode_;
      if (text_[at_++] != ',') return std::nullopt;
    }
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool parse_clause() {
    unsigned who = 0;
    for (;; ++at_) {
      char c = peek();
      if (c == 'u')
        who |= S_ISUID | 0700;
      else if (c == 'g')
        who |= S_ISGID | 0070;
      else if (c == 'o')
        who |= S_ISVTX | 0007;
      else if (c == 'a')
        who |= 07777;
      else
        break;
    }
    bool has_who = who != 0;
    if (!has_who) who = 07777;
    if (peek() != '+' && peek() != '-' && peek() != '=') return false;
    while (peek() == '+' || peek() == '-' || peek() == '=') {
      char op = text_[at_++];
      unsigned bits = parse_permissions() & who;
      if (!has_who) bits &= ~mask_;
      apply(op, bits, who);
    }
    return true;
  }

  unsigned parse_permissions() {
    char c = peek();
    if (c == 'u' || c == 'g' || c == 'o') {
      ++at_;
      unsigned from = mode_ >> (c == 'u' ? 6 : c == 'g' ? 3 : 0) & 7;
      return from * 0111;
    }
    unsigned bits = 0;
    for (;; ++at_) {
      switch (peek()) {
        case 'r': bits |= 0444; break;
        case 'w': bits |= 0222; break;
        case 'x': bits |= 0111; break;
        case 'X':
          if (is_directory_ || (mode_ & 0111) != 0) bits |= 0111;
          break;
        case 's': bits |= kSetIds; break;
        case 't': bits |= S_ISVTX; break;
        default: return bits;
      }
    }
  }

  void apply(char op, unsigned bits, unsigned who) {
    if (op == '+') mode_ |= bits;
    if (op == '-') mode_ &= ~bits;
    if (op == '=') {
      // The set-id bits of a directory stay unless they are named.
      unsigned kept = is_directory_ ? mode_ & kSetIds : 0;
      mode_ = (mode_ & ~who) | bits | kept;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  unsigned mode_;
  bool is_directory_;
  unsigned mask_;
};

bool looks_like_mode(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' &&
         argument.find_first_not_of("-+=rwxXstugoa,01234567") == std::string_view::npos;
}

struct ModeSetter {
  Context& context;
  std::string mode;
  bool is_recursive, is_quiet, is_verbose, was_option;
  std::optional<unsigned> reference;
  unsigned mask;
  int status = 0;

  void set(const std::string& path, bool is_operand) {
    world::FileStatus found;
    int error = context.os.status(path.c_str(), is_operand, found);
    if (error < 0) return complain(fmt::format("cannot access {}", quoted(path)), error);
    if (found.kind == world::FileKind::kLink) return;
    bool is_dir = found.kind == world::FileKind::kDirectory;
    unsigned wanted = reference ? *reference : change_mode(mode, found.mode, is_dir, mask)->mode;
    error = context.os.set_mode(path.c_str(), wanted);
    if (error < 0) {
      complain(fmt::format("changing permissions of {}", quoted(path)), error);
    } else {
      report(path, found, wanted);
    }
    if (!is_recursive || !is_dir) return;
    std::vector<std::string> names = list(context.os, path, error);
    if (error < 0) complain(fmt::format("cannot read directory {}", quoted(path)), error);
    for (const std::string& name : names) set(joined(path, name), false);
  }

  void complain(const std::string& what, int error) {
    status = 1;
    if (!is_quiet) context.fail(what, error);
  }

  void report(const std::string& path, world::FileStatus found, unsigned wanted) {
    unsigned old = found.mode;
    world::FileStatus now = found;
    now.mode = wanted;
    if (was_option) {  // `chmod -w`: the mask may leave more than it says
      world::FileStatus naive = found;
      bool is_dir = found.kind == world::FileKind::kDirectory;
      naive.mode = change_mode(mode, old, is_dir, 0)->mode;
      if ((wanted & ~naive.mode) != 0) {
        status = context.fail(fmt::format("{}: new permissions are {}, not {}", path,
                                          mode_text(now).substr(1), mode_text(naive).substr(1)));
      }
    }
    if (is_verbose && old == wanted) {
      context.out(fmt::format("mode of {} retained as {:04o} ({})\n", quoted(path), old,
                              mode_text(found).substr(1)));
    } else if (is_verbose) {
      context.out(fmt::format("mode of {} changed from {:04o} ({}) to {:04o} ({})\n", quoted(path),
                              old, mode_text(found).substr(1), wanted, mode_text(now).substr(1)));
    }
  }
};

struct OwnerSetter {
  Context& context;
  unsigned owner, group;
  bool is_recursive, follows, is_quiet;
  int status = 0;

  void set(const std::string& path) {
    world::FileStatus found;
    int error = context.os.status(path.c_str(), follows, found);
    if (error < 0) return complain(fmt::format("cannot access {}", quoted(path)), error);
    if (is_recursive && found.kind == world::FileKind::kDirectory) {
      for (const std::string& name : list(context.os, path, error)) {
        OwnerSetter child{context, owner, group, true, false, is_quiet};
        child.set(joined(path, name));
        status |= child.status;
      }
      if (error < 0) complain(fmt::format("cannot read directory {}", quoted(path)), error);
    }
    error = context.os.set_owner(path.c_str(), follows, owner, group);
    std::string_view what = owner == world::kSameOwner ? "group" : "ownership";
    if (error < 0) complain(fmt::format("changing {} of {}", what, quoted(path)), error);
  }

  void complain(const std::string& what, int error) {
    status = 1;
    if (!is_quiet) context.fail(what, error);
  }
};

int set_owners(Context& context, const Options& options, unsigned owner, unsigned group) {
  int status = 0;
  for (size_t i = 1; i < options.operands.size(); ++i) {
    OwnerSetter setter{context,           owner,           group, options.has('R'),
                       !options.has('h'), options.has('f')};
    setter.set(options.operands[i]);
    status |= setter.status;
  }
  return status;
}

}  // namespace

std::optional<ModeChange> change_mode(std::string_view text, unsigned old, bool is_directory,
                                      unsigned mask) {
  if (!text.empty() && text.find_first_not_of("01234567") == std::string_view::npos) {
    unsigned value = 0;
    for (char c : text) value = value * 8 + static_cast<unsigned>(c - '0');
    if (value > 07777) return std::nullopt;
    if (is_directory && text.size() < 5) value |= old & kSetIds;
    return ModeChange{value, true};
  }
  auto mode = ModeParser(text, old, is_directory, mask).parse();
  if (!mode) return std::nullopt;
  return ModeChange{*mode, false};
}

int chmod(Context& context) {
  // `-w` is a mode, not an option.
  std::string option_mode;
  for (size_t i = 1; i < context.arguments.size() && context.arguments[i] != "--"; ++i) {
    if (!looks_like_mode(context.arguments[i])) continue;
    option_mode = context.arguments[i];
    context.arguments.erase(context.arguments.begin() + static_cast<ptrdiff_t>(i));
    break;
  }
  auto options = parse_options(context, "chmod", "Rfv --quiet:f --reference");
  if (!options) return options.error();
  std::vector<std::string> operands = options->operands;
  std::optional<unsigned> reference;
  std::string mode = option_mode;
  if (const std::string* path = options->last("--reference")) {
    world::FileStatus status;
    if (int error = context.os.status(path->c_str(), true, status); error < 0) {
      return context.fail(fmt::format("failed to get attributes of {}", quoted(*path)), error);
    }
    reference = status.mode;
  } else if (mode.empty()) {
    if (operands.empty()) return context.fail("missing operand");
    mode = operands[0];
    operands.erase(operands.begin());
  }
  if (operands.empty()) return context.fail(fmt::format("missing operand after {}", quoted(mode)));
  if (!reference && !change_mode(mode, 0, false, 0)) {
    return context.fail(fmt::format("invalid mode: {}", quoted(mode)));
  }
  unsigned mask = context.os.set_file_mask(0);
  context.os.set_file_mask(mask);
  ModeSetter setter{context,           mode,
                    options->has('R'), options->has('f'),
                    options->has('v'), !option_mode.empty(),
                    reference,         mask};
  for (const std::string& path : operands) setter.set(path, true);
  return setter.status;
}

int chown(Context& context) {
  auto options = parse_options(context, "chown", "Rhf --quiet:f");
  if (!options) return options.error();
  if (options->operands.size() < 2) return context.fail("missing operand");
  const std::string& who = options->operands[0];
  size_t colon = who.find(':');
  std::string user = who.substr(0, colon);
  unsigned owner = user.empty() ? world::kSameOwner : user_number(context.os, user);
  unsigned group = world::kSameOwner;
  bool is_bad = !user.empty() && owner == world::kSameOwner;
  if (colon != std::string::npos && colon + 1 < who.size()) {
    group = group_number(context.os, who.substr(colon + 1));
    if (!is_bad && group == world::kSameOwner) {
      return context.fail(fmt::format("invalid group: {}", quoted(who)));
    }
  } else if (colon != std::string::npos && !user.empty()) {
    group = login_group(context.os, owner);
  }
  if (is_bad) return context.fail(fmt::format("invalid user: {}", quoted(who)));
  return set_owners(context, *options, owner, group);
}

int chgrp(Context& context) {
  auto options = parse_options(context, "chgrp", "Rhf --quiet:f");
  if (!options) return options.error();
  if (options->operands.size() < 2) return context.fail("missing operand");
  unsigned group = group_number(context.os, options->operands[0]);
  if (group == world::kSameOwner) {
    return context.fail(fmt::format("invalid group: {}", quoted(options->operands[0])));
  }
  return set_owners(context, *options, world::kSameOwner, group);
}

}  // namespace nacre::utilities
