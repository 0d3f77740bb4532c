// A text file that is part of the program: cards, code pages, web pages. cmake/embed.cmake makes
// them at build time, `embed_files(MODULE NAME PATTERN...)`.
#pragma once

#include <span>
#include <string_view>

namespace nacre {

struct EmbeddedFile {
  std::string_view name;  // without its directory
  std::string_view bytes;
};

}  // namespace nacre
