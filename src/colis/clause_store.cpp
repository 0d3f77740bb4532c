#include "colis/clause_store.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "utilities/mode.h"

namespace nacre::colis {

using commands::EffectCall;
using commands::PathRelation;
using commands::PathTest;

namespace {

bool is_inside(const std::vector<std::string>& inner, const std::vector<std::string>& outer) {
  return inner.size() >= outer.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

}  // namespace

int ClauseStore::call(EffectCall call, const std::string& a, const std::string& b) {
  if (walker_.is_over()) return -EIO;
  switch (call) {
    case EffectCall::kMkdir: return make(a, &Clause::empty_directory, "makes the directory ");
    case EffectCall::kMkfifo: return make(a, nullptr, "makes the named pipe ");
    case EffectCall::kCreate: return open_to_write(a, false, true);
    case EffectCall::kWrite: return open_to_write(a, true, false);
    case EffectCall::kAppend: return open_to_write(a, false, false);
    case EffectCall::kRead: {
      const Place found = walker_.find(a, true);
      if (found.error < 0) return found.error;
      return walker_.is_of(*found.node, kDirectory) ? -EISDIR : 0;
    }
    case EffectCall::kUnlink: return unlink(a);
    case EffectCall::kRmdir: return rmdir(a);
    case EffectCall::kRemove: return remove(a);
    case EffectCall::kStamp: return walker_.find(a, true).error;
    case EffectCall::kEnter: return walker_.find(a, true).error;
    case EffectCall::kRename: return rename(a, b);
    case EffectCall::kSymlink: return symlink(a, b);
    case EffectCall::kLink: return link(a, b);
    case EffectCall::kChmod: return chmod(a, b, false);
    case EffectCall::kChmodTree: return chmod(a, b, true);
    case EffectCall::kChown: return chown(a, b);
    case EffectCall::kChgrp: return chown(":" + a, b);
    case EffectCall::kCopy: return copy(a, b, false, false);
    case EffectCall::kCopyTree: return copy(a, b, true, false);
    case EffectCall::kOverTree: return copy(a, b, true, true);
  }
  return -ENOSYS;
}

int ClauseStore::make(const std::string& path, NodeId (Clause::*maker)(), const char* what) {
  const Place place = walker_.place(path);
  if (place.error < 0) return place.error;
  if (place.last != Place::kName) return -EEXIST;
  if (place.has_slash && !place.node && maker == nullptr) return -ENOENT;
  if (place.node) return -EEXIST;
  const NodeId made = maker == nullptr ? files_.clause.fresh(kFifo) : (files_.clause.*maker)();
  walker_.set(place, made);
  did(what + path);
  return 0;
}

// open(2) for writing, with O_CREAT: links are followed to a file that is not there yet.
int ClauseStore::open_to_write(const std::string& path, bool truncates, bool creates_only) {
  Place place = walker_.place(path);
  if (place.error < 0) return place.error;
  if (place.has_slash) return -EISDIR;
  if (place.node && place.last == Place::kName && walker_.is_link(*place.node, false)) {
    place = walker_.find(path, true);
    if (place.error < 0 && place.node) return place.error;
    if (place.error < 0 && place.last != Place::kName) return place.error;
  }
  if (walker_.is_over()) return -EIO;
  const Truth filled = writes_something_ && !creates_only ? Truth::kTrue : Truth::kFalse;
  if (!place.node) {
    if (place.error < 0 && place.nodes.empty()) return place.error;
    walker_.set(place, files_.clause.file(filled, Truth::kFalse));
    did("makes " + path);
    return 0;
  }
  if (walker_.is_of(*place.node, kDirectory)) return -EISDIR;
  if (!walker_.is_of(*place.node, kRegular)) {
    walker_.give_up(path + " may be a device, a socket or a named pipe");
    return -EIO;
  }
  if (creates_only) return 0;
  if (files_.clause.node(*place.node).has_other_names) {
    walker_.give_up(path + " has another name");
    return -EIO;
  }
  const NodeId written = files_.clause.copy(*place.node);
  if (truncates || filled == Truth::kTrue) {
    const FactId fact = files_.clause.new_fact(filled);
    files_.clause.edit(written).is_filled = fact;
  }
  walker_.set(place, written);
  did("writes " + path);
  return 0;
}

int ClauseStore::unlink(const std::string& path) {
  const Place place = walker_.place(path);
  if (place.error < 0) return place.error;
  if (place.last != Place::kName) return -EISDIR;
  if (!place.node) return -ENOENT;
  if (walker_.is_of(*place.node, kDirectory)) return -EISDIR;
  if (place.has_slash) return -ENOTDIR;
  walker_.set(place, std::nullopt);
  did("removes " + path);
  return 0;
}

int ClauseStore::rmdir(const std::string& path) {
  const Place place = walker_.place(path);
  if (place.error < 0) return place.error;
  if (place.last == Place::kDot) return -EINVAL;
  if (place.last == Place::kDotDot) return -ENOTEMPTY;
  if (place.last == Place::kRoot) return -EBUSY;
  if (!place.node) return -ENOENT;
  if (!walker_.is_of(*place.node, kDirectory)) return -ENOTDIR;
  if (!walker_.is_empty(*place.node)) return -ENOTEMPTY;
  walker_.set(place, std::nullopt);
  did("removes the directory " + path);
  return 0;
}

int ClauseStore::remove(const std::string& path) {
  const Place place = walker_.place(path);
  if (place.error < 0) return place.error;
  if (place.last != Place::kName) return -EBUSY;
  if (!place.node) return -ENOENT;
  if (place.has_slash && !walker_.is_of(*place.node, kDirectory)) {
    if (walker_.is_of(*place.node, kSymlink)) walker_.give_up(path + " leads through a link");
    return -ENOTDIR;
  }
  walker_.set(place, std::nullopt);
  did("removes all of " + path);
  return 0;
}

int ClauseStore::rename(const std::string& from_path, const std::string& to_path) {
  const Place from = walker_.place(from_path);
  if (from.error < 0) return from.error;
  const Place to = walker_.place(to_path);
  if (to.error < 0) return to.error;
  if (from.last != Place::kName || to.last != Place::kName) return -EBUSY;
  if (!from.node) return -ENOENT;
  const bool is_directory = walker_.is_of(*from.node, kDirectory);
  if (!is_directory && (from.has_slash || to.has_slash)) return -ENOTDIR;
  const std::vector<std::string> from_names = from.whole(), to_names = to.whole();
  if (is_directory && is_inside(to.names, from_names)) return -EINVAL;
  if (to.node && is_inside(from.names, to_names) && walker_.is_of(*to.node, kDirectory))
    return -ENOTEMPTY;
  const bool is_same_file = to.node && walker_.are_linked(*to.node, *from.node);
  if (from_names == to_names || is_same_file) return 0;
  if (to.node) {
    const bool replaces_directory = walker_.is_of(*to.node, kDirectory);
    if (is_directory && !replaces_directory) return -ENOTDIR;
    if (!is_directory && replaces_directory) return -EISDIR;
    if (is_directory && !walker_.is_empty(*to.node)) return -ENOTEMPTY;
  }
  const NodeId moved = *from.node;
  walker_.set(from, std::nullopt);
  // The directory of `to` has changed if it is above `from`: found again by its own names, because
  // the path may lead through what was moved.
  std::string again;
  for (const std::string& name : to_names) again += "/" + name;
  walker_.set(walker_.place(again), moved);
  did(fmt::format("moves {} to {}", from_path, to_path));
  return 0;
}

int ClauseStore::symlink(const std::string& text, const std::string& path) {
  if (text.empty()) return -ENOENT;
  const Place place = walker_.place(path);
  if (place.error < 0) return place.error;
  if (place.last != Place::kName || place.node) return -EEXIST;
  if (place.has_slash) return -ENOENT;
  const NodeId made = files_.clause.fresh(kSymlink);
  files_.clause.edit(made).target = text;
  walker_.set(place, made);
  did(fmt::format("makes the link {} -> {}", path, text));
  return 0;
}

int ClauseStore::link(const std::string& from_path, const std::string& to_path) {
  const Place from = walker_.find(from_path, false);
  if (from.error < 0) return from.error;
  const Place to = walker_.place(to_path);
  if (to.error < 0) return to.error;
  if (to.last != Place::kName || to.node) return -EEXIST;
  if (to.has_slash) return -ENOENT;
  if (walker_.is_of(*from.node, kDirectory)) return -EPERM;
  files_.clause.edit(*from.node).has_other_names = true;
  walker_.set(to, *from.node);
  did(fmt::format("makes {} another name of {}", to_path, from_path));
  return 0;
}

// The only part of a mode that matters is whether root may run the file.
int ClauseStore::chmod(const std::string& mode, const std::string& path, bool is_tree) {
  constexpr unsigned kMask = 022, kExecute = 0111;
  const Place place = walker_.find(path, true);
  if (place.error < 0) return place.error;
  const auto plain = utilities::change_mode(mode, 0644, false, kMask);
  const auto executable = utilities::change_mode(mode, 0755, false, kMask);
  if (!plain || !executable) return -EINVAL;
  const bool first = (plain->mode & kExecute) != 0, second = (executable->mode & kExecute) != 0;
  const bool changes_nothing = !first && second;
  if (walker_.is_of(*place.node, kDirectory)) {
    if (is_tree && !changes_nothing) walker_.give_up("the modes of all files below " + path);
    return 0;
  }
  did(fmt::format("sets the mode of {} to {}", path, mode));
  if (changes_nothing || !walker_.is_of(*place.node, kRegular)) return 0;
  if (first != second || files_.clause.node(*place.node).has_other_names) {
    walker_.give_up(fmt::format("what the mode {} makes of {}", mode, path));
    return 0;
  }
  const NodeId changed = files_.clause.copy(*place.node);
  const FactId fact = files_.clause.new_fact(first ? Truth::kTrue : Truth::kFalse);
  files_.clause.edit(changed).is_executable = fact;
  walker_.set(place, changed);
  return 0;
}

int ClauseStore::chown(const std::string& owner, const std::string& path) {
  const Place place = walker_.find(path, true);
  if (place.error < 0) return place.error;
  const bool is_known = owner.find_first_not_of("0123456789:") == std::string::npos ||
                        owner == "root" || owner == "root:root" || owner == ":root";
  if (!is_known) {
    if (choices_.choose(2) == 1) {
      walker_.give_up(fmt::format("whether there is a user or group {}", owner));
      return -EINVAL;
    }
    files_.assumed.insert(fmt::format("there is a user or group {}", owner));
  }
  did(fmt::format("gives {} to {}", path, owner));
  return 0;
}

int ClauseStore::copy(const std::string& from_path, const std::string& to_path, bool is_tree,
                      bool is_forced) {
  const Place from = walker_.find(from_path, !is_tree);
  if (from.error < 0) return from.error;
  Place to = walker_.place(to_path);
  if (to.error < 0) {  // the first file is opened before, which blocks if it is a named pipe
    if (!is_tree && !walker_.is_of(*from.node, kRegular | kDirectory))
      walker_.give_up("a device, a socket or a named pipe is copied");
    return to.error;
  }
  if (walker_.is_of(*from.node, kDirectory)) {
    if (!is_tree) return -EISDIR;
    const int error = copy_directory(from, to);
    did(fmt::format("copies the directory {} to {}", from_path, to_path));
    return error;
  }
  if (is_forced && to.node && !walker_.is_of(*to.node, kDirectory | kRegular))
    walker_.give_up(to_path + " is in the way and may be removed");
  const int error = copy_file(from, to, !is_tree);
  if (error == 0) did(fmt::format("copies {} to {}", from_path, to_path));
  return error;
}

int ClauseStore::copy_directory(const Place& from, const Place& to) {
  const bool goes_into_itself = is_inside(to.whole(), from.whole());
  const NodeId source = *from.node;
  Place target = to;
  if (target.node && walker_.is_link(*target.node, false)) {
    walker_.give_up("a directory that is copied over a symbolic link");
    return -EIO;
  }
  if (target.node && !walker_.is_of(*target.node, kDirectory)) return -ENOTDIR;
  if (target.node && !walker_.is_empty(*target.node)) {
    if (walker_.is_empty(source)) return goes_into_itself ? -EIO : 0;
    walker_.give_up("a directory that is copied over one that is not empty");
    return -EIO;
  }
  if (target.last != Place::kName) {
    walker_.give_up("a directory that is copied to . or ..");
    return -EIO;
  }
  if (target.node &&
      goes_into_itself) {  // what is copied before it is noticed depends on the order
    walker_.give_up("a directory that is copied into an old one in itself");
    return -EIO;
  }
  walker_.set(target, source);
  return goes_into_itself ? -EIO : 0;
}

int ClauseStore::copy_file(const Place& from, Place to, bool follows) {
  const NodeId source = *from.node;
  if (!follows && walker_.is_link(source, false)) {
    if (to.node && walker_.is_of(*to.node, kDirectory)) return -EISDIR;
    if (to.has_slash) return -ENOTDIR;
    walker_.set(to, files_.clause.copy(source));
    return 0;
  }
  if (!walker_.is_of(source, kRegular)) {
    walker_.give_up("a device, a socket or a named pipe is copied");
    return -EIO;
  }
  if (to.node && to.last == Place::kName && walker_.is_link(*to.node, false)) {
    walker_.give_up("a file is copied over a symbolic link");
    return -EIO;
  }
  if (to.node && walker_.is_of(*to.node, kDirectory)) return -EISDIR;
  if (to.has_slash) return -ENOTDIR;
  const FactId filled = files_.clause.node(source).is_filled;
  FactId executable = files_.clause.node(source).is_executable;
  if (to.node) {
    if (!walker_.is_of(*to.node, kRegular)) {
      walker_.give_up("a file is copied to a device, a socket or a named pipe");
      return -EIO;
    }
    if (files_.clause.node(*to.node).has_other_names) {
      walker_.give_up("a file with another name is overwritten");
      return -EIO;
    }
    executable = files_.clause.node(*to.node).is_executable;  // an old file keeps its mode
  }
  const NodeId made = files_.clause.fresh(kRegular);
  files_.clause.edit(made).is_filled = filled;
  files_.clause.edit(made).is_executable = executable;
  walker_.set(to, made);
  return 0;
}

bool ClauseStore::is(PathTest test, const std::string& path) {
  if (walker_.is_over()) return false;
  const bool follows = test != PathTest::kLthere && test != PathTest::kLink &&
                       test != PathTest::kLdirectory && test != PathTest::kMissing;
  const Place found = walker_.find(path, follows);
  if (test == PathTest::kMissing) return found.error == -ENOENT || found.error == -ENOTDIR;
  if (test == PathTest::kAbsent) return found.error == -ENOENT;
  if (found.error < 0 || walker_.is_over()) return false;
  const NodeId x = *found.node;
  const Node& node = files_.clause.node(x);
  const FactId filled = node.is_filled, executable = node.is_executable;
  switch (test) {
    case PathTest::kDirectory:
    case PathTest::kLdirectory: return walker_.is_of(x, kDirectory);
    case PathTest::kFile: return walker_.is_of(x, kRegular);
    case PathTest::kLink: return walker_.is_link(x, true);
    case PathTest::kEmpty:
      if (walker_.is_of(x, kDirectory)) return walker_.is_empty(x);
      return !walker_.is_of(x, kRegular) || !walker_.is_true(filled);
    case PathTest::kNonempty:
      if (walker_.is_of(x, kDirectory)) return true;
      return walker_.is_of(x, kRegular) && walker_.is_true(filled);
    case PathTest::kExecutable:
      if (walker_.is_of(x, kDirectory)) return true;
      return walker_.is_of(x, kRegular) && walker_.is_true(executable);
    default: return true;
  }
}

bool ClauseStore::related(PathRelation relation, const std::string& a, const std::string& b) {
  const Place first = walker_.find(a, relation != PathRelation::kLsame);
  if (first.error < 0) return false;
  const Place second = walker_.find(b, relation == PathRelation::kSame);
  if (second.error < 0 || walker_.is_over()) return false;
  if (first.whole() == second.whole()) return true;
  return *first.node == *second.node && files_.clause.node(*first.node).has_other_names;
}

std::vector<std::string> ClauseStore::list(commands::PathList::Kind, const std::string& path) {
  walker_.give_up("the entries of " + path);
  return {};
}

// A name that nothing has.
std::string ClauseStore::fresh(const commands::EffectWords& words) {
  std::string directory = "/tmp";
  if (auto given = words.options.find("-p"); given != words.options.end())
    directory = given->second;
  const std::string path = fmt::format("{}/tmp.{:06}", directory, files_.clause.size());
  if (Place place = walker_.find(directory, true);
      place.error == 0 && walker_.is_of(*place.node, kDirectory))
    walker_.require(files_.clause.absent(*place.node, path.substr(directory.size() + 1)));
  return path;
}

void ClauseStore::failed(const std::string& what, int error) {
  if (error < 0) events.push_back(fmt::format("{}: {}", what, std::strerror(-error)));
}

}  // namespace nacre::colis
