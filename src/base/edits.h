// Changes to a text as values: choosing the fixes that can be made together, and making them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace nacre {

enum class FixKind : uint8_t { kSafe, kAny };

// The edits of the first fix of each finding that lies in `file` and is of that kind; a fix that
// touches one chosen before is left out whole. Sorted, without overlaps.
std::vector<Edit> choose_edits(const SourceFile& file, std::span<const Diagnostic> findings,
                               FixKind kind);

// `edits` are sorted and do not overlap.
std::string apply_edits(const SourceFile& file, std::span<const Edit> edits);

}  // namespace nacre
