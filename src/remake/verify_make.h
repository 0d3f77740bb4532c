// Properties of a Makefile, decided by running it in a simulated world: whether a second make does
// nothing, whether it fails or changes files, whether all orders that `-j` allows lead to the same
// files, and whether the time at which it runs matters. Verdicts are about the files as they are in
// the scene. What a command without a model does is not known: where one was called, nothing that
// depends on it is decided; one that was called with `-o FILE` is assumed to write that file alone,
// and the proof says so.
#pragma once

#include <string>
#include <vector>

#include "base/property.h"
#include "remake/run_make.h"

namespace nacre::remake {

struct VerifyOptions {
  unsigned max_orders = 60;  // of recipe lines that are tried; if there are more, it stays open
  unsigned max_jobs = 32;    // recipes at once
};

struct MakeReport {
  MakeOutcome first;
  std::vector<Property> properties;  // second-make, idempotence, parallel, determinism
};

[[nodiscard]] MakeReport verify_make(const SourceFile& makefile, const simulate::Scene& scene,
                                     const commands::CardLibrary& cards, const MakeCall& call,
                                     const VerifyOptions& options = {});

}  // namespace nacre::remake
