// The calls of the real system that look at the file tree or change it.
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/call_result.h"
#include "system/system_os.h"

namespace nacre::system {
namespace {

FileKind kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR: return FileKind::kDirectory;
    case S_IFLNK: return FileKind::kLink;
    case S_IFIFO: return FileKind::kFifo;
    case S_IFSOCK: return FileKind::kSocket;
    case S_IFBLK: return FileKind::kBlockDevice;
    case S_IFCHR: return FileKind::kCharacterDevice;
    default: return FileKind::kRegular;
  }
}

int64_t nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; }

int fill(int called, const struct stat& from, FileStatus& to) {
  if (called < 0) return -errno;
  fill_status(from, to);
  return 0;
}

timespec time_of(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (nanoseconds == world::kPresent) return {0, UTIME_NOW};
  if (nanoseconds == world::kSameTime) return {0, UTIME_OMIT};
  int64_t part = nanoseconds % kSecond;
  int64_t seconds = nanoseconds / kSecond - (part < 0 ? 1 : 0);
  return {seconds, part < 0 ? part + kSecond : part};
}

}  // namespace

void fill_status(const struct stat& from, FileStatus& to) {
  to.kind = kind_of(from.st_mode);
  to.mode = from.st_mode & 07777;
  to.size = static_cast<uint64_t>(from.st_size);
  to.owner = from.st_uid;
  to.group = from.st_gid;
  to.device = from.st_dev;
  to.inode = from.st_ino;
  to.links = static_cast<uint32_t>(from.st_nlink);
  to.blocks = static_cast<uint64_t>(from.st_blocks);
  to.changed_ns = nanoseconds(from.st_ctim);
  to.modified_ns = nanoseconds(from.st_mtim);
  to.accessed_ns = nanoseconds(from.st_atim);
}

int64_t SystemOs::seek(int fd, int64_t offset, int whence) {
  settle(fd);
  off_t at = lseek(fd, offset, whence);
  return at < 0 ? -errno : at;
}

int SystemOs::status(const char* path, bool follow_links, FileStatus& result) {
  struct stat found;
  return fill(follow_links ? ::stat(path, &found) : ::lstat(path, &found), found, result);
}

int SystemOs::status(int fd, FileStatus& result) {
  struct stat found;
  return fill(::fstat(fd, &found), found, result);
}

bool SystemOs::may(const char* path, Access access) {
  int mode = F_OK;
  if (access == Access::kRead) mode = R_OK;
  if (access == Access::kWrite) mode = W_OK;
  if (access == Access::kExecute) mode = X_OK;
  return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0;
}

int SystemOs::list_directory(const char* path, std::vector<std::string>& names) {
  DIR* directory = opendir(path);
  if (directory == nullptr) return -errno;
  while (const dirent* entry = readdir(directory)) names.emplace_back(entry->d_name);
  closedir(directory);
  return 0;
}

int SystemOs::current_directory(std::string& path) {
  char* found = getcwd(nullptr, 0);
  if (found == nullptr) return -errno;
  path = found;
  free(found);
  return 0;
}

int SystemOs::change_directory(const char* path) { return result_of(chdir(path)); }
int SystemOs::change_directory(int fd) { return result_of(fchdir(fd)); }

int SystemOs::make_directory(const char* path, unsigned mode) {
  return result_of(::mkdir(path, mode));
}
int SystemOs::remove_directory(const char* path) { return result_of(::rmdir(path)); }
int SystemOs::make_fifo(const char* path, unsigned mode) { return result_of(::mkfifo(path, mode)); }
int SystemOs::unlink(const char* path) { return result_of(::unlink(path)); }
int SystemOs::rename(const char* from, const char* to) { return result_of(::rename(from, to)); }
int SystemOs::link(const char* from, const char* to) { return result_of(::link(from, to)); }
int SystemOs::make_symbolic_link(const char* target, const char* path) {
  return result_of(::symlink(target, path));
}

int SystemOs::read_symbolic_link(const char* path, std::string& target) {
  char buffer[PATH_MAX];
  ssize_t size = ::readlink(path, buffer, sizeof buffer);
  if (size < 0) return -errno;
  target.assign(buffer, static_cast<size_t>(size));
  return 0;
}

int SystemOs::set_mode(const char* path, unsigned mode) { return result_of(::chmod(path, mode)); }

int SystemOs::set_owner(const char* path, bool follows, unsigned owner, unsigned group) {
  return result_of(fchownat(AT_FDCWD, path, owner, group, follows ? 0 : AT_SYMLINK_NOFOLLOW));
}

int SystemOs::set_times(const char* path, bool follows, int64_t accessed, int64_t modified) {
  timespec times[2] = {time_of(accessed), time_of(modified)};
  return result_of(utimensat(AT_FDCWD, path, times, follows ? 0 : AT_SYMLINK_NOFOLLOW));
}

std::vector<unsigned> SystemOs::supplementary_groups() {
  gid_t ids[1024];
  int count = getgroups(1024, ids);
  return count < 0 ? std::vector<unsigned>() : std::vector<unsigned>(ids, ids + count);
}

int SystemOs::sleep(int64_t nanoseconds) {
  timespec time = {nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  return result_of(nanosleep(&time, nullptr));
}

}  // namespace nacre::system
