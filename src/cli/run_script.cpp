// `nacre run`: one script, on this system or in a simulated world.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/print_changes.h"
#include "cli/scene_options.h"
#include "cli/watchdog.h"
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
    {"diff", 'd', "", "simulated: print the files that the script would change"},
    {"json", 'j', "", "simulated: print output, status and changed files as JSON"},
};

constexpr std::string_view kDescription =
    R"(Runs the script FILE with its ARGUMENTS, as `nacre sh FILE` does.

With `--world simulated` (or any option below) the script runs in a simulated POSIX
world: files, owners and permissions, processes, pipes, signals, a clock, and models of the common
utilities. The real system is not touched. Without --root the world is a small system with the
users root, user and nobody; the script runs as `user` in /home/user. With --root the world starts
as a snapshot of DIR, and the script runs as you.

The exit status is the script's; 125 if a command has no model or the step limit was reached.)";

int run_simulated(const ScriptCall& call) {
  auto scene = make_scene(call);
  if (!scene) return complain("run", scene.error().message);
  scene->input = host_input();
  watchdog::start(0, nullptr);
  const watchdog::Subject subject(call.file);
  if (call.options.has("json")) {
    simulate::Outcome outcome = simulate::play(*scene);
    fmt::print("{}", simulate::outcome_json(*scene, outcome));
    return simulate::describe(outcome, *scene).empty() ? outcome.status : utilities::kNotModelled;
  }
  scene->output = host_output(1);
  scene->errors = host_output(2);
  simulate::Outcome outcome = simulate::play(*scene);
  if (call.options.has("diff")) print_text(describe_changes(scene->tree, outcome.tree));
  std::string trouble = simulate::describe(outcome, *scene);
  if (trouble.empty()) return outcome.status;
  complain("run", trouble);
  return utilities::kNotModelled;
}

int run_run(int argc, char** argv);

constexpr Verb kVerb = {.name = "run",
                        .summary = "run a script on this system or in a simulated world",
                        .operands = "FILE [ARGUMENT...]",
                        .description = kDescription,
                        .options = kOptions,
                        .run_raw = run_run};

int run_run(int argc, char** argv) {
  auto call = parse_script_call(kVerb, argc, argv);
  if (!call) return complain_about_usage("run", call.error().message);
  if (!*call) return kClean;
  const Arguments& options = (*call)->options;
  bool wants_simulation = options.value("world") == "simulated";
  for (std::string_view name : {"root", "user", "scene", "fuel", "diff", "json"})
    wants_simulation |= options.has(name);
  if (wants_simulation && options.value("world") == "system") {
    return complain("run",
                    "--root, --user, --scene, --fuel, --diff and --json need --world simulated");
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
