// `.hadolint.yaml` and HADOLINT_* for Dockerfiles, found as hadolint finds them, and besides from
// the directory of the Dockerfile upwards. What a nacre.toml says is stronger.
#pragma once

#include <string>

#include "base/files.h"
#include "base/result.h"
#include "docker/hadolint_config.h"
#include "project/settings.h"

namespace nacre::project {

// The configuration that hadolint itself would read in the working directory.
Result<docker::HadolintConfig> own_hadolint_config(const Files& files);
Result<docker::HadolintConfig> read_hadolint_config(const Files& files, const std::string& path);

// What holds for the Dockerfile with this absolute path.
Result<void> apply_hadolint_config(const Files& files, const std::string& path, Settings& settings);
// The same for settings that were chosen by hand.
void apply_hadolint_config(const docker::HadolintConfig& config, Settings& settings);

}  // namespace nacre::project
