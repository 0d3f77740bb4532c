// A script in a simulated world: what it starts with, running it, and what came of it.
//
//   Scene scene = default_scene();                     // or one of your own
//   scene.arguments = {"sh", "-c", "echo hi"};
//   Outcome outcome = play(scene);                     // touches nothing of the host
//   outcome.status, outcome.output, outcome.tree, describe(outcome, scene)
#pragma once

#include <optional>

#include "simulate/shell_program.h"
#include "world/simulation.h"

namespace nacre::simulate {

// What a command without a model does, where the user says so.
struct StubResult {
  int status = 0;
  std::string output;
};
// By all of its words; nothing: it is not modelled.
using Stub = std::function<std::optional<StubResult>(const std::vector<std::string>& words)>;

struct Scene {
  world::FileTree tree;
  world::Actor actor;
  std::vector<std::string> environment;         // NAME=value
  std::vector<std::string> arguments = {"sh"};  // of the shell
  // Not empty: the shell runs `script` under this name, with `arguments` as $0, $1, ...
  std::string script_name;
  std::string script;
  std::vector<std::string> options;  // of the shell that runs `script`: -e
  Stub stub;
  world::Limits limits;
  bool fine_steps = false;
  // Where input comes from and output goes to; by default nothing, and into the Outcome.
  std::shared_ptr<world::Stream> input;
  std::shared_ptr<world::Stream> output;
  std::shared_ptr<world::Stream> errors;
};

struct Outcome {
  world::Ending ending = world::Ending::kFinished;
  int status = 0;  // as $? would show it; meaningful if the first process has ended
  bool has_ended = false;
  bool memory_ran_out = false;
  std::string output;
  std::string errors;
  world::FileTree tree;
  std::vector<std::string> not_modelled;  // commands, in their order
  uint64_t fuel_used = 0;
};

// A small system: the usual directories, devices, users root, user (1000) and nobody, the utilities
// in /usr/bin. The actor is `user` in /home/user; the clock starts with 2026.
[[nodiscard]] Scene default_scene();
// Adds what every system has where it is missing: the usual directories and devices, users, the
// utilities.
void complete_system(world::FileTree& tree);
// "root", a name of /etc/passwd or a number; false if there is no such user.
bool become(Scene& scene, const std::string& user);
// Makes `path` the working directory; 0 or -errno.
int enter(Scene& scene, const std::string& path);

[[nodiscard]] Outcome play(const Scene& scene);
// `observer` is called after each step of a shell (shell_program.h).
template <typename Observer>
[[nodiscard]] Outcome play(const Scene& scene, Observer observer);
// How the first shell is called.
[[nodiscard]] world::Invocation invocation_of(const Scene& scene);
// Nothing if all went well; otherwise one sentence.
[[nodiscard]] std::string describe(const Outcome& outcome, const Scene& scene);

// Runs utilities, the shell (with `observer`), what cards tell (`does`, `acts`), and for builtins
// that are also programs the shell.
template <typename Observer>
[[nodiscard]] world::ProgramLoader make_loader(Observer observer, const Scene& scene,
                                               std::vector<std::string>* not_modelled);

}  // namespace nacre::simulate

#include "simulate/loader.h"
