// Calls of functions. A body is interpreted with the arguments and the state of each call, as often
// and as deep as the options allow; a call beyond that may do whatever the text of the function,
// and of those that it may call, could do to the variables of its caller. Internal to this module.
#pragma once

#include <set>
#include <vector>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

Ran call_function(Run& run, Call& call, const shell::Function& function);
// Any of the functions that the name may call here, or none of them.
Ran call_any(Run& run, Call& call, Definition definition);
// `"$@"`, `$callback`: any of the functions that have a name like that. That one of them empties
// what the script relies on is not assumed; nor that a word which nothing is known of names one.
void call_unnamed(Run& run, const commands::Argument& name, Environment& environment);

// What its own text may do to the variables of its caller.
const FunctionEffects& effects_of(Run& run, const shell::Function& function);
// With all functions that these may call.
std::vector<const shell::Function*> reached_from(Run& run, std::set<const shell::Function*> found);

}  // namespace nacre::flow
