#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace nacre {

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string_view> candidates) {
  std::optional<std::string> best;
  size_t best_distance = word.size() / 3 + 1;  // one slip in short words, more in long ones
  for (std::string_view candidate : candidates) {
    size_t distance = edit_distance(word, candidate);
    if (distance > best_distance || (distance == best_distance && best)) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace nacre
