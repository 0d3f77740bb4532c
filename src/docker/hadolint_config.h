// The configuration of hadolint, as its users have it: `.hadolint.yaml` and the variables
// HADOLINT_* of the environment. Reading it never fails silently: what is not understood is an
// error with its place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/codes.h"
#include "base/result.h"
#include "docker/demands.h"

namespace nacre::docker {

enum class HadolintLevel : uint8_t { kError, kWarning, kInfo, kStyle, kNone };

// Nothing for kNone.
std::optional<Severity> severity_of(HadolintLevel level);
// `error`, `warning`, `info`, `style`, and `ignore` or `none`.
std::optional<HadolintLevel> hadolint_level(std::string_view name);

struct HadolintConfig {
  std::vector<std::string> ignored;
  std::map<std::string, HadolintLevel, std::less<>> overrides;  // by rule
  Demands demands;
  std::string format;                      // empty: not given
  std::optional<HadolintLevel> threshold;  // from which on the status is 1
  bool no_fail = false;
  bool disables_pragmas = false;
};

Result<HadolintConfig> parse_hadolint_config(const SourceFile& file);

using GetVariable = std::function<std::optional<std::string>(const std::string& name)>;

// HADOLINT_* are stronger than the file. The error is for people.
Result<void> apply_environment(const GetVariable& variable, HadolintConfig& config);

// `name:type`, into the schema; false: there is no such type.
bool add_label(std::string_view name, std::string_view type, Demands& demands);

}  // namespace nacre::docker
