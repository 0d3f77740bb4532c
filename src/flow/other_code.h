// Code that is not in the script as code: what `eval` and `trap` are given, and files that are
// sourced. Internal to this module.
//
// A constant text that the script holds is interpreted in its place. The places of other code (a
// sourced file, a text put together by the script) are all that of the command which runs it, and
// nothing is reported there: a file is checked when it is given itself.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

// Runs code whose places are not the script's: nothing is reported.
Ran run_elsewhere(Run& run, const std::function<Ran()>& body);

// The body of a function, parsed when it is first needed: libraries have many functions and scripts
// call few of them. Null if it is not valid.
const Command* body_of(Run& run, const shell::Function& function);
// The code in the words of a command that the script holds; null if there is none.
const shell::Tree* embedded_in(Run& run, const Command& node, shell::EmbeddedKind kind);

// Runs the traps of the frame at hand, when its shell ends, whichever way; its status is that with
// which they `exit`. The result is what they print.
Stream run_traps(Run& run, Environment& last, const Io& io);

// How the path that a substitution prints is reached from the script's directory: dirname X,
// readlink -f X, realpath X, and `cd X && pwd`.
std::optional<std::string> own_path_printed(Run& run, const shell::Sequence& body,
                                            const Environment& environment);

}  // namespace nacre::flow
