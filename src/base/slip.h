// Whether one word is another with one slip of the finger: a letter too many, too few, wrong, or
// two in the wrong order. The last of these is hardly ever a name of its own.
// Internal to this module.
#pragma once

#include <algorithm>
#include <string_view>

namespace nacre {

inline bool is_swapped(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto at = std::mismatch(a.begin(), a.end(), b.begin());
  if (a.end() - at.first < 2) return false;
  return at.first[0] != at.first[1] && at.first[0] == at.second[1] && at.first[1] == at.second[0] &&
         std::equal(at.first + 2, a.end(), at.second + 2);
}

inline bool is_one_slip(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  size_t same = 0;
  while (same < a.size() && a[same] == b[same]) same++;
  const std::string_view rest_a = a.substr(same), rest_b = b.substr(same);
  if (a.size() < b.size()) return rest_a == rest_b.substr(1);
  return rest_a.substr(1) == rest_b.substr(1) || is_swapped(a, b);
}

}  // namespace nacre
