// Format strings with named places: `docker ps --format '{{.Names}}'`, `dpkg-query -f
// '${Package}\n'`, `git log --format=%h`, `curl -w '%{http_code}'`. A card says how its places are
// written and which options hold a format; its columns say what may stand in them.
//
//   template  --format {{. }} newline
//   template  --format|--pretty % letters newline
#pragma once

#include <optional>

#include "commands/invocation.h"
#include "commands/stream.h"

namespace nacre::commands {

// Nothing if no such option is given; lines of which nothing is known if the format is not constant
// or has more than places and text.
std::optional<Stream> template_of(const Invocation& invocation, Context& context);

}  // namespace nacre::commands
