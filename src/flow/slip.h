// Whether one word is another with one slip of the finger: a letter too many, too few, wrong, or
// two in the wrong order.
#pragma once

#include <algorithm>
#include <string_view>

namespace nacre::flow {

inline bool is_one_slip(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  size_t same = 0;
  while (same < a.size() && a[same] == b[same]) same++;
  const std::string_view rest_a = a.substr(same), rest_b = b.substr(same);
  if (a.size() < b.size()) return rest_a == rest_b.substr(1);
  if (rest_a.substr(1) == rest_b.substr(1)) return true;
  return rest_a.size() > 1 && rest_a[0] == rest_b[1] && rest_a[1] == rest_b[0] &&
         rest_a.substr(2) == rest_b.substr(2);
}

}  // namespace nacre::flow
