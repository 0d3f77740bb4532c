// Reads what a user names on the command line: a file, or `-` for standard input.
#pragma once

#include "base/files.h"

namespace nacre::cli {

// The files of this process. One instance: it has no state.
const Files& host_files();

// `name` is what the text is called in reports. `-`, /dev/stdin and /dev/fd/N (what a shell makes
// of
// `<(...)`) are read to their end, whatever they are; everything else must be a regular file.
Result<SourceFile> read_operand(const std::string& operand, std::string name, uint64_t max_bytes);

}  // namespace nacre::cli
