#include "shell/testing/process.h"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nacre::shell {

namespace {

double seconds(const rusage& usage) {
  auto of = [](timeval t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

std::vector<char*> c_locale_environment() {
  static char locale[] = "LC_ALL=C";
  std::vector<char*> result;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "LC_ALL=", 7) != 0) result.push_back(*entry);
  result.push_back(locale);
  result.push_back(nullptr);
  return result;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  while ((count = read(descriptor, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<size_t>(count));
  return text;
}

}  // namespace

ProcessRun run_process(const std::vector<std::string>& arguments) {
  ProcessRun run;
  std::array<int, 2> errors{};
  if (pipe2(errors.data(), O_CLOEXEC) != 0) return run;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(),
                                    c_locale_environment().data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(errors[1]);
  run.errors = read_all(errors[0]);
  close(errors[0]);
  if (!started) return run;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.cpu_seconds = seconds(usage);
  return run;
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage);
}

}  // namespace nacre::shell
