// What checks of many files share: the files and environment they may ask for, with the settings,
// the cards and the texts that were read from them, each once. May be used from several threads.
//
// A Workspace assumes that files do not change; after a change, call refresh().
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/forwarding_files.h"
#include "project/cards.h"
#include "project/language.h"
#include "project/settings.h"
#include "shell/bodies.h"

namespace nacre::project {

// Remembers what was read, up to a limit; the rest is read again each time.
class CachedFiles : public ForwardingFiles {
 public:
  explicit CachedFiles(const Files& files, uint64_t max_total = 64u << 20)
      : ForwardingFiles(files), left_(max_total) {}
  void forget();

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         uint64_t max_bytes) const override;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, Result<std::string>> texts_;  // by path
  mutable uint64_t left_;
};

class Workspace {
 public:
  // `configuration`: the file to use for everything; "": no file at all; none: the nearest one
  // above each file. `files` must outlive this.
  explicit Workspace(const Files& files, std::optional<std::string> configuration = std::nullopt);

  [[nodiscard]] const Files& files() const { return files_; }

  // What holds for a file or in a directory, by its absolute path. The error is a configuration
  // that cannot be read.
  // `language`: the one that the user has given, instead of the one that the name implies.
  Result<Settings> settings_for(const std::string& path,
                                std::optional<Language> language = std::nullopt);
  Result<std::shared_ptr<const Configuration>> configuration_in(const std::string& directory);

  // The cards that hold for the script with this absolute path.
  std::shared_ptr<const Cards> cards_for(const std::string& path);

  // What is known of the texts that scripts source, by their content.
  shell::BodyCache& bodies() { return bodies_; }

  // Files or the environment may have changed.
  void refresh();

 private:
  CachedFiles files_;
  shell::BodyCache bodies_;
  std::mutex mutex_;
  std::optional<std::string> fixed_;
  Configurations configurations_;
  std::map<std::string, std::shared_ptr<const Cards>> cards_;     // by directory of cards
  std::map<std::string, std::shared_ptr<const Cards>> cards_in_;  // by directory of scripts
};

}  // namespace nacre::project
