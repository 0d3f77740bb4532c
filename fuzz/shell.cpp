// Any bytes, in every dialect: parsing ends, the tree prints as the text, a text written anew from
// the tree of a text without mistakes is valid, the incremental reader sees the same verdict, and
// bodies of functions that are read later are the same.
// The first byte picks the dialect. Also built with AFL++ (`./dev fuzz shell 60 afl`).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "shell/parse.h"
#include "shell/print.h"
#include "shell/reader.h"
#include "shell/testing/deferral.h"

namespace {

using namespace nacre;
using namespace nacre::shell;

void require(bool holds) {
  if (!holds) std::abort();
}

// Also where only a running shell would notice: such parts of the tree are broken. What ksh lacks
// is no mistake between back-quotes, but it is in the $( ) that they become.
bool has_mistake(const ParseResult& result, Dialect dialect) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [dialect](const Diagnostic& each) {
                       return each.code.starts_with('S') || dialect == Dialect::kKsh;
                     });
}

// Delimiters of here-documents and lines that go on are the two things that a text written anew
// may have to say otherwise, and where strange ones are not put right.
bool can_be_written_anew(const ParseResult& result, Dialect dialect) {
  const std::string_view text = result.tree.file().bytes();
  return result.is_valid() && !has_mistake(result, dialect) && text.find("<<") == text.npos &&
         text.find("\\\n") == text.npos;
}

void check_reader(const SourceFile& file, Dialect dialect, bool is_valid) {
  CommandReader reader(file);
  ParseOptions options;
  options.dialect = dialect;
  ReadResult read = reader.next(options);
  while (read.status == ReadStatus::kCommand) read = reader.next(options);
  require((read.status == ReadStatus::kEnd) == is_valid);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kDialects = static_cast<size_t>(Dialect::kBusybox) + 1;
  if (size == 0) return 0;
  const auto dialect = static_cast<Dialect>(data[0] % kDialects);
  const SourceFile file("fuzz", std::string(data + 1, data + size));
  const ParseResult result = parse_file(file, dialect);
  require(print(result.tree) == file.bytes());
  if (can_be_written_anew(result, dialect)) {
    const std::string source = to_source(result.tree.program());
    require(parse_file(SourceFile("source", source), dialect).is_valid());
  }
  check_reader(file, dialect, result.is_valid());
  if (!result.is_valid() || has_mistake(result, dialect)) return 0;
  size_t deferred = 0;
  require(defers_faithfully(result, {.dialect = dialect}, deferred));
  const BodyIndex bodies(result.tree.file(), dialect);
  require(defers_faithfully(result, {.dialect = dialect}, deferred, &bodies));
  return 0;
}
