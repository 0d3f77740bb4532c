// Gets a user's text from a file or from standard input, and says in plain words why it cannot.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/source_file.h"

namespace nacre {

// `name` is how the file is spoken of. Files over `max_bytes`, directories, and files that change
// into something unreadable half way are errors ("is a directory", "permission denied", ...).
Result<SourceFile> read_source(const std::string& path, std::string name, uint64_t max_bytes);
Result<SourceFile> read_stdin(std::string name, uint64_t max_bytes);

}  // namespace nacre
