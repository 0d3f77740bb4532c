// Descriptors and files of the simulated world.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>

#include "world/simulated_os.h"

namespace nacre::world {
namespace {

constexpr int kFirstShellFd = 10;
constexpr uint64_t kBytesPerTick = 64;
constexpr uint64_t kBytesOfLinesPerTick = 16;  // the shell keeps the lines it reads

// N of /dev/fd/N, /dev/stdin and its like; -1.
int descriptor_named(std::string_view path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  constexpr std::string_view kPrefix = "/dev/fd/";
  if (!path.starts_with(kPrefix)) return -1;
  path.remove_prefix(kPrefix.size());
  if (path.empty() || path.size() > 3) return -1;
  int number = 0;
  for (char c : path) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

FileTree& SimulatedOs::files() {
  tick();
  return simulation_.tree();
}

OpenFile* SimulatedOs::file_at(int fd) {
  auto found = process_.descriptors.find(fd);
  return found == process_.descriptors.end() ? nullptr : found->second.file.get();
}

bool SimulatedOs::may_have(int fd) const {
  return static_cast<uint64_t>(fd) < process_.limits[RLIMIT_NOFILE].soft;
}

int SimulatedOs::add_descriptor(std::shared_ptr<OpenFile> file) {
  int fd = kFirstShellFd;
  while (process_.descriptors.contains(fd)) ++fd;
  if (!may_have(fd)) return -EMFILE;
  process_.descriptors[fd] = {std::move(file), true};
  return fd;
}

std::shared_ptr<OpenFile> SimulatedOs::open_inode(InodeId inode, bool reads, bool writes) {
  auto file = std::make_shared<OpenFile>();
  file->tree = &simulation_.tree();
  file->inode = inode;
  file->reads = reads;
  file->writes = writes;
  simulation_.tree().hold(inode);
  return file;
}

int SimulatedOs::open(const char* path, int flags, unsigned mode) {
  FileTree& tree = files();
  if (int shared = descriptor_named(path); shared >= 0) {
    auto found = process_.descriptors.find(shared);
    return found == process_.descriptors.end() ? -ENOENT : add_descriptor(found->second.file);
  }
  InodeId inode = kNoInode;
  if (int error = tree.open(process_.actor, path, flags, mode, inode); error < 0) return error;
  if (tree.at(inode).device == Device::kTerminal) return -ENXIO;
  int access = flags & O_ACCMODE;
  auto file = open_inode(inode, access != O_WRONLY, access != O_RDONLY);
  file->appends = (flags & O_APPEND) != 0;
  file->name = path;
  if (tree.at(inode).kind == FileKind::kFifo) {
    const bool waits = (flags & O_NONBLOCK) == 0 || access != O_WRONLY;
    if (!waits && simulation_.fifo(inode)->readers == 0) return -ENXIO;
    return open_fifo(std::move(file));
  }
  return add_descriptor(std::move(file));
}

// Waits until the other side is open, too.
int SimulatedOs::open_fifo(std::shared_ptr<OpenFile> file) {
  std::shared_ptr<Pipe> pipe = simulation_.fifo(file->inode);
  file->pipe = pipe;
  uint64_t readers = pipe->opened_readers;
  uint64_t writers = pipe->opened_writers;
  if (file->reads) {
    ++pipe->readers;
    ++pipe->opened_readers;
  }
  if (file->writes) {
    ++pipe->writers;
    ++pipe->opened_writers;
  }
  bool waits_for_writer = !file->writes;
  bool waits_for_reader = !file->reads;
  Pipe* raw = pipe.get();
  int error = simulation_.block(process_, [=] {
    if (waits_for_writer) return raw->writers > 0 || raw->opened_writers > writers;
    return !waits_for_reader || raw->readers > 0 || raw->opened_readers > readers;
  });
  return error < 0 ? error : add_descriptor(std::move(file));
}

int SimulatedOs::close(int fd) { return process_.descriptors.erase(fd) == 0 ? -EBADF : 0; }

int SimulatedOs::duplicate(int fd) {
  auto found = process_.descriptors.find(fd);
  return found == process_.descriptors.end() ? -EBADF : add_descriptor(found->second.file);
}

int SimulatedOs::duplicate_to(int fd, int target) {
  auto found = process_.descriptors.find(fd);
  if (found == process_.descriptors.end() || !may_have(target)) return -EBADF;
  std::shared_ptr<OpenFile> file = found->second.file;
  process_.descriptors[target] = {std::move(file), false};
  return target;
}

bool SimulatedOs::is_open(int fd) { return process_.descriptors.contains(fd); }

bool SimulatedOs::is_writable(int fd) {
  const OpenFile* file = file_at(fd);
  return file != nullptr && file->writes;
}

int SimulatedOs::pipe(int ends[2]) {
  tick();
  auto shared = std::make_shared<Pipe>();
  for (int i = 0; i < 2; ++i) {
    auto file = std::make_shared<OpenFile>();
    file->pipe = shared;
    file->reads = i == 0;
    file->writes = i == 1;
    file->name = i == 0 ? "pipe (reads)" : "pipe (writes)";
    ++(i == 0 ? shared->readers : shared->writers);
    ends[i] = add_descriptor(std::move(file));
    if (ends[i] < 0) {
      if (i == 1) close(ends[0]);
      return ends[i];
    }
  }
  return 0;
}

int SimulatedOs::here_document(std::string_view text) {
  InodeId inode = files().add_anonymous(process_.actor, std::string(text));
  auto file = open_inode(inode, true, false);
  file->name = "here-document";
  return add_descriptor(std::move(file));
}

ssize_t SimulatedOs::look(OpenFile& file, size_t size, std::string_view& seen) {
  if (file.pipe != nullptr) {
    Pipe* pipe = file.pipe.get();
    process_.waits_on = pipe;
    int error =
        simulation_.block(process_, [pipe] { return pipe->size() > 0 || pipe->writers == 0; });
    if (error < 0) return error;
    seen = pipe->front(size);
    return 0;
  }
  if (file.stream != nullptr) {
    Stream& stream = *file.stream;
    if (stream.ahead.empty() && stream.read) {
      char buffer[65536];
      stream.ahead.assign(buffer, stream.read(buffer, sizeof buffer));
    }
    seen = std::string_view(stream.ahead).substr(0, size);
    return 0;
  }
  FileTree& tree = simulation_.tree();
  const Inode& inode = tree.at(file.inode);
  if (inode.kind == FileKind::kDirectory) return -EISDIR;
  if (inode.device == Device::kNull) return 0;
  if (inode.kind == FileKind::kCharacterDevice) {
    zeros_.resize(size);
    seen = zeros_;
    return 0;
  }
  std::string_view bytes = tree.bytes(file.inode);
  if (file.offset < bytes.size()) seen = bytes.substr(file.offset, size);
  return 0;
}

void SimulatedOs::take(OpenFile& file, size_t count) {
  if (file.pipe != nullptr) {
    file.pipe->take(count);
  } else if (file.stream != nullptr) {
    file.stream->ahead.erase(0, count);
  } else {
    file.offset += count;
  }
}

ssize_t SimulatedOs::read(int fd, char* buffer, size_t size) {
  tick();
  OpenFile* file = file_at(fd);
  if (file == nullptr || !file->reads) return -EBADF;
  std::string_view seen;
  if (ssize_t error = look(*file, size, seen); error < 0) return error;
  seen.copy(buffer, seen.size());
  size_t count = seen.size();
  take(*file, count);
  tick(count / kBytesPerTick);
  return static_cast<ssize_t>(count);
}

ssize_t SimulatedOs::read_until(int fd, char delimiter, char* buffer, size_t size) {
  tick();
  OpenFile* file = file_at(fd);
  if (file == nullptr || !file->reads) return -EBADF;
  std::string_view seen;
  if (ssize_t error = look(*file, size, seen); error < 0) return error;
  size_t end = seen.find(delimiter);
  if (end != std::string_view::npos) seen = seen.substr(0, end + 1);
  seen.copy(buffer, seen.size());
  size_t count = seen.size();
  take(*file, count);
  tick(count / kBytesOfLinesPerTick);
  return static_cast<ssize_t>(count);
}

ssize_t SimulatedOs::write_pipe(OpenFile& file, std::string_view data) {
  Pipe* pipe = file.pipe.get();
  size_t total = data.size();
  while (!data.empty()) {
    process_.waits_on = pipe;
    int error =
        simulation_.block(process_, [pipe] { return pipe->room() > 0 || pipe->readers == 0; });
    size_t written = total - data.size();
    if (error < 0) return written > 0 ? static_cast<ssize_t>(written) : error;
    if (pipe->readers == 0) {
      simulation_.deliver(process_, SIGPIPE);
      simulation_.check_signals(process_);
      return -EPIPE;
    }
    std::string_view piece = data.substr(0, pipe->room());
    pipe->put(piece);
    data.remove_prefix(piece.size());
  }
  return static_cast<ssize_t>(total);
}

ssize_t SimulatedOs::write(int fd, const char* data, size_t size) {
  tick(1 + size / kBytesPerTick);
  OpenFile* file = file_at(fd);
  if (file == nullptr || !file->writes) return -EBADF;
  std::string_view text(data, size);
  if (file->pipe != nullptr) return write_pipe(*file, text);
  if (file->stream != nullptr) {
    if (file->stream->write) file->stream->write(text);
    return static_cast<ssize_t>(size);
  }
  FileTree& tree = simulation_.tree();
  const Inode& inode = tree.at(file->inode);
  if (inode.device == Device::kFull) return -ENOSPC;
  if (inode.kind == FileKind::kCharacterDevice) return static_cast<ssize_t>(size);
  if (file->appends) file->offset = tree.bytes(file->inode).size();
  if (int error = tree.write(process_.actor, file->inode, file->offset, text); error < 0) {
    return error;
  }
  file->offset += size;
  return static_cast<ssize_t>(size);
}

int64_t SimulatedOs::seek(int fd, int64_t offset, int whence) {
  OpenFile* file = file_at(fd);
  if (file == nullptr) return -EBADF;
  if (file->inode == kNoInode || file->pipe != nullptr) return -ESPIPE;
  auto size = static_cast<int64_t>(simulation_.tree().bytes(file->inode).size());
  int64_t base = whence == SEEK_SET   ? 0
                 : whence == SEEK_END ? size
                                      : static_cast<int64_t>(file->offset);
  if (base + offset < 0) return -EINVAL;
  file->offset = static_cast<uint64_t>(base + offset);
  return base + offset;
}

int SimulatedOs::status(const char* path, bool follow_links, FileStatus& result) {
  FileTree& tree = files();
  if (int fd = descriptor_named(path); fd >= 0) return status(fd, result);
  InodeId inode = kNoInode;
  if (int error = tree.find(process_.actor, path, follow_links, inode); error < 0) return error;
  result = tree.status(inode);
  return 0;
}

int SimulatedOs::status(int fd, FileStatus& result) {
  const OpenFile* file = file_at(fd);
  if (file == nullptr) return -EBADF;
  if (file->inode != kNoInode) {
    result = simulation_.tree().status(file->inode);
    return 0;
  }
  result = {};
  result.kind = FileKind::kFifo;
  result.mode = 0600;
  result.owner = process_.actor.user;
  result.group = process_.actor.group;
  return 0;
}

bool SimulatedOs::may(const char* path, Access access) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  if (tree.find(process_.actor, path, true, inode,
                access == Access::kExecute ? Use::kExecute : Use::kLook) < 0)
    return false;
  unsigned wanted = access == Access::kRead      ? 4
                    : access == Access::kWrite   ? 2
                    : access == Access::kExecute ? 1
                                                 : 0;
  return FileTree::permits(process_.actor, tree.at(inode), wanted);
}

int SimulatedOs::list_directory(const char* path, std::vector<std::string>& names) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  if (int error = tree.find(process_.actor, path, true, inode, Use::kEnter); error < 0)
    return error;
  if (tree.at(inode).kind != FileKind::kDirectory) return -ENOTDIR;
  if (!FileTree::permits(process_.actor, tree.at(inode), 4)) return -EACCES;
  names.insert(names.end(), {".", ".."});
  bool is_root = inode == kRootInode;
  for (const auto& [name, id] : tree.entries(inode)) {
    if (!is_root || name != kRegisters) names.push_back(name);
  }
  return 0;
}

void SimulatedOs::declare_absent(const char* path) { files().declare_absent(process_.actor, path); }

void SimulatedOs::need_size(const char* path) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  if (tree.find(process_.actor, path, true, inode) < 0) return;
  if (tree.at(inode).kind == FileKind::kRegular) (void)tree.bytes(inode);
}

bool SimulatedOs::share_contents(int from, int to) {
  const OpenFile* source = file_at(from);
  const OpenFile* target = file_at(to);
  bool are_files = source != nullptr && target != nullptr && source->inode != kNoInode &&
                   target->inode != kNoInode && source->offset == 0 && target->offset == 0;
  return are_files && files().share_contents(source->inode, target->inode);
}

int SimulatedOs::current_directory(std::string& path) {
  path = simulation_.tree().path_of(process_.actor.directory);
  return path.empty() ? -ENOENT : 0;
}

int SimulatedOs::change_directory(const char* path) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  if (int error = tree.find(process_.actor, path, true, inode, Use::kEnter); error < 0)
    return error;
  if (tree.at(inode).kind != FileKind::kDirectory) return -ENOTDIR;
  if (!FileTree::permits(process_.actor, tree.at(inode), 1)) return -EACCES;
  process_.actor.directory = inode;
  return 0;
}

int SimulatedOs::change_directory(int fd) {
  const OpenFile* file = file_at(fd);
  if (file == nullptr) return -EBADF;
  if (file->inode == kNoInode || files().at(file->inode).kind != FileKind::kDirectory) {
    return -ENOTDIR;
  }
  process_.actor.directory = file->inode;
  return 0;
}

unsigned SimulatedOs::set_file_mask(unsigned mask) {
  return std::exchange(process_.actor.file_mask, mask & 0777);
}

int SimulatedOs::make_directory(const char* path, unsigned mode) {
  return files().make_directory(process_.actor, path, mode);
}
int SimulatedOs::remove_directory(const char* path) {
  return files().remove_directory(process_.actor, path);
}
int SimulatedOs::make_fifo(const char* path, unsigned mode) {
  return files().make_node(process_.actor, path, FileKind::kFifo, mode);
}
int SimulatedOs::unlink(const char* path) { return files().unlink(process_.actor, path); }
int SimulatedOs::rename(const char* from, const char* to) {
  return files().rename(process_.actor, from, to);
}
int SimulatedOs::link(const char* from, const char* to) {
  return files().link(process_.actor, from, to);
}
int SimulatedOs::make_symbolic_link(const char* target, const char* path) {
  return files().make_symbolic_link(process_.actor, target, path);
}

int SimulatedOs::read_symbolic_link(const char* path, std::string& target) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  if (int error = tree.find(process_.actor, path, false, inode); error < 0) return error;
  if (tree.at(inode).kind != FileKind::kLink) return -EINVAL;
  target = tree.bytes(inode);
  return 0;
}

int SimulatedOs::set_mode(const char* path, unsigned mode) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  int error = tree.find(process_.actor, path, true, inode, Use::kChange);
  return error < 0 ? error : tree.set_mode(process_.actor, inode, mode);
}

int SimulatedOs::set_owner(const char* path, bool follows, unsigned owner, unsigned group) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  int error = tree.find(process_.actor, path, follows, inode, Use::kChange);
  return error < 0 ? error : tree.set_owner(process_.actor, inode, owner, group);
}

int SimulatedOs::set_times(const char* path, bool follows, int64_t accessed, int64_t modified) {
  FileTree& tree = files();
  InodeId inode = kNoInode;
  int error = tree.find(process_.actor, path, follows, inode, Use::kChange);
  return error < 0 ? error : tree.set_times(process_.actor, inode, accessed, modified);
}

std::optional<std::string> SimulatedOs::home_of(const std::string& user) {
  FileTree& tree = files();
  Actor root;
  InodeId inode = kNoInode;
  if (tree.find(root, "/etc/passwd", true, inode) < 0) return std::nullopt;
  std::string_view rest = tree.bytes(inode);
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.starts_with(user + ":")) continue;
    for (int i = 0; i < 5; ++i) line.remove_prefix(std::min(line.find(':'), line.size() - 1) + 1);
    return std::string(line.substr(0, line.find(':')));
  }
  return std::nullopt;
}

}  // namespace nacre::world
