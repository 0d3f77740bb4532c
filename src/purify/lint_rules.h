// The rules of `nacre lint` that are no offers of purify: functions over a script and its facts.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "purify/calls.h"
#include "purify/profiles.h"

namespace nacre::purify {

// lint_targets.cpp: P101, P102, P104.
void find_missing(const Script& script, const std::vector<const Profile*>& targets,
                  std::vector<Diagnostic>& findings);
// lint_injection.cpp: J106, J107.
void find_injections(const Script& script, std::vector<Diagnostic>& findings);

}  // namespace nacre::purify
