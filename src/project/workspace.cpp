#include "project/workspace.h"

#include "base/path.h"
#include "project/hadolint.h"
#include "project/language.h"

namespace nacre::project {

void CachedFiles::forget() {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, text] : texts_) left_ += text ? text->size() : 0;
  texts_.clear();
}

Result<std::string> CachedFiles::read(const std::string& path, uint64_t max_bytes) const {
  {
    const std::lock_guard lock(mutex_);
    const auto known = texts_.find(path);
    // A text that is too large for this caller, or an error that may be one of size, is asked anew.
    if (known != texts_.end() && known->second && known->second->size() <= max_bytes)
      return known->second;
  }
  Result<std::string> text = below().read(path, max_bytes);
  const std::lock_guard lock(mutex_);
  if (text && text->size() <= left_ && texts_.emplace(path, text).second) left_ -= text->size();
  return text;
}

Workspace::Workspace(const Files& files, std::optional<std::string> configuration)
    : files_(files), fixed_(std::move(configuration)), configurations_(files, fixed_) {}

Result<std::shared_ptr<const Configuration>> Workspace::configuration_in(
    const std::string& directory) {
  const std::lock_guard lock(mutex_);
  return configurations_.find(directory);
}

Result<Settings> Workspace::settings_for(const std::string& path,
                                         std::optional<Language> language) {
  auto found = configuration_in(parent_path(path));
  if (!found) return tl::unexpected(found.error());
  Settings settings = (*found)->for_file(path);
  if (!language) language = language_by_name(path);
  const bool is_dockerfile = language == Language::kDockerfile;
  const bool reads_configurations = !fixed_ || !fixed_->empty();
  if (!is_dockerfile || !reads_configurations) return settings;
  if (auto applied = apply_hadolint_config(files_, path, settings); !applied)
    return tl::unexpected(applied.error());
  return settings;
}

std::shared_ptr<const Cards> Workspace::cards_for(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string directory = parent_path(path);
  auto& in_directory = cards_in_[directory];
  if (in_directory == nullptr) {
    const std::string found = find_project_cards(files_, directory);
    auto& cards = cards_[found];
    if (cards == nullptr) cards = std::make_shared<const Cards>(read_cards(files_, found));
    in_directory = cards;
  }
  return in_directory;
}

void Workspace::refresh() {
  const std::lock_guard lock(mutex_);
  files_.forget();
  configurations_ = Configurations(files_, fixed_);
  cards_.clear();
  cards_in_.clear();
}

}  // namespace nacre::project
