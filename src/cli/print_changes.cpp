#include "cli/print_changes.h"

#include <fmt/format.h>

#include "report/diff.h"
#include "world/tree_diff.h"

namespace nacre::cli {
namespace {

using world::Change;
using world::FileKind;
using world::FileTree;

std::string_view kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::kRegular: return "file";
    case FileKind::kDirectory: return "directory";
    case FileKind::kLink: return "link";
    case FileKind::kFifo: return "fifo";
    case FileKind::kSocket: return "socket";
    case FileKind::kBlockDevice:
    case FileKind::kCharacterDevice: return "device";
  }
  return "";
}

std::string summary(FileTree& tree, world::InodeId id) {
  const world::Inode& inode = tree.at(id);
  if (inode.kind == FileKind::kLink) return fmt::format("link to {}", tree.bytes(id));
  std::string size;
  if (inode.kind == FileKind::kRegular) size = fmt::format(", {} bytes", tree.bytes(id).size());
  return fmt::format("{} {:04o}{}", kind_name(inode.kind), inode.mode, size);
}

bool is_text(std::string_view bytes) { return bytes.find('\0') == std::string_view::npos; }

// One edit from the first line that differs to the last.
Edit difference(std::string_view old, std::string_view now) {
  size_t begin = 0;
  for (size_t i = 0; i < std::min(old.size(), now.size()) && old[i] == now[i]; ++i) {
    if (old[i] == '\n') begin = i + 1;
  }
  size_t tail = 0;
  size_t most = std::min(old.size(), now.size()) - begin;
  for (size_t i = 0; i < most && old[old.size() - 1 - i] == now[now.size() - 1 - i]; ++i) {
    if (i + 1 < most && old[old.size() - 2 - i] == '\n') tail = i + 1;
  }
  Span span{static_cast<uint32_t>(begin), static_cast<uint32_t>(old.size() - tail)};
  return {span, std::string(now.substr(begin, now.size() - tail - begin))};
}

std::string text_changes(const std::string& path, std::string_view old, std::string_view now) {
  if (!is_text(old) || !is_text(now)) return "  (the bytes differ)\n";
  std::vector<Edit> edits = {difference(old, now)};
  return report::unified_diff(SourceFile(path.substr(1), std::string(old)), edits);
}

std::string describe_change(FileTree& before, FileTree& after, const Change& change) {
  bool is_file =
      change.after != world::kNoInode && after.at(change.after).kind == FileKind::kRegular;
  switch (change.kind) {
    case Change::kCreated: {
      std::string line = fmt::format("+ {} ({})\n", change.path, summary(after, change.after));
      bool has_text = is_file && !after.bytes(change.after).empty();
      return has_text ? line + text_changes(change.path, "", after.bytes(change.after)) : line;
    }
    case Change::kRemoved:
      return fmt::format("- {} ({})\n", change.path, summary(before, change.before));
    case Change::kReplaced:
      return fmt::format("~ {} ({}, was {})\n", change.path, summary(after, change.after),
                         summary(before, change.before));
    case Change::kChanged: break;
  }
  const world::Inode& old = before.at(change.before);
  const world::Inode& now = after.at(change.after);
  std::vector<std::string> what;
  if (change.contents && old.kind == FileKind::kLink) {
    what.push_back(fmt::format("link to {}, was {}", now.bytes, old.bytes));
  } else if (change.contents) {
    what.emplace_back("contents");
  }
  if (change.mode) what.push_back(fmt::format("mode {:04o}, was {:04o}", now.mode, old.mode));
  if (change.owner) {
    what.push_back(
        fmt::format("owner {}:{}, was {}:{}", now.owner, now.group, old.owner, old.group));
  }
  std::string line = fmt::format("~ {} ({})\n", change.path, fmt::join(what, "; "));
  if (!change.contents || !is_file) return line;
  return line + text_changes(change.path, before.bytes(change.before), after.bytes(change.after));
}

}  // namespace

std::string describe_changes(FileTree& before, FileTree& after) {
  std::string text;
  for (const Change& change : world::compare(before, after)) {
    text += describe_change(before, after, change);
  }
  return text.empty() ? "nothing was changed\n" : text;
}

}  // namespace nacre::cli
