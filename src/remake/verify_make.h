// Properties of a Makefile, tried out in a simulated world: whether a second make does nothing,
// whether it fails or changes files, and whether the orders that `-j` allows lead to the same
// files. A refutation is shown by the run that is its witness; that nothing was found is no proof.
#pragma once

#include <string>
#include <vector>

#include "remake/run_make.h"

namespace nacre::remake {

enum class Verdict : uint8_t {
  kHolds,    // in every run that was tried
  kRefuted,  // `witness` says how
  kOpen,     // the first make failed, or `witness` says what is not known
};

struct MakeProperty {
  std::string_view name;  // "second-make", "idempotence", "parallel"
  Verdict verdict = Verdict::kOpen;
  std::string witness;
};

struct MakeReport {
  MakeOutcome first;
  std::vector<MakeProperty> properties;
};

struct VerifyOptions {
  unsigned jobs = 4;
  unsigned schedules = 12;  // orders that are tried
};

[[nodiscard]] MakeReport verify_make(const SourceFile& makefile, const simulate::Scene& scene,
                                     const commands::CardLibrary& cards, const MakeCall& call,
                                     const VerifyOptions& options = {});

[[nodiscard]] std::string_view name_of(Verdict verdict);

}  // namespace nacre::remake
