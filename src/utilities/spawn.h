// Running another command from a utility (env, xargs, find -exec, awk).
#pragma once

#include "utilities/utility.h"

namespace nacre::utilities {

// Where `name` is found in PATH; empty if nowhere.
[[nodiscard]] std::string find_program(Context& context, const std::string& name);
// The status as a shell shows it: 127 if there is no such command, 126 if it cannot be run.
int run_command(Context& context, const std::vector<std::string>& arguments);
// Becomes the command; returns only 126 or 127.
int exec_command(Context& context, const std::vector<std::string>& arguments);
// Starts it, with descriptors moved; -errno.
world::Pid start_command(Context& context, const std::vector<std::string>& arguments,
                         std::span<const world::FdMove> moves = {});
int wait_for(Context& context, world::Pid pid);

}  // namespace nacre::utilities
