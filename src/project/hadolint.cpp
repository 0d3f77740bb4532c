#include "project/hadolint.h"

#include <fmt/format.h>
#include <vector>

#include "base/path.h"

namespace nacre::project {

namespace {

constexpr uint64_t kMaxHadolintFile = 1 << 20;

std::string first_file(const Files& files, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (files.kind(path) == FileKind::kRegular) return path;
  }
  return "";
}

std::string file_in(const Files& files, const std::string& directory) {
  return first_file(
      files, {joined_path(directory, ".hadolint.yaml"), joined_path(directory, ".hadolint.yml")});
}

std::string file_of_user(const Files& files) {
  std::vector<std::string> paths;
  if (const auto config = files.variable("XDG_CONFIG_HOME")) {
    paths.push_back(joined_path(*config, "hadolint.yaml"));
    paths.push_back(joined_path(*config, "hadolint.yml"));
  }
  if (const auto home = files.variable("HOME")) {
    for (const char* name :
         {".config/hadolint.yaml", ".config/hadolint.yml", ".hadolint/hadolint.yaml",
          ".hadolint/hadolint.yml", ".hadolint.yaml", ".hadolint.yml"})
      paths.push_back(joined_path(*home, name));
  }
  return first_file(files, paths);
}

Result<docker::HadolintConfig> read_or_default(const Files& files, const std::string& path) {
  auto config = path.empty() ? Result<docker::HadolintConfig>(docker::HadolintConfig())
                             : read_hadolint_config(files, path);
  if (!config) return config;
  const auto variable = [&](const std::string& name) { return files.variable(name); };
  if (auto applied = docker::apply_environment(variable, *config); !applied)
    return tl::unexpected(applied.error());
  return config;
}

std::string nearest_file(const Files& files, const std::string& path) {
  std::string directory = parent_path(path);
  while (true) {
    if (std::string found = file_in(files, directory); !found.empty()) return found;
    if (directory == "/" || directory.empty()) return file_of_user(files);
    directory = parent_path(directory);
  }
}

}  // namespace

Result<docker::HadolintConfig> read_hadolint_config(const Files& files, const std::string& path) {
  auto file = read_source(files, path, path, kMaxHadolintFile);
  if (!file) return fail({}, fmt::format("{}: {}", path, file.error().message));
  auto config = docker::parse_hadolint_config(*file);
  if (config) return config;
  const Error& error = config.error();
  return fail({}, fmt::format("{}:{}: {}", path, file->line_of(error.span.begin), error.message));
}

Result<docker::HadolintConfig> own_hadolint_config(const Files& files) {
  const std::string path = file_in(files, files.working_directory());
  return read_or_default(files, path.empty() ? file_of_user(files) : path);
}

void apply_hadolint_config(const docker::HadolintConfig& config, Settings& settings) {
  std::vector<std::string> ignored = settings.choice.ignore.patterns();
  for (const std::string& rule : config.ignored) ignored.push_back(rule);
  for (const auto& [rule, level] : config.overrides) {
    const auto severity = docker::severity_of(level);
    if (severity) settings.choice.severities.emplace(rule, *severity);
    if (!severity) ignored.push_back(rule);
  }
  settings.choice.ignore = CodeSet(std::move(ignored));
  settings.demands = config.demands;
  settings.reads_pragmas = !config.disables_pragmas;
}

Result<void> apply_hadolint_config(const Files& files, const std::string& path,
                                   Settings& settings) {
  auto config = read_or_default(files, nearest_file(files, path));
  if (!config) return tl::unexpected(config.error());
  apply_hadolint_config(*config, settings);
  return {};
}

}  // namespace nacre::project
