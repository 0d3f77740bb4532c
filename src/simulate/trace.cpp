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
      values.emplace(machine.names().text(name), *value);
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
  // What one shell looked like after its last step.
  struct View {
    machine::Control control;
    Values variables;
    Values descriptors;
  };

  struct Observer {
    State* state;
    void operator()(Machine& machine, Rule rule, world::SimulatedOs& os) {
      state->record(machine, rule, os);
    }
  };

  explicit State(Scene given) : scene(std::move(given)), last_tree(scene.tree) {
    scene.fine_steps = true;
    auto into = [this](std::string Record::*where, std::string& all) {
      auto stream = std::make_shared<world::Stream>();
      stream->write = [this, where, &all](std::string_view piece) {
        all += piece;
        write(where, piece);
      };
      return stream;
    };
    auto load = make_loader(Observer{this}, scene, &not_modelled);
    simulation = std::make_unique<world::Simulation>(
        scene.tree, scene.limits, [this, load](world::Invocation&& call, world::SimulatedOs& os) {
          note_program(call, os);
          return load(std::move(call), os);
        });
    auto input = scene.input ? scene.input : std::make_shared<world::Stream>();
    world::Process& shell = simulation->start(scene.actor, input, into(&Record::output, output),
                                              into(&Record::errors, errors));
    first_pid = shell.pid;
    first_descriptors = descriptors_of(shell);
    simulation->load(shell, invocation_of(scene), "/proc/self/exe");
    last_version = simulation->tree().version();
  }

  // Programs have no steps: what they write becomes records of their own.
  void note_program(const world::Invocation& call, world::SimulatedOs& os) {
    world::Pid pid = os.process().pid;
    if (is_shell(call.name)) {
      programs.erase(pid);
    } else {
      programs[pid] = {fmt::format("{}", fmt::join(call.arguments, " ")), os.process().parent};
    }
  }

  void write(std::string Record::*where, std::string_view piece) {
    world::Pid pid = simulation->running();
    auto program = programs.find(pid);
    if (program == programs.end()) {
      written[pid].*where += piece;
      return;
    }
    bool continues = !records.empty() && records.back().rule == Rule::kOutput &&
                     records.back().pid == pid && records.size() > shown;
    if (!continues) {
      Record record;
      record.number = records.size() + 1;
      record.pid = pid;
      record.parent = program->second.parent;
      record.rule = Rule::kOutput;
      record.before.text = record.after.text = program->second.command;
      record.before.line = record.after.line = records.empty() ? 0 : records.back().after.line;
      records.push_back(std::move(record));
    }
    records.back().*where += piece;
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
    step.after = machine::control_of(machine);
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
    if (auto mine = written.find(pid); mine != written.end()) {
      step.output = std::move(mine->second.output);
      step.errors = std::move(mine->second.errors);
      written.erase(mine);
    }
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
  size_t shown = 0;  // records that advance() has given out
  struct Program {
    std::string command;
    world::Pid parent = 0;
  };
  std::map<world::Pid, Program> programs;
  std::map<world::Pid, Record> written;  // by shells, in a step that is not recorded yet
  std::string output;
  std::string errors;
  world::Ending ending = world::Ending::kPaused;
};

Tracer::Tracer(Scene scene) : state_(std::make_unique<State>(std::move(scene))) {}
Tracer::~Tracer() = default;

bool Tracer::advance() {
  State& state = *state_;
  while (state.shown == state.records.size() && state.ending == world::Ending::kPaused) {
    state.ending = state.simulation->run();
  }
  bool has_more = state.shown < state.records.size();
  state.shown = state.records.size();
  return has_more;
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
    for (auto& [pid, left] : state.written) {
      last.output += left.output;
      last.errors += left.errors;
    }
    state.written.clear();
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
