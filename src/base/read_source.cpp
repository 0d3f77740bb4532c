#include "base/read_source.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/system_error.h"

namespace nacre {

namespace {

constexpr size_t kStep = 4096;

tl::unexpected<Error> system_error(int number) { return fail({}, system_message(number)); }

Result<SourceFile> read_descriptor(int fd, std::string name, uint64_t max_bytes) {
  max_bytes = std::min<uint64_t>(max_bytes, std::numeric_limits<uint32_t>::max() - 1);
  struct stat status {};
  if (fstat(fd, &status) != 0) return system_error(errno);
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR);
  std::string bytes;
  size_t expected = S_ISREG(status.st_mode) ? static_cast<size_t>(status.st_size) : 0;
  size_t size = 0;
  if (expected > 2 * kStep) expect_heap(expected);
  for (;;) {
    if (size > max_bytes || expected > max_bytes) {
      return fail({}, fmt::format("larger than the limit of {} bytes", max_bytes));
    }
    // A file of known size and one byte more, to see the end; else in growing steps.
    bytes.resize(size < expected + 1 ? expected + 1 : size + size / 2 + kStep);
    ssize_t count = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    if (count == 0) break;
    size += static_cast<size_t>(count);
  }
  bytes.resize(size);
  return SourceFile(std::move(name), std::move(bytes));
}

}  // namespace

Result<SourceFile> read_source(const std::string& path, std::string name, uint64_t max_bytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return system_error(errno);
  auto result = read_descriptor(fd, std::move(name), max_bytes);
  ::close(fd);
  return result;
}

Result<SourceFile> read_stdin(std::string name, uint64_t max_bytes) {
  return read_descriptor(STDIN_FILENO, std::move(name), max_bytes);
}

}  // namespace nacre
