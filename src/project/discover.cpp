#include "project/discover.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_error.h"
#include "project/ignore.h"

namespace nacre::project {

namespace fs = std::filesystem;

namespace {

constexpr size_t kShebangBytes = 256;  // more than the kernel reads
constexpr unsigned kMaxDepth = 200;    // of directories in each other

// The beginning of a file, enough for its `#!` line; empty when it cannot be read.
std::string read_beginning(const std::string& path) {
  std::string bytes(kShebangBytes, '\0');
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return "";
  ssize_t count = ::read(fd, bytes.data(), bytes.size());
  ::close(fd);
  bytes.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return bytes;
}

struct Entry {
  std::string name;
  bool is_directory;
};

// The entries of a directory, sorted; regular files (or links to them) and directories only.
Result<std::vector<Entry>> list(const std::string& path) {
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) return fail({}, system_message(errno));
  std::vector<Entry> entries;
  while (const dirent* entry = ::readdir(directory)) {
    std::string name = entry->d_name;
    struct stat own {};
    struct stat target {};
    std::string full = path + "/" + name;
    if (name == "." || name == ".." || ::lstat(full.c_str(), &own) != 0) continue;
    if (S_ISDIR(own.st_mode)) {
      entries.push_back({std::move(name), true});
    } else if (::stat(full.c_str(), &target) == 0 && S_ISREG(target.st_mode)) {
      entries.push_back({std::move(name), false});
    }
  }
  ::closedir(directory);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

bool is_version_control(std::string_view name) {
  return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj";
}

class Walker {
 public:
  Walker(const DiscoverOptions& options, Configurations& configurations)
      : options_(options), configurations_(configurations) {}

  void add_operand(const std::string& operand) {
    struct stat status {};
    if (operand != "-" && ::stat(operand.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
      std::string path = absolute_path(operand);
      walk(operand, path, IgnoreRules::at(path), 0);
    } else {
      add({operand, ""});
    }
  }

  std::vector<Target> targets;
  std::string mistake;  // in a configuration

 private:
  void add(Target target) {
    std::string key = target.name == "-" ? "-" : absolute_path(target.name);
    if (seen_.insert(std::move(key)).second) targets.push_back(std::move(target));
  }

  // `name` is how the user says `path`.
  void walk(const std::string& name, const std::string& path, const IgnoreRules::Handle& rules,
            unsigned depth) {
    auto entries = list(path);
    if (!entries) return add({name, entries.error().message});
    if (depth == kMaxDepth) return add({name, "too many directories within each other"});
    auto configuration = configurations_.find(path);
    if (!configuration) {
      mistake = configuration.error().message;
      return;
    }
    std::string prefix = name.ends_with('/') ? name : name + "/";
    if (name == ".") prefix.clear();
    for (const Entry& entry : *entries) {
      std::string full = path == "/" ? "/" + entry.name : path + "/" + entry.name;
      if (is_left_out(entry, full, *rules, **configuration)) continue;
      if (entry.is_directory) {
        walk(prefix + entry.name, full, IgnoreRules::below(rules, entry.name), depth + 1);
      } else if (is_wanted(full)) {
        add({prefix + entry.name, ""});
      }
    }
  }

  [[nodiscard]] bool is_left_out(const Entry& entry, const std::string& path,
                                 const IgnoreRules& rules,
                                 const Configuration& configuration) const {
    if (entry.is_directory && is_version_control(entry.name)) return true;
    if (options_.respects_ignore_files && rules.ignores(entry.name, entry.is_directory))
      return true;
    std::string relative = fs::path(path).lexically_relative(configuration.directory).string();
    const auto& exclude = configuration.settings.exclude;
    return std::any_of(exclude.begin(), exclude.end(), [&](const std::string& pattern) {
      return PathPattern(pattern).matches(relative, entry.is_directory);
    });
  }

  [[nodiscard]] bool is_wanted(const std::string& path) const {
    auto language = language_by_name(path);
    if (!language) language = language_of(path, read_beginning(path));
    return language && options_.is_wanted(*language);
  }

  const DiscoverOptions& options_;
  Configurations& configurations_;
  std::set<std::string> seen_;
};

}  // namespace

std::string absolute_path(const std::string& name) {
  std::string path = fs::absolute(name).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Result<std::vector<Target>> discover(const std::vector<std::string>& operands,
                                     const DiscoverOptions& options,
                                     Configurations& configurations) {
  Walker walker(options, configurations);
  for (const std::string& operand : operands) walker.add_operand(operand);
  if (!walker.mistake.empty()) return fail({}, walker.mistake);
  return std::move(walker.targets);
}

}  // namespace nacre::project
