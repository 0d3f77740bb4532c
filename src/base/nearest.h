// "Did you mean": the word that someone probably wanted to write.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nacre {

// The candidate that is nearest to `word`, if it is near enough to be what was meant.
std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string_view> candidates);

}  // namespace nacre
