// What fuzzing found worth keeping (fuzz/corpus/shell; the first byte is the dialect): each text is
// printed as it is, and both drivers have the same verdict on it.
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include "shell/parse.h"
#include "shell/print.h"
#include "shell/reader.h"
#include "shell/testing/corpus.h"

namespace nacre::shell {
namespace {

bool reads_to_the_end(const SourceFile& file, Dialect dialect) {
  CommandReader reader(file);
  ParseOptions options;
  options.dialect = dialect;
  ReadResult read = reader.next(options);
  while (read.status == ReadStatus::kCommand) read = reader.next(options);
  return read.status == ReadStatus::kEnd;
}

TEST_CASE("the texts that fuzzing kept are printed as they are and read alike") {
  constexpr size_t kDialects = static_cast<size_t>(Dialect::kBusybox) + 1;
  for (const auto& entry :
       std::filesystem::directory_iterator(NACRE_SOURCE_DIR "/fuzz/corpus/shell")) {
    const std::string bytes = read_file(entry.path());
    if (bytes.empty()) continue;
    CAPTURE(entry.path().string());
    const auto dialect = static_cast<Dialect>(static_cast<unsigned char>(bytes[0]) % kDialects);
    const SourceFile file("fuzz", bytes.substr(1));
    const ParseResult result = parse_file(file, dialect);
    CHECK(print(result.tree) == file.bytes());
    CHECK(reads_to_the_end(file, dialect) == result.is_valid());
  }
}

}  // namespace
}  // namespace nacre::shell
