#include "machine/read_file.h"

#include <cerrno>
#include <fcntl.h>

namespace nacre::machine {

int read_file(world::Os& os, const char* path, std::string& text, size_t max_bytes) {
  int fd = os.open(path, O_RDONLY, 0);
  if (fd < 0) return fd;
  char buffer[16384];
  ssize_t got = 0;
  while ((got = os.read(fd, buffer, sizeof buffer)) > 0 || got == -EINTR) {
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
    if (text.size() > max_bytes) {
      got = -EFBIG;
      break;
    }
  }
  os.close(fd);
  return static_cast<int>(got);
}

}  // namespace nacre::machine
