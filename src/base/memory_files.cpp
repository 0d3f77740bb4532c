#include "base/memory_files.h"

#include <fmt/format.h>

#include "base/path.h"

namespace nacre {

void MemoryFiles::put(const std::string& path, std::string bytes) {
  contents_.insert_or_assign(absolute_path(*this, path), std::move(bytes));
}

void MemoryFiles::remove(const std::string& path) { contents_.erase(absolute_path(*this, path)); }

void MemoryFiles::put_special(const std::string& path) {
  special_.insert(absolute_path(*this, path));
}

void MemoryFiles::set_variable(const std::string& name, std::string value) {
  variables_.insert_or_assign(name, std::move(value));
}

Result<std::string> MemoryFiles::read(const std::string& path, uint64_t max_bytes) const {
  const auto found = contents_.find(absolute_path(*this, path));
  if (found != contents_.end()) {
    if (found->second.size() <= max_bytes) return found->second;
    return fail({}, fmt::format("larger than the limit of {} bytes", max_bytes));
  }
  switch (kind(path)) {
    case FileKind::kMissing: return fail({}, "no such file or directory");
    case FileKind::kDirectory: return fail({}, "is a directory");
    case FileKind::kOther: return fail({}, "not a regular file");
    case FileKind::kRegular: break;
  }
  return below_->read(path, max_bytes);
}

std::string MemoryFiles::read_beginning(const std::string& path, size_t bytes) const {
  const auto found = contents_.find(absolute_path(*this, path));
  if (found != contents_.end()) return found->second.substr(0, bytes);
  return below_ == nullptr ? "" : below_->read_beginning(path, bytes);
}

FileKind MemoryFiles::kind(const std::string& path) const {
  const std::string absolute = absolute_path(*this, path);
  if (contents_.contains(absolute)) return FileKind::kRegular;
  if (special_.contains(absolute)) return FileKind::kOther;
  const std::string prefix = joined_path(absolute, "");
  const auto below = contents_.lower_bound(prefix);
  if (absolute == "/" || (below != contents_.end() && below->first.starts_with(prefix)))
    return FileKind::kDirectory;
  return below_ == nullptr ? FileKind::kMissing : below_->kind(path);
}

Result<std::vector<DirectoryEntry>> MemoryFiles::list(const std::string& directory) const {
  std::map<std::string, DirectoryEntry> entries;
  if (below_ != nullptr && below_->kind(directory) == FileKind::kDirectory) {
    auto others = below_->list(directory);
    if (!others) return others;
    for (DirectoryEntry& entry : *others) entries.emplace(entry.name, entry);
  } else if (kind(directory) != FileKind::kDirectory) {
    return fail({}, "no such directory");
  }
  const std::string prefix = joined_path(absolute_path(*this, directory), "");
  const auto add = [&](const std::string& path, FileKind kind) {
    if (!path.starts_with(prefix)) return;
    const size_t end = path.find('/', prefix.size());
    const std::string name = path.substr(prefix.size(), end - prefix.size());
    entries.insert_or_assign(
        name, DirectoryEntry{name, end == std::string::npos ? kind : FileKind::kDirectory, false});
  };
  for (const auto& [path, bytes] : contents_) add(path, FileKind::kRegular);
  for (const std::string& path : special_) add(path, FileKind::kOther);
  std::vector<DirectoryEntry> result;
  for (auto& [name, entry] : entries) result.push_back(std::move(entry));
  return result;
}

std::optional<std::string> MemoryFiles::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  if (found != variables_.end()) return found->second;
  return below_ == nullptr ? std::nullopt : below_->variable(name);
}

Files::Variables MemoryFiles::environment() const {
  Variables result;
  if (below_ != nullptr) result = below_->environment();
  std::erase_if(result, [&](const auto& each) { return variables_.contains(each.first); });
  result.insert(result.end(), variables_.begin(), variables_.end());
  return result;
}

std::string MemoryFiles::working_directory() const {
  return below_ == nullptr ? working_directory_ : below_->working_directory();
}

}  // namespace nacre
