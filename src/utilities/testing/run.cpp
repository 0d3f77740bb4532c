#include "utilities/testing/run.h"

#include <fcntl.h>

#include "utilities/utility.h"
#include "world/simulated_os.h"

namespace nacre::utilities::testing {
namespace {

using world::InodeId;

class Single final : public world::Program {
 public:
  explicit Single(world::Invocation invocation) : invocation_(std::move(invocation)) {}
  int run(world::SimulatedOs& os) override {
    Context context(os, invocation_.arguments, invocation_.environment);
    Utility utility = find_utility(invocation_.name);
    return utility == nullptr ? kNotModelled : run_utility(utility, context);
  }
  std::unique_ptr<world::Program> fork_into(world::SimulatedOs&) override { return nullptr; }

 private:
  world::Invocation invocation_;
};

std::shared_ptr<world::Stream> into(std::string& text) {
  auto stream = std::make_shared<world::Stream>();
  stream->write = [&text](std::string_view piece) { text += piece; };
  return stream;
}

}  // namespace

World::World() {
  tree_.make_directory(root_, "/bin", 0755);
  for (const Entry& entry : utilities()) {
    file("/bin/" + std::string(entry.name), world::executable(entry.name), 0755);
  }
}

void World::file(const std::string& path, std::string_view text, unsigned mode) {
  InodeId id = world::kNoInode;
  if (tree_.open(root_, path, O_WRONLY | O_CREAT | O_TRUNC, mode, id) == 0) {
    tree_.write(root_, id, 0, text);
  }
}

void World::directory(const std::string& path) { tree_.make_directory(root_, path, 0755); }

Ran World::run(const std::vector<std::string>& words, std::string_view input) {
  Ran result;
  auto load = [](world::Invocation&& invocation, world::SimulatedOs&) {
    return std::make_unique<Single>(std::move(invocation));
  };
  world::Simulation simulation(tree_, {}, load);
  auto source = std::make_shared<world::Stream>();
  source->ahead = input;
  world::Process& process =
      simulation.start(root_, source, into(result.output), into(result.errors));
  simulation.load(process, {"", words, {"PATH=/bin"}}, "/bin/" + words[0]);
  simulation.run();
  if (const auto& exit = simulation.first_exit()) result.status = exit->value;
  tree_ = simulation.tree();
  return result;
}

std::string World::text(const std::string& path) {
  InodeId id = world::kNoInode;
  return tree_.find(root_, path, true, id) == 0 ? tree_.bytes(id) : "(missing)";
}

bool World::exists(const std::string& path) {
  InodeId id = world::kNoInode;
  return tree_.find(root_, path, false, id) == 0;
}

Ran run(const std::vector<std::string>& words, std::string_view input) {
  return World().run(words, input);
}

}  // namespace nacre::utilities::testing
