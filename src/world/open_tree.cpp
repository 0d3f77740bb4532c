// The undecided parts of a tree: the answers of the oracle become inodes.
#include "world/tree.h"

namespace nacre::world {

void FileTree::open_up(InodeId id, std::string path) {
  edit(id).open = std::make_shared<const std::string>(std::move(path));
}

InodeId FileTree::add_decided(InodeId directory, const std::string& name, const NewNode& node) {
  Actor maker;
  maker.user = node.owner;
  maker.group = node.group;
  InodeId id = add(maker, node.kind, node.mode);
  Inode& inode = edit(id);
  inode.bytes = node.bytes;
  total_bytes_ += inode.bytes.size();
  if (node.kind == FileKind::kDirectory) inode.links = 1;  // its own "."
  const std::string& parent = *at(directory).open;
  if (node.is_open) {
    inode.open = std::make_shared<const std::string>((parent == "/" ? "" : parent) + "/" + name);
  }
  const int64_t modified = at(directory).modified;
  Place place;
  place.parent = directory;
  place.name = name;
  attach(place, id);
  edit(directory).modified = modified;  // it was there all the time
  return id;
}

InodeId FileTree::decide_entry(InodeId directory, std::string_view name, Use use) {
  const Inode& inode = at(directory);
  if (oracle_ == nullptr || inode.absent.contains(name)) return kNoInode;
  std::string path = (*inode.open == "/" ? "" : *inode.open) + "/" + std::string(name);
  auto node = oracle_->entry(path, use);
  if (node) return add_decided(directory, std::string(name), *node);
  edit(directory).absent.emplace(name);
  return kNoInode;
}

void FileTree::decide_others(InodeId directory) {
  if (oracle_ != nullptr) {
    const std::string path = *at(directory).open;
    for (const std::string& name : oracle_->names(path)) {
      const Inode& inode = at(directory);
      const bool is_known = inode.absent.contains(name) || inode.entries.contains(name);
      if (!is_known) decide_entry(directory, name, Use::kLook);
    }
    const Inode& inode = at(directory);
    std::vector<std::string> known(inode.absent.begin(), inode.absent.end());
    for (const auto& [name, id] : inode.entries) known.push_back(name);
    for (const auto& [name, node] : oracle_->others(path, known)) {
      add_decided(directory, name, node);
    }
  }
  edit(directory).open = nullptr;
}

void FileTree::decide_contents(InodeId file) {
  std::string text = oracle_ == nullptr ? "" : oracle_->contents(*at(file).open);
  total_bytes_ += text.size();
  Inode& inode = edit(file);
  inode.bytes = std::move(text);
  inode.open = nullptr;
}

void FileTree::declare_absent(const Actor& actor, std::string_view path) {
  size_t slash = path.rfind('/');
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  InodeId directory = actor.directory;
  if (slash != std::string_view::npos) {
    std::string_view parent = slash == 0 ? "/" : path.substr(0, slash);
    if (find(actor, parent, true, directory, Use::kEnter) < 0) return;
  }
  const Inode& inode = at(directory);
  bool is_undecided = inode.kind == FileKind::kDirectory && inode.open != nullptr &&
                      !known_entries(directory).contains(name);
  if (is_undecided) edit(directory).absent.emplace(name);
}

bool FileTree::share_contents(InodeId from, InodeId to) {
  const Inode& source = at(from);
  bool can_share = source.kind == FileKind::kRegular && source.open != nullptr &&
                   at(to).kind == FileKind::kRegular && at(to).open == nullptr &&
                   at(to).host == nullptr && at(to).bytes.empty() && from != to;
  if (!can_share) return false;
  Inode& target = edit(to);
  target.open = source.open;
  target.modified = target.changed = now;
  return true;
}

}  // namespace nacre::world
