// Turns the words after a verb into Arguments, by the option table of the verb.
#pragma once

#include "base/result.h"
#include "cli/verb.h"

namespace nacre::cli {

// Accepts --name VALUE, --name=VALUE, -lVALUE, -l VALUE, bundled flags and `--`. The error is one
// line for people, with a suggestion for a misspelt option. `--help` and `-h` give no value and no
// error: nullopt.
Result<std::optional<Arguments>> parse(const Verb& verb, int argc, const char* const* argv);

}  // namespace nacre::cli
