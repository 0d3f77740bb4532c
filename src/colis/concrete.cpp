#include "colis/concrete.h"

#include <fmt/format.h>

#include "commands/invocation.h"
#include "simulate/scene.h"

namespace nacre::colis {

namespace {

using ConcreteAnswer = UtilityAnswer<world::FileTree>;

ConcreteAnswer one_case(ConcreteState state, UtilityResult result) {
  ConcreteAnswer answer;
  answer.cases.push_back({std::move(state), result});
  return answer;
}
ConcreteAnswer one_case(ConcreteState state, bool result) {
  return one_case(std::move(state), result ? UtilityResult::kTrue : UtilityResult::kFalse);
}

ConcreteAnswer unknown(const std::string& message, ConcreteState state,
                       const ConcreteOptions& options) {
  if (options.unknown == UnknownBehaviour::kException)
    return {{}, Abort{Abort::kUnknownUtility, message}};
  state.stdout_text += message + "\n";  // as the original: users see what was not run
  return one_case(std::move(state), options.unknown == UnknownBehaviour::kIncomplete
                                        ? UtilityResult::kIncomplete
                                        : UtilityResult::kFalse);
}

ConcreteAnswer call_simulated(const UtilityCall& call, ConcreteState state,
                              const ConcreteOptions& options) {
  if (auto result = constant_result(call)) return one_case(std::move(state), *result);
  if (call.name.empty()) return unknown("'': command not found", std::move(state), options);
  SimulatedCall run = simulate_call(call, state.files, state.context.cwd,
                                    filter(state.context.vars), state.stdin_text, options.fuel);
  if (!run.is_known) return unknown(run.unknown, std::move(state), options);
  constexpr uint64_t kStepsOfAStart = 50;
  constexpr size_t kBytesAStep = 64;
  const uint64_t steps = kStepsOfAStart + run.fuel_used / 2 +
                         (run.output.size() + state.stdin_text.size()) / kBytesAStep;
  state.files = std::move(run.tree);
  state.stdin_text = std::move(run.rest_of_input);
  state.stdout_text += run.output;
  if (!run.errors.empty()) state.log.push_back(run.errors);
  if (!run.is_finished) {
    state.log.push_back(
        fmt::format("[INCOMPLETE] {} was stopped after {} steps", call.name, options.fuel));
    return one_case(std::move(state), UtilityResult::kIncomplete);
  }
  ConcreteAnswer answer = one_case(std::move(state), run.status == 0);
  answer.steps = steps;
  return answer;
}

// --- the utilities of the original's concrete interpreter

std::string joined(const std::vector<std::string>& words, size_t from) {
  std::string result;
  for (size_t i = from; i < words.size(); ++i) result += (i > from ? " " : "") + words[i];
  return result;
}

bool grep_lines(const std::string& word, ConcreteState& state) {
  bool is_found = false;
  const std::string text = std::exchange(state.stdin_text, "");
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.find(word) != std::string::npos) {
      is_found = true;
      state.stdout_text += line + "\n";
    }
    begin = end + 1;
  }
  return is_found;
}

ConcreteAnswer call_original(const UtilityCall& call, ConcreteState state,
                             const ConcreteOptions& options) {
  const std::vector<std::string>& words = call.arguments;
  if (call.name == "true" || call.name == ":") return one_case(std::move(state), true);
  if (call.name == "false") return one_case(std::move(state), false);
  if (call.name == "echo") {
    const bool has_newline = words.empty() || words[0] != "-n";
    state.stdout_text += joined(words, has_newline ? 0 : 1) + (has_newline ? "\n" : "");
    return one_case(std::move(state), true);
  }
  if (call.name == "env" && words.empty()) {
    for (const std::string& one : filter(state.context.vars)) state.stdout_text += one + "\n";
    return one_case(std::move(state), true);
  }
  if (call.name == "grep" && words.size() == 1) {
    const bool is_found = grep_lines(words[0], state);
    return one_case(std::move(state), is_found);
  }
  if (call.name == "test") {
    if (words.size() == 3 && (words[1] == "=" || words[1] == "!="))
      return one_case(std::move(state), (words[0] == words[2]) == (words[1] == "="));
    return unknown("test: arguments different from . = . and . != .", std::move(state), options);
  }
  if (call.name == "dpkg") return call_simulated(call, std::move(state), options);
  return unknown(call.name + ": command not found", std::move(state), options);
}

}  // namespace

namespace {

// Whether it tells which commands there are, and runs none: that one is not found is an answer.
bool only_asks(const UtilityCall& call) {
  const commands::Card* card = simulate::builtin_library().find(call.name);
  if (card == nullptr) return false;
  regular::Context context;
  return commands::parse_words(context, *card, {}, call.arguments)
             .property(commands::CardKey::kAsks) != nullptr;
}

}  // namespace

std::optional<bool> constant_result(const UtilityCall& call) {
  if (call.name == "true" || call.name == ":") return true;
  if (call.name == "false") return false;
  return std::nullopt;
}

SimulatedCall simulate_call(const UtilityCall& call, const world::FileTree& tree,
                            const std::string& cwd, const std::vector<std::string>& environment,
                            const std::string& input, uint64_t fuel) {
  SimulatedCall result;
  simulate::Scene scene;
  scene.tree = tree;
  scene.environment = environment;
  const auto is_path = [](const std::string& one) { return one.starts_with("PATH="); };
  if (std::none_of(environment.begin(), environment.end(), is_path))
    scene.environment.emplace_back("PATH=/usr/bin");
  scene.limits.fuel = fuel;
  scene.script_name = call.name;
  scene.script = "\"$0\" \"$@\"";
  scene.arguments = {call.name};
  scene.arguments.insert(scene.arguments.end(), call.arguments.begin(), call.arguments.end());
  size_t taken = 0;
  scene.input = std::make_shared<world::Stream>();
  scene.input->read = [&](char* buffer, size_t size) {
    const size_t count = std::min(size, input.size() - taken);
    std::copy_n(input.data() + taken, count, buffer);
    taken += count;
    return count;
  };
  auto into = [](std::string& text) {
    auto stream = std::make_shared<world::Stream>();
    stream->write = [&text](std::string_view piece) { text += piece; };
    return stream;
  };
  if (simulate::enter(scene, cwd) < 0) simulate::enter(scene, "/");
  std::vector<std::string> not_modelled;
  world::Simulation simulation(scene.tree, scene.limits,
                               simulate::make_loader(simulate::NoObserver{}, scene, &not_modelled));
  world::Process& shell =
      simulation.start(scene.actor, scene.input, into(result.output), into(result.errors));
  simulation.load(shell, simulate::invocation_of(scene), "/proc/self/exe");
  const world::Ending ending = simulation.run();
  constexpr int kNotFound = 127, kBySignal = 128;
  if (const auto& exit = simulation.first_exit())
    result.status =
        exit->kind == world::ChildEvent::kExited ? exit->value : kBySignal + exit->value;
  const bool has_card = simulate::builtin_library().find(call.name) != nullptr;
  if (!not_modelled.empty())
    result.unknown =
        has_card ? not_modelled.front() + ": not simulated" : call.name + ": command not found";
  else if (result.status == kNotFound && !only_asks(call))
    result.unknown =
        call.name + (has_card ? ": it runs a command that is not found" : ": command not found");
  result.is_known = result.unknown.empty();
  result.is_finished = ending == world::Ending::kFinished && !simulation.memory_ran_out();
  result.asked_the_time = simulation.clock_reads > 0;
  result.fuel_used = fuel - simulation.fuel_left();
  result.rest_of_input = input.substr(taken);
  result.tree = simulation.tree();
  return result;
}

Context initial_context(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& variables) {
  Context context;
  context.arguments = arguments;
  for (const std::string& text : variables) {
    const size_t equals = text.find('=');
    context.vars[text.substr(0, equals)] = {text.substr(equals + 1), true};
  }
  return context;
}

Utilities<world::FileTree> concrete_utilities(const ConcreteOptions& options) {
  return [options](const UtilityCall& call, ConcreteState state) {
    return options.is_original ? call_original(call, std::move(state), options)
                               : call_simulated(call, std::move(state), options);
  };
}

ConcreteRun run_concrete(const Program& program, const std::string& argument0, ConcreteState state,
                         const ConcreteOptions& options) {
  const Utilities<world::FileTree> utilities = concrete_utilities(options);
  Interpreter<world::FileTree> interpreter(utilities, options.bounds, {options.is_original, {}});
  Input input;
  input.argument0 = argument0;
  input.loop_limit = options.loop_limit;
  input.stack_size = options.stack_size;
  auto outcomes = interpreter.run(program, input, std::move(state));
  ConcreteRun run;
  run.abort = interpreter.aborted();
  if (!run.abort && !outcomes.empty()) run.outcome = std::move(outcomes.front());
  return run;
}

}  // namespace nacre::colis
