// Test files of bats: bash scripts with one more construct, `@test "title" { ... }`.
#pragma once

#include <string>
#include <string_view>

#include "base/source_file.h"

namespace nacre::project {

// It has tests that are still written as bats has them.
bool is_bats(const SourceFile& file);

// The same text with each `@test "title"` as the head of a function, byte for byte as long:
// `t12()`.
std::string bats_as_bash(std::string_view text);

}  // namespace nacre::project
