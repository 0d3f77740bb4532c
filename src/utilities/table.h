// The functions behind the table of utilities: one line each.
#pragma once

#include "utilities/utility.h"

#define NACRE_UTILITIES(X) \
  X(awk)                   \
  X(basename)              \
  X(cat)                   \
  X(chgrp)                 \
  X(chmod)                 \
  X(chown)                 \
  X(cmp)                   \
  X(comm)                  \
  X(cp)                    \
  X(cut)                   \
  X(date)                  \
  X(dirname)               \
  X(dpkg)                  \
  X(egrep)                 \
  X(env)                   \
  X(expr)                  \
  X(fgrep)                 \
  X(find)                  \
  X(fold)                  \
  X(gawk)                  \
  X(grep)                  \
  X(head)                  \
  X(hostname)              \
  X(id)                    \
  X(install)               \
  X(ln)                    \
  X(logname)               \
  X(ls)                    \
  X(mawk)                  \
  X(md5sum)                \
  X(mkdir)                 \
  X(mkfifo)                \
  X(mktemp)                \
  X(mv)                    \
  X(nl)                    \
  X(nohup)                 \
  X(nproc)                 \
  X(paste)                 \
  X(printenv)              \
  X(readlink)              \
  X(realpath)              \
  X(rev)                   \
  X(rm)                    \
  X(rmdir)                 \
  X(sed)                   \
  X(seq)                   \
  X(sleep)                 \
  X(sort)                  \
  X(stat)                  \
  X(sync)                  \
  X(tac)                   \
  X(tail)                  \
  X(tee)                   \
  X(touch)                 \
  X(tr)                    \
  X(uname)                 \
  X(uniq)                  \
  X(unlink)                \
  X(wc)                    \
  X(whoami)                \
  X(xargs)                 \
  X(yes)

namespace nacre::utilities {

#define X(name) int name(Context& context);
NACRE_UTILITIES(X)
#undef X

}  // namespace nacre::utilities
