#include "cli/scene_options.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "base/system_error.h"
#include "cli/help.h"
#include "cli/host_scene.h"
#include "cli/parse.h"
#include "cli/read_operand.h"
#include "explore/scene_file.h"
#include "system/system_os.h"

namespace nacre::cli {
namespace {

constexpr uint64_t kMaxScriptBytes = uint64_t{256} << 20;

bool takes_value(const Verb& verb, std::string_view word) {
  if (word.find('=') != std::string_view::npos) return false;
  for (const Option& option : verb.options) {
    bool is_long = word.starts_with("--") && word.substr(2) == option.name;
    bool is_short = word.size() == 2 && word[0] == '-' && word[1] == option.letter;
    if ((is_long || is_short) && !option.takes.empty()) return true;
  }
  return false;
}

// The index of the first word that is neither an option of the verb nor the value of one.
int first_operand(const Verb& verb, int argc, char** argv) {
  int at = 1;
  while (at < argc) {
    std::string_view word = argv[at];
    if (word == "--") return at + 1;
    if (word == "-" || !word.starts_with('-')) return at;
    at += takes_value(verb, word) ? 2 : 1;
  }
  return argc;
}

// Where in the simulated tree the host's working directory is.
std::string directory_within(const std::string& root) {
  char here[PATH_MAX];
  if (getcwd(here, sizeof here) == nullptr) return "/";
  std::string_view path = here;
  if (root == "/") return here;
  if (!path.starts_with(root)) return "/";
  path.remove_prefix(root.size());
  return path.starts_with('/') ? std::string(path) : "/";
}

Result<simulate::Scene> scene_of_host(const std::string& directory) {
  char* found = realpath(directory.c_str(), nullptr);
  if (found == nullptr) return fail({}, fmt::format("{}: {}", directory, system_message(errno)));
  std::string root = found;
  std::free(found);
  system::SystemOs os;
  world::FileStatus status;
  if (os.status(root.c_str(), true, status) < 0 || status.kind != world::FileKind::kDirectory) {
    return fail({}, fmt::format("{}: {}", directory, system_message(ENOTDIR)));
  }
  simulate::Scene scene = host_scene(root);
  simulate::enter(scene, directory_within(root));
  return scene;
}

}  // namespace

Result<std::optional<ScriptCall>> parse_script_call(const Verb& verb, int argc, char** argv) {
  int end = first_operand(verb, argc, argv);
  auto parsed = parse(verb, std::min(end, argc), argv);
  if (!parsed) return fail({}, parsed.error().message);
  if (!*parsed) {
    fmt::print("{}", help_of(verb));
    return std::optional<ScriptCall>();
  }
  if (end >= argc) return fail({}, "expected the FILE of a script");
  ScriptCall call{std::move(**parsed), argv[end], {}};
  call.arguments.assign(argv + end + 1, argv + argc);
  return std::optional<ScriptCall>(std::move(call));
}

static std::vector<std::string> scene_words(const ScriptCall& call, const simulate::Scene& scene) {
  return call.options.has("scene") ? scene.arguments : std::vector<std::string>();
}

Result<simulate::Scene> make_scene(const ScriptCall& call) {
  auto file = read_operand(call.file, call.file, kMaxScriptBytes);
  if (!file) return fail({}, fmt::format("{}: {}", call.file, file.error().message));
  simulate::Scene scene;
  if (call.options.has("scene")) {
    const std::string path = call.options.value("scene");
    auto text = read_operand(path, path, kMaxScriptBytes);
    if (!text) return fail({}, fmt::format("{}: {}", path, text.error().message));
    auto loaded = explore::load_scene(text->bytes());
    if (!loaded) return fail({}, fmt::format("{}: {}", path, loaded.error().message));
    scene = std::move(*loaded);
  } else if (call.options.has("root")) {
    auto host = scene_of_host(call.options.value("root"));
    if (!host) return fail({}, host.error().message);
    scene = std::move(*host);
  } else {
    scene = simulate::default_scene();
  }
  if (call.options.has("user") && !simulate::become(scene, call.options.value("user"))) {
    return fail({},
                fmt::format("the simulated world has no user '{}'", call.options.value("user")));
  }
  if (auto fuel = call.options.number("fuel")) scene.limits.fuel = *fuel;
  scene.script_name = call.file;
  scene.script = std::string(file->bytes());
  // A scene knows how the script was called, if nothing else is said.
  const std::vector<std::string> words =
      call.arguments.empty() ? scene_words(call, scene) : call.arguments;
  scene.arguments = {call.file};
  scene.arguments.insert(scene.arguments.end(), words.begin(), words.end());
  return scene;
}

std::shared_ptr<world::Stream> host_input() {
  auto stream = std::make_shared<world::Stream>();
  stream->read = [](char* buffer, size_t size) -> size_t {
    ssize_t got = ::read(0, buffer, size);
    return got < 0 ? 0 : static_cast<size_t>(got);
  };
  return stream;
}

std::shared_ptr<world::Stream> host_output(int fd) {
  auto stream = std::make_shared<world::Stream>();
  stream->write = [fd](std::string_view text) {
    while (!text.empty()) {
      ssize_t written = ::write(fd, text.data(), text.size());
      if (written <= 0) return;
      text.remove_prefix(static_cast<size_t>(written));
    }
  };
  return stream;
}

}  // namespace nacre::cli
