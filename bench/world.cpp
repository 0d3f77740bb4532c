// Steps per second of the shell's machine: as the plain loop of a shell, with the observer that
// `nacre sh` compiles in (one that does nothing), with one that counts, in the simulated world, and
// traced there. CPU time, the best of several rounds in which all take turns.
//
// Then a pipeline of twenty utilities over 10 MB in the simulated world.
#include <algorithm>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>

#include "machine/start_shell.h"
#include "simulate/trace.h"
#include "system/system_os.h"

namespace {

using namespace nacre;

struct Row {
  const char* name;
  const char* script;  // $1 is how often
  const char* times;
  const char* traced_times;  // a trace keeps everything
};

constexpr Row kRows[] = {
    {"arithmetic", "i=0; while [ $i -lt $1 ]; do i=$((i + 1)); done", "5000", "500"},
    {"functions", "f() { return 0; }; i=0; while [ $i -lt $1 ]; do f a b; i=$((i + 1)); done",
     "3000", "300"},
    {"patterns",
     "p=/usr/share/x.tar.gz; i=0; while [ $i -lt $1 ]; do b=${p##*/}; d=${p%/*}; "
     "i=$((i + 1)); done",
     "3000", "300"},
    {"case",
     "i=0; while [ $i -lt $1 ]; do case $i in *9) x=n ;; *[02468]) x=e ;; *) x=o ;; esac; "
     "i=$((i + 1)); done",
     "3000", "300"},
};

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// `drive(machine)` takes a machine to its end.
template <typename Drive>
double on_system(const Row& row, Drive&& drive) {
  system::SystemOs os;
  machine::Machine machine(os, std::make_shared<machine::Names>());
  std::string words[] = {"sh", "-c", row.script, "sh", row.times};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  char* environment[] = {nullptr};
  machine::start_shell(machine, static_cast<int>(argv.size()) - 1, argv.data(), environment);
  double start = cpu_seconds();
  drive(machine);
  return cpu_seconds() - start;
}

double plain(const Row& row) {
  return on_system(row, [](machine::Machine& machine) {
    while (!machine.is_done()) {
      if (machine.step() == machine::Rule::kBlocked) return;
    }
  });
}

double unobserved(const Row& row) {
  return on_system(row, [](machine::Machine& machine) {
    machine::run(machine, [](const machine::Machine&, machine::Rule) {});
  });
}

double counted(const Row& row, uint64_t& steps) {
  steps = 0;
  return on_system(row, [&](machine::Machine& machine) {
    machine::run(machine, [&](const machine::Machine&, machine::Rule) { ++steps; });
  });
}

simulate::Scene scene_of(const Row& row, const char* times) {
  simulate::Scene scene = simulate::default_scene();
  scene.arguments = {"sh", "-c", row.script, "sh", times};
  scene.limits.fuel = ~uint64_t{0} >> 1;
  return scene;
}

double simulated(const Row& row) {
  simulate::Scene scene = scene_of(row, row.times);
  double start = cpu_seconds();
  simulate::Outcome outcome = simulate::play(scene);
  return cpu_seconds() - start;
}

double traced(const Row& row, uint64_t& steps) {
  simulate::Tracer tracer(scene_of(row, row.traced_times));
  double start = cpu_seconds();
  while (tracer.advance()) {
  }
  steps = tracer.records().size();
  return cpu_seconds() - start;
}

void measure(const Row& row, int rounds) {
  double best[5] = {1e9, 1e9, 1e9, 1e9, 1e9};
  uint64_t steps = 0;
  uint64_t traced_steps = 0;
  for (int i = 0; i < rounds; ++i) {
    const double times[] = {plain(row), unobserved(row), counted(row, steps), simulated(row),
                            traced(row, traced_steps)};
    for (int k = 0; k < 5; ++k) best[k] = std::min(best[k], times[k]);
  }
  auto rate = [](uint64_t count, double seconds) {
    return static_cast<double>(count) / seconds / 1e6;
  };
  fmt::print("{:<12}{:>10.1f}{:>12.1f}{:>12.1f}{:>12.1f}{:>12.2f}{:>14.1f} %\n", row.name,
             rate(steps, best[0]), rate(steps, best[1]), rate(steps, best[2]), rate(steps, best[3]),
             rate(traced_steps, best[4]), (best[1] / best[0] - 1) * 100);
}

void measure_pipeline() {
  simulate::Scene scene = simulate::default_scene();
  std::string text;
  constexpr size_t kBytes = 10'000'000;
  for (int i = 0; text.size() < kBytes; ++i) {
    text += fmt::format("line {} with some words, and more of them\n", i);
  }
  world::InodeId id = world::kNoInode;
  scene.tree.open(scene.actor, "/home/user/file", O_WRONLY | O_CREAT, 0644, id);
  scene.tree.write(scene.actor, id, 0, text);
  std::string script = "cat file";
  constexpr const char* kStages[] = {"tr a-z A-Z", "sed s/LINE/line/", "grep line",
                                     "cut -d' ' -f2-"};
  for (int i = 0; i < 18; ++i) script += fmt::format(" | {}", i < 4 ? kStages[i] : "cat");
  scene.arguments = {"sh", "-c", script + " | wc -l"};
  double start = cpu_seconds();
  simulate::Outcome outcome = simulate::play(scene);
  fmt::print(
      "\n20 stages over 10 MB (cat, tr, sed, grep, cut, 14 times cat, wc -l): {:.2f} s, "
      "{} lines{}\n",
      cpu_seconds() - start, outcome.output.substr(0, outcome.output.find('\n')),
      simulate::describe(outcome, scene));
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  fmt::print("{:<12}{:>10}{:>12}{:>12}{:>12}{:>12}{:>16}\n", "Msteps/s", "plain", "unobserved",
             "counted", "simulated", "traced", "observer costs");
  for (const Row& row : kRows) measure(row, rounds);
  measure_pipeline();
}
