// Puts a text into a file, whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace nacre::cli {

// A regular file is replaced at once (a temporary file beside it, synced and renamed; an interrupt
// removes it), with its owner and mode kept and links followed; what is not a regular file
// (/dev/stdout, a pipe) is written to.
Result<bool> write_file(const std::string& path, std::string_view bytes);

// For a user's own text, which was `expected` when it was read. Refused if it is something else by
// now, if it is read-only, if it has other hard links, or if it is a link that leads out of the
// directory it is in.
Result<bool> rewrite_file(const std::string& path, std::string_view expected,
                          std::string_view bytes);

}  // namespace nacre::cli
