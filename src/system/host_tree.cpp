#include "system/host_tree.h"

#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "system/system_os.h"

namespace nacre::system {
namespace {

using world::FileKind;
using world::FileStatus;
using world::HostEntry;
using world::Inode;

world::Device device_of(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0 || !S_ISCHR(found.st_mode)) return world::Device::kNone;
  if (major(found.st_rdev) == 5) return world::Device::kTerminal;
  if (major(found.st_rdev) != 1) return world::Device::kNone;
  switch (minor(found.st_rdev)) {
    case 3: return world::Device::kNull;
    case 5: return world::Device::kZero;
    case 7: return world::Device::kFull;
    default: return world::Device::kNone;
  }
}

HostEntry host_entry(const std::string& path) {
  SystemOs os;
  FileStatus status;
  HostEntry entry;
  entry.name = path.substr(path.rfind('/') + 1);
  if (os.status(path.c_str(), false, status) < 0) return entry;
  Inode& inode = entry.inode;
  inode.kind = status.kind;
  inode.mode = status.mode;
  inode.owner = status.owner;
  inode.group = status.group;
  inode.links = status.links;
  inode.accessed = status.accessed_ns;
  inode.modified = status.modified_ns;
  inode.changed = status.changed_ns;
  bool has_more = status.kind == FileKind::kRegular || status.kind == FileKind::kDirectory;
  if (has_more) inode.host = std::make_shared<const std::string>(path);
  inode.host_size = status.size;
  if (status.kind == FileKind::kLink) os.read_symbolic_link(path.c_str(), inode.bytes);
  if (status.kind == FileKind::kCharacterDevice) inode.device = device_of(path);
  // Several names of one file become files of their own.
  if (status.kind != FileKind::kDirectory) inode.links = 1;
  return entry;
}

std::vector<HostEntry> list_host_directory(const std::string& path) {
  SystemOs os;
  std::vector<std::string> names;
  std::vector<HostEntry> entries;
  if (os.list_directory(path.c_str(), names) < 0) return entries;
  for (const std::string& name : names) {
    if (name == "." || name == "..") continue;
    entries.push_back(host_entry(path + (path.ends_with('/') ? "" : "/") + name));
  }
  return entries;
}

void read_host_file(const std::string& path, std::string& bytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = ::read(fd, buffer, sizeof buffer)) > 0)
    bytes.append(buffer, static_cast<size_t>(got));
  ::close(fd);
}

class SystemReader final : public world::HostReader {
 public:
  [[nodiscard]] HostEntry entry(const std::string& path) const override { return host_entry(path); }
  [[nodiscard]] std::vector<HostEntry> list(const std::string& directory) const override {
    return list_host_directory(directory);
  }
  void read(const std::string& path, std::string& bytes) const override {
    read_host_file(path, bytes);
  }
};

}  // namespace

std::shared_ptr<const world::HostReader> host_reader() {
  return std::make_shared<const SystemReader>();
}

}  // namespace nacre::system
