// The help texts, made from the verb table.
#pragma once

#include "cli/verb.h"

namespace nacre::cli {

std::string overview();
std::string help_of(const Verb& verb);
// "nacre check [OPTIONS] FILE..."
std::string synopsis(const Verb& verb);
// "-f, --format text|gcc|json"
std::string spelling(const Option& option);

// The options that every verb has beside its own (--help).
std::span<const Option> shared_options();
// The options that stand in the place of a verb (--help, --version).
std::span<const Option> global_options();

}  // namespace nacre::cli
