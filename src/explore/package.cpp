#include "explore/package.h"

#include <algorithm>
#include <fmt/format.h>

#include "explore/open_scene.h"

namespace nacre::explore {

using world::FileTree;
using world::InodeId;

namespace {

constexpr const char* kScripts[] = {"preinst", "postinst", "prerm", "postrm", "config"};
constexpr uint64_t kMaxBytes = uint64_t{4} << 20;
constexpr size_t kMaxFiles = 20'000;

std::vector<std::string> lines_of(const Files& files, const std::string& path) {
  std::vector<std::string> result;
  auto text = files.read(path, kMaxBytes);
  if (!text) return result;
  std::string_view rest = *text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.empty()) result.emplace_back(line);
  }
  return result;
}

void read_control(const Files& files, const std::string& path, Package& package) {
  for (const std::string& line : lines_of(files, path)) {
    if (line.starts_with("Package: ")) package.name = line.substr(9);
    if (line.starts_with("Version: ")) package.version = line.substr(9);
  }
}

// Everything below `directory`, whose path in the package is `inside`; not the control files.
void list_files(const Files& files, const std::string& directory, const std::string& inside,
                Package& package) {
  auto entries = files.list(directory);
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = inside + "/" + entry.name;
    if (path == "/DEBIAN") continue;
    if (package.files.size() >= kMaxFiles) return;
    const bool is_directory = entry.kind == nacre::FileKind::kDirectory && !entry.is_link;
    package.files.push_back(is_directory ? path + "/" : path);
    if (is_directory) list_files(files, directory + "/" + entry.name, path, package);
  }
}

void read_templates(const Files& files, const std::string& path, Package& package) {
  for (const std::string& line : lines_of(files, path)) {
    if (line.starts_with("Template: ")) package.questions.push_back({line.substr(10), false, ""});
    if (package.questions.empty()) continue;
    Package::Question& last = package.questions.back();
    if (line.starts_with("Type: ")) last.is_boolean = line == "Type: boolean";
    if (line.starts_with("Default: ")) last.answer = line.substr(9);
  }
}

}  // namespace

bool is_package(const Files& files, const std::string& directory) {
  return files.kind(directory + "/DEBIAN") == nacre::FileKind::kDirectory ||
         files.kind(directory + "/content") == nacre::FileKind::kRegular;
}

Result<Package> read_package(const Files& files, const std::string& directory) {
  if (!is_package(files, directory))
    return fail({}, fmt::format("{}: neither DEBIAN/ nor a file content is there", directory));
  const std::string whole = absolute_path(files, directory);
  Package package;
  package.name = whole.substr(whole.rfind('/') + 1);
  package.version = "1.0-1";
  const bool is_unpacked = files.kind(directory + "/DEBIAN") == nacre::FileKind::kDirectory;
  const std::string control = is_unpacked ? directory + "/DEBIAN" : directory;
  if (is_unpacked) {
    read_control(files, control + "/control", package);
    list_files(files, directory, "", package);
    std::sort(package.files.begin(), package.files.end());
  } else {
    package.files = lines_of(files, control + "/content");
    if (const size_t mark = package.name.find('_'); mark != std::string::npos) {
      package.version = package.name.substr(mark + 1);
      package.name.resize(mark);
    }
  }
  for (const std::string& line : lines_of(files, control + "/conffiles"))
    package.conffiles.insert(line);
  for (const std::string& line : lines_of(files, control + "/triggers")) {
    if (line.starts_with("interest"))
      package.triggers += (package.triggers.empty() ? "" : " ") + line.substr(line.find(' ') + 1);
  }
  read_templates(files, control + "/templates", package);
  for (const char* name : kScripts) {
    const std::string path = control + "/" + name;
    if (files.kind(path) != nacre::FileKind::kRegular) continue;
    auto file = read_source(files, path, name, kMaxBytes);
    if (!file) return fail({}, fmt::format("{}: {}", path, file.error().message));
    package.scripts.emplace(name, std::move(*file));
  }
  return package;
}

namespace {

void put_file(FileTree& tree, const std::string& path) {
  const bool is_program = path.find("/bin/") != std::string::npos ||
                          path.find("/sbin/") != std::string::npos ||
                          path.starts_with("/etc/init.d/") || path.starts_with("/usr/lib/");
  InodeId id = world::kNoInode;
  if (tree.find(root_actor(), path, false, id) == 0 &&
      tree.at(id).kind == world::FileKind::kDirectory)
    return;
  const std::string name = path.substr(path.rfind('/') + 1);
  tree.unlink(root_actor(), path);
  // Modes are not known here; what a script runs of its own package can be run.
  add_file(tree, path, is_program ? world::executable(name) : "", 0755);
  if (!is_program && tree.find(root_actor(), path, false, id) == 0) tree.open_up(id, path);
}

bool is_there(FileTree& tree, const std::string& path) {
  InodeId id = world::kNoInode;
  return tree.find(root_actor(), path, false, id) == 0;
}

}  // namespace

void unpack(FileTree& tree, const Package& package) {
  std::string list;
  for (const std::string& file : package.files) {
    const bool is_directory = file.ends_with('/');
    if (is_directory)
      add_directory(tree, file.substr(0, file.size() - 1), true);
    else if (!package.conffiles.contains(file) || !is_there(tree, file))
      put_file(tree, file);
    list += (is_directory ? file.substr(0, file.size() - 1) : file) + "\n";
  }
  add_file(tree, fmt::format("/var/lib/dpkg/info/{}.list", package.name), list, 0644);
}

void add_conffiles(FileTree& tree, const Package& package) {
  for (const std::string& file : package.conffiles) put_file(tree, file);
}

void add_questions(FileTree& tree, const Package& package) {
  for (const Package::Question& question : package.questions) {
    std::string name = question.name;
    std::replace(name.begin(), name.end(), '/', '+');
    const std::string path = fmt::format("/{}/debconf/{}", world::kRegisters, name);
    add_file(tree, path, question.answer + "\n", 0644);
    if (question.is_boolean)
      add_file(tree, path + ".default", "", 0644);
    else
      tree.declare_absent(root_actor(), path + ".default");
  }
}

namespace {

// From the innermost on. Other packages may have files there that were never looked up: they do
// not.
void remove_directories(FileTree& tree, const Package& package, FileTree& base) {
  for (auto file = package.files.rbegin(); file != package.files.rend(); ++file) {
    if (!file->ends_with('/')) continue;
    const std::string path = file->substr(0, file->size() - 1);
    InodeId id = world::kNoInode;
    const bool is_own = !is_there(base, path) && tree.find(root_actor(), path, false, id) == 0 &&
                        tree.at(id).kind == world::FileKind::kDirectory &&
                        tree.known_entries(id).empty();
    if (is_own) tree.remove_directory(root_actor(), path);
  }
}

}  // namespace

void remove_files(FileTree& tree, const Package& package, FileTree& base) {
  for (const std::string& file : package.files) {
    if (!file.ends_with('/') && !package.conffiles.contains(file)) tree.unlink(root_actor(), file);
  }
  remove_directories(tree, package, base);
  tree.unlink(root_actor(), fmt::format("/var/lib/dpkg/info/{}.list", package.name));
}

void remove_conffiles(FileTree& tree, const Package& package, FileTree& base) {
  for (const std::string& file : package.conffiles) {
    for (const char* ending : {"", ".dpkg-old", ".dpkg-new", ".dpkg-dist", "~"})
      tree.unlink(root_actor(), file + ending);
  }
  remove_directories(tree, package, base);
}

}  // namespace nacre::explore
