// Commands whose status is asked for: each way in which they can go has an environment of its own.
// Internal to this module.
#pragma once

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

Tested test(Run& run, const Command& node, const Environment& before, const Io& io,
            const Listed& listed = {});
Tested test(Run& run, const shell::Sequence& body, const Environment& before, const Io& io,
            const Listed& listed = {});
Tested test_and_or(Run& run, const shell::AndOr& node, const Environment& before, const Io& io);
// The same of the condition of `if` and `while`, where errexit is off.
Tested test_as_condition(Run& run, const shell::Sequence& body, const Environment& before,
                         const Io& io, const Listed& listed = {});

// The environment by what its status may be: what success tells is known in one of the two.
Branches split_status(Run& run, Environment environment);
Environment merged(Run& run, const Branches& branches);

// The last command has succeeded: so has a `cd` if it was one, and the command in `x=$(mktemp)` has
// printed what it was asked for.
void settle_success(Run& run, Environment& environment);
// Notes what the success of the call will tell: no file has an empty name, and only commands that
// remove files may be told not to mind.
void note_implied(Run& run, const Call& call, const commands::Card& card);
// Whether the body of a substitution has printed something if it succeeds. A filter may have read
// nothing that it prints.
bool prints_on_success(Run& run, const shell::Sequence& body, const Environment& environment);

}  // namespace nacre::flow
