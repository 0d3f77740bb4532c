#include "colis/from_shell.h"

#include <doctest/doctest.h>

#include "colis/concrete.h"
#include "colis/printer.h"
#include "simulate/scene.h"

namespace nacre::colis {
namespace {

std::string translated(const std::string& script, bool is_original = false) {
  TranslationOptions options;
  options.is_original = is_original;
  options.arguments = {"A", "B C"};
  const shell::ParseResult parsed = shell::parse_file(SourceFile("t", script), shell::Dialect::kSh);
  REQUIRE(parsed.is_valid());
  auto program = from_shell(parsed.tree, options);
  if (!program) return "refused: " + program.error().message;
  std::string text = print(*program);
  for (size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, " ");
  return text;
}

// What the translation prints when it is run, with the arguments A and "B C".
std::string run(const std::string& script) {
  TranslationOptions options;
  options.arguments = {"A", "B C"};
  const shell::ParseResult parsed = shell::parse_file(SourceFile("t", script), shell::Dialect::kSh);
  auto program = from_shell(parsed.tree, options);
  if (!program) return "refused: " + program.error().message;
  ConcreteState state;
  state.files = simulate::default_scene().tree;
  state.context = initial_context(options.arguments, {});
  ConcreteRun ran = run_concrete(*program, "t", std::move(state), {});
  if (!ran.outcome) return "aborted: " + ran.abort->message;
  return ran.outcome->state.stdout_text;
}

TEST_CASE("words are split as they are quoted") {
  CHECK(translated("echo \"$x$y\" $x a$x 'b c'") ==
        "begin   echo [x y; split x; split 'a' x; 'b c'] end ");
  CHECK(translated("echo $x\"$y\"") == "refused: unsupported feature: mixed words");
}

TEST_CASE("commands become their counterparts") {
  CHECK(translated("a && b || c") == "begin   ((a && b) || c) end ");
  CHECK(translated("until a; do b; done") == "begin   while not a do     b   done end ");
  CHECK(translated("a >/dev/null 2>&1") == "begin   nooutput     a   endnooutput end ");
  CHECK(translated("f() { a; }; f x") ==
        "function f begin   a end begin   true ;   call f ['x'] end ");
}

TEST_CASE("what has no meaning is refused") {
  for (const char* script :
       {"a &", "rm *", "eval x", "trap x 0", "read x", "a < f", "ls > f", "x=(1)", "IFS=:", "break",
        "$x", "f() { break; }", "cd ~", "if a; then f() { b; }; fi; f"}) {
    INFO(script);
    const shell::ParseResult parsed =
        shell::parse_file(SourceFile("t", script), shell::Dialect::kSh);
    if (!parsed.is_valid()) continue;
    CHECK(translated(script).starts_with("refused"));
  }
}

TEST_CASE("what the original refuses and CoLiS can say does the same as in the shell") {
  CHECK(run(": && echo a") == "a\n");
  CHECK(run("set -eu; echo ${x:-d} \"${1:-d}\" ${x:+s} \"${1:+s}\"") == "d A s\n");
  CHECK(run("x=a.tar.gz; echo ${x%.*} ${x##*.} ${#x}") == "a.tar gz 8\n");
  CHECK(run("x=4; echo $((x * 2 + 1))") == "9\n");
  CHECK(run("echo $#; shift; echo $#") == "2\n1\n");
  CHECK(run("printf '[%s]' \"x $@ y\"") == "[x A][B C y]");
  CHECK(run("echo ${2+set} \"<${3+set}>\" ${3-none} \"${2-none}\"") == "set <> none B C\n");
  CHECK(run("for x; do echo \"$x\"; done") == "A\nB C\n");
  CHECK(run("f() { for x in \"$@\"; do echo \"<$x>\"; done; }; f 1 '2 3'; f") == "<1>\n<2 3>\n");
  CHECK(run("case $1 in [B-Z]*) echo no;; A*|x) echo yes;; esac") == "yes\n");
  CHECK(run("A=b sh -c 'echo $A'; echo \"<$A>\"") == "b\n<>\n");
  CHECK(run("cat <<E\nx $1\nE") == "x A\n");
  CHECK(run("cat > /tmp/f <<E\nx\nE\necho y >> /tmp/f; cat /tmp/f") == "x\ny\n");
  CHECK(run(": ${x:=v}; echo $x") == "v\n");
  CHECK(run("x=1; echo ${x:+\"a b\"}${y:+\"c d\"}") != "");
  CHECK(run("printf '[%s]' ${y:+\"c d\"} e") == "[e]");
  CHECK(run("if true; then f() { echo in; }; f; fi") == "in\n");
  CHECK(run("exit_code=3; (exit $exit_code) || echo failed") == "failed\n");
}

TEST_CASE("a substitution fails a script only where the shell looks at its status") {
  CHECK(run(": \"${x:=$(echo v; false)}\"; echo \"<$x>\"") == "<v>\n");
  CHECK(run("export x=$(echo v; false); echo \"<$x>\"") == "<v>\n");
  CHECK(run("case $(echo v; false) in v) echo yes;; esac") == "yes\n");
  CHECK(run("x=$(echo v; false) sh -c 'echo $x'") == "v\n");
  CHECK(run("x=$(false); echo no") == "");
  CHECK(run("x=${y:-$(false)}; echo no").starts_with("refused"));
}

TEST_CASE("the original keeps its quirks") {
  CHECK(translated("x=", true) == "begin   'x=' end ");
  CHECK(translated(":", true) == "refused: unsupported feature: special builtin: :");
  CHECK(translated("if a; then f() { b; }; fi; f", true).starts_with("function f"));
}

}  // namespace
}  // namespace nacre::colis
