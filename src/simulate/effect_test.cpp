// What the cards say that commands do, against the facts about the real utilities and against the
// models, in random worlds with links and modes.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "simulate/scene.h"
#include "simulate/testing/json_tree.h"
#include "utilities/effect_store.h"
#include "world/tree_diff.h"

namespace nacre::simulate {
namespace {

using nlohmann::json;
using testing::build;
using testing::dump;
using world::FileTree;
using world::InodeId;

// A command by its card alone.
class CardProgram final : public world::Program {
 public:
  CardProgram(std::vector<std::string> words, bool* is_known)
      : words_(std::move(words)), is_known_(is_known) {}
  int run(world::SimulatedOs& os) override {
    utilities::Context context(os, words_, {});
    auto status = utilities::run_card(builtin_library(), context);
    *is_known_ = status.has_value();
    return status.value_or(0);
  }
  std::unique_ptr<world::Program> fork_into(world::SimulatedOs&) override { return nullptr; }

 private:
  std::vector<std::string> words_;
  bool* is_known_;
};

struct Run {
  int status = 0;
  bool is_known = true;
  FileTree tree;
};

Run run_card(const Scene& scene, const std::vector<std::string>& words) {
  Run result;
  world::Simulation simulation(scene.tree, scene.limits,
                               [&](world::Invocation&&, world::SimulatedOs&) {
                                 return std::make_unique<CardProgram>(words, &result.is_known);
                               });
  auto nothing = std::make_shared<world::Stream>();
  world::Process& process = simulation.start(scene.actor, nothing, nothing, nothing);
  simulation.load(process, {"", words, {}}, "/proc/self/exe");
  REQUIRE(simulation.run() == world::Ending::kFinished);
  result.status = simulation.first_exit()->value;
  result.tree = simulation.tree();
  return result;
}

Run run_model(const Scene& base, const std::vector<std::string>& words) {
  Scene scene = base;
  scene.arguments = {"sh", "-c", "exec \"$@\"", "sh"};
  scene.arguments.insert(scene.arguments.end(), words.begin(), words.end());
  Outcome outcome = play(scene);
  return {outcome.status, outcome.not_modelled.empty(), std::move(outcome.tree)};
}

Scene scene_for_tests() {
  Scene scene = default_scene();
  REQUIRE(scene.tree.make_directory(scene.actor, "/home/user/t", 0755) == 0);
  REQUIRE(enter(scene, "/home/user/t") == 0);
  return scene;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    size_t end = std::min(line.find(' ', at), line.size());
    std::string word = line.substr(at, end - at);
    words.push_back(word == "''" ? "" : word);
    at = end + 1;
  }
  return words;
}

TEST_CASE("the cards agree with the facts about the real utilities") {
  std::ifstream facts(NACRE_SOURCE_DIR "/../shared/corpora/utilities-ground-truth.jsonl");
  if (!facts) {
    MESSAGE("skipped: the facts are not there");
    return;
  }
  Scene base = scene_for_tests();
  int count = 0;
  int held = 0;
  for (std::string line; std::getline(facts, line);) {
    json fact = json::parse(line);
    std::vector<std::string> words = words_of(fact["cmd"].get<std::string>());
    if (words[0] == "test") continue;  // a builtin: its card only has the letters
    Scene scene = base;
    build(scene.tree, scene.actor, "/home/user/t", fact["before"]);
    Run run = run_card(scene, words);
    json expected = fact["after"] == "same" ? fact["before"] : fact["after"];
    json after = dump(run.tree, scene.actor.directory);
    bool holds = run.is_known && run.status == fact["rc"].get<int>() && after == expected;
    ++count;
    held += holds ? 1 : 0;
    if (!holds && count - held < 20) {
      MESSAGE(fmt::format("{} before {}\n  status {}, not {}; tree {}\n  not  {}",
                          fact["cmd"].get<std::string>(), fact["before"].dump(), run.status,
                          fact["rc"].get<int>(), after.dump(), expected.dump()));
    }
  }
  MESSAGE(fmt::format("{} of {} facts hold of the cards", held, count));
  CHECK(held == count);
}

// A small tree over the names a, b, c with files, directories and links.
void grow(FileTree& tree, const world::Actor& actor, const std::string& path, std::mt19937& random,
          int depth) {
  for (const char* name : {"a", "b", "c"}) {
    std::string child = fmt::format("{}/{}", path, name);
    InodeId id = world::kNoInode;
    switch (random() % 7) {
      case 0:
      case 1:
        REQUIRE(tree.open(actor, child, O_WRONLY | O_CREAT, 0644, id) == 0);
        tree.write(actor, id, 0, random() % 3 == 0 ? "" : child);
        break;
      case 2:
      case 3:
        REQUIRE(tree.make_directory(actor, child, 0755) == 0);
        if (depth > 0) grow(tree, actor, child, random, depth - 1);
        break;
      case 4: {
        const char* kTargets[] = {"a", "b", "c", "../a", "a/b", "missing", ".", "../c"};
        REQUIRE(tree.make_symbolic_link(actor, kTargets[random() % 8], child) == 0);
        break;
      }
      default: break;
    }
  }
}

const std::vector<std::vector<std::string>> kLines = {
    {"mkdir", "-p", "-m700", "--parents"},
    {"rm", "-r", "-f", "-rf", "-d", "-R"},
    {"rmdir", "-p", "--ignore-fail-on-non-empty"},
    {"touch", "-c", "-h"},
    {"mv", "-f", "-n", "-T", "-t@", "-v"},
    {"cp", "-r", "-R", "-f", "-n", "-T", "-t@", "-rT"},
    {"ln", "-s", "-f", "-sf", "-sfn", "-T", "-sT", "-t@"},
    {"unlink"},
    {"chmod 600", "-R", "-v"},
    {"chmod g+w,o-r", "-R"},
    {"mkfifo", "-m600"},
    {"install", "-d", "-m600", "-T", "-t@"},
    {"tee", "-a"},
    {"cat"},
};
const char* const kPaths[] = {
    "a",    "b",    "c",   "a/b",   "a/", "b/a",   "c/",  "a/.",
    "b/..", ".",    "..",  "",      "x",  "a/b/c", "x/y", "/home/user/t/a",
    "./b",  "a//c", "c/b", "../t/b"};

std::vector<std::string> random_line(std::mt19937& random) {
  const std::vector<std::string>& form = kLines[random() % kLines.size()];
  auto path = [&] {
    size_t range = random() % 3 == 0 ? std::size(kPaths) : 6;
    return std::string(kPaths[random() % range]);
  };
  std::vector<std::string> words = words_of(form[0]);
  std::vector<std::string> options;
  for (size_t i = random() % 3; i > 0 && form.size() > 1; --i) {
    std::string option = form[1 + random() % (form.size() - 1)];
    if (option.ends_with('@')) option = option.substr(0, option.size() - 1) + path();
    options.push_back(option);
  }
  words.insert(words.begin() + 1, options.begin(), options.end());
  size_t count = random() % 8 == 0 ? random() % 4 : 1 + random() % 2;
  for (size_t i = 0; i < count; ++i) words.push_back(path());
  return words;
}

TEST_CASE("the cards agree with the models in random worlds") {
  Scene base = scene_for_tests();
  constexpr int kCases = 20'000;
  int known = 0;
  int differ = 0;
  for (unsigned seed = 0; seed < kCases; ++seed) {
    std::mt19937 random(seed);
    Scene scene = base;
    grow(scene.tree, scene.actor, "/home/user/t", random, 2);
    std::vector<std::string> words = random_line(random);
    Run card = run_card(scene, words);
    Run model = run_model(scene, words);
    if (!card.is_known || !model.is_known) continue;
    ++known;
    bool agrees = (card.status == 0) == (model.status == 0);
    std::string differences;
    for (const world::Change& change : compare(card.tree, model.tree)) {
      if (!change.path.starts_with("/home")) continue;
      differences += fmt::format(" {}{}{}", change.path, change.mode ? " (mode)" : "",
                                 change.contents ? " (contents)" : "");
    }
    agrees = agrees && differences.empty();
    differ += agrees ? 0 : 1;
    if (agrees || differ > 20) continue;
    MESSAGE(fmt::format("{}: '{}' in {}\n  card: status {}, {}\n  model: status {}, {}\n  {}", seed,
                        fmt::join(words, "' '"), dump(scene.tree, scene.actor.directory).dump(),
                        card.status, dump(card.tree, scene.actor.directory).dump(), model.status,
                        dump(model.tree, scene.actor.directory).dump(), differences));
  }
  MESSAGE(fmt::format("{} of {} random command lines differ", differ, known));
  CHECK(differ == 0);
  CHECK(known > kCases / 2);
}

}  // namespace
}  // namespace nacre::simulate
