// The table of all signals that bash prints for `trap -l` and `kill -l`: five columns.
#pragma once

namespace nacre::machine {

struct Machine;

int list_signal_names(Machine& machine);  // returns 0, a status

}  // namespace nacre::machine
