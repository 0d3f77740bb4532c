#include <malloc.h>

#include "cli/run.h"

int main(int argc, char** argv) {
  // Tables grow and shrink often, and pages that were returned to the kernel are zeroed again at
  // the next use: keep them.
  constexpr int kMaxBlock = 1 << 30, kMaxTop = 1 << 30, kStep = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMaxBlock);
  mallopt(M_TRIM_THRESHOLD, kMaxTop);
  mallopt(M_TOP_PAD, kStep);
  return nacre::cli::run(argc, argv);
}
