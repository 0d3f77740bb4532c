// Pages of HTML that stand alone: no other file, no network, no script.
#pragma once

#include <string>
#include <string_view>

namespace nacre::explore {

[[nodiscard]] std::string html_text(std::string_view text);  // escaped
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

}  // namespace nacre::explore
