// Runs another program and waits for it: what the tests and benchmarks need to compare with the
// real shells. Its input and output are /dev/null; what it writes to standard error is kept.
#pragma once

#include <string>
#include <vector>

namespace nacre::shell {

struct ProcessRun {
  int status = 127;  // exit status; 128 + N if signal N ended it; 127 if it could not be started
  std::string errors;
  double cpu_seconds = 0;  // user and system
};

// The locale of the child is C, so that messages are English and bytes are bytes.
[[nodiscard]] ProcessRun run_process(const std::vector<std::string>& arguments);

// CPU seconds (user and system) that this process has used.
[[nodiscard]] double own_cpu_seconds();

}  // namespace nacre::shell
