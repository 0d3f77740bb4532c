// The named types that cards use for arguments and columns: {pid}, {hsize}, {cidr}. They are the
// languages that commands accept or print, as opposed to those of regular/named_types.h, which are
// the ones that RT's paper gives. Immutable data.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "regular/lang.h"

namespace nacre::commands {

struct NamedArgumentType {
  std::string_view name, type;
};
std::span<const NamedArgumentType> named_argument_types();

// Nothing if no type has this name.
std::optional<regular::Lang> named_argument_type(regular::Context& context, std::string_view name);

}  // namespace nacre::commands
