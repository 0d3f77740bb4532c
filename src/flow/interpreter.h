// Commands, as transfer functions: each takes the environment that holds before a node, leaves what
// holds after it, and returns what the command did besides (Ran). Internal to this module.
//
// Branches are both taken and joined; loops run until nothing changes, and are widened to get
// there. Whatever happens is published as an event on the way, and rules make findings of it.
#pragma once

#include <functional>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

// What is known of the last command of a sequence holds of the whole, but for the output.
Ran interpret(Run& run, const shell::Sequence& body, Environment& environment, const Io& io);
Ran interpret(Run& run, const Command& node, Environment& environment, const Io& io);
Ran interpret(Run& run, const shell::Pipeline& node, Environment& environment, const Io& io);
Ran interpret(Run& run, const shell::AndOr& node, Environment& environment, const Io& io);
// What is neither a simple command nor a pipeline (compound.cpp).
Ran interpret_compound(Run& run, const Command& node, Environment& environment, const Io& io);

// Runs `body` in a copy of the environment. What it changes is lost but for the status and the
// files, which the environment has afterwards.
Subshell run_subshell(Run& run, Environment& environment,
                      const std::function<Ran(Environment&)>& body);
// Notes which variables the stage of a pipeline or a subshell has changed in vain.
void note_lost(Run& run, const Command& stage, const Environment& inner, Environment& outer);

}  // namespace nacre::flow
