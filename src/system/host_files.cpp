#include "system/host_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "base/expect_heap.h"
#include "base/path.h"
#include "base/system_error.h"
#include "system/descriptor.h"

extern char** environ;

namespace nacre::system {

namespace {

constexpr size_t kStep = 4096;

tl::unexpected<Error> system_failure(int number) {
  if (number == EAGAIN) return fail({}, "reading it would block");
  return fail({}, system_message(number));
}

// /dev/null is how users write "an empty file", and never blocks.
bool is_null_device(const struct stat& status) {
  struct stat null {};
  return S_ISCHR(status.st_mode) && ::stat("/dev/null", &null) == 0 &&
         null.st_rdev == status.st_rdev;
}

FileKind kind_of(const struct stat& status) {
  if (S_ISREG(status.st_mode) || is_null_device(status)) return FileKind::kRegular;
  return S_ISDIR(status.st_mode) ? FileKind::kDirectory : FileKind::kOther;
}

tl::unexpected<Error> refusal(FileKind kind) {
  return kind == FileKind::kDirectory ? system_failure(EISDIR) : fail({}, "not a regular file");
}

// Opening a device can have effects of its own (a tape rewinds, a watchdog starts), so the kind is
// asked for before; and again after, because the path may name something else by then.
Result<int> open_regular(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return system_failure(errno);
  if (kind_of(status) != FileKind::kRegular) return refusal(kind_of(status));
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return system_failure(errno);
  if (::fstat(fd, &status) == 0 && kind_of(status) == FileKind::kRegular) return fd;
  ::close(fd);
  return refusal(kind_of(status));
}

Result<std::string> read_all(int fd, size_t expected, uint64_t max_bytes) {
  std::string bytes;
  size_t size = 0;
  if (expected > 2 * kStep && expected <= max_bytes) expect_heap(expected);
  for (;;) {
    if (size > max_bytes || expected > max_bytes)
      return fail({}, fmt::format("larger than the limit of {} bytes", max_bytes));
    // A file of known size and one byte more, to see the end; else in growing steps.
    bytes.resize(size < expected + 1 ? expected + 1 : size + size / 2 + kStep);
    const ssize_t count = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure(errno);
    if (count == 0) break;
    size += static_cast<size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

Result<std::string> read_descriptor(int descriptor, uint64_t max_bytes) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return system_failure(errno);
  if (S_ISDIR(status.st_mode)) return system_failure(EISDIR);
  const size_t expected = S_ISREG(status.st_mode) ? static_cast<size_t>(status.st_size) : 0;
  return read_all(descriptor, expected, max_bytes);
}

std::optional<int> descriptor_named(const std::string& path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  const std::string directory = parent_path(path);
  if (directory != "/dev/fd" && directory != "/proc/self/fd") return std::nullopt;
  const std::string_view name = base_name(path);
  int number = -1;
  const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = status == std::errc() && end == name.data() + name.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

Result<std::string> HostFiles::read(const std::string& path, uint64_t max_bytes) const {
  const auto opened = open_regular(path);
  if (!opened) return tl::unexpected(opened.error());
  const Descriptor descriptor(*opened);
  return read_descriptor(descriptor.get(), max_bytes);
}

std::string HostFiles::read_beginning(const std::string& path, size_t bytes) const {
  const auto opened = open_regular(path);
  if (!opened) return "";
  const Descriptor descriptor(*opened);
  std::string result(bytes, '\0');
  const ssize_t count = ::read(descriptor.get(), result.data(), result.size());
  result.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return result;
}

FileKind HostFiles::kind(const std::string& path) const {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? kind_of(status) : FileKind::kMissing;
}

Result<std::vector<DirectoryEntry>> HostFiles::list(const std::string& directory) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(directory.c_str()), &::closedir);
  if (opened == nullptr) return system_failure(errno);
  std::vector<DirectoryEntry> entries;
  while (const dirent* found = ::readdir(opened.get())) {
    DirectoryEntry entry{found->d_name, FileKind::kMissing, false};
    if (entry.name == "." || entry.name == "..") continue;
    struct stat own {};
    const std::string path = joined_path(directory, entry.name);
    if (::lstat(path.c_str(), &own) != 0) continue;
    entry.is_link = S_ISLNK(own.st_mode);
    entry.kind = entry.is_link ? kind(path) : kind_of(own);
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return entries;
}

std::optional<std::string> HostFiles::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Files::Variables HostFiles::environment() const {
  Variables result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; entry++) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos)
      result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

std::string HostFiles::working_directory() const {
  const std::unique_ptr<char, void (*)(void*)> path(::getcwd(nullptr, 0), &std::free);
  return path == nullptr ? "/" : path.get();
}

}  // namespace nacre::system
