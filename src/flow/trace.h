// Where the lines come from that break something: followed back through the stages of a pipeline by
// pre-image, as far as each printed line has one origin, and from there forth again as one example.
// Internal to this module.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "flow/stage.h"

namespace nacre::flow {

struct Trace {
  // What each of the last stages prints on the way, the last one last; empty if nothing is known.
  std::vector<std::string> lines;
  // None of the lines comes from what an annotation describes, only from what it leaves open
  // (`format|~(prefix.*)`).
  bool is_undescribed = false;
};

// The way of some line of `wanted` that the last of `writers` prints.
Trace trace(std::span<const Stage> writers, Lang wanted);

// Adds the way to the diagnostic; `lines` belong to the last of `writers`.
void add_path(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> writers,
              std::span<const std::string> lines);

}  // namespace nacre::flow
