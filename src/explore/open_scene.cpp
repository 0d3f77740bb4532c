#include "explore/open_scene.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "commands/effect_words.h"

namespace nacre::explore {

using world::Actor;
using world::FileTree;
using world::InodeId;

namespace {

constexpr const char* kDirectories[] = {"/boot",
                                        "/etc",
                                        "/etc/default",
                                        "/etc/init.d",
                                        "/etc/opt",
                                        "/etc/alternatives",
                                        "/etc/systemd",
                                        "/etc/systemd/system",
                                        "/etc/cron.d",
                                        "/etc/cron.daily",
                                        "/etc/logrotate.d",
                                        "/home",
                                        "/home/user",
                                        "/lib",
                                        "/lib/systemd",
                                        "/lib/systemd/system",
                                        "/media",
                                        "/mnt",
                                        "/opt",
                                        "/root",
                                        "/run",
                                        "/run/lock",
                                        "/srv",
                                        "/tmp",
                                        "/usr/include",
                                        "/usr/games",
                                        "/usr/lib",
                                        "/usr/libexec",
                                        "/usr/local",
                                        "/usr/local/bin",
                                        "/usr/local/lib",
                                        "/usr/local/sbin",
                                        "/usr/local/share",
                                        "/usr/sbin",
                                        "/usr/share",
                                        "/usr/share/doc",
                                        "/usr/share/man",
                                        "/usr/share/misc",
                                        "/usr/src",
                                        "/var",
                                        "/var/backups",
                                        "/var/cache",
                                        "/var/lib",
                                        "/var/lib/misc",
                                        "/var/local",
                                        "/var/log",
                                        "/var/mail",
                                        "/var/opt",
                                        "/var/spool",
                                        "/var/tmp",
                                        "/var/www",
                                        "/var/lib/dpkg",
                                        "/var/lib/dpkg/info",
                                        "/usr/share/debconf"};

constexpr std::string_view kUsers =
    "root:x:0:0:root:/root:/bin/sh\n"
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
    "bin:x:2:2:bin:/bin:/usr/sbin/nologin\n"
    "sys:x:3:3:sys:/dev:/usr/sbin/nologin\n"
    "sync:x:4:65534:sync:/bin:/bin/sync\n"
    "games:x:5:60:games:/usr/games:/usr/sbin/nologin\n"
    "man:x:6:12:man:/var/cache/man:/usr/sbin/nologin\n"
    "lp:x:7:7:lp:/var/spool/lpd:/usr/sbin/nologin\n"
    "mail:x:8:8:mail:/var/mail:/usr/sbin/nologin\n"
    "news:x:9:9:news:/var/spool/news:/usr/sbin/nologin\n"
    "uucp:x:10:10:uucp:/var/spool/uucp:/usr/sbin/nologin\n"
    "proxy:x:13:13:proxy:/bin:/usr/sbin/nologin\n"
    "www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\n"
    "backup:x:34:34:backup:/var/backups:/usr/sbin/nologin\n"
    "list:x:38:38:list:/var/list:/usr/sbin/nologin\n"
    "irc:x:39:39:irc:/run/ircd:/usr/sbin/nologin\n"
    "user:x:1000:1000:user:/home/user:/bin/sh\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
constexpr std::string_view kGroups =
    "root:x:0:\ndaemon:x:1:\nbin:x:2:\nsys:x:3:\nadm:x:4:\ntty:x:5:\ndisk:x:6:\nlp:x:7:\n"
    "mail:x:8:\nnews:x:9:\nuucp:x:10:\nman:x:12:\nproxy:x:13:\nkmem:x:15:\ndialout:x:20:\n"
    "fax:x:21:\nvoice:x:22:\ncdrom:x:24:\nfloppy:x:25:\ntape:x:26:\nsudo:x:27:\naudio:x:29:\n"
    "dip:x:30:\nwww-data:x:33:\nbackup:x:34:\noperator:x:37:\nlist:x:38:\nirc:x:39:\nsrc:x:40:\n"
    "shadow:x:42:\nutmp:x:43:\nvideo:x:44:\nsasl:x:45:\nplugdev:x:46:\nstaff:x:50:\ngames:x:60:\n"
    "users:x:100:\ncrontab:x:101:\nuser:x:1000:\nnogroup:x:65534:\n";

void open_directory(FileTree& tree, const std::string& path) {
  InodeId id = world::kNoInode;
  if (tree.find(root_actor(), path, true, id) == 0) tree.open_up(id, path);
}

void replace_file(FileTree& tree, const std::string& path, std::string_view contents) {
  tree.unlink(root_actor(), path);
  add_file(tree, path, std::string(contents), 0644);
}

// The shell text of a library that scripts source, from the card of that name.
void add_library(FileTree& tree, const std::string& path, std::string_view card_name) {
  const commands::Card* card = simulate::builtin_library().find(card_name);
  if (card == nullptr) return;
  for (const commands::Property& property : card->properties) {
    if (property.key == commands::CardKey::kActs)
      add_file(tree, path, std::string(property.value) + "\n", 0644);
  }
}

}  // namespace

Actor root_actor() {
  Actor root;
  root.file_mask = 0;
  return root;
}

void add_directory(FileTree& tree, const std::string& path, bool is_open) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    std::string part = path.substr(0, slash);
    if (tree.make_directory(root_actor(), part, 0755) == 0 && is_open) open_directory(tree, part);
    if (slash == std::string::npos) return;
  }
}

void add_file(FileTree& tree, const std::string& path, std::string_view contents, unsigned mode) {
  const size_t slash = path.rfind('/');
  if (slash > 0) add_directory(tree, path.substr(0, slash), true);
  InodeId id = world::kNoInode;
  if (tree.open(root_actor(), path, O_WRONLY | O_CREAT | O_TRUNC, mode, id) == 0)
    tree.write(root_actor(), id, 0, contents);
}

World open_world() {
  World result;
  FileTree& tree = result.tree;
  tree = simulate::default_scene().tree;
  const Actor root = root_actor();
  tree.make_directory(root, "/proc", 0555);
  for (const char* path : kDirectories) {
    tree.make_directory(root, path, 0755);
    open_directory(tree, path);
  }
  InodeId id = world::kNoInode;
  for (const char* path : {"/tmp", "/var/tmp", "/run/lock"}) {
    if (tree.find(root, path, true, id) == 0) tree.set_mode(root, id, 01777);
  }
  tree.make_symbolic_link(root, "usr/sbin", "/sbin");
  tree.make_symbolic_link(root, "../run", "/var/run");
  tree.make_symbolic_link(root, "../run/lock", "/var/lock");
  const std::string registers = "/" + std::string(world::kRegisters);
  if (tree.find(root, registers, true, id) == 0) {
    const auto kinds = tree.known_entries(id);
    for (const auto& [kind, directory] : kinds) tree.open_up(directory, registers + "/" + kind);
  }
  // Whether a helper is there is a question.
  for (const std::string& name : commands::scripted_commands())
    tree.unlink(root, "/usr/bin/" + name);
  replace_file(tree, "/etc/passwd", kUsers);
  replace_file(tree, "/etc/group", kGroups);
  add_library(tree, "/usr/share/debconf/confmodule", "confmodule");
  for (const char* path : {"/usr/bin", "/usr"}) open_directory(tree, path);
  tree.open_up(world::kRootInode, "/");
  return result;
}

bool run_as(Script& script, World& world, const std::string& user) {
  simulate::Scene scene;
  scene.tree = world.tree;
  if (!simulate::become(scene, user)) return false;
  script.actor = scene.actor;
  script.environment = scene.environment;
  for (std::string& entry : script.environment) {
    if (entry.starts_with("HOME=")) script.home = entry.substr(5);
    if (entry.starts_with("PATH="))
      entry = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  }
  InodeId id = world::kNoInode;
  if (world.tree.find(script.actor, script.home, true, id) == 0) script.actor.directory = id;
  return true;
}

void give_all(Script& script, World& world) {
  script.home = "/";
  std::vector<InodeId> waiting = {world::kRootInode};
  while (!waiting.empty()) {
    const InodeId id = waiting.back();
    waiting.pop_back();
    if (world.tree.at(id).kind != world::FileKind::kDirectory) continue;
    world.tree.set_owner(root_actor(), id, script.actor.user, script.actor.group);
    for (const auto& [name, inner] : world.tree.known_entries(id)) {
      if (name != "." && name != "..") waiting.push_back(inner);
    }
  }
}

Result<void> add_facts(World& world, std::string_view text) {
  constexpr size_t kMaxPath = 4000;
  uint32_t at = 0;
  while (at < text.size()) {
    const auto end = static_cast<uint32_t>(std::min(text.find('\n', at), text.size()));
    std::string line(text.substr(at, end - at));
    const Span span{at, end};
    at = end + 1;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const bool is_absent = line[0] == '!';
    if (is_absent) line.erase(0, 1);
    if (line.empty() || line[0] != '/' || line.size() > kMaxPath)
      return fail(span, "a line is an absolute path, with ! before it if it is absent");
    const size_t arrow = line.find(" -> ");
    std::string target = arrow == std::string::npos ? "" : line.substr(arrow + 4);
    line.resize(std::min(arrow, line.size()));
    const bool is_directory = line.ends_with('/');
    while (line.size() > 1 && line.ends_with('/')) line.pop_back();
    if (is_absent) {
      world.tree.declare_absent(root_actor(), line);
    } else if (!target.empty()) {
      if (line.rfind('/') > 0) add_directory(world.tree, line.substr(0, line.rfind('/')), true);
      world.tree.make_symbolic_link(root_actor(), target, line);
    } else if (is_directory) {
      add_directory(world.tree, line, true);
    } else {
      InodeId id = world::kNoInode;
      add_file(world.tree, line, "", line.find("/bin/") != std::string::npos ? 0755 : 0644);
      if (world.tree.find(root_actor(), line, false, id) == 0 &&
          world.tree.at(id).kind == world::FileKind::kRegular)
        world.tree.open_up(id, line);
    }
  }
  return {};
}

}  // namespace nacre::explore
