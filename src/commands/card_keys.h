// The keys of a card whose value depends on conditions, one row each in card_keys.inc: adding a row
// makes the key legal in every card, and says how its value is checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace nacre::commands {

enum class CardKey : uint8_t {
#define KEY(key, name, value, choices) key,
#include "commands/card_keys.inc"
#undef KEY
};

enum class ValueKind : uint8_t {
  kText,       // anything
  kWords,      // anything but nothing
  kChoice,     // one of a few words
  kType,       // a type (docs/types.md)
  kLineCount,  // `1`, `0..1`, `2..`
  kStatus,     // an exit status
  kRows,       // a layout and columns of the card
  kShape,      // the shape of JSON values
  kProgram,    // what it does to files (effect.h)
  kScript,     // the same as a shell script
  kLetter,     // a letter of `test` and what it asks
};

struct KeyInfo {
  std::string_view name;
  ValueKind value;
  std::string_view choices;
};

inline constexpr KeyInfo kKeys[] = {
#define KEY(key, name, value, choices) {name, ValueKind::value, choices},
#include "commands/card_keys.inc"
#undef KEY
};

constexpr const KeyInfo& info_of(CardKey key) { return kKeys[static_cast<size_t>(key)]; }

// Nothing if no key has this name.
constexpr std::optional<CardKey> key_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKeys), std::end(kKeys),
                                   [&](const KeyInfo& info) { return info.name == name; });
  if (found == std::end(kKeys)) return std::nullopt;
  return static_cast<CardKey>(found - std::begin(kKeys));
}

}  // namespace nacre::commands
