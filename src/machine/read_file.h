// The whole of a file.
#pragma once

#include <string>

#include "world/os.h"

namespace nacre::machine {

constexpr size_t kMaxScript = size_t{256} << 20;  // more is no script: /dev/zero

// Appends it to `text`. 0 or -errno; -EFBIG if it has more bytes than `max_bytes`.
[[nodiscard]] int read_file(world::Os& os, const char* path, std::string& text,
                            size_t max_bytes = kMaxScript);

}  // namespace nacre::machine
