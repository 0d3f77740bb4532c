#include "simulate/scene.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "commands/effect_words.h"
#include "shell/builtins.h"
#include "shell/dialect.h"

namespace nacre::simulate {
namespace {

using world::Actor;
using world::FileTree;
using world::InodeId;

constexpr int64_t kStartOf2026 = 1'767'225'600'000'000'000;

// Things that are not files but kept as files; docs/cards.md.
constexpr const char* kRegisterKinds[] = {"unit",     "alternative", "divert",  "statoverride",
                                          "debconf",  "trigger",     "rc",      "ucf",
                                          "conffile", "user",        "catalog", "priority"};

void write_file(FileTree& tree, const Actor& actor, const std::string& path, std::string_view text,
                unsigned mode) {
  InodeId id = world::kNoInode;
  if (tree.open(actor, path, O_WRONLY | O_CREAT | O_EXCL, mode, id) == 0) {
    tree.write(actor, id, 0, text);
  }
}

void add_programs(FileTree& tree, const Actor& root) {
  auto add = [&](std::string_view name) {
    InodeId found = world::kNoInode;
    std::string path = fmt::format("/usr/bin/{}", name);
    if (tree.find(root, path, true, found) == 0) return;
    if (tree.find(root, fmt::format("/bin/{}", name), true, found) == 0) return;
    write_file(tree, root, path, world::executable(name), 0755);
  };
  for (const std::string& name : commands::scripted_commands()) add(name);
  for (const utilities::Entry& entry : utilities::utilities()) add(entry.name);
  add("sh");
  add("bash");
  for (const shell::BuiltinInfo& builtin : shell::kBuiltins) {
    if (builtin.is(shell::kIsProgram) && machine::find_builtin(builtin.name) != nullptr)
      add(builtin.name);
  }
}

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> parts;
  while (true) {
    size_t end = line.find(separator);
    parts.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

void complete_system(FileTree& tree) {
  Actor root;
  root.file_mask = 0;
  for (const char* path : {"/usr", "/usr/bin", "/dev", "/etc"}) {
    tree.make_directory(root, path, 0755);
  }
  tree.make_symbolic_link(root, "usr/bin", "/bin");
  tree.make_directory(root, "/tmp", 01777);
  const std::string registers = "/" + std::string(world::kRegisters);
  tree.make_directory(root, registers, 0755);
  for (const char* kind : kRegisterKinds) {
    tree.make_directory(root, registers + "/" + kind, 0755);
  }
  constexpr auto kDevice = world::FileKind::kCharacterDevice;
  tree.make_node(root, "/dev/null", kDevice, 0666, world::Device::kNull);
  tree.make_node(root, "/dev/zero", kDevice, 0666, world::Device::kZero);
  tree.make_node(root, "/dev/full", kDevice, 0666, world::Device::kFull);
  tree.make_node(root, "/dev/tty", kDevice, 0666, world::Device::kTerminal);
  write_file(tree, root, "/etc/passwd",
             "root:x:0:0:root:/root:/bin/sh\n"
             "user:x:1000:1000:user:/home/user:/bin/sh\n"
             "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n",
             0644);
  write_file(tree, root, "/etc/group", "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n", 0644);
  add_programs(tree, root);
}

bool become(Scene& scene, const std::string& user) {
  Actor root;
  InodeId id = world::kNoInode;
  if (scene.tree.find(root, "/etc/passwd", true, id) < 0) return false;
  for (const std::string& line : split(scene.tree.bytes(id), '\n')) {
    std::vector<std::string> fields = split(line, ':');
    if (fields.size() < 7 || (fields[0] != user && fields[2] != user)) continue;
    scene.actor.user = static_cast<unsigned>(std::strtoul(fields[2].c_str(), nullptr, 10));
    scene.actor.group = static_cast<unsigned>(std::strtoul(fields[3].c_str(), nullptr, 10));
    scene.actor.groups = {scene.actor.group};
    scene.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + fields[5],
                         "USER=" + fields[0], "LOGNAME=" + fields[0], "SHELL=/bin/sh"};
    return true;
  }
  return false;
}

int enter(Scene& scene, const std::string& path) {
  InodeId id = world::kNoInode;
  int error = scene.tree.find(scene.actor, path, true, id);
  if (error == 0) scene.actor.directory = id;
  return error;
}

Scene default_scene() {
  Scene scene;
  scene.tree.now = kStartOf2026;
  complete_system(scene.tree);
  Actor root;
  for (const char* path : {"/home", "/home/user", "/root", "/opt", "/srv", "/var", "/var/log",
                           "/var/lib", "/mnt", "/usr/local", "/usr/local/bin", "/usr/share"}) {
    scene.tree.make_directory(root, path, 0755);
  }
  scene.tree.make_directory(root, "/var/tmp", 01777);
  InodeId id = world::kNoInode;
  if (scene.tree.find(root, "/root", true, id) == 0) scene.tree.set_mode(root, id, 0700);
  if (scene.tree.find(root, "/var/tmp", true, id) == 0) scene.tree.set_mode(root, id, 01777);
  if (scene.tree.find(root, "/home/user", true, id) == 0)
    scene.tree.set_owner(root, id, 1000, 1000);
  become(scene, "user");
  enter(scene, "/home/user");
  return scene;
}

world::Invocation invocation_of(const Scene& scene) {
  world::Invocation invocation{"", scene.arguments, scene.environment};
  if (!scene.script_name.empty()) {
    auto dialect = shell::detect_dialect(SourceFile(scene.script_name, scene.script));
    std::vector<std::string> words = {dialect == shell::Dialect::kBash ? "bash" : "sh"};
    words.insert(words.end(), scene.options.begin(), scene.options.end());
    words.insert(words.end(), {"-c", scene.script});
    invocation.arguments.insert(invocation.arguments.begin(), words.begin(), words.end());
  }
  return invocation;
}

Outcome play(const Scene& scene) { return play(scene, NoObserver{}); }

std::string describe(const Outcome& outcome, const Scene& scene) {
  std::string_view what = outcome.has_ended ? "a background process" : "the script";
  if (outcome.ending == world::Ending::kOutOfFuel) {
    return fmt::format("{} was stopped after {} steps; --fuel N allows more", what,
                       scene.limits.fuel);
  }
  if (outcome.ending == world::Ending::kDeadlock) {
    return fmt::format("deadlock: {} waits for an event that cannot occur", what);
  }
  if (outcome.memory_ran_out) {
    return fmt::format("a process needed more memory than the {} MB of the simulated world",
                       scene.limits.memory >> 20);
  }
  if (outcome.not_modelled.empty()) return "";
  return fmt::format("not modelled, so the result may differ: {}", outcome.not_modelled.front());
}

}  // namespace nacre::simulate
