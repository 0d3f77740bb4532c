// Each rule of the report's appendix B, by a small program that needs it. The concrete interpreter
// runs them; the symbolic one has the same rules.
#include <doctest/doctest.h>

#include "colis/concrete.h"
#include "colis/parser.h"
#include "simulate/scene.h"

namespace nacre::colis {
namespace {

struct Ran {
  std::string output;
  bool result = false;
  Behaviour behaviour = Behaviour::kNormal;
  std::string cwd;
};

Ran ran(std::string_view text, ConcreteOptions options = {}) {
  auto program = parse(text, {});
  REQUIRE(program);
  ConcreteState state;
  state.files = simulate::default_scene().tree;
  state.context = initial_context({"u", "v w"}, {"EXPORTED=yes"});
  ConcreteRun run = run_concrete(*program, "me", std::move(state), options);
  REQUIRE(run.outcome);
  const ConcreteState& end = run.outcome->state;
  return {end.stdout_text, end.context.result, run.outcome->behaviour, end.context.cwd};
}

TEST_CASE("exit and return end a program with their result; previous keeps it") {
  CHECK(ran("begin exit success ; echo ['no'] end").output.empty());
  CHECK_FALSE(ran("begin exit failure end").result);
  CHECK_FALSE(ran("begin if false then true else exit previous fi end").result);
  CHECK(ran("function f begin return success ; echo ['no'] end begin call f ; echo ['on'] end")
            .output == "on\n");
  CHECK(ran("function f begin return failure end begin call f ; echo ['on'] end").output == "on\n");
}

TEST_CASE("shift drops arguments, or fails without changing them") {
  CHECK(ran("begin shift ; echo [arg 1] end").output == "v w\n");
  CHECK(ran("begin if shift 3 then true fi ; echo [arg 1] end").output == "u\n");
  CHECK_FALSE(ran("begin shift 3 ; echo ['no'] end").result);
}

TEST_CASE("export, assignment and variables") {
  CHECK(ran("begin x := 'a' 'b' ; echo [x '-' none] end").output == "ab-\n");
  CHECK(ran("begin x := 'a' ; export x ; sh ['-c'; 'echo $x $EXPORTED'] end").output == "a yes\n");
  CHECK(ran("begin x := embed { false } ; echo ['no'] end").output.empty());
  CHECK(ran("begin x := embed { false } embed { true } ; echo ['on'] end").output == "on\n");
}

TEST_CASE("cd goes to a directory and fails elsewhere") {
  CHECK(ran("begin cd '/usr/../tmp/.' ; echo [PWD] end").output == "/tmp\n");
  CHECK(ran("begin cd '/tmp' end").cwd == "/tmp");
  CHECK(ran("begin if cd '/none' then true fi ; echo ['on'] end").output == "on\n");
  CHECK_FALSE(ran("begin cd '/none' ; echo ['no'] end").result);
}

TEST_CASE("a failure ends a program unless it is tested") {
  CHECK(ran("begin false ; echo ['no'] end").output.empty());
  CHECK(ran("function f begin false ; echo ['here'] end begin if call f then echo ['yes'] fi end")
            .output == "here\nyes\n");
  CHECK(ran("begin if false then true else echo ['else'] fi end").output == "else\n");
  CHECK(ran("begin if exit success then true fi ; echo ['no'] end").output.empty());
  CHECK(ran("begin not true ; echo ['on'] end").output == "on\n");
  CHECK(ran("begin not exit success end").result);
  CHECK_FALSE(ran("function f begin not return success end begin if call f then true else exit "
                  "failure fi end")
                  .result);
}

TEST_CASE("a process keeps its context, absorbs exits and passes its result") {
  CHECK(ran("begin x := 'a' ; process x := 'b' ; echo [x] endprocess ; echo [x] end").output ==
        "b\na\n");
  CHECK(ran("begin process exit success endprocess ; echo ['on'] end").output == "on\n");
  CHECK_FALSE(ran("begin process exit failure endprocess ; echo ['no'] end").result);
}

TEST_CASE("pipes, and output that is dropped") {
  CHECK(ran("begin pipe echo ['a'] into cat endpipe end").output == "a\n");
  CHECK(ran("begin x := '1' ; pipe false into x := '2' endpipe ; echo [x] end").output == "1\n");
  CHECK_FALSE(ran("begin pipe true into false endpipe ; echo ['no'] end").result);
  CHECK(ran("begin nooutput echo ['a'] endnooutput ; echo ['b'] end").output == "b\n");
}

TEST_CASE("functions have their own arguments and name, and the variables of all") {
  CHECK(ran("function f begin echo [arg 0; arg 1] ; x := 'set' end begin call f ['a'] ; echo [arg "
            "1; x] end")
            .output == "f a\nu set\n");
  CHECK_FALSE(ran("begin call none ; echo ['no'] end").result);
}

TEST_CASE("lists are cut where they say so") {
  CHECK(ran("begin echo [split ' a  b '; arg 2; split ''] end").output == "a b v w\n");
}

TEST_CASE("an embedded instruction gives its output without the newlines at its end") {
  CHECK(ran("begin echo ['[' embed { begin echo ['a'] ; echo [''] end } ']'] end").output ==
        "[a]\n");
  CHECK(ran("begin echo ['[' embed { begin echo ['a'] ; printf ['b'] end } ']'] end").output ==
        "[a\nb]\n");
}

TEST_CASE("for and while give the result of their last round") {
  CHECK(ran("begin for x in ['a'; split 'b c'] do echo [x] done end").output == "a\nb\nc\n");
  CHECK(ran("begin for x in [] do false done ; echo ['on'] end").output == "on\n");
  CHECK_FALSE(ran("begin for x in ['a'] do exit failure done end").result);
  CHECK(ran("begin while test [x; '!='; 'aa'] do x := 'a' x done ; echo [x] end").output == "aa\n");
  CHECK(ran("begin while false do true done ; echo ['on'] end").output == "on\n");
  CHECK_FALSE(ran("begin while true do exit failure done end").result);
  CHECK(ran("begin while exit success do true done ; echo ['no'] end").output.empty());
}

TEST_CASE("exceeding a bound is a failure that nothing catches") {
  ConcreteOptions options;
  options.loop_limit = 3;
  options.stack_size = 2;
  for (const char* text :
       {"begin while true do true done end",
        "begin not process while true do true done endprocess end",
        "begin x := embed { while true do true done } end",
        "begin x := 'a' embed { while true do true done } 'b' end",
        "begin echo [embed { while true do true done }; 'b'] end",
        "begin cd embed { while true do true done } end",
        "begin echo ['a'; embed { while true do true done }] end",
        "begin for x in [embed { while true do true done }] do true done end",
        "begin pipe while true do true done into true endpipe end",
        "begin if while true do true done then true fi end",
        "function f begin call f end begin call f end",
        "function f begin true end begin call f [embed { while true do true done }] end"}) {
    INFO(text);
    CHECK(ran(text, options).behaviour == Behaviour::kFailure);
  }
  CHECK(ran("begin while test [x; '!='; 'aa'] do x := 'a' x done end", options).behaviour ==
        Behaviour::kNormal);
}

TEST_CASE("endless programs are stopped") {
  ConcreteOptions options;
  options.bounds.max_steps = 10'000;
  auto program = parse("begin while true do true done end", {});
  ConcreteState state;
  state.files = simulate::default_scene().tree;
  options.is_original = true;  // no simulated world for each `true`
  CHECK(run_concrete(*program, "me", std::move(state), options).abort->why == Abort::kSteps);
  options.stack_size = UINT64_MAX;
  CHECK(ran("function f begin call f end begin call f end", options).behaviour ==
        Behaviour::kFailure);
}

}  // namespace
}  // namespace nacre::colis
