// cp mv install
#include <cerrno>
#include <fmt/format.h>
#include <set>

#include "utilities/copy.h"
#include "utilities/mode.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

using world::FileKind;
using world::FileStatus;

class Mover {
 public:
  Mover(Context& context, const Options& options)
      : context_(context),
        policy_(options.last_of("fin")),
        only_newer_(options.has('u')),
        is_verbose_(options.has('v')) {}

  int move(const std::string& source, const std::string& target) {
    FileStatus from;
    if (int error = context_.os.status(source.c_str(), false, from); error < 0) {
      return context_.fail(fmt::format("cannot stat {}", quoted(source)), error);
    }
    FileStatus to;
    bool exists = context_.os.status(target.c_str(), false, to) >= 0;
    bool is_there =
        exists || context_.os.status(std::string(without_slashes(target)).c_str(), false, to) >= 0;
    if (policy_ == 'n' && is_there) return 0;
    if (exists) {
      bool is_skipped = false;
      int status = check_target(source, from, target, to, is_skipped);
      if (status != 0 || is_skipped) return status;
    }
    int error = context_.os.rename(source.c_str(), target.c_str());
    if (error == -EXDEV) return context_.not_modelled("moving between file systems");
    if (error == -EINVAL) {
      return context_.fail(fmt::format("cannot move {} to a subdirectory of itself, {}",
                                       quoted(source), quoted(target)));
    }
    if (error < 0) {
      return context_.fail(fmt::format("cannot move {} to {}", quoted(source), quoted(target)),
                           error);
    }
    if (is_verbose_) {
      context_.out(fmt::format("renamed {} -> {}\n", quoted(source), quoted(target)));
    }
    moved_.push_back({from.device, from.inode});
    return 0;
  }

 private:
  int check_target(const std::string& source, const FileStatus& from, const std::string& target,
                   const FileStatus& to, bool& is_skipped) {
    if (is_same_file(from, to)) {
      if (from.links > 1 && from.kind != FileKind::kDirectory && !is_one_name(source, target)) {
        context_.os.unlink(source.c_str());
        is_skipped = true;
        return 0;
      }
      return context_.fail(
          fmt::format("{} and {} are the same file", quoted(source), quoted(target)));
    }
    is_skipped = only_newer_ && from.modified_ns <= to.modified_ns;
    if (is_skipped) return 0;
    bool from_dir = from.kind == FileKind::kDirectory;
    bool to_dir = to.kind == FileKind::kDirectory;
    if (to_dir && !from_dir) {
      return context_.fail(
          fmt::format("cannot overwrite directory {} with non-directory", quoted(target)));
    }
    if (from_dir && !to_dir) {
      return context_.fail(fmt::format("cannot overwrite non-directory {} with directory {}",
                                       quoted(target), quoted(source)));
    }
    for (const auto& [device, inode] : moved_) {
      if (device == to.device && inode == to.inode) {
        return context_.fail(fmt::format("will not overwrite just-created {} with {}",
                                         quoted(target), quoted(source)));
      }
    }
    if (policy_ == 'i' && !confirmed(context_, fmt::format("overwrite {}?", quoted(target)))) {
      is_skipped = true;
    }
    return 0;
  }

  bool is_one_name(const std::string& a, const std::string& b) {
    FileStatus in_a;
    FileStatus in_b;
    if (base_name(a) != base_name(b)) return false;
    return context_.os.status(directory_name(a).c_str(), true, in_a) >= 0 &&
           context_.os.status(directory_name(b).c_str(), true, in_b) >= 0 &&
           is_same_file(in_a, in_b);
  }

  Context& context_;
  int policy_;
  bool only_newer_;
  bool is_verbose_;
  std::vector<std::pair<uint64_t, uint64_t>> moved_;
};

}  // namespace

int cp(Context& context) {
  auto options = parse_options(context, "cp", "rRapfinuvdLPHTtls --preserve= --update:u");
  if (!options) return options.error();
  CopyPlan plan;
  plan.is_recursive = options->last_of("rRa") != 0;
  int links = options->last_of("LPHda");
  plan.follows = links == 'L';
  plan.follows_operands = links == 'L' || links == 'H' || (links == 0 && !plan.is_recursive);
  plan.keeps_attributes = options->has('p') || options->has('a') || options->has("--preserve");
  if (const std::string* what = options->last("--preserve");
      what != nullptr && !what->empty() && *what != "all" && *what != "mode,ownership,timestamps") {
    return context.not_modelled(fmt::format("--preserve={}", *what));
  }
  plan.is_forced = options->has('f');
  plan.asks = options->last_of("in") == 'i';
  plan.never_overwrites = options->last_of("in") == 'n';
  plan.only_newer = options->has('u');
  plan.is_verbose = options->has('v');
  plan.links_hard = options->has('l');
  plan.links_symbolic = options->has('s');
  std::vector<std::string> sources;
  std::string target;
  bool is_into = false;
  if (!find_targets(context, *options, sources, target, is_into)) return 1;
  Copier copier(context, plan);
  int status = 0;
  for (const std::string& source : sources) {
    std::string path = is_into ? joined(target, base_name(source)) : target;
    if (is_into && is_dot_or_dot_dot(source)) path = target;
    if (!copier.copy(source, path)) status = 1;
  }
  return status;
}

int mv(Context& context) {
  auto options = parse_options(context, "mv", "finuvTt --update:u");
  if (!options) return options.error();
  std::vector<std::string> sources;
  std::string target;
  bool is_into = false;
  if (!find_targets(context, *options, sources, target, is_into)) return 1;
  Mover mover(context, *options);
  int status = 0;
  for (const std::string& source : sources) {
    status |= mover.move(source, is_into ? joined(target, base_name(source)) : target);
  }
  return status;
}

int install(Context& context) {
  auto options = parse_options(context, "install", "dmogpDctT");
  if (!options) return options.error();
  std::string mode_of = options->has('m') ? *options->last('m') : "0755";
  auto mode = change_mode(mode_of, 0, options->has('d'), 0);
  if (!mode) return context.fail(fmt::format("invalid mode {}", quoted(mode_of)));
  auto make_parents = [&](const std::string& path) {
    std::vector<std::string> arguments = {"mkdir", "-p", "--", path};
    Context inner(context.os, arguments, context.environment);
    return run_utility(mkdir, inner);
  };
  unsigned owner = world::kSameOwner;
  unsigned group = world::kSameOwner;
  if (const std::string* name = options->last('o')) {
    owner = user_number(context.os, *name);
    if (owner == world::kSameOwner)
      return context.fail(fmt::format("invalid user {}", quoted(*name)));
  }
  if (const std::string* name = options->last('g')) {
    group = group_number(context.os, *name);
    if (group == world::kSameOwner)
      return context.fail(fmt::format("invalid group {}", quoted(*name)));
  }
  // The owner first: a change of it takes set-id bits away.
  auto finish = [&](const std::string& path) {
    bool is_given = owner != world::kSameOwner || group != world::kSameOwner;
    int error = is_given ? context.os.set_owner(path.c_str(), true, owner, group) : 0;
    if (error < 0)
      return context.fail(fmt::format("cannot change ownership of {}", quoted(path)), error);
    context.os.set_mode(path.c_str(), mode->mode);
    return 0;
  };
  int status = 0;
  if (options->has('d')) {
    if (options->has('t'))
      return context.fail("target directory not allowed when installing a directory");
    if (options->operands.empty()) return context.fail("missing file operand");
    for (const std::string& path : options->operands) {
      int failed = make_parents(path);
      status |= failed != 0 ? failed : finish(path);
    }
    return status;
  }
  std::vector<std::string> sources;
  std::string target;
  bool is_into = false;
  if (options->has('D') && options->has('t')) status |= make_parents(*options->last('t'));
  if (options->has('D') && !options->has('t') && options->operands.size() == 2) {
    status |= make_parents(directory_name(options->operands[1]));
  }
  if (!find_targets(context, *options, sources, target, is_into)) return 1;
  std::set<std::string> made;
  for (const std::string& source : sources) {
    std::string path = is_into ? joined(target, base_name(source)) : target;
    if (made.contains(path)) {
      status = context.fail(
          fmt::format("will not overwrite just-created {} with {}", quoted(path), quoted(source)));
      continue;
    }
    FileStatus from;
    FileStatus to;
    bool is_there = context.os.status(source.c_str(), true, from) >= 0;
    // Another name of the same file is replaced.
    bool is_same = is_there && context.os.status(path.c_str(), false, to) >= 0 &&
                   is_same_file(from, to) &&
                   (from.links == 1 || base_name(source) == base_name(path));
    bool replaces = is_there && !is_same && from.kind != FileKind::kDirectory;
    int error =
        replaces && !is_directory(context.os, path, false) ? context.os.unlink(path.c_str()) : 0;
    if (error < 0 && error != -ENOENT) {
      status = context.fail(fmt::format("cannot remove {}", quoted(path)), error);
      continue;
    }
    Copier copier(context, CopyPlan());
    if (!copier.copy(source, path)) {
      status = 1;
    } else {
      made.insert(path);
      status |= finish(path);
      if (options->has('p'))
        context.os.set_times(path.c_str(), true, from.accessed_ns, from.modified_ns);
    }
  }
  return status;
}

}  // namespace nacre::utilities
