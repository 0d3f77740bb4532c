#include "system/host_tree.h"

#include <climits>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <utility>

#include "system/descriptor.h"
#include "system/system_os.h"

namespace nacre::system {
namespace {

using world::FileKind;
using world::FileStatus;
using world::HostEntry;
using world::Inode;

world::Device device_of(const struct stat& found) {
  if (major(found.st_rdev) == 5) return world::Device::kTerminal;
  if (major(found.st_rdev) != 1) return world::Device::kNone;
  switch (minor(found.st_rdev)) {
    case 3: return world::Device::kNull;
    case 5: return world::Device::kZero;
    case 7: return world::Device::kFull;
    default: return world::Device::kNone;
  }
}

std::string target_of(int directory, const char* name) {
  char target[PATH_MAX];
  const ssize_t size = ::readlinkat(directory, name, target, sizeof target);
  return size < 0 ? std::string() : std::string(target, static_cast<size_t>(size));
}

// The root is opened once. From there every component of a path is opened by itself, and none may
// be a link: a directory that someone replaces by a link while the simulation runs leads nowhere.
class SystemReader final : public world::HostReader {
 public:
  explicit SystemReader(std::string root)
      : prefix_(std::move(root)), root_(::open(prefix_.c_str(), kDirectory)) {}

  [[nodiscard]] HostEntry entry(const std::string& path) const override {
    const size_t slash = path.rfind('/');
    const bool is_root = path == prefix_ || slash == std::string::npos;
    const Descriptor parent = open_directory(is_root ? prefix_ : path.substr(0, slash));
    return entry_in(parent, is_root ? "." : path.substr(slash + 1), path);
  }
  [[nodiscard]] std::vector<HostEntry> list(const std::string& directory) const override {
    std::vector<HostEntry> entries;
    const Descriptor parent = open_directory(directory);
    const int readable = ::openat(parent.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* stream = readable < 0 ? nullptr : ::fdopendir(readable);
    if (stream == nullptr) return entries;
    while (const dirent* found = ::readdir(stream)) {
      const std::string name = found->d_name;
      if (name == "." || name == "..") continue;
      entries.push_back(
          entry_in(parent, name, directory + (directory.ends_with('/') ? "" : "/") + name));
    }
    ::closedir(stream);
    return entries;
  }
  void read(const std::string& path, std::string& bytes) const override {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return;
    const Descriptor parent = open_directory(path.substr(0, slash));
    const Descriptor file(::openat(parent.get(), path.c_str() + slash + 1,
                                   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat found {};
    if (!file.is_open() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return;
    char buffer[65536];
    ssize_t got = 0;
    while ((got = ::read(file.get(), buffer, sizeof buffer)) > 0)
      bytes.append(buffer, static_cast<size_t>(got));
  }

 private:
  static constexpr int kDirectory = O_PATH | O_DIRECTORY | O_CLOEXEC;

  // `path` begins with the root.
  [[nodiscard]] Descriptor open_directory(std::string_view path) const {
    path.remove_prefix(std::min(prefix_.size(), path.size()));
    Descriptor here(::openat(root_.get(), ".", kDirectory));
    while (!path.empty() && here.is_open()) {
      const size_t end = std::min(path.find('/'), path.size());
      const std::string name(path.substr(0, end));
      path.remove_prefix(std::min(end + 1, path.size()));
      if (name.empty()) continue;
      here = Descriptor(::openat(here.get(), name.c_str(), kDirectory | O_NOFOLLOW));
    }
    return here;
  }

  static HostEntry entry_in(const Descriptor& parent, const std::string& name,
                            const std::string& path) {
    HostEntry entry;
    entry.name = path.substr(path.rfind('/') + 1);
    struct stat found {};
    if (!parent.is_open() ||
        ::fstatat(parent.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0)
      return entry;
    FileStatus status;
    fill_status(found, status);
    Inode& inode = entry.inode;
    inode.kind = status.kind;
    inode.mode = status.mode;
    inode.owner = status.owner;
    inode.group = status.group;
    inode.links = status.links;
    inode.accessed = status.accessed_ns;
    inode.modified = status.modified_ns;
    inode.changed = status.changed_ns;
    const bool has_more = status.kind == FileKind::kRegular || status.kind == FileKind::kDirectory;
    if (has_more) inode.host = std::make_shared<const std::string>(path);
    inode.host_size = status.size;
    if (status.kind == FileKind::kLink) inode.bytes = target_of(parent.get(), name.c_str());
    if (status.kind == FileKind::kCharacterDevice) inode.device = device_of(found);
    // Several names of one file become files of their own.
    if (status.kind != FileKind::kDirectory) inode.links = 1;
    return entry;
  }

  std::string prefix_;
  Descriptor root_;
};

}  // namespace

std::shared_ptr<const world::HostReader> host_reader(const std::string& root) {
  return std::make_shared<const SystemReader>(root);
}

}  // namespace nacre::system
