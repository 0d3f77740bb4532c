// The types that have a name in Nacre's type syntax: `{ipv4}` for a regex that people would have to
// look up. Immutable data.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace nacre::regular {

struct NamedType {
  std::string_view name;
  std::string_view type;     // in the type syntax, without other names
  std::string_view meaning;  // a few words for people
  std::string_view example;  // a member; empty only for {none}
};

// In the order of the documentation: first the general ones, then from small formats to large.
std::span<const NamedType> named_types();

// Nothing if there is no such name.
const NamedType* find_named_type(std::string_view name);

}  // namespace nacre::regular
