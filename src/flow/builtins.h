// The builtins that change the state of the shell. Each sets the status itself. Internal to this
// module.
#pragma once

#include <string_view>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

using Builtin = Ran (*)(Run& run, Call& call);
// Null if the builtin changes nothing, or if there is none.
Builtin find_builtin(std::string_view name);

// declare, local, export and readonly (builtins_declare.cpp).
Ran run_declare(Run& run, Call& call);
Ran run_local(Run& run, Call& call);
Ran run_export(Run& run, Call& call);
// Those that give variables their values (builtins_variables.cpp).
Ran run_read(Run& run, Call& call);
Ran run_mapfile(Run& run, Call& call);
Ran run_getopts(Run& run, Call& call);
Ran run_printf(Run& run, Call& call);
Ran run_shift(Run& run, Call& call);
Ran run_unset(Run& run, Call& call);
Ran run_let(Run& run, Call& call);
// Those that run code (other_code.cpp).
Ran run_eval(Run& run, Call& call);
Ran run_source(Run& run, Call& call);
Ran run_trap(Run& run, Call& call);

// `#!/bin/sh -e`: a file that is run as a program is run so.
void inherit_options(Run& run, Environment& environment);

}  // namespace nacre::flow
