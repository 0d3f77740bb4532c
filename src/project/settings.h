// What the user wants of a check: from nacre.toml (or .nacre.toml, or the table [tool.nacre] of
// pyproject.toml) in the directory of the checked file or the nearest one above it. Unknown keys
// and values are errors, with a suggestion.
//
//   select = ["all"]            # codes, families or "all"
//   ignore = ["S005"]
//   threshold = "warning"       # report nothing below it
//   shell = "bash"              # instead of what the file says
//   target = ["macos"]          # lint: systems and shells that the scripts are for
//   exclude = ["vendor/"]       # paths that directories leave out, as in .gitignore
//   max-bytes = 1000000         # larger files are not read
//   [severity]
//   S005 = "error"
//   [[override]]                # for some files; later ones win
//   files = ["tests/**"]
//   ignore = ["T"]
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/emitter.h"
#include "base/files.h"
#include "base/result.h"
#include "docker/demands.h"
#include "project/glob.h"

namespace nacre::project {

struct Settings {
  Choice choice;
  Severity threshold = Severity::kStyle;
  std::string shell;                 // empty: what the file says
  std::vector<std::string> targets;  // of lint: names of purify/profiles.h
  std::vector<std::string> exclude;
  uint64_t max_bytes = 16u << 20;
  docker::Demands demands;    // of images: registries, labels
  bool reads_pragmas = true;  // comments of hadolint and BuildKit in Dockerfiles
  std::string origin;         // the configuration file; empty: the defaults
  // Only by the command line:
  std::string verb = "check";  // what is looked for: analyses and codes have a verb
  bool concretizes = false;    // a second pass, with the current files and environment
};

// One configuration file, read.
struct Configuration {
  struct Override {
    std::vector<std::string> files;
    std::vector<PathPattern> patterns;
    Choice choice;  // `select` empty: not given
    std::optional<Severity> threshold;
    std::string shell;
  };
  Settings settings;
  std::string directory;  // paths in it are relative to this; ends without a slash
  std::vector<Override> overrides;

  // What holds for the file with this absolute path.
  [[nodiscard]] Settings for_file(const std::string& path) const;
};

// The error is for people: "nacre.toml:3:1: unknown key 'slect'; did you mean 'select'?". A
// pyproject.toml without [tool.nacre] gives the defaults, without an origin.
Result<Configuration> parse_configuration(const SourceFile& file, std::string directory);

// The settings as a configuration file that says the same.
std::string to_toml(const Settings& settings);

// Finds and reads configurations, each once. Not for use from several threads: a Workspace is.
class Configurations {
 public:
  // `fixed`: the file to use for everything; "": no file at all; none: search.
  Configurations(const Files& files, std::optional<std::string> fixed)
      : files_(&files), fixed_(std::move(fixed)) {}

  // What holds in a directory, by its absolute path.
  Result<std::shared_ptr<const Configuration>> find(const std::string& directory);

 private:
  using Handle = std::shared_ptr<const Configuration>;
  Result<Handle> read(const std::string& path, const std::string& directory);
  Result<Handle> search(const std::string& directory);

  const Files* files_;
  std::optional<std::string> fixed_;
  std::map<std::string, Result<Handle>> cache_;  // by directory
};

}  // namespace nacre::project
