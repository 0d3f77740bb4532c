#include <malloc.h>

#include "cli/run.h"

int main(int argc, char** argv) {
  // Tables grow and are given back again and again; what the kernel gets back it clears once more.
  constexpr int kMostBlock = 1 << 30, kMostTop = 1 << 30, kStep = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMostBlock);
  mallopt(M_TRIM_THRESHOLD, kMostTop);
  mallopt(M_TOP_PAD, kStep);
  return nacre::cli::run(argc, argv);
}
