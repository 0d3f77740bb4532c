// The calls of the real system that change the file tree.
#include <cerrno>
#include <climits>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world/system_os.h"

namespace nacre::world {
namespace {

int result_of(int value) { return value < 0 ? -errno : value; }

timespec time_of(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (nanoseconds == kPresent) return {0, UTIME_NOW};
  if (nanoseconds == kSameTime) return {0, UTIME_OMIT};
  int64_t part = nanoseconds % kSecond;
  int64_t seconds = nanoseconds / kSecond - (part < 0 ? 1 : 0);
  return {seconds, part < 0 ? part + kSecond : part};
}

}  // namespace

int64_t SystemOs::seek(int fd, int64_t offset, int whence) {
  settle(fd);
  off_t at = lseek(fd, offset, whence);
  return at < 0 ? -errno : at;
}

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

}  // namespace nacre::world
