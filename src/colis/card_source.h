// What `. PATH` reads where no file is at hand: the script that a card has for a command or library
// of that name (`acts`), such as debconf's confmodule.
#pragma once

#include <optional>
#include <string>

namespace nacre::colis {

[[nodiscard]] std::optional<std::string> card_source(const std::string& path);

}  // namespace nacre::colis
