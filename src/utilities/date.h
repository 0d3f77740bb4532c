// Times as text: what date, touch, ls and stat read and write. UTC: the simulated world has no
// other time zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::utilities {

constexpr int64_t kSecond = 1'000'000'000;  // times are in nanoseconds

// As `date -d`: "2026-01-02", "2026-01-02 03:04:05", "@SECONDS", "now", "yesterday", "tomorrow",
// "N days ago", "+N hours". Nothing if it is none of these.
[[nodiscard]] std::optional<int64_t> parse_date(std::string_view text, int64_t now);
// As `touch -t`: [[CC]YY]MMDDhhmm[.ss].
[[nodiscard]] std::optional<int64_t> parse_touch_time(std::string_view text, int64_t now);
// As `date +FORMAT`. Nothing for a conversion that is not modelled.
[[nodiscard]] std::optional<std::string> format_date(std::string_view format, int64_t time);

}  // namespace nacre::utilities
