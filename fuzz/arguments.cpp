// Programs in arguments, as `nacre check` reads them: the first byte chooses awk, sed, jq, find,
// printf, date, test, tr or grep, the rest is the program.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/memory_files.h"
#include "project/check.h"

namespace {

constexpr std::array<const char*, 10> kCommands = {
    "ps aux | awk ", "df -P | sed ", "curl -s x | jq ", "find . ",          "printf ",
    "date +",        "ls | tr a-z ", "ls | grep -E ",   "ls -l | grep -P ", "[ \"$x\" = ] || test ",
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  if (size < 1 || size > 20'000) return 0;
  std::string script = kCommands[data[0] % kCommands.size()];
  script += '\'';
  for (size_t i = 1; i < size; ++i) {
    const char c = static_cast<char>(data[i]);
    script += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  script += "' | cat\n";
  const MemoryFiles files;
  project::Workspace workspace(files);
  (void)project::check({SourceFile("fuzz.sh", script)}, {}, workspace);
  return 0;
}
