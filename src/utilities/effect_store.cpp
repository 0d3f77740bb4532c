#include "utilities/effect_store.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>

#include "utilities/copy.h"
#include "utilities/mode.h"

namespace nacre::utilities {

using commands::EffectCall;
using commands::PathList;
using commands::PathRelation;
using commands::PathTest;
using world::FileKind;
using world::FileStatus;

int OsStore::write(const std::string& path, int flags) {
  int fd = context_.os.open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | flags, 0666);
  if (fd < 0) return fd;
  return context_.os.close(fd);
}

int OsStore::call(EffectCall call, const std::string& a, const std::string& b) {
  world::Os& os = context_.os;
  switch (call) {
    case EffectCall::kMkdir: return os.make_directory(a.c_str(), 0777);
    case EffectCall::kCreate: return write(a, 0);
    case EffectCall::kWrite: return write(a, O_TRUNC);
    case EffectCall::kAppend: return write(a, O_APPEND);
    case EffectCall::kRead: {
      int fd = os.open(a.c_str(), O_RDONLY, 0);
      if (fd < 0) return fd;
      FileStatus status;
      os.status(fd, status);
      os.close(fd);
      return status.kind == FileKind::kDirectory ? -EISDIR : 0;
    }
    case EffectCall::kUnlink: return os.unlink(a.c_str());
    case EffectCall::kRmdir: return os.remove_directory(a.c_str());
    case EffectCall::kRemove: return remove(a);
    case EffectCall::kMkfifo: return os.make_fifo(a.c_str(), 0666);
    case EffectCall::kStamp: return os.set_times(a.c_str(), true, world::kPresent, world::kPresent);
    case EffectCall::kEnter: return os.change_directory(a.c_str());
    case EffectCall::kRename: return os.rename(a.c_str(), b.c_str());
    case EffectCall::kSymlink: return os.make_symbolic_link(a.c_str(), b.c_str());
    case EffectCall::kLink: return os.link(a.c_str(), b.c_str());
    case EffectCall::kChmod: return change_mode_of(a, b);
    case EffectCall::kChmodTree: return change_modes(a, b, true);
    case EffectCall::kChown: return change_owner(a, b, false);
    case EffectCall::kChgrp: return change_owner(a, b, true);
    case EffectCall::kCopy:
    case EffectCall::kCopyTree:
    case EffectCall::kOverTree: {
      CopyPlan plan;
      plan.is_recursive = call != EffectCall::kCopy;
      plan.is_forced = call == EffectCall::kOverTree;
      plan.follows_operands = !plan.is_recursive;
      Copier copier(context_, plan);
      return copier.copy(a, b) ? 0 : -EIO;
    }
  }
  return -ENOSYS;
}

int OsStore::remove(const std::string& path) {
  FileStatus status;
  if (int error = context_.os.status(path.c_str(), false, status); error < 0) return error;
  if (status.kind != FileKind::kDirectory) return context_.os.unlink(path.c_str());
  int error = 0;
  for (const std::string& name : utilities::list(context_.os, path, error)) {
    if (int failure = remove(joined(path, name)); failure < 0) error = failure;
  }
  return error < 0 ? error : context_.os.remove_directory(path.c_str());
}

int OsStore::change_mode_of(const std::string& text, const std::string& path) {
  FileStatus status;
  if (int error = context_.os.status(path.c_str(), true, status); error < 0) return error;
  unsigned mask = context_.os.set_file_mask(0);
  context_.os.set_file_mask(mask);
  auto change = change_mode(text, status.mode, status.kind == FileKind::kDirectory, mask);
  return change ? context_.os.set_mode(path.c_str(), change->mode) : -EINVAL;
}

int OsStore::change_modes(const std::string& text, const std::string& path, bool is_operand) {
  FileStatus status;
  int error = context_.os.status(path.c_str(), is_operand, status);
  if (error < 0) return error;
  if (status.kind == FileKind::kLink) return 0;
  error = change_mode_of(text, path);
  if (status.kind != FileKind::kDirectory) return error;
  int list_error = 0;
  for (const std::string& name : utilities::list(context_.os, path, list_error)) {
    if (int failure = change_modes(text, joined(path, name), false); failure < 0) error = failure;
  }
  return list_error < 0 ? list_error : error;
}

int OsStore::change_owner(const std::string& owner, const std::string& path, bool is_group) {
  size_t colon = is_group ? std::string::npos : owner.find(':');
  std::string user = is_group ? "" : owner.substr(0, colon);
  std::string group = is_group ? owner : colon == std::string::npos ? "" : owner.substr(colon + 1);
  unsigned user_id = user.empty() ? world::kSameOwner : user_number(context_.os, user);
  unsigned group_id = group.empty() ? world::kSameOwner : group_number(context_.os, group);
  bool has_login_group = colon != std::string::npos && group.empty() && !user.empty();
  if (!user.empty() && user_id == world::kSameOwner) return -EINVAL;
  if (!group.empty() && group_id == world::kSameOwner) return -EINVAL;
  if (has_login_group) group_id = login_group(context_.os, user_id);
  return context_.os.set_owner(path.c_str(), true, user_id, group_id);
}

bool OsStore::is(PathTest test, const std::string& path) {
  using world::Access;
  switch (test) {
    case PathTest::kReadable: return context_.os.may(path.c_str(), Access::kRead);
    case PathTest::kWritable: return context_.os.may(path.c_str(), Access::kWrite);
    case PathTest::kExecutable: return context_.os.may(path.c_str(), Access::kExecute);
    default: break;
  }
  bool follows = test != PathTest::kLthere && test != PathTest::kLink &&
                 test != PathTest::kLdirectory && test != PathTest::kMissing;
  FileStatus status;
  int error = context_.os.status(path.c_str(), follows, status);
  if (test == PathTest::kMissing) return error == -ENOENT || error == -ENOTDIR;
  if (test == PathTest::kAbsent) return error == -ENOENT;
  if (error < 0) return false;
  int list_error = 0;
  switch (test) {
    case PathTest::kDirectory:
    case PathTest::kLdirectory: return status.kind == FileKind::kDirectory;
    case PathTest::kFile: return status.kind == FileKind::kRegular;
    case PathTest::kLink: return status.kind == FileKind::kLink;
    case PathTest::kNonempty: return status.size > 0;
    case PathTest::kEmpty:
      if (status.kind != FileKind::kDirectory) return status.size == 0;
      return utilities::list(context_.os, path, list_error).empty() && list_error == 0;
    default: return true;
  }
}

bool OsStore::related(PathRelation relation, const std::string& a, const std::string& b) {
  FileStatus first;
  FileStatus second;
  bool follows_first = relation != PathRelation::kLsame;
  bool follows_second = relation == PathRelation::kSame;
  return context_.os.status(a.c_str(), follows_first, first) >= 0 &&
         context_.os.status(b.c_str(), follows_second, second) >= 0 && is_same_file(first, second);
}

void OsStore::add_below(const std::string& path, bool follows, std::vector<std::string>& found) {
  context_.os.spend(1);
  FileStatus status;
  bool is_there = context_.os.status(path.c_str(), follows, status) >= 0;
  if (is_there && status.kind == FileKind::kLink) return;
  found.push_back(path);
  if (!is_there || status.kind != FileKind::kDirectory) return;
  int error = 0;
  for (const std::string& name : utilities::list(context_.os, path, error)) {
    add_below(joined(path, name), false, found);
  }
}

std::vector<std::string> OsStore::list(PathList::Kind kind, const std::string& path) {
  std::vector<std::string> found;
  if (kind != PathList::kEntries) {
    add_below(path, true, found);
    if (kind == PathList::kChosen) std::reverse(found.begin(), found.end());
    return found;
  }
  int error = 0;
  for (const std::string& name : utilities::list(context_.os, path, error)) {
    found.push_back(joined(path, name));
  }
  return found;
}

std::string OsStore::fresh(const commands::EffectWords& words) {
  const char* tmpdir = context_.variable("TMPDIR");
  std::string directory = tmpdir == nullptr || *tmpdir == '\0' ? "/tmp" : tmpdir;
  if (auto given = words.options.find("-p"); given != words.options.end())
    directory = given->second;
  return fmt::format("{}/tmp.{:06}", directory, context_.os.process_id());
}

void OsStore::failed(const std::string& what, int error) {
  if (error < 0) context_.fail(quoted(what), error);
}

std::optional<int> run_card(const commands::CardLibrary& cards, Context& context) {
  auto effect = commands::find_effect(cards, context.arguments);
  if (!effect || effect->kind == commands::Effect::kActs) return std::nullopt;
  if (effect->kind == commands::Effect::kRefused) return context.fail("these options are refused");
  OsStore store(context);
  commands::EffectEnd end = commands::run_effect(effect->program, effect->words, store);
  if (!end.is_known) return std::nullopt;
  return end.status;
}

}  // namespace nacre::utilities
