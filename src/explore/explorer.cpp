// The search. A run with the choices c1..ck for its first k questions takes the first answer of
// every later one. For each later question i and each other answer a, the run (choices before i,
// then a) is planned. So each leaf of the tree of decisions is run exactly once, and no run is
// planned whose questions are not known to come up. Plans are taken by the sum of their ranks and
// deviations, then in the order in which they were made.
#include "explore/explorer.h"

#include <queue>

#include "explore/watch.h"

namespace nacre::explore {

namespace {

constexpr size_t kMaxText = 4096;      // of output that a run keeps
constexpr size_t kMaxPlans = 200'000;  // that wait

std::shared_ptr<world::Stream> beginning_into(std::string& text) {
  auto stream = std::make_shared<world::Stream>();
  stream->write = [&text](std::string_view piece) {
    text += piece.substr(0, kMaxText - std::min(kMaxText, text.size()));
  };
  return stream;
}

void give_values(const Script& script, Decider& decider, simulate::Scene& scene) {
  for (const auto& [name, values] : script.unknown) {
    std::string value = decider.value_of(name, values);
    const bool is_unset = value == kUnset;
    if (name[0] >= '1' && name[0] <= '9') {
      if (!is_unset) scene.arguments.push_back(std::move(value));
    } else if (!is_unset) {
      scene.environment.push_back(name + "=" + value);
    }
  }
}

Run::End end_of(const simulate::Outcome& outcome, const Watch& watch) {
  if (watch.is_endless()) return Run::kEndless;
  if (!outcome.not_modelled.empty()) return Run::kUnmodelled;
  if (watch.is_merged()) return Run::kMerged;
  if (outcome.memory_ran_out) return Run::kTooBig;
  if (outcome.ending == world::Ending::kOutOfFuel) return Run::kTooLong;
  if (outcome.ending == world::Ending::kDeadlock) return Run::kStuck;
  return Run::kExited;
}

struct Plan {
  unsigned cost = 0;
  uint64_t order = 0;
  std::vector<size_t> choices;
  friend bool operator<(const Plan& a, const Plan& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.order > b.order;
  }
};

class Search {
 public:
  explicit Search(const Budget& budget) : budget_(budget) { plans_.push({}); }

  bool next(std::vector<size_t>& choices) {
    if (plans_.empty()) return false;
    choices = plans_.top().choices;
    plans_.pop();
    return true;
  }
  [[nodiscard]] size_t waiting() const { return plans_.size(); }

  // Plans the other answers to the questions from `first` on.
  void plan(const std::vector<Decision>& decisions, size_t first, std::set<std::string>& bounds) {
    unsigned cost = 0;
    unsigned rank = 0;
    std::vector<size_t> taken;
    for (size_t i = 0; i < decisions.size(); ++i) {
      const Decision& decision = decisions[i];
      if (i >= first) branch(decision, taken, cost, rank, bounds);
      taken.push_back(decision.chosen);
      cost += (decision.chosen > 0 ? 1 : 0) + decision.answer().rank;
      rank += decision.answer().rank;
    }
  }

 private:
  void branch(const Decision& decision, const std::vector<size_t>& taken, unsigned cost,
              unsigned rank, std::set<std::string>& bounds) {
    for (size_t other = decision.chosen + 1; other < decision.answers.size(); ++other) {
      const unsigned more = decision.answers[other].rank;
      if (rank + more > budget_.max_rank) {
        bounds.insert("worlds with several very unlikely files");
        continue;
      }
      if (plans_.size() >= kMaxPlans) {
        bounds.insert("more possibilities than are kept in memory");
        return;
      }
      Plan plan{cost + 1 + more, ++order_, taken};
      plan.choices.push_back(other);
      plans_.push(std::move(plan));
    }
  }

  const Budget& budget_;
  uint64_t order_ = 0;
  std::priority_queue<Plan> plans_;
};

}  // namespace

namespace {

// `known` may be null.
Run run_watched(const Script& script, const World& start, const Budget& budget,
                std::vector<size_t> choices, KnownStates* known) {
  Run run;
  DecideLimits limits;
  limits.is_deep = script.is_deep;
  limits.user = script.actor.user;
  limits.group = script.actor.group;
  limits.home = script.home;
  limits.file_mode = script.file_mode;
  limits.has_open_lines = script.has_open_lines;
  Decider decider(script.expected, limits, start.memory, std::move(choices));
  simulate::Scene scene;
  scene.tree = start.tree;
  scene.tree.set_oracle(&decider);
  scene.actor = script.actor;
  scene.environment = script.environment;
  scene.script_name = script.name;
  scene.script = script.text;
  scene.options = script.options;
  scene.arguments = {script.name};
  scene.arguments.insert(scene.arguments.end(), script.arguments.begin(), script.arguments.end());
  give_values(script, decider, scene);
  scene.limits.fuel = budget.steps_of_run;
  scene.limits.memory = size_t{64} << 20;
  scene.output = beginning_into(run.output);
  scene.errors = beginning_into(run.errors);
  scene.stub = [&](const std::vector<std::string>& words) { return decider.result_of(words); };
  Watch watch(known);
  simulate::Outcome outcome = simulate::play(scene, Watch::Observer{&watch, &decider});
  run.end = end_of(outcome, watch);
  run.status = outcome.status;
  run.last = watch.last();
  run.lines = watch.lines();
  run.changed = watch.changed(outcome.tree.version());
  run.not_modelled = std::move(outcome.not_modelled);
  run.decisions = decider.decisions();
  run.bounds = decider.bounds();
  for (const Decision& decision : run.decisions) {
    run.rank += decision.answer().rank;
    run.deviations += decision.chosen > 0 ? 1 : 0;
  }
  run.after = {std::move(outcome.tree), decider.memory()};
  run.after.tree.set_oracle(nullptr);
  run.steps = outcome.fuel_used;
  return run;
}

}  // namespace

Run run_once(const Script& script, const World& start, const Budget& budget,
             std::vector<size_t> choices) {
  return run_watched(script, start, budget, std::move(choices), nullptr);
}

Exploration explore(const Script& script, const World& start, const Budget& budget, Merge merge,
                    const std::function<void(Run&&)>& use) {
  Exploration result;
  KnownStates known(start.tree);
  Search search(budget);
  std::vector<size_t> choices;
  while (search.next(choices)) {
    if (result.runs >= budget.runs || result.steps >= budget.steps) {
      result.is_exhaustive = false;
      result.bounds.insert(result.runs >= budget.runs
                               ? "the budget of " + std::to_string(budget.runs) + " runs ended"
                               : "the budget of " + std::to_string(budget.steps) + " steps ended");
      break;
    }
    const size_t first = choices.size();
    known.begin_run(first);
    Run run = run_watched(script, start, budget, std::move(choices),
                          merge == Merge::kYes ? &known : nullptr);
    ++result.runs;
    result.steps += run.steps;
    search.plan(run.decisions, first, result.bounds);
    result.bounds.insert(run.bounds.begin(), run.bounds.end());
    if (run.end == Run::kTooLong || run.end == Run::kTooBig)
      result.bounds.insert("what happens after " + std::to_string(budget.steps_of_run) +
                           " steps of a run, or with more memory");
    use(std::move(run));
  }
  result.is_exhaustive = result.is_exhaustive && result.bounds.empty();
  return result;
}

}  // namespace nacre::explore
