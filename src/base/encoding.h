// Findings about the bytes of a text, whatever its language: byte order mark, CRLF, bytes that are
// not UTF-8, NUL. Nothing is changed: analyses read the bytes as they are.
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"

namespace nacre {

std::vector<Diagnostic> check_encoding(const SourceFile& file);

// Where a file stops being text: its first NUL byte. Such a file is not analysed further.
std::optional<uint32_t> find_nul(const SourceFile& file);

}  // namespace nacre
