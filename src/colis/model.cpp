#include "colis/model.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>

namespace nacre::colis {

using world::FileKind;
using world::FileTree;
using world::InodeId;

namespace {

Kinds kind_of(const TreeValue& value) {
  switch (value.kind) {
    case FileKind::kRegular: return kRegular;
    case FileKind::kDirectory: return kDirectory;
    case FileKind::kLink: return kSymlink;
    case FileKind::kFifo: return kFifo;
    case FileKind::kSocket: return kSocket;
    case FileKind::kBlockDevice: return kBlock;
    case FileKind::kCharacterDevice: return kCharacter;
  }
  return kAnyKind;
}

// The plainest of several.
FileKind plain_kind(Kinds kinds) {
  if ((kinds & kRegular) != 0) return FileKind::kRegular;
  if ((kinds & kDirectory) != 0) return FileKind::kDirectory;
  if ((kinds & kSymlink) != 0) return FileKind::kLink;
  if ((kinds & kFifo) != 0) return FileKind::kFifo;
  if ((kinds & kSocket) != 0) return FileKind::kSocket;
  return (kinds & kCharacter) != 0 ? FileKind::kCharacterDevice : FileKind::kBlockDevice;
}

// Nodes, rows and facts with values of a known first tree; without one, the plainest values.
class Assignment {
 public:
  explicit Assignment(const Clause& clause) : clause_(clause) {}

  bool match(NodeId x, const TreeValue& tree) {
    x = clause_.find(x);
    if (auto bound = nodes_.find(x); bound != nodes_.end()) return *bound->second == tree;
    const Node& node = clause_.node(x);
    if ((node.kinds & kind_of(tree)) == 0) return false;
    nodes_[x] = &tree;
    if (tree.kind == FileKind::kLink) return !node.target || *node.target == tree.bytes;
    if (tree.kind == FileKind::kRegular) return match_file(node, tree);
    return tree.kind != FileKind::kDirectory || match_directory(x, tree);
  }

  TreeValue build(NodeId x) {
    x = clause_.find(x);
    if (auto bound = nodes_.find(x); bound != nodes_.end()) return *bound->second;
    const Node& node = clause_.node(x);
    TreeValue result;
    result.kind = plain_kind(node.kinds);
    if (result.kind == FileKind::kLink) result.bytes = node.target.value_or("/.nowhere");
    if (result.kind == FileKind::kRegular) {
      auto bytes = contents_.find(node.is_filled);
      result.bytes = bytes != contents_.end()                        ? bytes->second
                     : clause_.truth(node.is_filled) == Truth::kTrue ? "?"
                                                                     : "";
      auto executable = executables_.find(node.is_executable);
      result.is_executable = executable != executables_.end()
                                 ? executable->second
                                 : clause_.truth(node.is_executable) == Truth::kTrue;
    }
    if (result.kind == FileKind::kDirectory) build_entries(x, result);
    return result;
  }

 private:
  bool match_file(const Node& node, const TreeValue& tree) {
    const Truth filled = clause_.truth(node.is_filled),
                executable = clause_.truth(node.is_executable);
    contents_.emplace(node.is_filled, tree.bytes);
    executables_.emplace(node.is_executable, tree.is_executable);
    return (filled == Truth::kUnknown || (filled == Truth::kTrue) == !tree.bytes.empty()) &&
           (executable == Truth::kUnknown || (executable == Truth::kTrue) == tree.is_executable);
  }

  bool match_directory(NodeId x, const TreeValue& tree) {
    const std::set<std::string> names = clause_.names(x);
    for (const std::string& name : names) {
      const Slot& slot = clause_.slot(*clause_.known_slot(x, name));
      auto entry = tree.entries.find(name);
      const bool is_there = entry != tree.entries.end();
      if (!(is_there ? slot.may_be_there : slot.may_be_absent)) return false;
      for (NodeId node : slot.nodes) {
        if (is_there && !match(node, entry->second)) return false;
      }
    }
    const Row& row = clause_.row(x);
    bool has_more = false;
    for (const auto& [name, entry] : tree.entries) {
      if (row.is_closed && !names.contains(name)) return false;
      has_more = has_more || (!row.counted.contains(name) && !clause_.node(x).own.contains(name));
    }
    rows_.emplace(clause_.find_row(clause_.node(x).row), &tree);
    return !row.is_not_empty || has_more;
  }

  void build_entries(NodeId x, TreeValue& result) {
    const Node& node = clause_.node(x);
    auto bound = rows_.find(clause_.find_row(node.row));
    if (bound != rows_.end()) {
      for (const auto& [name, entry] : bound->second->entries) {
        if (!node.own.contains(name)) result.entries.emplace(name, entry);
      }
    } else {
      for (const auto& [name, slot] : clause_.row(x).known) {
        if (!node.own.contains(name)) add_slot(name, slot, result);
      }
      if (clause_.row(x).is_not_empty) result.entries.emplace(new_name(x), plain_file());
    }
    for (const auto& [name, slot] : node.own) add_slot(name, slot, result);
  }
  void add_slot(const std::string& name, SlotId slot, TreeValue& result) {
    const Slot& it = clause_.slot(slot);
    if (!it.may_be_absent) result.entries.insert_or_assign(name, build(it.nodes.front()));
  }
  static TreeValue plain_file() {
    TreeValue file;
    file.kind = FileKind::kRegular;
    return file;
  }
  [[nodiscard]] std::string new_name(NodeId x) const {
    std::string name = "other";
    while (clause_.row(x).known.contains(name)) name += "_";
    return name;
  }

  const Clause& clause_;
  std::map<NodeId, const TreeValue*> nodes_;
  std::map<RowId, const TreeValue*> rows_;
  std::map<FactId, std::string> contents_;
  std::map<FactId, bool> executables_;
};

void add_lines(const std::string& path, const TreeValue& value, std::vector<std::string>& lines) {
  for (const auto& [name, entry] : value.entries) {
    const std::string whole = path + "/" + name;
    if (entry.kind == FileKind::kDirectory)
      lines.push_back(whole + "/");
    else if (entry.kind == FileKind::kLink)
      lines.push_back(whole + " -> " + entry.bytes);
    else
      lines.push_back(whole + (entry.is_executable ? "*" : ""));
    add_lines(whole, entry, lines);
  }
}

// A text of the clause in which nodes, rows and facts are numbered as they are met.
class Key {
 public:
  explicit Key(const Clause& clause) : clause_(clause) {}
  void add(NodeId x) {
    x = clause_.find(x);
    const auto [place, is_new] = nodes_.emplace(x, nodes_.size());
    text += fmt::format("n{}", place->second);
    if (!is_new) return;
    const Node& node = clause_.node(x);
    text += fmt::format("({},{},{},{},{}", node.kinds, node.has_other_names,
                        node.target.value_or("?"), fact(node.is_filled), fact(node.is_executable));
    const auto row = rows_.emplace(clause_.find_row(node.row), rows_.size());
    text += fmt::format(",r{}", row.first->second);
    if (row.second) add_row(clause_.row(x));
    add_slots(node.own);
    text += ")";
  }
  std::string text;

 private:
  std::string fact(FactId id) {
    const auto place = facts_.emplace(id, facts_.size());
    return fmt::format("f{}={}", place.first->second, static_cast<int>(clause_.truth(id)));
  }
  void add_row(const Row& row) {
    text += fmt::format("{}{}", row.is_closed ? "c" : "o", row.is_not_empty ? "+" : "");
    if (row.is_not_empty) text += fmt::format("{}", fmt::join(row.counted, ","));
    add_slots(row.known);
  }
  void add_slots(const std::map<std::string, SlotId, std::less<>>& slots) {
    text += "[";
    for (const auto& [name, id] : slots) {
      const Slot& slot = clause_.slot(id);
      text += fmt::format("{}:{}:{}{}", name.size(), name, slot.may_be_absent, slot.may_be_there);
      for (NodeId node : slot.nodes) add(node);
    }
    text += "]";
  }
  const Clause& clause_;
  std::map<NodeId, size_t> nodes_;
  std::map<RowId, size_t> rows_;
  std::map<FactId, size_t> facts_;
};

void add_facts(const Clause& clause, NodeId x, const std::string& path,
               std::vector<std::string>& facts) {
  const Node& node = clause.node(x);
  const std::string shown = path.empty() ? "/" : path;
  if (!path.empty()) {
    std::string line = shown + " is " + kinds_in_words(node.kinds);
    if (node.target) line += " to " + *node.target;
    if (node.kinds == kRegular && clause.truth(node.is_filled) == Truth::kFalse) line += ", empty";
    if (node.kinds == kRegular && clause.truth(node.is_executable) == Truth::kTrue)
      line += ", executable";
    facts.push_back(std::move(line));
  }
  if ((node.kinds & kDirectory) == 0) return;
  for (const std::string& name : clause.names(x)) {
    const Slot& slot = clause.slot(*clause.known_slot(x, name));
    if (!slot.may_be_there)
      facts.push_back("no " + path + "/" + name);
    else if (!slot.may_be_absent)
      add_facts(clause, slot.nodes.front(), path + "/" + name, facts);
  }
  if (clause.row(x).is_closed)
    facts.push_back("nothing else in " + shown);
  else if (clause.row(x).is_not_empty)
    facts.push_back("something else in " + shown);
}

}  // namespace

TreeValue read_tree(FileTree& tree, const std::string& path) {
  TreeValue result;
  InodeId id = world::kNoInode;
  if (tree.find(world::Actor(), path, false, id) < 0) return result;
  const world::Inode inode = tree.at(id);
  result.kind = inode.kind;
  if (inode.kind == FileKind::kDirectory) {
    const auto entries = tree.known_entries(id);
    for (const auto& [name, child] : entries)
      result.entries.emplace(name, read_tree(tree, (path == "/" ? "" : path) + "/" + name));
    return result;
  }
  if (inode.kind == FileKind::kRegular || inode.kind == FileKind::kLink)
    result.bytes = tree.bytes(id);
  result.is_executable = inode.kind == FileKind::kRegular && (inode.mode & 0111) != 0;
  return result;
}

void write_tree(FileTree& tree, const std::string& path, const TreeValue& value) {
  world::Actor root;
  for (const auto& [name, entry] : value.entries) {
    const std::string whole = (path == "/" ? "" : path) + "/" + name;
    const unsigned mode = entry.is_executable ? 0755 : 0644;
    InodeId id = world::kNoInode;
    switch (entry.kind) {
      case FileKind::kDirectory:
        tree.make_directory(root, whole, 0755);
        write_tree(tree, whole, entry);
        break;
      case FileKind::kLink: tree.make_symbolic_link(root, entry.bytes, whole); break;
      case FileKind::kRegular:
        if (tree.open(root, whole, O_WRONLY | O_CREAT, mode, id) == 0)
          tree.write(root, id, 0, entry.bytes);
        break;
      default: tree.make_node(root, whole, entry.kind, mode); break;
    }
  }
}

std::vector<std::string> lines_of(const TreeValue& value) {
  std::vector<std::string> lines;
  add_lines("", value, lines);
  return lines;
}

TreeValue model_of(const SymbolicFiles& files) {
  return Assignment(files.clause).build(files.initial);
}

std::optional<TreeValue> after(const SymbolicFiles& files, const TreeValue& before) {
  Assignment assignment(files.clause);
  if (!assignment.match(files.initial, before)) return std::nullopt;
  return assignment.build(files.root);
}

std::vector<std::string> facts_of(const Clause& clause, NodeId root) {
  std::vector<std::string> facts;
  add_facts(clause, root, "", facts);
  return facts;
}

std::string key_of(const SymbolicFiles& files, bool with_initial) {
  Key key(files.clause);
  if (with_initial) key.add(files.initial);
  key.add(files.root);
  return std::move(key.text);
}

std::string kinds_in_words(Kinds kinds) {
  static const std::pair<Kinds, const char*> kNames[] = {
      {kRegular, "a file"},      {kDirectory, "a directory"}, {kSymlink, "a link"},
      {kFifo, "a named pipe"},   {kSocket, "a socket"},       {kCharacter, "a character device"},
      {kBlock, "a block device"}};
  if (kinds == kAnyKind) return "there";
  const Kinds without = static_cast<Kinds>(kAnyKind & ~kinds);
  std::vector<std::string> words, others;
  for (const auto& [kind, name] : kNames) {
    if ((kinds & kind) != 0) words.emplace_back(name);
    if ((without & kind) != 0) others.emplace_back(name);
  }
  if (others.size() < words.size()) return fmt::format("not {}", fmt::join(others, " or "));
  return fmt::format("{}", fmt::join(words, " or "));
}

}  // namespace nacre::colis
