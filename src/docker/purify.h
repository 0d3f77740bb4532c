// Dockerfiles made reproducible, small and safe: fixed versions of base images, no caches in
// layers, failures that stop the build, a user that is not root. Each rewrite has its obligations
// and its class; what needs knowledge that is not in the file (another version, another user, a
// health check) is `assuming`, and the assumption is said.
//
//   Purified result = purify(file, cards, {});
//   if (result.refused.empty()) write(result.text);
//
// What the rules of this module can fix is offered as they fix it; what they only report is kept,
// with their message. A file that the builder does not accept is refused.
#pragma once

#include <vector>

#include "base/rewrite.h"
#include "commands/card_library.h"
#include "docker/facts.h"

namespace nacre::docker {

struct PurifyOptions {
  bool equal_only = false;
  unsigned max_rounds = 8;
};

[[nodiscard]] Purified purify(const SourceFile& file, const commands::CardLibrary& cards,
                              const PurifyOptions& options = {});

using Offer = void (*)(const Facts& facts, std::vector<Rewrite>& rewrites);

// purify_rules.cpp: the fixes of the rules
void offer_fixes(const Facts& facts, std::vector<Rewrite>& rewrites);
// purify_run.cpp
void offer_commands(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_quotes(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_pipefail(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_joined(const Facts& facts, std::vector<Rewrite>& rewrites);
// purify_image.cpp
void offer_pins(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_workdirs(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_user(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_health(const Facts& facts, std::vector<Rewrite>& rewrites);

}  // namespace nacre::docker
