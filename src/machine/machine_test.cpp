// The machine against the conformance cases of ../shared, and its own promises: fast paths do what
// single steps do, subshells undo what they change, and nothing nests without end.
#include "machine/machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "system/system_os.h"

namespace nacre::machine {
namespace {

// What a script prints to a capture, in a machine of its own; commands run in this process.
struct Outcome {
  std::string output;
  int status = 0;
  uint64_t steps = 0;
};

Outcome run_script(std::string script, bool fine_steps = false, size_t max_frames = 100'000) {
  static system::SystemOs os;
  Machine machine(os, std::make_shared<Names>(), max_frames);
  machine.state.arg0 = "test";
  machine.fine_steps = fine_steps;
  machine.captures.emplace_back();
  machine.io[1] = kFirstCapture;
  machine.io[2] = kFirstCapture;
  machine.push_source(Source::of_text("test", std::move(script)), false);
  Outcome outcome;
  run(machine, [&](const Machine&, Rule) { ++outcome.steps; });
  outcome.output = machine.captures[0];
  outcome.status = machine.state.status;
  return outcome;
}

}  // namespace

TEST_CASE("a machine runs builtins without a process") {
  Outcome outcome =
      run_script("x=1; f() { echo \"$1 $x\"; }; f a; (x=2; f b); f $(x=3; f c); exit 4");
  CHECK(outcome.output == "a 1\nb 2\nc 1\n");
  CHECK(outcome.status == 4);
}

TEST_CASE("what a subshell changes is undone") {
  Outcome outcome = run_script(
      "x=1 y=2; set -- a b; IFS=:\n"
      "(x=3; unset_=1; export y=5; set -- c; IFS=,; shift; exit 3)\n"
      "echo $? $x $y ${unset_-unset} $# \"$*\"\n"
      "z=$(IFS= read -r l <<E\n line \nE\necho \"[$l]\"); echo \"$z${l-unset}\"\n"
      "g() { local x=9; v=kept; }; w=$(g; echo $x$v); echo $w$x${v-unset}");
  CHECK(outcome.output == "3 1 2 unset 2 a:b\n[ line ]unset\n1kept1unset\n");
}

TEST_CASE("single steps do what whole steps do") {
  const char* scripts[] = {
      "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); case $i in 2) continue ;; esac; echo $i; done",
      "x='a b' y=; for w in $x \"$x\" ${y:-d e} \"${z=q r}\" $((1 + 2)); do echo \"<$w>\"; done",
      "f() { return 3; }; f || echo $?; ! f && echo ok; if f; then :; elif true; then echo e; fi",
      "x=foo.tar.gz; echo ${x%.*} ${x%%.*} ${x#*.} ${x##*.} ${#x} \"${x%\".gz\"}\"",
      "set -- a 'b c'; echo \"$@\" $* \"$*\" $#; shift; echo $1; eval 'echo ev$1'",
      "s=; for c in a b c; do s=\"$s$c\"; done; echo $s; read a b <<E\n1 2 3\nE\necho $b",
  };
  for (const char* script : scripts) {
    CAPTURE(script);
    Outcome whole = run_script(script);
    Outcome single = run_script(script, true);
    CHECK(whole.output == single.output);
    CHECK(whole.status == single.status);
    CHECK(whole.steps < single.steps);
  }
}

TEST_CASE("recursion without end is an error") {
  Outcome outcome = run_script("f() { f; }; f", false, 10'000);
  CHECK(outcome.status == 2);
  CHECK(outcome.output.find("nested too deeply") != std::string::npos);
}

TEST_CASE("steps have the names of their rules") {
  static system::SystemOs os;
  Machine machine(os, std::make_shared<Names>());
  machine.fine_steps = true;
  machine.push_source(Source::of_text("test", "x=1; if true; then x=2; fi"), false);
  std::string trace;
  run(machine, [&](const Machine&, Rule rule) { trace += std::string(name_of(rule)) + " "; });
  CHECK(trace.find("If ") != std::string::npos);
  CHECK(trace.find("IfThen ") != std::string::npos);
  CHECK(trace.find("CmdAssign") != std::string::npos);
}

TEST_CASE("a pipe that cannot be read is an error of the expansion") {
  static system::SystemOs os;
  Machine machine(os, std::make_shared<Names>());
  machine.fine_steps = true;
  machine.io[2] = kFirstCapture;
  machine.captures.emplace_back();
  machine.push_source(Source::of_text("test", "x=$(true)"), false);
  std::vector<Rule> rules;
  while (!machine.is_done()) {
    Rule rule = machine.step();
    rules.push_back(rule);
    const auto* substitution =
        machine.is_done() ? nullptr : machine.frames.back().get<CommandSubstFrame>();
    if (rule != Rule::kCmdSubst || substitution == nullptr) continue;
    if (machine.fork_result == 0) os.exit(0);  // the child
    os.close(substitution->read_end);
  }
  CHECK(std::find(rules.begin(), rules.end(), Rule::kCmdSubstReadErr) != rules.end());
  CHECK(std::find(rules.begin(), rules.end(), Rule::kCmdAssignErr) != rules.end());
  CHECK(machine.captures[0].find("cannot read from a command") != std::string::npos);
}

}  // namespace nacre::machine
