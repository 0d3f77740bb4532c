#include "project/ignore.h"

#include <algorithm>
#include <filesystem>

#include "base/read_source.h"

namespace nacre::project {

namespace {

constexpr uint64_t kMaxIgnoreFile = 1 << 20;

// Blanks at the end do not count unless a backslash stands before them.
std::string_view strip_trailing_blanks(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string directory, Handle above)
    : directory_(std::move(directory)), above_(std::move(above)) {
  add_file(directory_ + "/.git/info/exclude");  // weaker, so first: the last match counts
  add_file(directory_ + "/.gitignore");
}

void IgnoreRules::add_file(const std::string& path) {
  auto file = read_source(path, path, kMaxIgnoreFile);
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

IgnoreRules::Handle IgnoreRules::below(const Handle& above, std::string_view name) {
  return Handle(new IgnoreRules(above->directory_ + "/" + std::string(name), above));
}

IgnoreRules::Handle IgnoreRules::at(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path root = directory;
  while (!fs::exists(root / ".git", ignored) && root != root.root_path()) root = root.parent_path();
  if (!fs::exists(root / ".git", ignored)) root = directory;
  Handle rules(new IgnoreRules(root.string(), nullptr));
  for (const fs::path& part : fs::path(directory).lexically_relative(root)) {
    if (part != ".") rules = below(rules, part.string());
  }
  return rules;
}

// The last rule that matches counts; deeper files are stronger.
bool IgnoreRules::ignores(std::string_view name, bool is_directory) const {
  std::string path = directory_ + "/" + std::string(name);
  for (const IgnoreRules* level = this; level != nullptr; level = level->above_.get()) {
    std::string_view relative = std::string_view(path).substr(level->directory_.size() + 1);
    auto match = std::find_if(level->rules_.rbegin(), level->rules_.rend(), [&](const Rule& rule) {
      return rule.pattern.matches(relative, is_directory);
    });
    if (match != level->rules_.rend()) return !match->is_negated;
  }
  return false;
}

}  // namespace nacre::project
