// GNU sed rewrites its own escapes (\n \t \xHH \o \d \c ...) before the regex compiler sees a
// pattern.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::regular {

struct RewrittenPattern {
  std::string text;
  std::vector<uint32_t> origin;  // where each byte came from; one more entry for the end
};

RewrittenPattern undo_sed_escapes(std::string_view pattern);

}  // namespace nacre::regular
