#include "project/discover.h"

#include <algorithm>
#include <set>

#include "base/path.h"
#include "project/ignore.h"

namespace nacre::project {

namespace {

constexpr size_t kShebangBytes = 256;  // more than the kernel reads
constexpr unsigned kMaxDepth = 200;    // of directories in each other

// Directories and regular files, or links to them.
bool is_considered(const DirectoryEntry& entry) {
  return entry.kind == FileKind::kRegular || (entry.kind == FileKind::kDirectory && !entry.is_link);
}

bool is_version_control(std::string_view name) {
  return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj";
}

class Walker {
 public:
  Walker(const DiscoverOptions& options, Workspace& workspace)
      : options_(options), workspace_(workspace), files_(workspace.files()) {}

  void add_operand(const std::string& operand) {
    if (operand != "-" && files_.kind(operand) == FileKind::kDirectory) {
      const std::string path = absolute_path(files_, operand);
      walk(operand, path, IgnoreRules::at(files_, path), 0);
    } else {
      add({operand, ""});
    }
  }

  std::vector<Target> targets;
  std::string mistake;  // in a configuration

 private:
  void add(Target target) {
    std::string key = target.name == "-" ? "-" : absolute_path(files_, target.name);
    if (seen_.insert(std::move(key)).second) targets.push_back(std::move(target));
  }

  // `name` is how the user says `path`.
  void walk(const std::string& name, const std::string& path, const IgnoreRules::Handle& rules,
            unsigned depth) {
    const auto entries = files_.list(path);
    if (!entries) return add({name, entries.error().message});
    if (depth == kMaxDepth) return add({name, "directories are nested too deeply"});
    auto configuration = workspace_.configuration_in(path);
    if (!configuration) {
      mistake = configuration.error().message;
      return;
    }
    std::string prefix = name.ends_with('/') ? name : name + "/";
    if (name == ".") prefix.clear();
    for (const DirectoryEntry& entry : *entries) {
      const std::string full = joined_path(path, entry.name);
      if (!is_considered(entry) || is_left_out(entry, full, *rules, **configuration)) continue;
      if (entry.kind == FileKind::kDirectory) {
        walk(prefix + entry.name, full, IgnoreRules::below(files_, rules, entry.name), depth + 1);
      } else if (is_wanted(full)) {
        add({prefix + entry.name, ""});
      }
    }
  }

  [[nodiscard]] bool is_left_out(const DirectoryEntry& entry, const std::string& path,
                                 const IgnoreRules& rules,
                                 const Configuration& configuration) const {
    const bool is_directory = entry.kind == FileKind::kDirectory;
    if (is_directory && is_version_control(entry.name)) return true;
    if (options_.respects_ignore_files && rules.ignores(entry.name, is_directory)) return true;
    const std::string relative = relative_path(path, configuration.directory);
    const auto& exclude = configuration.settings.exclude;
    return std::any_of(exclude.begin(), exclude.end(), [&](const std::string& pattern) {
      return PathPattern(pattern).matches(relative, is_directory);
    });
  }

  // What another program makes a file from is checked only if it is named: Makefile.in,
  // Makefile.am.
  [[nodiscard]] static bool is_template(std::string_view path) {
    constexpr std::string_view kExtensions[] = {".in", ".am", ".tmpl", ".PL", ".j2", ".erb", ".m4"};
    return std::any_of(std::begin(kExtensions), std::end(kExtensions),
                       [&](std::string_view each) { return path.ends_with(each); });
  }

  // So are Makefiles of Windows and DOS: Makefile.vc, makefile.bat.
  [[nodiscard]] static bool is_for_other_make(std::string_view path) {
    constexpr std::string_view kExtensions[] = {".bat",   ".bcc",  ".bor",   ".cmd", ".dmc",
                                                ".msc",   ".msvc", ".owc",   ".qcl", ".vc",
                                                ".nmake", ".wat",  ".watcom"};
    const std::string_view name = base_name(path);
    return (name.starts_with("Makefile.") || name.starts_with("makefile.")) &&
           std::any_of(std::begin(kExtensions), std::end(kExtensions),
                       [&](std::string_view each) { return name.ends_with(each); });
  }

  [[nodiscard]] bool is_wanted(const std::string& path) const {
    if (is_template(path) || is_for_other_make(path)) return false;
    auto language = language_by_name(path);
    if (!language) language = language_of(path, files_.read_beginning(path, kShebangBytes));
    return language && options_.is_wanted(*language);
  }

  const DiscoverOptions& options_;
  Workspace& workspace_;
  const Files& files_;
  std::set<std::string> seen_;
};

}  // namespace

Result<std::vector<Target>> discover(const std::vector<std::string>& operands,
                                     const DiscoverOptions& options, Workspace& workspace) {
  Walker walker(options, workspace);
  for (const std::string& operand : operands) walker.add_operand(operand);
  if (!walker.mistake.empty()) return fail({}, walker.mistake);
  return std::move(walker.targets);
}

}  // namespace nacre::project
