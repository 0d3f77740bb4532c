// `nacre run`: one script, on this system or in a simulated world.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "cli/print_changes.h"
#include "cli/scene_options.h"
#include "simulate/trace.h"
#include "terminal/shell_main.h"

namespace nacre::cli {
namespace {

constexpr Option kOptions[] = {
    kWorldOption,
    kRootOption,
    kUserOption,
    kSceneOption,
    kFuelOption,
    {"diff", 'd', "", "simulated: print what the script would have changed"},
    {"json", 'j', "", "simulated: print output, status and changed files as JSON"},
};

constexpr std::string_view kDescription =
    R"(Runs the script FILE with its ARGUMENTS, as `nacre sh FILE` does.

With `--world simulated` (or any option that is about it) the script runs in a simulated POSIX
world: files, owners and permissions, processes, pipes, signals, a clock, and models of the common
utilities. Nothing of this system is touched. Without --root the world is a small system with the
users root, user and nobody; the script is run by `user` in /home/user. With --root the world starts
as a snapshot of DIR, and the script is run by you.

The exit status is the script's; 125 if a command was not modelled or the fuel ran out.)";

int run_simulated(const ScriptCall& call) {
  auto scene = make_scene(call);
  if (!scene) {
    fmt::print(stderr, "nacre run: {}\n", scene.error().message);
    return kUsage;
  }
  scene->input = host_input();
  if (call.options.has("json")) {
    simulate::Outcome outcome = simulate::play(*scene);
    fmt::print("{}", simulate::outcome_json(*scene, outcome));
    return simulate::describe(outcome, *scene).empty() ? outcome.status : utilities::kNotModelled;
  }
  scene->output = host_output(1);
  scene->errors = host_output(2);
  simulate::Outcome outcome = simulate::play(*scene);
  if (call.options.has("diff")) fmt::print("{}", describe_changes(scene->tree, outcome.tree));
  std::string trouble = simulate::describe(outcome, *scene);
  if (trouble.empty()) return outcome.status;
  fmt::print(stderr, "nacre run: {}\n", trouble);
  return utilities::kNotModelled;
}

int run_run(int argc, char** argv);

constexpr Verb kVerb = {.name = "run",
                        .summary = "run a script, also in a simulated world",
                        .operands = "FILE [ARGUMENT...]",
                        .description = kDescription,
                        .options = kOptions,
                        .run_raw = run_run};

int run_run(int argc, char** argv) {
  auto call = parse_script_call(kVerb, argc, argv);
  if (!call) {
    fmt::print(stderr, "nacre run: {}\nTry `nacre help run`.\n", call.error().message);
    return kUsage;
  }
  if (!*call) return kClean;
  const Arguments& options = (*call)->options;
  bool wants_simulation = options.value("world") == "simulated";
  for (std::string_view name : {"root", "user", "scene", "fuel", "diff", "json"})
    wants_simulation |= options.has(name);
  if (wants_simulation && options.value("world") == "system") {
    fmt::print(
        stderr,
        "nacre run: --root, --user, --scene, --fuel, --diff and --json need --world simulated\n");
    return kUsage;
  }
  if (wants_simulation) return run_simulated(**call);
  std::vector<char*> words = {argv[0], (*call)->file.data()};
  for (std::string& argument : (*call)->arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  return terminal::shell_main(static_cast<int>(words.size()) - 1, words.data());
}

}  // namespace

const Verb& run_verb() { return kVerb; }

}  // namespace nacre::cli
