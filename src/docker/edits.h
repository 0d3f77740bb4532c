// Changes to the command lines of RUN, for the fixes of rules and for purify. Nothing where the
// text does not stand in the file as the shell gets it (JSON lists), or where the change would mean
// something else.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "docker/script.h"

namespace nacre::docker {

// The name of the command stands in the file as it is.
[[nodiscard]] bool stands_as(const File& file, const Script& script, const Call& call);

// After the subcommand and the options that follow it.
[[nodiscard]] std::optional<Edit> add_option(const Script& script, const Usage& usage,
                                             std::string_view option);

// A command that runs after all others of this RUN, if they succeed.
[[nodiscard]] std::optional<Edit> append_command(const File& file, const Script& script,
                                                 std::string_view command);

}  // namespace nacre::docker
