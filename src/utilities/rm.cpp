// rm rmdir unlink
#include <cerrno>
#include <fmt/format.h>

#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

using world::FileKind;

class Remover {
 public:
  Remover(Context& context, const Options& options)
      : context_(context),
        is_forced_(options.last_of("fiI") == 'f'),
        asks_(options.last_of("fiI") == 'i'),
        is_recursive_(options.has('r') || options.has('R')),
        takes_empty_(options.has('d')),
        is_verbose_(options.has('v')) {}

  int status = 0;

  void remove(const std::string& path) {
    world::FileStatus found;
    if (int error = context_.os.status(path.c_str(), false, found); error < 0) {
      bool is_missing = error == -ENOENT || error == -ENOTDIR;
      if (!(is_forced_ && is_missing)) cannot_remove(path, error);
      return;
    }
    if (found.kind != FileKind::kDirectory) {
      remove_file(path, found);
    } else if (!is_recursive_ && !takes_empty_) {
      cannot_remove(path, -EISDIR);
    } else if (is_recursive_ && without_slashes(path) == "/") {
      status = context_.fail("it is dangerous to operate recursively on '/'");
      context_.fail("use --no-preserve-root to override this failsafe");
    } else if (is_recursive_ && is_dot_or_dot_dot(path)) {
      status = context_.fail(
          fmt::format("refusing to remove '.' or '..' directory: skipping {}", quoted(path)));
    } else {
      remove_directory(path, found);
    }
  }

 private:
  void cannot_remove(const std::string& path, int error) {
    status = context_.fail(fmt::format("cannot remove {}", quoted(path)), error);
  }

  bool remove_file(const std::string& path, const world::FileStatus& found) {
    if (asks_) {
      std::string_view kind = found.kind == FileKind::kLink   ? "symbolic link"
                              : found.kind == FileKind::kFifo ? "fifo"
                              : found.size == 0               ? "regular empty file"
                                                              : "regular file";
      if (!confirmed(context_, fmt::format("remove {} {}?", kind, quoted(path)))) return false;
    }
    if (int error = context_.os.unlink(path.c_str()); error < 0) {
      cannot_remove(path, error);
      return false;
    }
    if (is_verbose_) context_.out(fmt::format("removed {}\n", quoted(path)));
    return true;
  }

  // A directory of which something stays is not tried itself.
  bool remove_directory(const std::string& path, const world::FileStatus&) {
    int list_error = 0;
    bool is_empty = true;
    if (is_recursive_) {
      std::vector<std::string> names = list(context_.os, path, list_error);
      if (asks_ && !names.empty() &&
          !confirmed(context_, fmt::format("descend into directory {}?", quoted(path)))) {
        return false;
      }
      for (const std::string& name : names) is_empty &= remove_child(joined(path, name));
    }
    if (!is_empty) return false;
    if (asks_ && !confirmed(context_, fmt::format("remove directory {}?", quoted(path))))
      return false;
    if (int error = context_.os.remove_directory(path.c_str()); error < 0) {
      cannot_remove(path, list_error != 0 && error == -ENOTEMPTY ? list_error : error);
      return false;
    }
    if (is_verbose_) context_.out(fmt::format("removed directory {}\n", quoted(path)));
    return true;
  }

  bool remove_child(const std::string& path) {
    world::FileStatus found;
    if (int error = context_.os.status(path.c_str(), false, found); error < 0) {
      cannot_remove(path, error);
      return false;
    }
    return found.kind == FileKind::kDirectory ? remove_directory(path, found)
                                              : remove_file(path, found);
  }

  Context& context_;
  bool is_forced_;
  bool asks_;
  bool is_recursive_;
  bool takes_empty_;
  bool is_verbose_;
};

}  // namespace

int rm(Context& context) {
  auto options = parse_options(context, "rm", "firRdv");
  if (!options) return options.error();
  if (options->operands.empty()) return options->has('f') ? 0 : context.fail("missing operand");
  Remover remover(context, *options);
  for (const std::string& path : options->operands) remover.remove(path);
  return remover.status;
}

int unlink(Context& context) {
  auto options = parse_options(context, "unlink", "");
  if (!options) return options.error();
  if (options->operands.size() != 1) {
    return context.fail(options->operands.empty() ? "missing operand" : "extra operand");
  }
  const std::string& path = options->operands[0];
  int error = context.os.unlink(path.c_str());
  return error < 0 ? context.fail(fmt::format("cannot unlink {}", quoted(path)), error) : 0;
}

int rmdir(Context& context) {
  auto options = parse_options(context, "rmdir", "pv --ignore-fail-on-non-empty");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  int status = 0;
  for (const std::string& operand : options->operands) {
    std::string path = operand;
    while (true) {
      if (options->has('v'))
        context.out(fmt::format("rmdir: removing directory, {}\n", quoted(path)));
      int error = context.os.remove_directory(path.c_str());
      if (error < 0) {
        bool ignores =
            options->has("--ignore-fail-on-non-empty") && (error == -ENOTEMPTY || error == -EEXIST);
        bool is_parent = path != operand;
        std::string what = is_parent ? "failed to remove directory" : "failed to remove";
        if (!ignores) status = context.fail(fmt::format("{} {}", what, quoted(path)), error);
        break;
      }
      std::string_view stripped = without_slashes(path);
      size_t slash = stripped.rfind('/');
      if (!options->has('p') || slash == std::string_view::npos || slash == 0) break;
      path = std::string(without_slashes(stripped.substr(0, slash)));
    }
  }
  return status;
}

}  // namespace nacre::utilities
