#include "project/settings.h"

#include <fmt/format.h>

#include "base/path.h"

namespace nacre::project {

namespace {

constexpr uint64_t kMaxConfiguration = 1 << 20;

void apply(const Configuration::Override& over, Settings& settings) {
  if (!over.choice.select.empty()) settings.choice.select = over.choice.select;
  std::vector<std::string> ignored = settings.choice.ignore.patterns();
  const auto& more = over.choice.ignore.patterns();
  ignored.insert(ignored.end(), more.begin(), more.end());
  settings.choice.ignore = CodeSet(std::move(ignored));
  for (const auto& [code, severity] : over.choice.severities) {
    settings.choice.severities[code] = severity;
  }
  if (over.threshold) settings.threshold = *over.threshold;
  if (!over.shell.empty()) settings.shell = over.shell;
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", item);
  }
  return text;
}

}  // namespace

Settings Configuration::for_file(const std::string& path) const {
  Settings result = settings;
  const std::string relative = relative_path(path, directory);
  for (const Override& over : overrides) {
    for (const PathPattern& pattern : over.patterns) {
      if (!pattern.matches(relative, false)) continue;
      apply(over, result);
      break;
    }
  }
  return result;
}

std::string to_toml(const Settings& settings) {
  std::string text;
  text += fmt::format("select = [{}]\n", quoted_list(settings.choice.select.patterns()));
  text += fmt::format("ignore = [{}]\n", quoted_list(settings.choice.ignore.patterns()));
  text += fmt::format("threshold = \"{}\"\n", name_of(settings.threshold));
  if (!settings.shell.empty()) text += fmt::format("shell = \"{}\"\n", settings.shell);
  if (!settings.targets.empty())
    text += fmt::format("target = [{}]\n", quoted_list(settings.targets));
  text += fmt::format("exclude = [{}]\n", quoted_list(settings.exclude));
  text += fmt::format("max-bytes = {}\n", settings.max_bytes);
  if (!settings.choice.severities.empty()) text += "\n[severity]\n";
  for (const auto& [code, severity] : settings.choice.severities) {
    text += fmt::format("{} = \"{}\"\n", code, name_of(severity));
  }
  return text;
}

Result<Configurations::Handle> Configurations::read(const std::string& path,
                                                    const std::string& directory) {
  auto file = read_source(*files_, path, path, kMaxConfiguration);
  if (!file) return fail({}, fmt::format("{}: {}", path, file.error().message));
  auto parsed = parse_configuration(*file, directory);
  if (!parsed) return tl::unexpected(parsed.error());
  return std::make_shared<const Configuration>(std::move(*parsed));
}

Result<Configurations::Handle> Configurations::search(const std::string& directory) {
  for (const char* name : {"nacre.toml", ".nacre.toml"}) {
    const std::string path = joined_path(directory, name);
    if (files_->kind(path) != FileKind::kMissing) return read(path, directory);
  }
  // Of a project in Python: a table among those of other tools. A mistake elsewhere in the file is
  // their business.
  const std::string path = joined_path(directory, "pyproject.toml");
  if (files_->kind(path) == FileKind::kRegular) {
    const auto text = files_->read(path, kMaxConfiguration);
    if (text && text->find("nacre") != std::string::npos) {
      auto found = read(path, directory);
      if (!found || !(*found)->settings.origin.empty()) return found;
    }
  }
  if (directory == "/" || directory.empty()) return std::make_shared<const Configuration>();
  return find(parent_path(directory));
}

Result<Configurations::Handle> Configurations::find(const std::string& directory) {
  std::string key = fixed_ ? "" : directory;
  auto cached = cache_.find(key);
  if (cached != cache_.end()) return cached->second;
  Result<Handle> found = std::make_shared<const Configuration>();
  if (!fixed_) {
    found = search(directory);
  } else if (!fixed_->empty()) {
    found = read(*fixed_, parent_path(absolute_path(*files_, *fixed_)));
  }
  cache_.emplace(std::move(key), found);
  return found;
}

}  // namespace nacre::project
