// Files whose format the system gives: /etc/passwd, /proc/meminfo. Immutable data.
#pragma once

#include <optional>
#include <string_view>

#include "commands/stream.h"

namespace nacre::commands {

// The lines of the file at this path; nothing if its format is not known.
std::optional<Stream> known_file(Context& context, std::string_view path);

}  // namespace nacre::commands
