#include "world/simulation.h"

#include <cerrno>
#include <doctest/doctest.h>

#include "world/simulated_os.h"

namespace nacre::world {
namespace {

// A program that is a function; its children run what `child` is.
class Script final : public Program {
 public:
  using Body = std::function<int(SimulatedOs&)>;
  explicit Script(Body body, Body child = {}) : body_(std::move(body)), child_(std::move(child)) {}
  int run(SimulatedOs& os) override { return body_(os); }
  std::unique_ptr<Program> fork_into(SimulatedOs&) override {
    return child_ ? std::make_unique<Script>(child_) : nullptr;
  }

 private:
  Body body_;
  Body child_;
};

struct Ran {
  Ending ending = Ending::kFinished;
  int status = -1;
  std::string output;
};

Ran run(const Script::Body& body, const Script::Body& child = {}, Limits limits = {}) {
  Ran result;
  auto load = [&](Invocation&&, SimulatedOs&) { return std::make_unique<Script>(body, child); };
  Simulation simulation(FileTree(), limits, load);
  auto output = std::make_shared<Stream>();
  output->write = [&](std::string_view text) { result.output += text; };
  Process& first =
      simulation.start(Actor(), std::make_shared<Stream>(), output, std::make_shared<Stream>());
  simulation.load(first, {"script", {"script"}, {}}, "/proc/self/exe");
  result.ending = simulation.run();
  if (const auto& exit = simulation.first_exit()) result.status = exit->value;
  return result;
}

void print(SimulatedOs& os, std::string_view text) { os.write(1, text.data(), text.size()); }

}  // namespace

TEST_CASE("a process ends with the status of its program") {
  Ran ran = run([](SimulatedOs& os) {
    print(os, "hello");
    return 7;
  });
  CHECK(ran.ending == Ending::kFinished);
  CHECK(ran.status == 7);
  CHECK(ran.output == "hello");
}

TEST_CASE("the reader of a pipe waits for its writer") {
  int ends[2] = {-1, -1};
  auto parent = [&ends](SimulatedOs& os) {
    os.pipe(ends);
    Pid child = os.fork();
    os.close(ends[1]);
    char buffer[16];
    ssize_t got = os.read(ends[0], buffer, sizeof buffer);
    print(os, std::string_view(buffer, static_cast<size_t>(std::max<ssize_t>(got, 0))));
    ChildEvent event;
    os.wait(child, false, false, event);
    return event.value;
  };
  auto child = [&ends](SimulatedOs& os) {
    os.write(ends[1], "ping", 4);
    return 3;
  };
  Ran ran = run(parent, child);
  CHECK(ran.output == "ping");
  CHECK(ran.status == 3);
}

TEST_CASE("who waits for what cannot happen is stuck, and that is said") {
  Ran ran = run([](SimulatedOs& os) {
    int ends[2];
    os.pipe(ends);
    char c = 0;
    return static_cast<int>(os.read(ends[0], &c, 1));  // the writer is this process itself
  });
  CHECK(ran.ending == Ending::kDeadlock);
}

TEST_CASE("fuel ends what does not end") {
  Ran ran = run(
      [](SimulatedOs& os) {
        while (true) os.tick(1);
        return 0;
      },
      {}, {.fuel = 1000});
  CHECK(ran.ending == Ending::kOutOfFuel);
}

TEST_CASE("the number of processes is bounded") {
  auto sleeper = [](SimulatedOs& os) {
    os.sleep(1'000'000'000);
    return 0;
  };
  Ran ran = run(
      [](SimulatedOs& os) {
        for (int i = 0; i < 10; ++i) {
          if (Pid pid = os.fork(); pid < 0) return pid == -EAGAIN ? 1 : 2;
        }
        return 0;
      },
      sleeper, {.processes = 5});
  CHECK(ran.status == 1);
}

}  // namespace nacre::world
