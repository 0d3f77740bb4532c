// Puts a text into a file, whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace nacre::cli {

// A regular file is replaced at once (a temporary file beside it, renamed), with its mode kept and
// links followed; what is not a regular file (/dev/stdout, a pipe) is written to.
Result<bool> write_file(const std::string& path, std::string_view bytes);

}  // namespace nacre::cli
