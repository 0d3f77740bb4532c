// What a format of date can print: also the columns of `ls -l`, `stat` and `git log`.
#pragma once

#include <string_view>

#include "commands/stream.h"

namespace nacre::commands {

// Of date's own formats, without the `+`.
Lang date_text(Context& context, std::string_view format);

}  // namespace nacre::commands
