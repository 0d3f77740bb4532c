// The verdict on one property of a script, a Makefile or a Dockerfile. A proof says what it
// assumes, a refutation shows how it fails, and what stays open says why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/span.h"

namespace nacre {

enum class Verdict : uint8_t { kProved, kRefuted, kOpen };

[[nodiscard]] constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"proved", "refuted", "open"};
  return kNames[static_cast<size_t>(verdict)];
}

struct Property {
  std::string_view property;  // "determinism", "idempotence-root", ...
  Verdict verdict = Verdict::kOpen;
  std::string reason;  // of a proof: how, and what it assumes
  Span place = {};
  std::string witness = {};  // of a refutation: a scene as JSON (`nacre step --scene`), or in words
  bool is_scene = false;
};

}  // namespace nacre
