// Undecided parts of open directories are the same before and after: nothing asks for them here.
#include "world/tree_diff.h"

namespace nacre::world {
namespace {

class Comparison {
 public:
  Comparison(FileTree& before, FileTree& after, bool with_times)
      : before_(before), after_(after), with_times_(with_times) {}

  void compare_at(const std::string& path, InodeId old_id, InodeId new_id) {
    const Inode& old = before_.at(old_id);
    const Inode& now = after_.at(new_id);
    if (old.kind != now.kind) {
      removed(path, old_id, new_id);
      return;
    }
    Change change{Change::kChanged, path, old_id, new_id, false, false, false, false};
    change.mode = old.mode != now.mode;
    change.owner = old.owner != now.owner || old.group != now.group;
    change.times = with_times_ && old.modified != now.modified;
    bool is_directory = old.kind == FileKind::kDirectory;
    bool is_unread = old.host != nullptr && now.host != nullptr && *old.host == *now.host;
    bool is_undecided = old.open != nullptr && now.open != nullptr && *old.open == *now.open;
    bool is_open = old.open != nullptr || now.open != nullptr;
    if (!is_directory && !is_unread && !is_undecided)
      change.contents = is_open || before_.bytes(old_id) != after_.bytes(new_id);
    if (change.contents || change.mode || change.owner || change.times) changes.push_back(change);
    if (is_directory && !is_unread) compare_entries(path, old_id, new_id);
  }

  std::vector<Change> changes;

 private:
  void compare_entries(const std::string& path, InodeId old_id, InodeId new_id) {
    auto old_entries = before_.known_entries(old_id);
    auto new_entries = after_.known_entries(new_id);
    std::string prefix = path == "/" ? path : path + "/";
    auto old_entry = old_entries.begin();
    auto new_entry = new_entries.begin();
    while (old_entry != old_entries.end() || new_entry != new_entries.end()) {
      bool only_old = new_entry == new_entries.end() ||
                      (old_entry != old_entries.end() && old_entry->first < new_entry->first);
      bool only_new =
          !only_old && (old_entry == old_entries.end() || new_entry->first < old_entry->first);
      if (only_old) {
        removed(prefix + old_entry->first, old_entry->second, kNoInode);
        ++old_entry;
      } else if (only_new) {
        created(prefix + new_entry->first, new_entry->second);
        ++new_entry;
      } else {
        compare_at(prefix + old_entry->first, old_entry->second, new_entry->second);
        ++old_entry;
        ++new_entry;
      }
    }
  }

  void created(const std::string& path, InodeId id) {
    changes.push_back({Change::kCreated, path, kNoInode, id, true, false, false, false});
    if (after_.at(id).kind != FileKind::kDirectory) return;
    auto entries = after_.known_entries(id);
    for (const auto& [name, child] : entries) created(path + "/" + name, child);
  }

  // With `replacement`, something of another kind is there now.
  void removed(const std::string& path, InodeId id, InodeId replacement) {
    bool is_gone = replacement == kNoInode;
    changes.push_back({is_gone ? Change::kRemoved : Change::kReplaced, path, id, replacement, true,
                       false, false, false});
    if (before_.at(id).kind == FileKind::kDirectory) {
      auto entries = before_.known_entries(id);
      for (const auto& [name, child] : entries) removed(path + "/" + name, child, kNoInode);
    }
    if (!is_gone && after_.at(replacement).kind == FileKind::kDirectory) {
      auto entries = after_.known_entries(replacement);
      for (const auto& [name, child] : entries) created(path + "/" + name, child);
    }
  }

  FileTree& before_;
  FileTree& after_;
  bool with_times_;
};

}  // namespace

std::vector<Change> compare(FileTree& before, FileTree& after, bool with_times) {
  Comparison comparison(before, after, with_times);
  comparison.compare_at("/", kRootInode, kRootInode);
  return std::move(comparison.changes);
}

}  // namespace nacre::world
