#include "cli/run.h"

#include <cstdio>

namespace nacre::cli {

int run(int argc, char** argv) {
  (void)argv;
  std::puts("nacre 0.1.0");
  return argc > 1 ? 3 : 0;
}

}  // namespace nacre::cli
