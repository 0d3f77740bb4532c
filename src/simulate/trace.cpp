#include "simulate/trace.h"

#include <fmt/format.h>

namespace nacre::simulate {

using machine::Machine;
using machine::Rule;

bool is_expansion(Rule rule) { return rule <= Rule::kCmdSubstWait; }

namespace {

using Values = std::map<std::string, std::string>;

std::vector<ValueChange> changes_between(const Values& before, const Values& after) {
  std::vector<ValueChange> changes;
  auto old = before.begin();
  auto now = after.begin();
  while (old != before.end() || now != after.end()) {
    if (now == after.end() || (old != before.end() && old->first < now->first)) {
      changes.push_back({old->first, old->second, std::nullopt});
      ++old;
    } else if (old == before.end() || now->first < old->first) {
      changes.push_back({now->first, std::nullopt, now->second});
      ++now;
    } else {
      if (old->second != now->second) changes.push_back({old->first, old->second, now->second});
      ++old;
      ++now;
    }
  }
  return changes;
}

Values variables_of(Machine& machine) {
  Values values;
  for (machine::NameId name : machine.state.variables.sorted()) {
    if (const std::string* value = machine.state.variables.get(name)) {
      if (name != machine.line_number) values.emplace(machine.names().text(name), *value);
    }
  }
  for (size_t i = 0; i < machine.state.positional.size(); ++i) {
    values.emplace(std::to_string(i + 1), machine.state.positional[i]);
  }
  return values;
}

Values descriptors_of(const world::Process& process) {
  Values values;
  for (const auto& [fd, descriptor] : process.descriptors) {
    values.emplace(std::to_string(fd), descriptor.file->name);
  }
  return values;
}

std::string_view kind_name(world::FileKind kind) {
  switch (kind) {
    case world::FileKind::kRegular: return "file";
    case world::FileKind::kDirectory: return "directory";
    case world::FileKind::kLink: return "link";
    case world::FileKind::kFifo: return "fifo";
    default: return "device";
  }
}

std::optional<FileState> state_of(world::FileTree& tree, world::InodeId id) {
  if (id == world::kNoInode) return std::nullopt;
  const world::Inode& inode = tree.at(id);
  bool is_directory = inode.kind == world::FileKind::kDirectory;
  return FileState{std::string(kind_name(inode.kind)), inode.mode, inode.owner, inode.group,
                   is_directory ? "" : tree.bytes(id)};
}

// What one shell looked like after its last step.
struct View {
  Control control;
  Values variables;
  Values descriptors;
};

}  // namespace

std::vector<FileChange> file_changes(world::FileTree& before, world::FileTree& after) {
  std::vector<FileChange> changes;
  for (const world::Change& change : world::compare(before, after)) {
    changes.push_back(
        {change.path, state_of(before, change.before), state_of(after, change.after)});
  }
  return changes;
}

struct Tracer::State {
  struct Observer {
    State* state;
    void operator()(Machine& machine, Rule rule, world::SimulatedOs& os) {
      state->record(machine, rule, os);
    }
  };

  explicit State(Scene given) : scene(std::move(given)), last_tree(scene.tree) {
    scene.fine_steps = true;
    auto into = [](std::string& text) {
      auto stream = std::make_shared<world::Stream>();
      stream->write = [&text](std::string_view piece) { text += piece; };
      return stream;
    };
    simulation = std::make_unique<world::Simulation>(
        scene.tree, scene.limits, make_loader(Observer{this}, scene, &not_modelled));
    auto input = scene.input ? scene.input : std::make_shared<world::Stream>();
    world::Process& shell = simulation->start(scene.actor, input, into(output), into(errors));
    first_pid = shell.pid;
    first_descriptors = descriptors_of(shell);
    simulation->load(shell, invocation_of(scene), "/proc/self/exe");
    last_version = simulation->tree().version();
  }

  void record(Machine& machine, Rule rule, world::SimulatedOs& os) {
    world::Pid pid = os.process().pid;
    View& view = view_of(os.process(), machine);
    Record step;
    step.number = records.size() + 1;
    step.pid = pid;
    step.parent = os.process().parent;
    step.rule = rule;
    step.is_expansion = is_expansion(rule);
    step.before = view.control;
    step.after = control_of(machine);
    step.status = machine.state.status;
    Values variables = variables_of(machine);
    Values descriptors = descriptors_of(os.process());
    step.variables = changes_between(view.variables, variables);
    step.descriptors = changes_between(view.descriptors, descriptors);
    view = {step.after, std::move(variables), std::move(descriptors)};
    if (simulation->tree().version() != last_version) {
      step.files = file_changes(last_tree, simulation->tree());
      last_tree = simulation->tree();
      last_version = simulation->tree().version();
    }
    take_output(step);
    records.push_back(std::move(step));
    simulation->pause();
  }

  // A new shell looks like its parent, the first one like its own first moment.
  View& view_of(const world::Process& process, Machine& machine) {
    auto found = views.find(process.pid);
    if (found != views.end()) return found->second;
    if (auto parent = views.find(process.parent); parent != views.end()) {
      return views.emplace(process.pid, parent->second).first->second;
    }
    Values variables = variables_of(machine);
    if (process.pid == first_pid) first_variables = variables;
    return views.emplace(process.pid, View{{}, std::move(variables), first_descriptors})
        .first->second;
  }

  void take_output(Record& step) {
    step.output = output.substr(shown_output);
    step.errors = errors.substr(shown_errors);
    shown_output = output.size();
    shown_errors = errors.size();
  }

  Scene scene;
  world::FileTree last_tree;
  uint64_t last_version = 0;
  std::unique_ptr<world::Simulation> simulation;
  std::vector<std::string> not_modelled;
  world::Pid first_pid = 0;
  Values first_variables;
  Values first_descriptors;
  std::map<world::Pid, View> views;
  std::vector<Record> records;
  std::string output;
  std::string errors;
  size_t shown_output = 0;
  size_t shown_errors = 0;
  world::Ending ending = world::Ending::kPaused;
};

Tracer::Tracer(Scene scene) : state_(std::make_unique<State>(std::move(scene))) {}
Tracer::~Tracer() = default;

bool Tracer::advance() {
  size_t count = state_->records.size();
  if (state_->ending != world::Ending::kPaused) return false;
  state_->ending = state_->simulation->run();
  if (state_->records.size() > count) return true;
  return state_->ending == world::Ending::kPaused && advance();
}

const std::vector<Record>& Tracer::records() const { return state_->records; }
const Scene& Tracer::scene() const { return state_->scene; }
const std::map<std::string, std::string>& Tracer::first_variables() const {
  return state_->first_variables;
}
const std::map<std::string, std::string>& Tracer::first_descriptors() const {
  return state_->first_descriptors;
}

TraceEnd Tracer::end() {
  State& state = *state_;
  // What came after the last step of a shell belongs to it.
  if (!state.records.empty()) {
    Record& last = state.records.back();
    std::vector<FileChange> late = file_changes(state.last_tree, state.simulation->tree());
    last.files.insert(last.files.end(), late.begin(), late.end());
    state.last_tree = state.simulation->tree();
    last.output += state.output.substr(state.shown_output);
    last.errors += state.errors.substr(state.shown_errors);
    state.shown_output = state.output.size();
    state.shown_errors = state.errors.size();
  }
  TraceEnd end;
  end.ending = state.ending;
  Outcome outcome;
  outcome.ending = state.ending;
  outcome.not_modelled = state.not_modelled;
  if (const auto& exit = state.simulation->first_exit()) {
    outcome.has_ended = true;
    end.status = exit->kind == world::ChildEvent::kExited ? exit->value : 128 + exit->value;
  }
  end.trouble = describe(outcome, state.scene);
  if (auto view = state.views.find(state.first_pid); view != state.views.end()) {
    end.variables = view->second.variables;
  }
  world::FileTree before = state.scene.tree;
  end.files = file_changes(before, state.simulation->tree());
  end.output = state.output;
  end.errors = state.errors;
  return end;
}

}  // namespace nacre::simulate
