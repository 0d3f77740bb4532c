// Names of variables that hold secrets, as hadolint and BuildKit tell them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nacre::docker {

// The rules of others that name it: DL3064, SecretsUsedInArgOrEnv. Empty: it is no such name.
std::vector<std::string> secret_aliases(std::string_view name);

// Not a path, a number or a switch: those say where a secret is, or something about it.
bool may_be_secret_value(std::string_view value);

}  // namespace nacre::docker
