// Inodes and the resolution of paths (POSIX 4.13, as Linux does it): every directory on the way
// must be searchable, links are followed at most 40 times, a slash at the end asks for a directory.
#include "world/tree.h"

#include <algorithm>
#include <cerrno>

namespace nacre::world {

namespace {
constexpr size_t kMaxName = 255;
constexpr size_t kMaxPath = 4095;
constexpr uint64_t kBlock = 4096;
}  // namespace

bool Actor::is_member(unsigned id) const {
  return group == id || std::find(groups.begin(), groups.end(), id) != groups.end();
}

FileTree::FileTree() {
  auto root = std::make_shared<Inode>();
  root->kind = FileKind::kDirectory;
  root->mode = 0755;
  root->links = 2;
  inodes_.push_back(std::move(root));
}

Inode& FileTree::edit(InodeId id) {
  std::shared_ptr<Inode>& inode = inodes_[static_cast<uint32_t>(id)];
  ++version_;
  if (inode.use_count() > 1) inode = std::make_shared<Inode>(*inode);
  return *inode;
}

InodeId FileTree::add(const Actor& actor, FileKind kind, unsigned mode) {
  auto inode = std::make_shared<Inode>();
  inode->kind = kind;
  inode->mode = mode;
  inode->owner = actor.user;
  inode->group = actor.group;
  inode->accessed = inode->modified = inode->changed = now;
  if (!free_.empty()) {
    InodeId id = free_.back();
    free_.pop_back();
    inodes_[static_cast<uint32_t>(id)] = std::move(inode);
    return id;
  }
  inodes_.push_back(std::move(inode));
  return InodeId{static_cast<uint32_t>(inodes_.size() - 1)};
}

InodeId FileTree::add_anonymous(const Actor& actor, std::string text) {
  InodeId id = add(actor, FileKind::kRegular, 0600);
  total_bytes_ += text.size();
  edit(id).bytes = std::move(text);
  return id;
}

void FileTree::hold(InodeId id) {
  ++edit(id).opens;
  --version_;
}

void FileTree::release(InodeId id) {
  Inode& inode = edit(id);
  --version_;
  if (--inode.opens == 0 && inode.links == 0) drop_link(id);
}

// Frees what has neither a name nor a holder.
void FileTree::drop_link(InodeId id) {
  Inode& inode = edit(id);
  if (inode.links > 0 || inode.opens > 0) return;
  total_bytes_ -= std::min<uint64_t>(total_bytes_, inode.bytes.size());
  inode.bytes = std::string();
  inode.host = nullptr;
  // A directory may still be the working directory of a process.
  if (inode.kind != FileKind::kDirectory) free_.push_back(id);
}

void FileTree::load(InodeId id) {
  if (at(id).host == nullptr) return;
  Inode& inode = edit(id);
  std::shared_ptr<const std::string> host = std::move(inode.host);
  inode.host = nullptr;
  if (inode.kind == FileKind::kRegular) {
    host_->read(*host, inode.bytes);
    total_bytes_ += inode.bytes.size();
    return;
  }
  for (HostEntry& entry : host_->list(*host)) {
    auto child = std::make_shared<Inode>(std::move(entry.inode));
    child->parent = id;
    inodes_.push_back(std::move(child));
    InodeId child_id{static_cast<uint32_t>(inodes_.size() - 1)};
    edit(id).entries.emplace(std::move(entry.name), child_id);
  }
}

void FileTree::mount_host(InodeId directory, std::string host_directory,
                          std::shared_ptr<const HostReader> host) {
  host_ = std::move(host);
  Inode& inode = edit(directory);
  HostEntry entry = host_->entry(host_directory);
  InodeId parent = inode.parent;
  inode = std::move(entry.inode);
  inode.parent = parent;
  inode.host = std::make_shared<const std::string>(std::move(host_directory));
}

const std::string& FileTree::bytes(InodeId id) {
  load(id);
  if (at(id).open != nullptr) decide_contents(id);
  return at(id).bytes;
}

const std::map<std::string, InodeId, std::less<>>& FileTree::known_entries(InodeId id) {
  load(id);
  return at(id).entries;
}

const std::map<std::string, InodeId, std::less<>>& FileTree::entries(InodeId id) {
  load(id);
  if (at(id).open != nullptr) decide_others(id);
  return at(id).entries;
}

// What is known to be there needs no question about the rest.
bool FileTree::is_empty(InodeId directory) {
  return known_entries(directory).empty() && entries(directory).empty();
}

FileStatus FileTree::status(InodeId id) const {
  const Inode& inode = at(id);
  FileStatus status;
  status.kind = inode.kind;
  status.mode = inode.mode;
  bool is_directory = inode.kind == FileKind::kDirectory;
  status.size = is_directory            ? kBlock
                : inode.host != nullptr ? inode.host_size
                                        : inode.bytes.size();
  status.owner = inode.owner;
  status.group = inode.group;
  status.device = 1;
  status.inode = static_cast<uint32_t>(id) + uint64_t{2};
  status.links = inode.links;
  bool has_blocks = is_directory || inode.kind == FileKind::kRegular;
  status.blocks = has_blocks ? (status.size + kBlock - 1) / kBlock * (kBlock / 512) : 0;
  status.modified_ns = inode.modified;
  status.accessed_ns = inode.accessed;
  status.changed_ns = inode.changed;
  return status;
}

std::string FileTree::path_of(InodeId directory) {
  std::string path;
  while (directory != kRootInode) {
    InodeId parent = at(directory).parent;
    const auto& siblings = known_entries(parent);
    auto found = std::find_if(siblings.begin(), siblings.end(),
                              [&](const auto& entry) { return entry.second == directory; });
    if (found == siblings.end()) return "";
    path.insert(0, "/" + found->first);
    directory = parent;
  }
  return path.empty() ? "/" : path;
}

bool FileTree::permits(const Actor& actor, const Inode& inode, unsigned wanted) {
  if (actor.is_root()) {
    bool runs = inode.kind == FileKind::kDirectory || (inode.mode & 0111) != 0;
    return (wanted & 1) == 0 || runs;
  }
  unsigned shift = actor.user == inode.owner ? 6 : actor.is_member(inode.group) ? 3 : 0;
  return ((inode.mode >> shift) & wanted) == wanted;
}

// The state of one resolution; links count over all of its nested targets.
struct FileTree::Walk {
  InodeId at = kRootInode;  // the directory reached, or what the path names at its end
  int links = 0;
  bool stops_at_parent = false;
  Place* place = nullptr;  // filled if stops_at_parent
  Use use = Use::kLook;    // of what the path names at its end
};

int FileTree::step_into(const Actor& actor, InodeId directory, std::string_view name, Use use,
                        InodeId& found) {
  const Inode& inode = at(directory);
  if (inode.kind != FileKind::kDirectory) return -ENOTDIR;
  if (!permits(actor, inode, 1)) return -EACCES;
  if (name.size() > kMaxName) return -ENAMETOOLONG;
  if (name == ".") {
    found = directory;
  } else if (name == "..") {
    found = inode.parent;
  } else {
    const auto& children = known_entries(directory);
    auto child = children.find(name);
    found = child == children.end() ? kNoInode : child->second;
    bool is_undecided = found == kNoInode && at(directory).open != nullptr;
    if (is_undecided) found = decide_entry(directory, name, use);
  }
  return 0;
}

// Follows `path` from state.at. With stops_at_parent, the last component is only looked up.
int FileTree::walk(const Actor& actor, Walk& state, std::string_view path, bool follows_last) {
  if (path.empty()) return -ENOENT;
  if (path.size() > kMaxPath) return -ENAMETOOLONG;
  if (path[0] == '/') state.at = kRootInode;
  Place* place = state.stops_at_parent ? state.place : nullptr;
  if (place != nullptr) *place = {state.at, "", Place::kRoot, false, state.at};
  size_t begin = std::min(path.find_first_not_of('/'), path.size());
  while (begin < path.size()) {
    size_t end = std::min(path.find('/', begin), path.size());
    std::string_view name = path.substr(begin, end - begin);
    begin = std::min(path.find_first_not_of('/', end), path.size());
    bool is_last = begin == path.size();
    bool has_slash = end < path.size();
    InodeId child = kNoInode;
    Use use = !is_last ? Use::kInner : has_slash ? Use::kEnter : state.use;
    if (int error = step_into(actor, state.at, name, use, child); error < 0) return error;
    if (is_last && place != nullptr) {
      Place::Last last = name == "." ? Place::kDot : name == ".." ? Place::kDotDot : Place::kName;
      *place = {state.at, std::string(name), last, has_slash, child};
      return 0;
    }
    if (child == kNoInode) return -ENOENT;
    bool is_link = at(child).kind == FileKind::kLink;
    if (is_link && (!is_last || follows_last || has_slash)) {
      if (++state.links > kMaxLinks) return -ELOOP;
      bool stops = state.stops_at_parent;
      state.stops_at_parent = false;
      std::string target = bytes(child);
      if (int error = walk(actor, state, target, true); error < 0) return error;
      state.stops_at_parent = stops;
      child = state.at;
    }
    if (has_slash && at(child).kind != FileKind::kDirectory) return -ENOTDIR;
    state.at = child;
  }
  return 0;
}

int FileTree::find(const Actor& actor, std::string_view path, bool follows, InodeId& found,
                   Use use) {
  Walk state;
  state.at = actor.directory;
  state.use = use;
  if (int error = walk(actor, state, path, follows); error < 0) return error;
  found = state.at;
  return 0;
}

int FileTree::find_place(const Actor& actor, std::string_view path, Place& place, Use use) {
  Walk state;
  state.at = actor.directory;
  state.use = use;
  state.stops_at_parent = true;
  state.place = &place;
  return walk(actor, state, path, false);
}

}  // namespace nacre::world
