#include "project/ignore.h"

#include <algorithm>

#include "base/path.h"

namespace nacre::project {

namespace {

constexpr uint64_t kMaxIgnoreFile = 1 << 20;

// Blanks at the end do not count unless a backslash stands before them.
std::string_view strip_trailing_blanks(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

IgnoreRules::IgnoreRules(const Files& files, std::string directory, Handle above)
    : directory_(std::move(directory)), above_(std::move(above)) {
  add_file(files, joined_path(directory_, ".git/info/exclude"));  // weaker: the last match counts
  add_file(files, joined_path(directory_, ".gitignore"));
}

void IgnoreRules::add_file(const Files& files, const std::string& path) {
  const auto file = read_source(files, path, path, kMaxIgnoreFile);
  if (!file) return;
  std::string_view bytes = file->bytes();
  while (!bytes.empty()) {
    size_t end = std::min(bytes.find('\n'), bytes.size());
    add_line(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

void IgnoreRules::add_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = strip_trailing_blanks(line);
  if (line.empty() || line[0] == '#') return;
  bool is_negated = line[0] == '!';
  if (is_negated) line.remove_prefix(1);
  rules_.push_back({PathPattern(line), is_negated});
}

IgnoreRules::Handle IgnoreRules::below(const Files& files, const Handle& above,
                                       std::string_view name) {
  return Handle(new IgnoreRules(files, joined_path(above->directory_, name), above));
}

IgnoreRules::Handle IgnoreRules::at(const Files& files, const std::string& directory) {
  const auto is_root = [&](const std::string& path) {
    return files.kind(joined_path(path, ".git")) != FileKind::kMissing;
  };
  std::string root = directory;
  while (!is_root(root) && root != "/") root = parent_path(root);
  if (root == directory || !is_root(root))
    return Handle(new IgnoreRules(files, directory, nullptr));
  return below(files, at(files, parent_path(directory)), base_name(directory));
}

// The last rule that matches counts; deeper files are stronger.
bool IgnoreRules::ignores(std::string_view name, bool is_directory) const {
  const std::string path = joined_path(directory_, name);
  for (const IgnoreRules* level = this; level != nullptr; level = level->above_.get()) {
    const std::string relative = relative_path(path, level->directory_);
    auto match = std::find_if(level->rules_.rbegin(), level->rules_.rend(), [&](const Rule& rule) {
      return rule.pattern.matches(relative, is_directory);
    });
    if (match != level->rules_.rend()) return !match->is_negated;
  }
  return false;
}

}  // namespace nacre::project
