// Comments of other tools that switch findings off or say what the shell is:
//
//   # hadolint ignore=DL3008,SC2086 reason          the next instruction
//   # hadolint stage ignore=DL3008                  the stage
//   # hadolint global ignore=DL3008                 the file
//   # hadolint shell=powershell                     from here on; before the first FROM: everywhere
//   # check=skip=JSONArgsRecommended;error=true     first lines: the file; later: the next
//   instruction
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/suppression.h"
#include "docker/syntax.h"

namespace nacre::docker {

struct Pragmas {
  std::vector<Suppression> suppressions;
  std::map<uint32_t, std::string> shells;  // by the offset of the comment
  std::vector<Span> ignoring;              // the comments that are `# hadolint ... ignore=`
  bool is_experimental = false;            // check=experimental=...
};

Pragmas read_pragmas(const File& file);

}  // namespace nacre::docker
