#include "system/home_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace nacre::system {
namespace {

// The sixth field of the line that starts with the user's name.
std::optional<std::string> home_in(std::FILE* file, const std::string& user) {
  char* line = nullptr;
  size_t capacity = 0;
  std::optional<std::string> home;
  ssize_t size = 0;
  while (!home && (size = getline(&line, &capacity, file)) >= 0) {
    std::string_view rest(line, static_cast<size_t>(size));
    if (!rest.starts_with(user + ":")) continue;
    for (int i = 0; i < 5; ++i) rest.remove_prefix(std::min(rest.find(':'), rest.size() - 1) + 1);
    home = rest.substr(0, rest.find_first_of(":\n"));
  }
  std::free(line);
  return home;
}

std::optional<std::string> home_by_getent(const std::string& user) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0) return std::nullopt;
  pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 2);
    ::execlp("getent", "getent", "passwd", "--", user.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[1]);
  std::optional<std::string> home;
  if (std::FILE* file = ::fdopen(ends[0], "r")) {
    home = home_in(file, user);
    std::fclose(file);
  }
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return home;
}

}  // namespace

std::optional<std::string> home_directory(const std::string& user) {
  if (user.find(':') != std::string::npos) return std::nullopt;
  std::FILE* file = std::fopen("/etc/passwd", "re");
  std::optional<std::string> home = file == nullptr ? std::nullopt : home_in(file, user);
  if (file != nullptr) std::fclose(file);
  return home ? home : home_by_getent(user);
}

}  // namespace nacre::system
