#include "base/arena.h"

#include <cstdint>
#include <doctest/doctest.h>

using nacre::Arena;

TEST_CASE("arrays of an arena do not overlap and stay where they are") {
  Arena arena(64);
  std::vector<std::pair<uint32_t*, size_t>> made;
  for (size_t count = 0; count < 200; ++count) {
    auto* numbers = arena.array<uint32_t>(count);
    for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<uint32_t>(count * 1000 + i);
    made.emplace_back(numbers, count);
  }
  for (const auto& [numbers, count] : made) {
    for (size_t i = 0; i < count; ++i) CHECK(numbers[i] == count * 1000 + i);
  }
}

TEST_CASE("arrays of an arena are aligned, whatever was asked for before") {
  Arena arena(64);
  for (size_t count : {1u, 3u, 7u, 100u}) {
    (void)arena.array<char>(count);
    CHECK(reinterpret_cast<uintptr_t>(arena.array<double>(count)) % alignof(double) == 0);
  }
}

TEST_CASE("an array that is larger than any block has a block of its own") {
  Arena arena(64);
  auto* large = arena.array<char>(size_t{3} << 20);
  large[(size_t{3} << 20) - 1] = 'x';
  CHECK(large[(size_t{3} << 20) - 1] == 'x');
}
