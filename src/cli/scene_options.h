// What `run` and `step` have in common: which world a script runs in, and the split of the command
// line into the verb's options and the script with its arguments.
#pragma once

#include "base/result.h"
#include "cli/verb.h"
#include "simulate/scene.h"

namespace nacre::cli {

constexpr Option kWorldOption = {"world", 'w', "system|simulated",
                                 "run on this system or in a simulated one"};
constexpr Option kRootOption = {"root", 'r', "DIR",
                                "simulated: use a snapshot of DIR as /; DIR is never written"};
constexpr Option kUserOption = {"user", 'u', "NAME", "simulated: user to run the script as"};
constexpr Option kSceneOption = {"scene", 's', "FILE",
                                 "simulated: the world of an outcome of `nacre explore --save`"};
constexpr Option kFuelOption = {"fuel", 'n', "N", "simulated: stop after N steps"};

// The verb's own options and FILE, parsed; then what belongs to the script.
struct ScriptCall {
  Arguments options;
  std::string file;
  std::vector<std::string> arguments;
};

// nullopt: `--help` was asked for and printed.
Result<std::optional<ScriptCall>> parse_script_call(const Verb& verb, int argc, char** argv);

// The simulated world that the options describe, with the script to run: its text is read from the
// host (`-`: from standard input).
Result<simulate::Scene> make_scene(const ScriptCall& call);

// Standard input of this process, and its two outputs.
std::shared_ptr<world::Stream> host_input();
std::shared_ptr<world::Stream> host_output(int fd);

}  // namespace nacre::cli
