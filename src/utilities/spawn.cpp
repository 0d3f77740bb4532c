#include "utilities/spawn.h"

#include <cerrno>
#include <fmt/format.h>

namespace nacre::utilities {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& text : strings) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

int failure(Context& context, const std::string& name, int error) {
  context.fail(quoted(name), error);
  return error == -ENOENT ? 127 : 126;
}

// A script without a first line that names its interpreter is one for the shell.
std::vector<std::string> as_script(const std::string& path,
                                   const std::vector<std::string>& arguments) {
  std::vector<std::string> result = {"sh", path};
  result.insert(result.end(), arguments.begin() + 1, arguments.end());
  return result;
}

}  // namespace

std::string find_program(Context& context, const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* variable = context.variable("PATH");
  std::string_view path = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (true) {
    size_t end = path.find(':');
    std::string candidate = fmt::format("{}/{}", path.substr(0, end), name);
    if (context.os.may(candidate.c_str(), world::Access::kExecute)) return candidate;
    if (end == std::string_view::npos) return "";
    path.remove_prefix(end + 1);
  }
}

world::Pid start_command(Context& context, const std::vector<std::string>& arguments,
                         std::span<const world::FdMove> moves) {
  context.flush();
  std::string path = find_program(context, arguments[0]);
  if (path.empty()) return -ENOENT;
  std::vector<char*> argv = pointers(arguments);
  std::vector<char*> envp = pointers(context.environment);
  world::SpawnRequest request{path.c_str(), argv.data(), envp.data(), moves, -1, -1, {}, {}};
  world::Pid pid = context.os.spawn(request);
  if (pid != -ENOEXEC) return pid;
  std::vector<std::string> script = as_script(path, arguments);
  std::vector<char*> words = pointers(script);
  request.path = "/bin/sh";
  request.argv = words.data();
  return context.os.spawn(request);
}

int wait_for(Context& context, world::Pid pid) {
  world::ChildEvent event;
  int got = 0;
  do {
    got = context.os.wait(pid, false, false, event);
  } while (got == -EINTR);
  if (got < 0) return 127;
  return event.kind == world::ChildEvent::kExited ? event.value : 128 + event.value;
}

int run_command(Context& context, const std::vector<std::string>& arguments) {
  world::Pid pid = start_command(context, arguments);
  return pid < 0 ? failure(context, arguments[0], pid) : wait_for(context, pid);
}

int exec_command(Context& context, const std::vector<std::string>& arguments) {
  context.flush();
  std::string path = find_program(context, arguments[0]);
  if (path.empty()) return failure(context, arguments[0], -ENOENT);
  std::vector<char*> argv = pointers(arguments);
  std::vector<char*> envp = pointers(context.environment);
  int error = context.os.exec(path.c_str(), argv.data(), envp.data());
  if (error == -ENOEXEC) {
    std::vector<std::string> script = as_script(path, arguments);
    argv = pointers(script);
    error = context.os.exec("/bin/sh", argv.data(), envp.data());
  }
  return failure(context, arguments[0], error);
}

}  // namespace nacre::utilities
