// The functions behind the table of utilities: one line each.
#pragma once

#include "utilities/utility.h"

#define NACRE_UTILITIES(X) \
  X(cat)                   \
  X(chgrp)                 \
  X(chmod)                 \
  X(chown)                 \
  X(cp)                    \
  X(date)                  \
  X(install)               \
  X(ln)                    \
  X(ls)                    \
  X(mkdir)                 \
  X(mkfifo)                \
  X(mktemp)                \
  X(mv)                    \
  X(rev)                   \
  X(rm)                    \
  X(rmdir)                 \
  X(stat)                  \
  X(tac)                   \
  X(tee)                   \
  X(touch)                 \
  X(unlink)

namespace nacre::utilities {

#define X(name) int name(Context& context);
NACRE_UTILITIES(X)
#undef X

}  // namespace nacre::utilities
