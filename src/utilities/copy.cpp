#include "utilities/copy.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace nacre::utilities {

using world::FileKind;
using world::FileStatus;

bool Copier::fail(const std::string& what, int error) {
  context_.fail(what, error);
  return false;
}
bool Copier::fail(const std::string& message) {
  context_.fail(message);
  return false;
}

bool Copier::copy(const std::string& source, const std::string& target) {
  top_source_ = source;
  top_target_ = target;
  return copy_node(source, target, true);
}

bool Copier::copy_node(const std::string& source, const std::string& target, bool is_operand) {
  context_.os.spend(1);
  FileStatus from;
  bool follows = is_operand ? plan_.follows_operands : plan_.follows;
  if (int error = context_.os.status(source.c_str(), follows, from); error < 0) {
    return fail(fmt::format("cannot stat {}", quoted(source)), error);
  }
  bool is_dir = from.kind == FileKind::kDirectory;
  if (is_dir && !plan_.is_recursive) {
    return fail(fmt::format("-r not specified; omitting directory {}", quoted(source)));
  }
  auto is_repeated = [&] {
    return is_operand && !operands_.insert({from.device, from.inode}).second;
  };
  auto repeated = [&] {
    context_.fail(fmt::format("warning: source {} {} specified more than once",
                              is_dir ? "directory" : "file", quoted(source)));
    return true;
  };
  if (!is_dir && is_repeated()) return repeated();
  bool exists = false;
  Check check = check_target(source, from, target, exists);
  if (check != Check::kGo) return check == Check::kSkip;
  if (is_dir && is_repeated()) return repeated();
  if (is_dir && created_directories_.contains({from.device, from.inode})) {
    return fail(fmt::format("cannot copy a directory, {}, into itself, {}", quoted(top_source_),
                            quoted(top_target_)));
  }
  if (plan_.is_verbose) context_.out(fmt::format("{} -> {}\n", quoted(source), quoted(target)));
  if (is_dir) return copy_directory(source, from, target, exists);
  if (plan_.links_symbolic || plan_.links_hard) {
    int error = plan_.links_hard ? context_.os.link(source.c_str(), target.c_str())
                                 : context_.os.make_symbolic_link(source.c_str(), target.c_str());
    return error >= 0 || fail(fmt::format("cannot create link {}", quoted(target)), error);
  }
  bool done = false;
  if (from.kind == FileKind::kRegular || !plan_.is_recursive) {
    if (from.kind == FileKind::kLink) {
      done = copy_link(source, target);
    } else {
      done = copy_file(source, from, target, exists);
    }
  } else if (from.kind == FileKind::kLink) {
    done = copy_link(source, target);
  } else if (from.kind == FileKind::kFifo) {
    int error = context_.os.make_fifo(target.c_str(), from.mode);
    done = error >= 0 || fail(fmt::format("cannot create fifo {}", quoted(target)), error);
  } else {
    return fail(fmt::format("{} has unknown file type", quoted(source)));
  }
  if (done && plan_.keeps_attributes) keep_attributes(from, target);
  FileStatus made;
  if (done && context_.os.status(target.c_str(), false, made) >= 0) {
    created_.insert({made.device, made.inode});
  }
  return done;
}

Copier::Check Copier::check_target(const std::string& source, const FileStatus& from,
                                   const std::string& target, bool& exists) {
  FileStatus to;
  bool is_dir = from.kind == FileKind::kDirectory;
  bool follows = from.kind == FileKind::kRegular || is_dir;
  exists = context_.os.status(target.c_str(), follows, to) >= 0;
  if (!exists) return Check::kGo;
  if (plan_.never_overwrites && !is_dir && to.kind != FileKind::kDirectory) return Check::kSkip;
  if (is_same_file(from, to)) {
    FileStatus plain;
    bool is_link =
        context_.os.status(target.c_str(), false, plain) >= 0 && plain.kind == FileKind::kLink;
    if (plan_.is_forced && from.links > 1 && !is_link &&
        without_slashes(source) != without_slashes(target)) {
      return Check::kGo;
    }
    fail(fmt::format("{} and {} are the same file", quoted(source), quoted(target)));
    return Check::kFail;
  }
  // A link over the very file that it leads to would leave nothing of it.
  FileStatus leads_to;
  if (from.kind == FileKind::kLink && to.kind != FileKind::kLink &&
      context_.os.status(source.c_str(), true, leads_to) >= 0 && is_same_file(leads_to, to)) {
    fail(fmt::format("{} and {} are the same file", quoted(source), quoted(target)));
    return Check::kFail;
  }
  bool to_dir = to.kind == FileKind::kDirectory;
  if (!is_dir && to_dir) {
    fail(fmt::format("cannot overwrite directory {} with non-directory {}", quoted(target),
                     quoted(source)));
    return Check::kFail;
  }
  if (is_dir && !to_dir) {
    fail(fmt::format("cannot overwrite non-directory {} with directory {}", quoted(target),
                     quoted(source)));
    return Check::kFail;
  }
  if (is_dir) return Check::kGo;
  if (plan_.only_newer && from.modified_ns <= to.modified_ns) return Check::kSkip;
  if (created_.contains({to.device, to.inode})) {
    fail(fmt::format("will not overwrite just-created {} with {}", quoted(target), quoted(source)));
    return Check::kFail;
  }
  if (plan_.asks && !confirmed(context_, fmt::format("overwrite {}?", quoted(target)))) {
    return Check::kFail;
  }
  bool is_plain = from.kind == FileKind::kRegular;
  if (!is_plain && plan_.is_recursive) context_.os.unlink(target.c_str());
  return Check::kGo;
}

bool Copier::copy_file(const std::string& source, const FileStatus& from, const std::string& target,
                       bool exists) {
  int input = context_.os.open(source.c_str(), O_RDONLY, 0);
  if (input < 0) return fail(fmt::format("cannot open {} for reading", quoted(source)), input);
  FileStatus link;
  bool dangles = !exists && context_.os.status(target.c_str(), false, link) >= 0;
  if (dangles && !plan_.is_forced) {
    context_.os.close(input);
    return fail(fmt::format("not writing through dangling symlink {}", quoted(target)));
  }
  if (dangles) context_.os.unlink(target.c_str());
  unsigned mode = plan_.keeps_attributes ? from.mode & 0700 : from.mode & 0777;
  int output = -ENOENT;
  if (exists) {
    output = context_.os.open(target.c_str(), O_WRONLY | O_TRUNC, 0);
    if (output < 0 && plan_.is_forced && context_.os.unlink(target.c_str()) >= 0) exists = false;
  }
  if (!exists) {
    output = context_.os.open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
    if (output == -EISDIR) output = -ENOTDIR;  // a slash at the end
  }
  if (output < 0) {
    context_.os.close(input);
    return fail(fmt::format("cannot create regular file {}", quoted(target)), output);
  }
  bool done = copy_bytes(source, input, target, output);
  context_.os.close(input);
  context_.os.close(output);
  return done;
}

bool Copier::copy_bytes(const std::string& source, int input, const std::string& target,
                        int output) {
  if (context_.os.share_contents(input, output)) return true;
  char buffer[65536];
  while (true) {
    ssize_t got = context_.os.read(input, buffer, sizeof buffer);
    if (got == -EINTR) continue;
    if (got < 0) {
      return fail(fmt::format("error reading {}", quoted(source)), static_cast<int>(got));
    }
    if (got == 0) return true;
    ssize_t put = context_.os.write(output, buffer, static_cast<size_t>(got));
    if (put < 0) {
      return fail(fmt::format("error writing {}", quoted(target)), static_cast<int>(put));
    }
  }
}

bool Copier::copy_link(const std::string& source, const std::string& target) {
  std::string points_to;
  int error = context_.os.read_symbolic_link(source.c_str(), points_to);
  if (error < 0) return fail(fmt::format("cannot read symbolic link {}", quoted(source)), error);
  error = context_.os.make_symbolic_link(points_to.c_str(), target.c_str());
  if (error == -EEXIST && context_.os.unlink(target.c_str()) >= 0) {
    error = context_.os.make_symbolic_link(points_to.c_str(), target.c_str());
  }
  return error >= 0 || fail(fmt::format("cannot create symbolic link {}", quoted(target)), error);
}

bool Copier::copy_directory(const std::string& source, const FileStatus& from,
                            const std::string& target, bool exists) {
  unsigned mask = context_.os.set_file_mask(0);
  context_.os.set_file_mask(mask);
  if (!exists) {
    if (int error = context_.os.make_directory(target.c_str(), from.mode & 01777); error < 0) {
      return fail(fmt::format("cannot create directory {}", quoted(target)), error);
    }
    unsigned mode = from.mode & 01777 & ~mask;
    if ((mode & 0700) != 0700) context_.os.set_mode(target.c_str(), mode | 0700);
    FileStatus made;
    if (context_.os.status(target.c_str(), true, made) >= 0) {
      created_directories_.insert({made.device, made.inode});
    }
  }
  int error = 0;
  bool done = true;
  for (const std::string& name : list(context_.os, source, error)) {
    done &= copy_node(joined(source, name), joined(target, name), false);
  }
  if (error < 0) done = fail(fmt::format("cannot access {}", quoted(source)), error);
  if (plan_.keeps_attributes) {
    keep_attributes(from, target);
  } else if (!exists && (from.mode & ~mask & 0700) != 0700) {
    context_.os.set_mode(target.c_str(), from.mode & 01777 & ~mask);
  }
  return done;
}

void Copier::keep_attributes(const FileStatus& from, const std::string& target) {
  context_.os.set_times(target.c_str(), false, from.accessed_ns, from.modified_ns);
  bool is_owned = context_.os.set_owner(target.c_str(), false, from.owner, from.group) >= 0;
  if (!is_owned) context_.os.set_owner(target.c_str(), false, world::kSameOwner, from.group);
  if (from.kind == FileKind::kLink) return;
  context_.os.set_mode(target.c_str(), is_owned ? from.mode : from.mode & 01777);
}

bool find_targets(Context& context, const Options& options, std::vector<std::string>& sources,
                  std::string& target, bool& is_into) {
  sources = options.operands;
  if (options.has('t') && options.has('T')) {
    return context.fail("cannot combine --target-directory (-t) and --no-target-directory (-T)") ==
           0;
  }
  if (const std::string* directory = options.last('t')) {
    target = *directory;
    is_into = true;
    if (sources.empty()) return context.fail("missing file operand") == 0;
    if (is_directory(context.os, target)) return true;
    FileStatus status;
    int error = context.os.status(target.c_str(), true, status);
    return context.fail(fmt::format("target directory {}", quoted(target)),
                        error < 0 ? error : -ENOTDIR) == 0;
  }
  if (sources.empty()) return context.fail("missing file operand") == 0;
  if (sources.size() == 1) {
    return context.fail(
               fmt::format("missing destination file operand after {}", quoted(sources[0]))) == 0;
  }
  target = sources.back();
  sources.pop_back();
  is_into = !options.has('T') && is_directory(context.os, target);
  if (sources.size() == 1 || is_into) return true;
  if (options.has('T')) return context.fail(fmt::format("extra operand {}", quoted(target))) == 0;
  FileStatus status;
  int error = context.os.status(target.c_str(), true, status);
  return context.fail(fmt::format("target {}", quoted(target)), error < 0 ? error : -ENOTDIR) == 0;
}

}  // namespace nacre::utilities
