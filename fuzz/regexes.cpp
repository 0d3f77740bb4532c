// Every regex front end on any text: the first two bytes choose it and its options, the rest is the
// pattern. Parsing and lowering must end, within their budgets, and agree on what a span is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "regular/lower.h"
#include "regular/parse_awk.h"
#include "regular/parse_glob.h"
#include "regular/parse_pcre.h"
#include "regular/parse_posix.h"
#include "regular/parse_python.h"
#include "regular/parse_type.h"

namespace {

using namespace nacre;
using namespace nacre::regular;

constexpr Budget kBudget{.steps = 20'000, .states = 500};

Result<Regex> parse(uint8_t kind, uint8_t bits, std::string_view pattern) {
  const bool first = (bits & 1) != 0;
  const bool second = (bits & 2) != 0;
  const Alphabet alphabet = (bits & 4) != 0 ? Alphabet::kCodePoints : Alphabet::kBytes;
  const auto bounds = static_cast<GrepBounds>((bits >> 3) % 3);
  switch (kind % 5) {
    case 0:
      return parse_posix(pattern, {.is_extended = first,
                                   .tool = static_cast<PosixTool>((bits >> 5) % 3),
                                   .folds_case = second,
                                   .is_multiline = (bits & 128) != 0,
                                   .bounds = bounds,
                                   .alphabet = alphabet});
    case 1:
      return parse_awk(
          pattern,
          {.awk = first ? Awk::kMawk : Awk::kGawk, .folds_case = second, .alphabet = alphabet});
    case 2:
      return parse_pcre(pattern, {.folds_case = second, .bounds = bounds, .alphabet = alphabet});
    case 3:
      return parse_python(pattern, {.ignore_case = first,
                                    .multiline = second,
                                    .verbose = (bits & 8) != 0,
                                    .is_bytes = (bits & 16) != 0});
    default:
      return parse_glob(pattern, {.shell = first ? GlobShell::kPosix : GlobShell::kBash,
                                  .use = second ? GlobUse::kPathname : GlobUse::kString,
                                  .has_extglob = (bits & 8) != 0,
                                  .has_dotglob = (bits & 16) != 0,
                                  .folds_case = (bits & 32) != 0,
                                  .alphabet = alphabet});
  }
}

void check_span(Span span, size_t size) {
  if (span.begin > span.end || span.end > size) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2 || size > 4096) return 0;
  const std::string_view pattern(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (data[0] % 6 == 5) {
    Context cx((data[1] & 1) != 0 ? Alphabet::kCodePoints : Alphabet::kBytes);
    const auto type = parse_type(cx, pattern, {.lookup = {}, .budget = kBudget});
    if (!type) check_span(type.error().span, pattern.size());
    return 0;
  }
  const auto regex = parse(static_cast<uint8_t>(data[0] % 6), data[1], pattern);
  if (!regex) {
    check_span(regex.error().span, pattern.size());
    return 0;
  }
  for (uint32_t i = 0; i < regex->size(); ++i) {
    check_span(regex->span(static_cast<NodeId>(i)), pattern.size());
  }
  const bool is_python = data[0] % 6 == 3 && regex->alphabet == Alphabet::kCodePoints;
  Context cx(is_python ? Alphabet::kCodePoints : Alphabet::kBytes);
  for (Match match : {Match::kWhole, Match::kContains}) {
    const auto language = lower(cx, *regex,
                                {.match = match,
                                 .back_references = BackReferences::kWiden,
                                 .utf8 = (data[1] & 64) != 0 ? Utf8::kLoose : Utf8::kStrict,
                                 .budget = kBudget});
    if (language) contains(*language, "ab c\n1");
  }
  return 0;
}
