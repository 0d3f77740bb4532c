// A range of bytes [begin, end) in one source file. Everything that points into a user's text is a
// Span; lines and columns are computed from it only when something is shown (SourceFile::position).
#pragma once

#include <algorithm>
#include <cstdint>

namespace nacre {

struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;

  [[nodiscard]] constexpr uint32_t size() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return begin == end; }
  [[nodiscard]] constexpr bool contains(uint32_t offset) const {
    return begin <= offset && offset < end;
  }
  [[nodiscard]] constexpr bool contains(Span inner) const {
    return begin <= inner.begin && inner.end <= end;
  }
  friend constexpr bool operator==(Span, Span) = default;
};

// The smallest span that covers both.
constexpr Span cover(Span a, Span b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace nacre
