// What holds of a script in every world, one property at a time: proved, refuted with a witness,
// or open with the reason. A proof says what it assumes; a refutation was run, or names the input
// and the place. Nothing is guessed: what neither is shown stays open.
//
//   for (const Finding& each : verify(file, cards, {})) print(each.property, each.verdict);
//
// Assumptions of every proof: PATH, IFS and the like are ordinary; there is room on the disk;
// nothing else runs at the same time (but for `toctou`); different names are not links to one
// another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/property.h"
#include "base/source_file.h"
#include "commands/card_library.h"

namespace nacre::prove {

using Finding = Property;

struct VerifyOptions {
  std::string user = "user";            // of idempotence-user
  size_t runs = 250;                    // of each exploration
  size_t worlds = 40;                   // that the script leaves and is run again in
  std::vector<std::string> properties;  // empty: all of them
};

[[nodiscard]] std::vector<Finding> verify(const SourceFile& file,
                                          const commands::CardLibrary& cards,
                                          const VerifyOptions& options);
// Whether `file` does what `original` does: `preservation`.
[[nodiscard]] Finding preserves(const SourceFile& file, const SourceFile& original,
                                const commands::CardLibrary& cards, size_t worlds);

}  // namespace nacre::prove
