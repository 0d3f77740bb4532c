// For tests only: runs a real tool with arguments and input, and collects what it prints.
#pragma once

#include <cstdlib>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace nacre::regular {

struct ToolRun {
  int status = -1;  // 127: no such tool
  std::string out;
  std::string err;
  size_t consumed = 0;  // bytes of the input that it read
};

inline std::string read_all(int fd) {
  std::string text(static_cast<size_t>(lseek(fd, 0, SEEK_END)), '\0');
  lseek(fd, 0, SEEK_SET);
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = read(fd, text.data() + done, text.size() - done);
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return text;
}

// In the C locale, so that bytes are characters; `locale` for another.
inline ToolRun run_tool(const std::vector<std::string>& arguments, std::string_view input,
                        const char* locale = "C", const char* directory = ".") {
  const int files[] = {memfd_create("in", 0), memfd_create("out", 0), memfd_create("err", 0)};
  size_t written = 0;
  while (written < input.size()) {
    const ssize_t put = write(files[0], input.data() + written, input.size() - written);
    if (put <= 0) break;
    written += static_cast<size_t>(put);
  }
  lseek(files[0], 0, SEEK_SET);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::string language = std::string("LC_ALL=") + locale;
  std::string path = std::string("PATH=") + getenv("PATH");
  char* environment[] = {language.data(), path.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) posix_spawn_file_actions_adddup2(&actions, files[i], i);
  posix_spawn_file_actions_addchdir_np(&actions, directory);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment);
  posix_spawn_file_actions_destroy(&actions);
  ToolRun run;
  int status = 0;
  if (failure == 0) waitpid(child, &status, 0);
  run.status = failure != 0        ? 127
               : WIFEXITED(status) ? WEXITSTATUS(status)
                                   : 128 + WTERMSIG(status);
  run.consumed = static_cast<size_t>(lseek(files[0], 0, SEEK_CUR));
  run.out = read_all(files[1]);
  run.err = read_all(files[2]);
  for (int fd : files) close(fd);
  return run;
}

inline bool has_tool(const std::string& name) {
  return run_tool({"sh", "-c", "command -v " + name}, "").status == 0;
}

}  // namespace nacre::regular
