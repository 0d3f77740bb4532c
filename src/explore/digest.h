// A digest of what later commands could see: two independent hashes, so that two states that differ
// have the same one only by a chance that can be neglected. Internal to this module.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace nacre::explore {

using Digest = std::pair<uint64_t, uint64_t>;

inline void mix(Digest& digest, uint64_t value) {
  digest.first = (digest.first ^ value) * 0x9e3779b97f4a7c15;
  digest.first ^= digest.first >> 32;
  digest.second = (digest.second + value) * 0xc2b2ae3d27d4eb4f;
  digest.second ^= digest.second >> 29;
}
inline void mix(Digest& digest, std::string_view text) {
  mix(digest, std::hash<std::string_view>{}(text));
  mix(digest, text.size());
}

}  // namespace nacre::explore
