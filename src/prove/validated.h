// Purify, and then look whether it was right: the rewrites that claim to change nothing are made
// alone and both texts are run in simulated worlds. A difference is traced to the rewrites that
// make it; they are withdrawn, and the world is the witness. A withdrawal means that an obligation
// was wrong: it is counted, and should never happen.
#pragma once

#include "prove/validate.h"
#include "purify/purify.h"

namespace nacre::prove {

struct Withdrawal {
  Rewrite rewrite;
  Difference difference;
};

struct Validated {
  Purified purified;
  std::vector<Withdrawal> withdrawn;
  Comparison comparison;  // of the text with equal rewrites alone
  size_t equal = 0;       // rewrites that were validated
};

[[nodiscard]] Validated purify_validated(const SourceFile& file, const purify::Settings& settings,
                                         const commands::CardLibrary& cards, size_t worlds);

// Every rewrite with its obligations, what was run, what was uninterpreted.
[[nodiscard]] std::string proof_json(const SourceFile& file, const Validated& validated);

}  // namespace nacre::prove
