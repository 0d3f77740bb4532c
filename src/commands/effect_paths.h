// Paths as text, as effect programs take them apart; part of effect_run.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands/effect.h"

namespace nacre::commands {

[[nodiscard]] std::string bare(std::string_view path);       // without slashes at its end
[[nodiscard]] std::string base_of(std::string_view path);    // its last component
[[nodiscard]] std::string parent_of(std::string_view path);  // as dirname prints it
[[nodiscard]] std::string joined_path(std::string_view directory, std::string_view name);
// Of a/b/c: a, a/b.
[[nodiscard]] std::vector<std::string> parents_of(std::string_view path);
// `test` is textual and not kMade.
[[nodiscard]] bool holds_of_text(PathTest test, std::string_view path);

}  // namespace nacre::commands
