#include "project/hadolint.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

#include "base/read_source.h"

namespace nacre::project {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxConfiguration = 1 << 20;

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string first_file(const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return "";
}

std::string file_in(const fs::path& directory) {
  return first_file({directory / ".hadolint.yaml", directory / ".hadolint.yml"});
}

std::string file_of_user() {
  std::vector<fs::path> paths;
  if (const auto config = variable("XDG_CONFIG_HOME")) {
    paths.emplace_back(fs::path(*config) / "hadolint.yaml");
    paths.emplace_back(fs::path(*config) / "hadolint.yml");
  }
  if (const auto home = variable("HOME")) {
    for (const char* name :
         {".config/hadolint.yaml", ".config/hadolint.yml", ".hadolint/hadolint.yaml",
          ".hadolint/hadolint.yml", ".hadolint.yaml", ".hadolint.yml"})
      paths.push_back(fs::path(*home) / name);
  }
  return first_file(paths);
}

Result<docker::HadolintConfig> read_or_default(const std::string& path) {
  auto config = path.empty() ? Result<docker::HadolintConfig>(docker::HadolintConfig())
                             : read_hadolint_config(path);
  if (!config) return config;
  if (auto applied = docker::apply_environment(variable, *config); !applied)
    return tl::unexpected(applied.error());
  return config;
}

std::string nearest_file(const std::string& path) {
  fs::path directory = fs::path(path).parent_path();
  while (true) {
    if (std::string found = file_in(directory); !found.empty()) return found;
    const fs::path above = directory.parent_path();
    if (above == directory) return file_of_user();
    directory = above;
  }
}

}  // namespace

Result<docker::HadolintConfig> read_hadolint_config(const std::string& path) {
  auto file = read_source(path, path, kMaxConfiguration);
  if (!file) return fail({}, fmt::format("{}: {}", path, file.error().message));
  auto config = docker::parse_hadolint_config(*file);
  if (config) return config;
  const Error& error = config.error();
  return fail({}, fmt::format("{}:{}: {}", path, file->line_of(error.span.begin), error.message));
}

Result<docker::HadolintConfig> own_hadolint_config() {
  std::error_code error;
  std::string path = file_in(fs::current_path(error));
  return read_or_default(path.empty() ? file_of_user() : path);
}

Result<void> apply_hadolint_config(const std::string& path, Settings& settings) {
  auto config = read_or_default(nearest_file(path));
  if (!config) return tl::unexpected(config.error());
  std::vector<std::string> ignored = settings.choice.ignore.patterns();
  for (const std::string& rule : config->ignored) ignored.push_back(rule);
  for (const auto& [rule, level] : config->overrides) {
    const auto severity = docker::severity_of(level);
    if (severity) settings.choice.severities.emplace(rule, *severity);
    if (!severity) ignored.push_back(rule);
  }
  settings.choice.ignore = CodeSet(std::move(ignored));
  settings.demands = std::move(config->demands);
  settings.reads_pragmas = !config->disables_pragmas;
  return {};
}

}  // namespace nacre::project
