// The calls that change a tree. The order of the checks is the kernel's: it decides which error a
// call with two faults gives.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "world/tree.h"

namespace nacre::world {

void FileTree::attach(const Place& place, InodeId id) {
  Inode& inode = edit(id);
  Inode& parent = edit(place.parent);
  ++inode.links;
  inode.changed = now;
  if (inode.kind == FileKind::kDirectory) {
    inode.parent = place.parent;
    ++parent.links;
  }
  parent.entries[place.name] = id;
  parent.modified = parent.changed = now;
}

void FileTree::detach(const Place& place) {
  Inode& parent = edit(place.parent);
  auto entry = parent.entries.find(place.name);
  InodeId id = entry->second;
  parent.entries.erase(entry);
  if (parent.open != nullptr) parent.absent.insert(place.name);
  parent.modified = parent.changed = now;
  Inode& inode = edit(id);
  --inode.links;
  inode.changed = now;
  if (inode.kind == FileKind::kDirectory) --parent.links;
}

int FileTree::may_create(const Actor& actor, const Place& place) const {
  if (place.inode != kNoInode) return -EEXIST;
  const Inode& parent = at(place.parent);
  if (parent.links == 0) return -ENOENT;
  return permits(actor, parent, 3) ? 0 : -EACCES;
}

int FileTree::may_delete(const Actor& actor, const Place& place, bool wants_directory) const {
  const Inode& parent = at(place.parent);
  const Inode& inode = at(place.inode);
  if (!permits(actor, parent, 3)) return -EACCES;
  bool is_sticky = (parent.mode & S_ISVTX) != 0;
  if (is_sticky && !actor.is_root() && actor.user != inode.owner && actor.user != parent.owner) {
    return -EPERM;
  }
  bool is_directory = inode.kind == FileKind::kDirectory;
  if (wants_directory && !is_directory) return -ENOTDIR;
  if (!wants_directory && is_directory) return -EISDIR;
  return wants_directory && place.inode == kRootInode ? -EBUSY : 0;
}

int FileTree::open(const Actor& actor, std::string_view path, int flags, unsigned mode,
                   InodeId& opened) {
  bool creates = (flags & O_CREAT) != 0;
  bool is_exclusive = creates && (flags & O_EXCL) != 0;
  bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
  int access = flags & O_ACCMODE;
  unsigned wanted = (access != O_WRONLY ? 4u : 0u) | (writes ? 2u : 0u);
  Actor walker = actor;
  std::string current(path);
  InodeId found = kNoInode;
  for (int links = 0; creates; ++links) {  // through links to a file that is not there yet
    if (links > kMaxLinks) return -ELOOP;
    Place place;
    if (int error = find_place(walker, current, place); error < 0) return error;
    if (place.has_slash) return -EISDIR;
    if (place.inode == kNoInode) {
      if (int error = may_create(walker, place); error < 0) return error;
      found = add(actor, FileKind::kRegular, mode & ~actor.file_mask & 07777);
      if ((at(place.parent).mode & S_ISGID) != 0) edit(found).group = at(place.parent).group;
      attach(place, found);
      opened = found;
      return 0;
    }
    if (is_exclusive) return -EEXIST;
    found = place.inode;
    if (at(found).kind != FileKind::kLink) break;
    current = bytes(found);
    walker.directory = place.parent;
  }
  if (!creates) {
    bool follows = (flags & O_NOFOLLOW) == 0;
    if (int error = find(actor, path, follows, found, Use::kRead); error < 0) return error;
  }
  const Inode& inode = at(found);
  bool is_directory = inode.kind == FileKind::kDirectory;
  if (inode.kind == FileKind::kLink) return -ELOOP;
  if (is_directory && (writes || creates)) return -EISDIR;
  if (!is_directory && (flags & O_DIRECTORY) != 0) return -ENOTDIR;
  if (!permits(actor, inode, wanted)) return -EACCES;
  if (inode.kind == FileKind::kSocket || inode.kind == FileKind::kBlockDevice) return -ENXIO;
  opened = found;
  if ((flags & O_TRUNC) != 0 && inode.kind == FileKind::kRegular) return truncate(found, 0);
  return 0;
}

int FileTree::make_node(const Actor& actor, std::string_view path, FileKind kind, unsigned mode,
                        Device device) {
  Place place;
  if (int error = find_place(actor, path, place,
                             kind == FileKind::kDirectory ? Use::kMakeDirectory : Use::kCreate);
      error < 0)
    return error;
  if (place.last != Place::kName) return -EEXIST;
  bool is_directory = kind == FileKind::kDirectory;
  if (place.has_slash && place.inode == kNoInode && !is_directory) return -ENOENT;
  if (int error = may_create(actor, place); error < 0) return error;
  InodeId id = add(actor, kind, mode & ~actor.file_mask & 07777);
  const Inode& parent = at(place.parent);
  Inode& inode = edit(id);
  inode.device = device;
  if (is_directory) inode.links = 1;  // its own "."
  if ((parent.mode & S_ISGID) != 0) {
    inode.group = parent.group;
    if (is_directory) inode.mode |= S_ISGID;
  }
  attach(place, id);
  return 0;
}

int FileTree::make_directory(const Actor& actor, std::string_view path, unsigned mode) {
  return make_node(actor, path, FileKind::kDirectory, mode & 01777);
}

int FileTree::make_symbolic_link(const Actor& actor, std::string_view target,
                                 std::string_view path) {
  if (target.empty()) return -ENOENT;
  Place place;
  if (int error = find_place(actor, path, place); error < 0) return error;
  if (place.last != Place::kName) return -EEXIST;
  if (place.has_slash && place.inode == kNoInode) return -ENOENT;
  if (int error = may_create(actor, place); error < 0) return error;
  InodeId id = add(actor, FileKind::kLink, 0777);
  edit(id).bytes = target;
  if ((at(place.parent).mode & S_ISGID) != 0) edit(id).group = at(place.parent).group;
  attach(place, id);
  return 0;
}

int FileTree::remove_directory(const Actor& actor, std::string_view path) {
  Place place;
  if (int error = find_place(actor, path, place, Use::kEnter); error < 0) return error;
  if (place.last == Place::kDot) return -EINVAL;
  if (place.last == Place::kDotDot) return -ENOTEMPTY;
  if (place.last == Place::kRoot) return -EBUSY;
  if (place.inode == kNoInode) return -ENOENT;
  if (int error = may_delete(actor, place, true); error < 0) return error;
  if (!is_empty(place.inode)) return -ENOTEMPTY;
  detach(place);
  edit(place.inode).links = 0;
  return 0;
}

int FileTree::unlink(const Actor& actor, std::string_view path) {
  Place place;
  if (int error = find_place(actor, path, place, Use::kChange); error < 0) return error;
  if (place.last != Place::kName) return -EISDIR;
  if (place.inode == kNoInode) return -ENOENT;
  if (place.has_slash) return at(place.inode).kind == FileKind::kDirectory ? -EISDIR : -ENOTDIR;
  if (int error = may_delete(actor, place, false); error < 0) return error;
  detach(place);
  drop_link(place.inode);
  return 0;
}

int FileTree::link(const Actor& actor, std::string_view from, std::string_view to) {
  InodeId id = kNoInode;
  if (int error = find(actor, from, false, id, Use::kChange); error < 0) return error;
  Place place;
  if (int error = find_place(actor, to, place); error < 0) return error;
  if (place.last != Place::kName) return -EEXIST;
  if (place.has_slash && place.inode == kNoInode) return -ENOENT;
  const Inode& inode = at(id);
  // fs.protected_hardlinks: only to what the user owns or may read and write.
  bool is_own = actor.is_root() || actor.user == inode.owner;
  bool is_safe =
      inode.kind == FileKind::kRegular && (inode.mode & S_ISUID) == 0 && permits(actor, inode, 6);
  if (!is_own && !is_safe) return -EPERM;
  if (int error = may_create(actor, place); error < 0) return error;
  if (inode.kind == FileKind::kDirectory) return -EPERM;
  attach(place, id);
  return 0;
}

bool FileTree::is_inside(InodeId directory, InodeId other) const {
  while (other != directory && other != kRootInode) other = at(other).parent;
  return other == directory;
}

int FileTree::check_rename(const Actor& actor, const Place& from, const Place& to) {
  if (from.last != Place::kName || to.last != Place::kName) return -EBUSY;
  if (from.inode == kNoInode) return -ENOENT;
  bool is_directory = at(from.inode).kind == FileKind::kDirectory;
  if (!is_directory && (from.has_slash || to.has_slash)) return -ENOTDIR;
  if (is_directory && is_inside(from.inode, to.parent)) return -EINVAL;
  bool replaces = to.inode != kNoInode;
  if (replaces && at(to.inode).kind == FileKind::kDirectory && is_inside(to.inode, from.parent)) {
    return -ENOTEMPTY;
  }
  if (from.inode == to.inode) return 0;
  if (int error = may_delete(actor, from, is_directory); error < 0) return error;
  int error = replaces ? may_delete(actor, to, is_directory) : may_create(actor, to);
  if (error < 0) return error;
  bool moves_parent = is_directory && from.parent != to.parent;
  if (moves_parent && !permits(actor, at(from.inode), 2)) return -EACCES;
  return replaces && is_directory && !is_empty(to.inode) ? -ENOTEMPTY : 0;
}

int FileTree::rename(const Actor& actor, std::string_view from_path, std::string_view to_path) {
  Place from;
  Place to;
  if (int error = find_place(actor, from_path, from, Use::kChange); error < 0) return error;
  if (int error = find_place(actor, to_path, to); error < 0) return error;
  if (int error = check_rename(actor, from, to); error < 0) return error;
  if (from.inode == to.inode) return 0;
  if (to.inode != kNoInode) {
    detach(to);
    if (at(to.inode).kind == FileKind::kDirectory) edit(to.inode).links = 0;
    drop_link(to.inode);
  }
  hold(from.inode);
  detach(from);
  attach(to, from.inode);
  release(from.inode);
  return 0;
}

int FileTree::set_mode(const Actor& actor, InodeId id, unsigned mode) {
  const Inode& inode = at(id);
  if (!actor.is_root() && actor.user != inode.owner) return -EPERM;
  if (!actor.is_root() && !actor.is_member(inode.group)) mode &= ~static_cast<unsigned>(S_ISGID);
  edit(id).mode = mode & 07777;
  edit(id).changed = now;
  return 0;
}

int FileTree::set_owner(const Actor& actor, InodeId id, unsigned owner, unsigned group) {
  const Inode& old = at(id);
  bool is_owner = actor.user == old.owner;
  bool keeps_owner = owner == kSameOwner || (is_owner && owner == old.owner);
  bool keeps_group = group == kSameOwner || (is_owner && actor.is_member(group));
  if (!actor.is_root() && !(keeps_owner && keeps_group)) return -EPERM;
  Inode& inode = edit(id);
  if (owner != kSameOwner) inode.owner = owner;
  if (group != kSameOwner) inode.group = group;
  if (inode.kind != FileKind::kDirectory) {
    inode.mode &= ~static_cast<unsigned>(S_ISUID);
    if ((inode.mode & S_IXGRP) != 0) inode.mode &= ~static_cast<unsigned>(S_ISGID);
  }
  inode.changed = now;
  return 0;
}

int FileTree::set_times(const Actor& actor, InodeId id, int64_t accessed, int64_t modified) {
  const Inode& old = at(id);
  bool to_present = accessed == kPresent && modified == kPresent;
  if (!actor.is_root() && actor.user != old.owner) {
    if (!to_present) return -EPERM;
    if (!permits(actor, old, 2)) return -EACCES;
  }
  Inode& inode = edit(id);
  if (accessed != kSameTime) inode.accessed = accessed == kPresent ? now : accessed;
  if (modified != kSameTime) inode.modified = modified == kPresent ? now : modified;
  inode.changed = now;
  return 0;
}

int FileTree::write(const Actor& actor, InodeId id, uint64_t offset, std::string_view data) {
  if (data.empty()) return 0;
  uint64_t end = offset + data.size();
  uint64_t size = bytes(id).size();
  uint64_t growth = end > size ? end - size : 0;
  if (growth > max_bytes || total_bytes_ + growth > max_bytes) return -ENOSPC;
  Inode& inode = edit(id);
  total_bytes_ += growth;
  if (offset == size) {
    inode.bytes.append(data);
  } else {
    if (growth > 0) inode.bytes.resize(end);
    inode.bytes.replace(offset, data.size(), data);
  }
  inode.modified = inode.changed = now;
  // A write by a user who is not root clears the set-id bits.
  if (!actor.is_root() && (inode.mode & 0111) != 0) inode.mode &= 01777;
  return 0;
}

int FileTree::truncate(InodeId id, uint64_t size) {
  load(id);
  if (size == 0) edit(id).open = nullptr;
  uint64_t old = bytes(id).size();
  if (size > old && total_bytes_ + (size - old) > max_bytes) return -ENOSPC;
  Inode& inode = edit(id);
  total_bytes_ = total_bytes_ - old + size;
  inode.bytes.resize(size);
  inode.modified = inode.changed = now;
  return 0;
}

void FileTree::touch_accessed(InodeId id) { edit(id).accessed = now; }

}  // namespace nacre::world
