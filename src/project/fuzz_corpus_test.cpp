// What fuzzing found worth keeping, through the whole way of a check: each text is analysed, and
// so is what its fixes make of it.
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/edits.h"
#include "base/memory_files.h"
#include "project/check.h"

namespace nacre::project {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_and_fix(std::string text) {
  const Settings settings;
  const SourceFile file("fuzz.sh", std::move(text));
  const MemoryFiles files;
  Workspace workspace(files);
  const Checked checked = check({file}, settings, workspace);
  CHECK(checked.ending != Ending::kOutOfMemory);
  const auto edits = choose_edits(file, checked.findings, FixKind::kAny);
  check({SourceFile("fuzz.sh", apply_edits(file, edits))}, settings, workspace);
}

TEST_CASE("the texts that fuzzing kept are checked to the end") {
  size_t checked = 0;
  for (const char* corpus : {"/fuzz/corpus/check", "/fuzz/corpus/shell"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(NACRE_SOURCE_DIR) + corpus)) {
      CAPTURE(entry.path().string());
      check_and_fix(contents(entry.path()));
      checked++;
    }
  }
  CHECK(checked > 300);
}

}  // namespace
}  // namespace nacre::project
