#include "cli/write_file.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <span>
#include <sys/random.h>
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

// The temporary file that there is now, if any: an interrupt removes it. One file is replaced at a
// time, so that one name is enough.
std::mutex replacing;
char temporary_name[PATH_MAX];
volatile sig_atomic_t has_temporary = 0;

void remove_temporary(int signal) {
  if (has_temporary != 0) ::unlink(temporary_name);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// While it lives, Ctrl-C and its like leave no temporary file behind.
class Cleanup {
 public:
  explicit Cleanup(const std::string& name) {
    name.copy(temporary_name, sizeof temporary_name - 1);
    temporary_name[std::min(name.size(), sizeof temporary_name - 1)] = '\0';
    has_temporary = 1;
  }
  ~Cleanup() { has_temporary = 0; }
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
};

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remove_temporary;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
}

// The owner first: a change of it clears the set-user-ID bit.
bool keep_attributes(int fd, const struct stat& old) {
  struct stat made {};
  if (::fstat(fd, &made) != 0) return false;
  const bool is_same = made.st_uid == old.st_uid && made.st_gid == old.st_gid;
  if (!is_same && ::fchown(fd, old.st_uid, old.st_gid) != 0) return false;
  return ::fchmod(fd, old.st_mode & 07777) == 0;
}

bool holds(const std::string& path, std::string_view expected) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return false;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = ::read(fd, buffer, sizeof buffer)) > 0) {
    const std::string_view piece(buffer, static_cast<size_t>(got));
    if (!expected.starts_with(piece)) break;
    expected.remove_prefix(piece.size());
  }
  ::close(fd);
  return got == 0 && expected.empty();
}

// `expected`, if any, is what the file must still hold when it is replaced.
Result<bool> replace(const std::string& path, const struct stat& old, std::string_view bytes,
                     const std::string_view* expected) {
  const std::lock_guard lock(replacing);
  catch_interrupts();
  std::string temporary = path + ".XXXXXX";
  // Not mkostemp(): the name must be known to the handler before the file is there.
  const int random = static_cast<int>(::getrandom(temporary.data() + path.size() + 1, 6, 0));
  for (char& c : std::span(temporary).subspan(path.size() + 1))
    c = "abcdefghijklmnopqrstuvwxyz012345"[static_cast<unsigned char>(c) % 32];
  if (random != 6 || temporary.size() >= PATH_MAX) return fail({}, path + ": no temporary name");
  const Cleanup cleanup(temporary);
  int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return system_error(path);
  bool is_written = write_all(fd, bytes) && keep_attributes(fd, old) && ::fsync(fd) == 0;
  is_written = ::close(fd) == 0 && is_written;
  if (is_written && expected != nullptr && !holds(path, *expected)) {
    ::unlink(temporary.c_str());
    return fail({}, path + ": it was changed in the meantime; it is left as it is");
  }
  if (is_written && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
  auto error = system_error(path);
  ::unlink(temporary.c_str());
  return error;
}

// Why this file should not be replaced; empty if it can be.
std::string refusal(const std::string& path, const std::string& real, const struct stat& old) {
  struct stat here {};
  if (::lstat(path.c_str(), &here) == 0 && S_ISLNK(here.st_mode)) {
    char directory[PATH_MAX];
    const size_t slash = path.rfind('/');
    const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (::realpath(parent.c_str(), directory) == nullptr ||
        !real.starts_with(std::string(directory) + "/"))
      return fmt::format("it is a link to {}; name that file to change it", real);
  }
  if ((old.st_mode & 0222) == 0 || ::access(path.c_str(), W_OK) != 0) return "it is read-only";
  if (old.st_nlink > 1)
    return fmt::format("it has {} hard links, and the others would keep the old text",
                       old.st_nlink);
  return "";
}

}  // namespace

Result<bool> rewrite_file(const std::string& path, std::string_view expected,
                          std::string_view bytes) {
  struct stat old {};
  char real[PATH_MAX];
  if (::stat(path.c_str(), &old) != 0 || ::realpath(path.c_str(), real) == nullptr)
    return system_error(path);
  if (!S_ISREG(old.st_mode)) return fail({}, path + ": it is not a regular file");
  if (const std::string why = refusal(path, real, old); !why.empty())
    return fail({}, fmt::format("{}: {}", path, why));
  return replace(real, old, bytes, &expected);
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return write_directly(path, bytes);
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr) return system_error(path);
  return replace(real, old, bytes, nullptr);
}

}  // namespace nacre::cli
