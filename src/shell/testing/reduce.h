// Makes a text that shows something small: removes lines, then tokens, then bytes, as long as it
// still shows it (delta debugging). What is left has no piece that could go alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace nacre::shell {

// `budget`: how often `still_shows` may be asked.
[[nodiscard]] std::string reduce(std::string text,
                                 const std::function<bool(std::string_view)>& still_shows,
                                 size_t budget = 5000);

}  // namespace nacre::shell
