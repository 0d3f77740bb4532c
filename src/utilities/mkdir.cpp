// mkdir mkfifo touch ln mktemp
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>

#include "utilities/date.h"
#include "utilities/mode.h"
#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

unsigned file_mask(Context& context) {
  unsigned mask = context.os.set_file_mask(0);
  context.os.set_file_mask(mask);
  return mask;
}

// Every directory of `path` but the last; 0 or -errno, with the one at fault in `path`.
int make_parents(Context& context, std::string& path, bool is_verbose) {
  std::string_view whole = without_slashes(path);
  unsigned mask = context.os.set_file_mask(0);
  context.os.set_file_mask(mask & ~0300u);
  int error = 0;
  for (size_t slash = whole.find('/', 1); slash != std::string_view::npos && error == 0;
       slash = whole.find('/', slash + 1)) {
    if (whole[slash - 1] == '/') continue;
    std::string parent(whole.substr(0, slash));
    if (is_directory(context.os, parent)) continue;
    error = context.os.make_directory(parent.c_str(), 0777);
    if (error == -EEXIST) error = is_directory(context.os, parent) ? 0 : -ENOTDIR;
    if (error < 0) {
      path = parent;
    } else if (is_verbose) {
      context.out(fmt::format("mkdir: created directory {}\n", quoted(parent)));
    }
  }
  context.os.set_file_mask(mask);
  return error;
}

}  // namespace

int mkdir(Context& context) {
  auto options = parse_options(context, "mkdir", "pmv");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  const std::string* mode = options->last('m');
  std::optional<ModeChange> wanted;
  if (mode != nullptr) {
    wanted = change_mode(*mode, 0777, true, file_mask(context));
    if (!wanted) return context.fail(fmt::format("invalid mode {}", quoted(*mode)));
  }
  int status = 0;
  for (const std::string& operand : options->operands) {
    std::string path = operand;
    int error = options->has('p') ? make_parents(context, path, options->has('v')) : 0;
    bool was_made = false;
    if (error == 0) {
      error = context.os.make_directory(path.c_str(), 0777);
      was_made = error == 0;
      if (error < 0 && options->has('p') && is_directory(context.os, path)) error = 0;
    }
    if (error < 0) {
      status = context.fail(fmt::format("cannot create directory {}", quoted(path)), error);
      continue;
    }
    if (was_made && wanted) context.os.set_mode(path.c_str(), wanted->mode);
    if (was_made && options->has('v')) {
      context.out(fmt::format("mkdir: created directory {}\n", quoted(path)));
    }
  }
  return status;
}

int mkfifo(Context& context) {
  auto options = parse_options(context, "mkfifo", "m");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  int status = 0;
  for (const std::string& path : options->operands) {
    int error = context.os.make_fifo(path.c_str(), 0666);
    if (error < 0) status = context.fail(fmt::format("cannot create fifo {}", quoted(path)), error);
    if (const std::string* mode = options->last('m'); error >= 0 && mode != nullptr) {
      auto wanted = change_mode(*mode, 0666, false, file_mask(context));
      if (!wanted) return context.fail(fmt::format("invalid mode"));
      context.os.set_mode(path.c_str(), wanted->mode);
    }
  }
  return status;
}

int touch(Context& context) {
  auto options = parse_options(context, "touch", "acfmhrdt");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing file operand");
  int64_t accessed = world::kPresent;
  int64_t modified = world::kPresent;
  if (const std::string* path = options->last('r')) {
    world::FileStatus status;
    if (int error = context.os.status(path->c_str(), true, status); error < 0) {
      return context.fail(fmt::format("failed to get attributes of {}", quoted(*path)), error);
    }
    accessed = status.accessed_ns;
    modified = status.modified_ns;
  }
  for (char letter : {'d', 't'}) {
    const std::string* text = options->last(letter);
    if (text == nullptr) continue;
    auto time = letter == 't' ? parse_touch_time(*text, context.os.clock_ns())
                              : parse_date(*text, context.os.clock_ns());
    if (!time) return context.fail(fmt::format("invalid date format {}", quoted(*text)));
    accessed = modified = *time;
  }
  bool only_one = options->has('a') != options->has('m');
  if (only_one && options->has('m')) accessed = world::kSameTime;
  if (only_one && options->has('a')) modified = world::kSameTime;
  int status = 0;
  bool follows = !options->has('h');
  for (const std::string& path : options->operands) {
    int opened = 0;
    if (!options->has('c') && follows) {
      opened = context.os.open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK, 0666);
      if (opened >= 0) context.os.close(opened);
    }
    int error = context.os.set_times(path.c_str(), follows, accessed, modified);
    if (error >= 0 || (error == -ENOENT && options->has('c'))) continue;
    bool was_open = opened < 0 && opened != -EISDIR;
    status = context.fail(
        fmt::format("{} {}", was_open ? "cannot touch" : "setting times of", quoted(path)),
        was_open ? opened : error);
  }
  return status;
}

namespace {

class Linker {
 public:
  Linker(Context& context, const Options& options)
      : context_(context),
        is_symbolic_(options.has('s')),
        is_forced_(options.has('f')),
        is_verbose_(options.has('v')) {}

  int link(const std::string& target, const std::string& path) {
    world::FileStatus source;
    if (!is_symbolic_) {
      if (int error = context_.os.status(target.c_str(), false, source); error < 0) {
        return context_.fail(fmt::format("failed to access {}", quoted(target)), error);
      }
      if (source.kind == world::FileKind::kDirectory) {
        return context_.fail(fmt::format("{}: hard link not allowed for directory", target));
      }
    }
    if (is_forced_) {
      if (int status = make_room(target, path, source); status != 0) return status;
    }
    int error = make(target, path);
    if (error == -EEXIST && is_forced_) error = replace(target, path);
    if (error < 0) {
      std::string what = is_symbolic_
                             ? fmt::format("failed to create symbolic link {}", quoted(path))
                             : fmt::format("failed to create hard link {}{}", quoted(path),
                                           error == -EEXIST ? "" : " => " + quoted(target));
      return context_.fail(what, error);
    }
    if (is_verbose_) {
      context_.out(
          fmt::format("{} {} {}\n", quoted(path), is_symbolic_ ? "->" : "=>", quoted(target)));
    }
    return 0;
  }

 private:
  int make_room(const std::string& target, const std::string& path, world::FileStatus source) {
    world::FileStatus there;
    if (context_.os.status(path.c_str(), false, there) < 0) return 0;
    if (there.kind == world::FileKind::kDirectory) {
      return context_.fail(fmt::format("{}: cannot overwrite directory", path));
    }
    bool has_source = !is_symbolic_ || context_.os.status(target.c_str(), true, source) >= 0;
    if (has_source && is_same_file(there, source)) {
      if (without_slashes(target) == without_slashes(path) || there.links < 2) {
        return context_.fail(
            fmt::format("{} and {} are the same file", quoted(target), quoted(path)));
      }
    }
    return 0;
  }

  int make(const std::string& target, const std::string& path) {
    return is_symbolic_ ? context_.os.make_symbolic_link(target.c_str(), path.c_str())
                        : context_.os.link(target.c_str(), path.c_str());
  }

  // Beside what is there, then over it: a link that cannot be made removes nothing.
  int replace(const std::string& target, const std::string& path) {
    std::string beside = fmt::format("{}/Cu{:06}", directory_name(path), context_.os.process_id());
    context_.os.declare_absent(beside.c_str());
    int error = make(target, beside);
    if (error < 0) return error;
    error = context_.os.rename(beside.c_str(), path.c_str());
    context_.os.unlink(beside.c_str());  // still there after an error, or if both were one file
    return error;
  }

  Context& context_;
  bool is_symbolic_;
  bool is_forced_;
  bool is_verbose_;
};

}  // namespace

int ln(Context& context) {
  auto options = parse_options(context, "ln", "sfnvTt");
  if (!options) return options.error();
  if (options->has('t') && options->has('T')) {
    return context.fail("cannot combine --target-directory and --no-target-directory");
  }
  std::vector<std::string> operands = options->operands;
  if (const std::string* directory = options->last('t')) operands.push_back(*directory);
  if (operands.empty()) return context.fail("missing file operand");
  if (operands.size() == 1) operands.emplace_back(".");
  Linker linker(context, *options);
  std::string last = operands.back();
  operands.pop_back();
  bool is_into = options->has('t') || (!options->has('T') && is_directory(context.os, last));
  if (is_into && options->has('n') && !options->has('t')) {
    is_into = is_directory(context.os, last, false) || last.ends_with('/');
  }
  if (operands.size() > 1 && !is_into) {
    return context.fail(fmt::format("target {} is not a directory", quoted(last)));
  }
  int status = 0;
  for (const std::string& target : operands) {
    std::string path = is_into ? joined(last, base_name(target)) : last;
    status |= linker.link(target, path);
  }
  return status;
}

int mktemp(Context& context) {
  auto options = parse_options(context, "mktemp", "dqutp --tmpdir= --suffix");
  if (!options) return options.error();
  if (options->operands.size() > 1) return context.fail("too many templates");
  bool is_default = options->operands.empty();
  std::string name = is_default ? "tmp.XXXXXXXXXX" : options->operands[0];
  if (options->has("--suffix")) name += *options->last("--suffix");
  const char* tmpdir = context.variable("TMPDIR");
  std::string directory = tmpdir == nullptr || *tmpdir == '\0' ? "/tmp" : tmpdir;
  if (options->has('p')) directory = *options->last('p');
  if (const std::string* given = options->last("--tmpdir"); given != nullptr && !given->empty())
    directory = *given;
  if (is_default || options->has('p') || options->has('t') || options->has("--tmpdir")) {
    name = joined(directory, name);
  }
  size_t end = name.rfind("XXX");
  if (end == std::string::npos) {
    return context.fail(fmt::format("too few X's in template {}", quoted(options->operands[0])));
  }
  end += 3;
  size_t begin = end;
  while (begin > 0 && name[begin - 1] == 'X') --begin;
  // Not random: the same script gives the same names.
  static constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  auto seed = static_cast<uint64_t>(context.os.process_id()) * 2654435761u;
  constexpr int kTries = 1000;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    for (size_t i = begin; i < end; ++i) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      name[i] = kLetters[(seed >> 33) % kLetters.size()];
    }
    world::FileStatus status;
    int error = 0;
    context.os.declare_absent(name.c_str());
    if (options->has('u')) {
      error = context.os.status(name.c_str(), false, status) < 0 ? 0 : -EEXIST;
    } else if (options->has('d')) {
      error = context.os.make_directory(name.c_str(), 0700);
    } else {
      error = context.os.open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    }
    if (error == -EEXIST) continue;
    if (error < 0) {
      std::string shown = name;
      std::fill(shown.begin() + static_cast<ptrdiff_t>(begin),
                shown.begin() + static_cast<ptrdiff_t>(end), 'X');
      std::string_view what = options->has('d') ? "directory" : "file";
      if (options->has('q')) return 1;
      return context.fail(fmt::format("failed to create {} via template {}", what, quoted(shown)),
                          error);
    }
    context.out(name + "\n");
    return 0;
  }
  return context.fail("no unused name found");
}

}  // namespace nacre::utilities
