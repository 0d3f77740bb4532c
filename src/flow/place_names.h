// From the words of a script to the keys of places (places.h). Internal to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flow/field.h"
#include "flow/rules/rule_context.h"

namespace nacre::flow {

// Stands in a key for what a wildcard matches: the key names some files of a directory.
constexpr char kAnyPlaceName = '\x02';
[[nodiscard]] inline bool names_several(std::string_view key) {
  return key.find(kAnyPlaceName) != key.npos;
}
// How a variable stands in a key.
[[nodiscard]] std::string place_variable(std::string_view name);

// The key of the path that the word names; nothing if that is not known well enough.
[[nodiscard]] std::optional<std::string> place_named_by(const shell::Word& word,
                                                        const Environment& environment,
                                                        const RuleContext& in);
[[nodiscard]] std::optional<std::string> place_named_by(const Field& field,
                                                        const Environment& environment,
                                                        const RuleContext& in);
// Of a path as text, seen from the directory with the key `from`.
[[nodiscard]] std::optional<std::string> place_at(std::string_view path, std::string_view from);

// As a user would write it.
[[nodiscard]] std::string readable_place(std::string_view key);

// Files that are none: devices, and what the kernel shows as files.
[[nodiscard]] bool is_device_place(std::string_view key);

}  // namespace nacre::flow
