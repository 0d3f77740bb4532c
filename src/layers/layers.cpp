#include "layers/layers.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>

#include "base/path.h"
#include "docker/text.h"
#include "docker/users.h"
#include "shell/builtins.h"
#include "simulate/scene.h"
#include "world/tree_diff.h"

namespace nacre::layers {

namespace {

using docker::Instruction;
using docker::Keyword;
using docker::Step;

class Builder {
 public:
  explicit Builder(const docker::Facts& facts) : facts_(facts), scene_(simulate::default_scene()) {
    scene_.actor = world::Actor();
    scene_.environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                          "HOME=/root"};
    add_programs();
  }

  Image run(const Options& options) {
    for (const size_t stage : chain()) {
      const docker::Stage& here = facts_.stages.stages[stage];
      for (size_t i = here.first_step; i < here.end_step; i++) {
        const Step& step = facts_.stages.steps[i];
        if (step.is_trigger || !makes_layer(*step.instruction)) continue;
        if (image_.layers.size() >= options.max_layers) {
          image_.is_complete = false;
          return std::move(image_);
        }
        add_layer(step);
      }
    }
    return std::move(image_);
  }

 private:
  // What RUN calls is somewhere in the image, else the build would fail: the stub answers for it.
  void add_programs() {
    world::Actor root;
    root.file_mask = 0;
    for (const auto& script : facts_.scripts) {
      for (const docker::Call& call : script->calls) {
        const bool is_found = shell::builtin_named(call.name) != nullptr ||
                              exists("/usr/bin/" + call.name) || call.name.empty();
        world::InodeId id = world::kNoInode;
        const std::string path = "/usr/bin/" + call.name;
        if (is_found || scene_.tree.open(root, path, O_WRONLY | O_CREAT, 0755, id) != 0) continue;
        (void)scene_.tree.write(root, id, 0, world::executable(call.name));
      }
    }
  }

  [[nodiscard]] bool exists(const std::string& path) {
    world::InodeId id = world::kNoInode;
    return scene_.tree.find(world::Actor(), path, true, id) == 0;
  }

  // The last stage and those below it, the lowest first.
  [[nodiscard]] std::vector<size_t> chain() const {
    std::vector<size_t> stages = {facts_.stages.stages.size() - 1};
    while (facts_.stages.stages[stages.back()].base)
      stages.push_back(*facts_.stages.stages[stages.back()].base);
    return {stages.rbegin(), stages.rend()};
  }

  static bool makes_layer(const Instruction& each) {
    return each.keyword == Keyword::kRun || each.keyword == Keyword::kCopy ||
           each.keyword == Keyword::kAdd || each.keyword == Keyword::kWorkdir;
  }

  void add_layer(const Step& step) {
    Layer layer;
    layer.step = &step;
    const world::FileTree before = scene_.tree;
    switch (step.instruction->keyword) {
      case Keyword::kRun: run_script(step, layer); break;
      case Keyword::kWorkdir: enter(step); break;
      default: copy(step);
    }
    compare(before, layer);
    image_.layers.push_back(std::move(layer));
  }

  void make_directories(std::string_view path) {
    const world::Actor root;
    for (size_t at = 1; at <= path.size(); at++) {
      if (at == path.size() || path[at] == '/')
        (void)scene_.tree.make_directory(root, std::string(path.substr(0, at)), 0755);
    }
  }

  [[nodiscard]] std::string absolute(std::string_view path) const {
    return path.starts_with('/') ? std::string(path) : joined_path(directory_, path);
  }

  void enter(const Step& step) {
    const docker::Expanded path = facts_.stages.expand_at(
        step.instruction->words.empty() ? "" : step.instruction->words[0].text, step);
    if (!path.is_known || path.text.empty()) return;
    directory_ = absolute(path.text);
    make_directories(directory_);
  }

  void write(const std::string& path, unsigned owner) {
    const world::Actor root;
    make_directories(parent_path(path));
    world::InodeId id = world::kNoInode;
    if (scene_.tree.open(root, path, O_WRONLY | O_CREAT, 0644, id) != 0) return;
    // Something that no other layer wrote: a second COPY changes the file.
    (void)scene_.tree.write(root, id, 0, fmt::format("layer {}\n", image_.layers.size()));
    (void)scene_.tree.set_owner(root, id, owner, owner);
  }

  // The number of --chown; a name is some user that is not root.
  static unsigned owner_of(const Instruction& copy) {
    constexpr unsigned kSomeUser = 1000;
    const docker::Flag* flag = copy.flag("chown");
    if (flag == nullptr) return 0;
    const std::string user = flag->value.substr(0, flag->value.find(':'));
    return docker::is_root(user) ? 0 : kSomeUser;
  }

  void copy(const Step& step) {
    const Instruction& copy = *step.instruction;
    if (copy.words.size() < 2) return;
    const docker::Expanded target = facts_.stages.expand_at(copy.words.back().text, step);
    if (!target.is_known) return;
    const std::string place = absolute(target.text);
    for (size_t i = 0; i + 1 < copy.words.size(); i++) {
      const docker::Expanded source = facts_.stages.expand_at(copy.words[i].text, step);
      const bool is_directory = copy.words.size() > 2 || target.text.ends_with('/') ||
                                target.text == "." || is_there(place);
      const std::string_view name = base_name(source.text);
      const bool is_all = name.empty() || name == "." || name.find('*') != std::string::npos;
      if (!source.is_known || is_all) continue;  // which files these are is not known
      write(is_directory ? joined_path(place, name) : place, owner_of(copy));
    }
  }

  [[nodiscard]] bool is_there(const std::string& path) {
    world::InodeId id = world::kNoInode;
    return scene_.tree.find(world::Actor(), path, true, id) == 0 &&
           scene_.tree.at(id).kind == world::FileKind::kDirectory;
  }

  void run_script(const Step& step, Layer& layer) {
    const auto script = std::find_if(facts_.scripts.begin(), facts_.scripts.end(),
                                     [&](const auto& each) { return each->step == &step; });
    if (script == facts_.scripts.end() || (*script)->text.empty()) {
      layer.is_finished = false;
      return;
    }
    fill_caches(**script);
    simulate::Scene scene = scene_;
    scene.script_name = "RUN";
    scene.script = (*script)->text;
    scene.stub = [&](const std::vector<std::string>& words) {
      note(base_name(words[0]), layer);
      return std::optional(simulate::StubResult());
    };
    set_variables(**script, scene);
    if (simulate::enter(scene, directory_) != 0) layer.is_finished = false;
    simulate::Outcome outcome = simulate::play(scene);
    for (const std::string& name : outcome.not_modelled) note(name, layer);
    layer.is_finished &=
        outcome.has_ended && outcome.ending == world::Ending::kFinished && outcome.status == 0;
    scene_.tree = std::move(outcome.tree);
  }

  static void note(std::string_view name, Layer& layer) {
    if (std::find(layer.unknown.begin(), layer.unknown.end(), name) == layer.unknown.end())
      layer.unknown.emplace_back(name);
  }

  void set_variables(const docker::Script& script, simulate::Scene& scene) const {
    const Step& step = *script.step;
    for (const docker::Stage& stage : facts_.stages.stages) {
      for (const auto& [name, definitions] : stage.variables) {
        const docker::Definition* found = facts_.stages.find_variable(name, step);
        if (found != nullptr && found->value)
          scene.environment.push_back(fmt::format("{}={}", name, *found->value));
      }
    }
  }

  // A package manager leaves its cache, unless the rest of the RUN removes it.
  void fill_caches(const docker::Script& script) {
    for (const docker::Usage& usage : script.usages) {
      const commands::Property* line = usage.property(commands::CardKey::kCaches);
      if (line == nullptr) continue;
      const auto paths = docker::split_blanks(line->value);
      const std::string path = paths.empty() ? "/" : joined_path(paths[0], "cache");
      if (!exists(path)) write(path, 0);
    }
  }

  void compare(world::FileTree before, Layer& layer) {
    const size_t number = image_.layers.size();
    const std::string registers = "/" + std::string(world::kRegisters);
    for (const world::Change& change : world::compare(before, scene_.tree)) {
      const bool is_gone = change.kind == world::Change::kRemoved;
      const world::InodeId id = is_gone ? change.before : change.after;
      const world::Inode& inode = (is_gone ? before : scene_.tree).at(id);
      if (inode.kind == world::FileKind::kDirectory || docker::is_within(change.path, registers))
        continue;
      FileChange made;
      made.kind = is_gone                                  ? FileChange::kRemoved
                  : change.kind == world::Change::kCreated ? FileChange::kAdded
                                                           : FileChange::kChanged;
      made.path = change.path;
      made.owner = inode.owner;
      if (const auto at = written_.find(change.path); at != written_.end())
        made.before = at->second;
      if (is_gone) written_.erase(change.path);
      if (!is_gone) written_[change.path] = number;
      layer.changes.push_back(std::move(made));
    }
  }

  const docker::Facts& facts_;
  simulate::Scene scene_;
  std::string directory_ = "/";
  std::map<std::string, size_t> written_;  // by which layer
  Image image_;
};

}  // namespace

Image find_layers(const docker::Facts& facts, const Options& options) {
  return Builder(facts).run(options);
}

std::string describe(const Layer& layer, const SourceFile& file) {
  size_t counts[3] = {};
  size_t of_root = 0;
  for (const FileChange& each : layer.changes) {
    counts[each.kind]++;
    of_root += each.kind != FileChange::kRemoved && each.owner == 0 ? 1 : 0;
  }
  const Instruction& made_by = *layer.step->instruction;
  std::string text = fmt::format(
      "line {} {}: files: {} added, {} changed, {} removed; {} belong to root",
      file.line_of(made_by.span.begin), made_by.name, counts[0], counts[1], counts[2], of_root);
  if (!layer.unknown.empty())
    text += fmt::format("; not modelled: {}", fmt::join(layer.unknown, " "));
  if (!layer.is_finished) text += "; not finished in the simulated world";
  return text;
}

}  // namespace nacre::layers
