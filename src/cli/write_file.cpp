#include "cli/write_file.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_error.h"

namespace nacre::cli {

namespace {

tl::unexpected<Error> system_error(const std::string& path) {
  return fail({}, fmt::format("{}: {}", path, system_message(errno)));
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

Result<bool> write_directly(const std::string& path, std::string_view bytes) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return system_error(path);
  bool is_written = write_all(fd, bytes);
  int write_errno = errno;
  if (::close(fd) == 0 && is_written) return true;
  if (!is_written) errno = write_errno;
  return system_error(path);
}

Result<bool> replace(const std::string& path, const struct stat& old, std::string_view bytes) {
  std::string temporary = path + ".XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return system_error(path);
  bool is_written = write_all(fd, bytes) && ::fchmod(fd, old.st_mode & 07777) == 0;
  if (::fchown(fd, old.st_uid, old.st_gid) != 0) errno = 0;  // only root can give files away
  is_written = ::close(fd) == 0 && is_written;
  if (is_written && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
  auto error = system_error(path);
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return write_directly(path, bytes);
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr) return system_error(path);
  return replace(real, old, bytes);
}

}  // namespace nacre::cli
