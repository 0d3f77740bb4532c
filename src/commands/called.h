// Commands that run other commands with arguments of their own making: xargs, find -exec, env,
// timeout. What the called one prints is what they print.
#pragma once

#include <vector>

#include "commands/behaviour.h"

namespace nacre::commands {

struct Call {
  std::vector<Argument> words;  // the command and its arguments
  // How often the last of `words` may stand there: xargs gives as many as fit.
  bool repeats_last = false;
};

// Null if the command has none, or its name is not constant.
const Card* card_of_call(const Call& call, const Surroundings& around);

// What one run of it prints, given `input`; anything if the command has no card. Problems with its
// arguments are added to `problems`.
Stream output_of_call(const Call& call, const Surroundings& around, const Stream& input,
                      std::vector<Problem>& problems);

// Any number of such runs, one after the other.
Stream repeated_calls(const Stream& once);

}  // namespace nacre::commands
