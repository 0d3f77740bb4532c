// Values that a variable really has where a script ends, and that its type once did not hold.
#include <doctest/doctest.h>

#include "flow/check.h"
#include "flow/testing/codes.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

using namespace nacre;
using flow::testing::codes;
using shell::Dialect;

namespace {

// The type of $x at the end of the script.
std::string type_behind(std::string script, Dialect dialect = Dialect::kBash) {
  script += "\necho \"$x\"\n";
  const auto parsed = shell::parse_file(SourceFile("test.sh", script), dialect);
  const commands::CardLibrary cards;
  flow::CheckOptions options;
  options.wants_types = true;
  const size_t place = script.rfind("$x");
  for (const flow::TypeAt& type : flow::types_of(flow::check(parsed.tree, cards, options).facts))
    if (type.is_variable && type.span.begin == place) return type.output();
  return "nothing";
}

bool may_be(const std::string& value, const std::string& script, Dialect dialect = Dialect::kBash) {
  const std::string type = type_behind(script, dialect);
  if (type.starts_with('<')) return true;
  regular::Context context;
  const auto lang = regular::parse_type(context, type);
  INFO(type);
  return lang && contains(*lang, value);
}

}  // namespace

TEST_CASE("a variable is set by the name that another one holds") {
  CHECK(may_be("b", "x=a; n=x; printf -v \"$n\" %s b"));
  CHECK(type_behind("x=a; n=x; declare \"$n=b\"") == "b");
  CHECK(type_behind("x=a; kv=x=b; export \"$kv\"") == "b");
  CHECK(may_be("", "x=a; n=x; unset \"$n\""));
  CHECK(may_be("b", "x=a; n=x; mapfile -t \"$n\" <<< b"));
  CHECK(type_behind("x=a; n=y; declare \"$n=b\"") == "a");
  CHECK(may_be("4", "x=a; n=x; (( $n = 4 ))"));
  CHECK(may_be("2", "x=a; y=b; let 'y=1,x=2'"));
  CHECK(may_be("b", "x=a; declare -n r=x; x=c; r=b"));
  CHECK(may_be("b", "x=a; n=$1; printf -v \"$n\" %s b"));
  CHECK(may_be("b", "x=a; f() { n=$1; printf -v \"$n\" %s b; f x; }; f x; f x"));
  CHECK(type_behind("x=a; f() { n=x; declare \"$n=b\"; }; f") == "a");
}

TEST_CASE("all words of a declaration are expanded before it") {
  CHECK(type_behind("y=a; f() { local y=b x=$y; echo \"$x\"; x=$x; }; f; x=a") == "a");
  CHECK(may_be("a", "x=a; f() { local x=$x; y=$x; }; f; x=$y"));
  CHECK(may_be("a", "y=a; declare y=b x=$y"));
}

TEST_CASE("a variable that was assigned before a call is there in new ones of its name") {
  CHECK(may_be("b", "f() { local x; y=$x; }; x=b f; x=$y"));
  CHECK(may_be("b", "f() { g; }; g() { local x; y=$x; }; x=b f; x=$y"));
  CHECK(may_be("b", "unset x; x=${x:=b} true"));
}

TEST_CASE("the attributes of a variable change what is assigned") {
  CHECK(may_be("ABC", "declare -u x; x=abc"));
  CHECK(may_be("3", "declare -i x; read x <<< 1+2"));
  CHECK(may_be("old", "x=old; f() { local x; x=$x; echo \"$x\"; }; f", Dialect::kSh));
}

TEST_CASE("the other elements of an array stay") {
  CHECK(may_be("l", "r=(k l); r=m; x=${r[1]}"));
  CHECK(may_be("l", "r=(k l); ((r[0]++)); x=${r[1]}"));
  CHECK(may_be("", "r=(k l); x=${r[7]}"));
  CHECK(may_be("k l", "r=(k l); x=\"${r[@]}\""));
  CHECK(may_be("k:l", "set -- k l; IFS=:; x=\"$*\""));
  CHECK(may_be("xk", "set -- k l; for x in \"x$@y\"; do break; done"));
  CHECK(may_be("k l", "r=(k l); echo \"${r[@]}\" > f; x=$(cat f)"));
  CHECK(may_be("m", "r=(k l); unset 'r[0]'; r+=m; x=${r[0]}"));
  CHECK(may_be("km", "r=(k l); r[0]+=m; x=${r[0]}"));
  CHECK(may_be("km", "r=(k l); declare r+=m; x=${r[0]}"));
  CHECK(may_be("l", "r=(k l); declare r+=m; x=${r[1]}"));
  CHECK(may_be("k", "r=(k l); printf -v \"$1\" a; r+=(m); x=${r[0]}"));
}

TEST_CASE("an expansion is empty if its variable may be missing") {
  CHECK(may_be("", "y=a; [ \"$1\" ] || unset y; x=$(echo \"$y\")"));
  CHECK(may_be("", "y=a; [ \"$1\" ] || unset y; for x in $y; do :; done"));
  CHECK(codes("y=1\n[ \"$1\" ] || unset y\ncase $(echo $y) in 1) echo ;; *) echo no ;; esac\n") ==
        "");
}

TEST_CASE("words are cut at what separates them") {
  CHECK(may_be("a", "[ \"$1\" ] && y=b || y=; x=$(echo a $y)"));
  CHECK(may_be("a", "[ \"$1\" ] && y=b || y=; x=$(echo $y a)"));
  CHECK(may_be("f ", "IFS=o; y=foo; x=$(echo $y)"));
  CHECK(may_be("za b", "y='a b'; [ \"$1\" ] && y=c; x=$(echo z$y)"));
}

TEST_CASE("a test of several words fails") {
  CHECK(may_be("b", "y='p q'; [ -n $y ] || x=b"));
  CHECK(may_be("b", "y='p q'; [ $y != foo ] || x=b"));
  CHECK(may_be("b", "y=; [ -n $y ] && x=b"));
  CHECK(may_be("b", "y=010; [[ $y -eq 8 ]] && x=b"));
}

TEST_CASE("a count is not a length") {
  CHECK(type_behind("set -- ab; x=${#@}") == "[0-9]+");
  CHECK(may_be("1", "y=ab; x=${#y[@]}"));
  CHECK(may_be("1", "y=\xc3\xa9; x=${#y}"));
  CHECK(may_be("a", "set --; x=${*+a}", Dialect::kSh));
}

TEST_CASE("a command is none of the functions") {
  CHECK(type_behind("x=a; true() { x=b; }; command true") == "a");
  CHECK(may_be("b", "builtin read -r x <<< b"));
  CHECK(may_be("b\n", "readarray -d : -t r <<< a:b; x=${r[1]}"));
  CHECK(may_be("b", "echo a | { read -u 3 x; echo \"$x\" > f; } 3< g; x=$(cat f)"));
}

TEST_CASE("a function is called by a name that is not known") {
  const std::string f = "f() { x=b; }; x=a; ";
  CHECK(may_be("b", f + "run() { \"$@\"; }; run f"));
  CHECK(may_be("b", f + "g=f; [ \"$1\" ] && g=true; $g"));
  CHECK(may_be("b", f + "c=(f y); \"${c[@]}\""));
  CHECK(type_behind(f + "run() { \"$@\"; }; run true") == "a");
}

TEST_CASE("a call that is not followed may do what its text says") {
  const auto deep = [](const std::string& body) {
    return "f() { if [ -z \"$1\" ]; then " + body + "; else f \"${1#?}\"; fi; }; x=a; f pqrs";
  };
  CHECK(may_be("b", deep("x=b")));
  CHECK(may_be("b", deep("command read -r x <<< b")));
  CHECK(may_be("b", deep("builtin printf -v x b")));
  CHECK(may_be("b", deep("local -n r=x; r=b")));
  CHECK(may_be("l", "r=(k l); " + deep("unset 'r[0]'") + "; r+=m; x=${r[1]}"));
  CHECK(type_behind(deep("local y=b")) == "a");
}

TEST_CASE("a trap runs whenever its time has come") {
  CHECK(may_be("b", "x=a; trap 'x=b' ERR; false"));
  CHECK(may_be("b", "trap 'x=b' USR1; x=a; kill -USR1 $$"));
  CHECK(may_be("b", "f() { x=b; }; trap f ERR; x=a; false"));
  CHECK(type_behind("x=a; trap 'x=b' EXIT") == "a");
  CHECK(may_be("c", "x=a; (trap 'x=b' ERR; false); x=a; . ./lib"));
  CHECK(may_be("hi\nbye", "x=$(trap 'echo bye' EXIT; echo hi)"));
  CHECK(may_be("0", "(trap 'exit 0' EXIT; false); x=$?"));
}

TEST_CASE("a shell that finds no value where it needs one has failed") {
  CHECK(may_be("1", "(set -u; : \"$1\"); x=$?"));
  CHECK(may_be("1", "(: \"${1:?}\"); x=$?"));
}

TEST_CASE("patterns may match whatever the case") {
  CHECK(may_be("b", "y=foo; shopt -s nocasematch; case $y in FOO) x=b ;; esac"));
  CHECK(may_be("b", "y=foo; shopt -s nocasematch; [[ $y =~ FOO ]] && x=b"));
  CHECK(may_be("[f]", "y=f; x=${y/f/[&]}"));
  CHECK(codes("y=foo\nshopt -s nocasematch\n[[ $y == FOO ]] && echo\n") == "");
}

TEST_CASE("what was skipped has assigned nothing") {
  CHECK(may_be("a", "x=a; (( $1 && (x = 5) ))"));
  CHECK(may_be("a", "x=a; { x=b; } < \"$1\""));
  CHECK(may_be("a", "x=a; read -r x < file"));
  CHECK(may_be("a", "set -- a; shift 2; x=$1"));
  CHECK(may_be("a", "x=a; if [ \"$1\" ]; then f() { x=b; }; fi; f"));
  CHECK(may_be("b", "if [ \"$1\" ]; then f() { x=a; }; else f() { x=b; }; fi; f"));
}

TEST_CASE("a status is that of what was run last") {
  CHECK(type_behind("[ \"$1\" != \"$2\" ] || exit; x=$?") == "0");
  CHECK(may_be("1", "i=0; until [ $i = 1 ]; do i=1; false; done; x=$?"));
  CHECK(type_behind("false; for i in; do :; done; x=$?") == "0");
  CHECK(may_be("1", "case a in a) false ;;& b) ;; esac; x=$?"));
  CHECK(may_be("b", "x=a; printf %d z 2>/dev/null || x=b"));
  CHECK(may_be("a", "set -e; x=$(false; echo a)"));
  CHECK(may_be("", "set -e; x=$(echo $1)"));
  CHECK(may_be("3", "x=$(exit 3)$?"));
  CHECK(may_be("1", "r=(); unset 'r[-1]'; x=$?"));
  CHECK(may_be("1", "set -e; for i in 1; do [ $i = 2 ] && break; done; x=$?"));
  CHECK(may_be("1", "set -e; if true; then [ a = \"$1\" ] && :; else :; fi; x=$?"));
  CHECK(may_be("", "x=$([ \"$1\" ] && exit 0; echo a)"));
}

TEST_CASE("a file holds what was written last, whoever wrote it") {
  CHECK(may_be("b", "echo a > f; (echo b > f); x=$(cat f)"));
  CHECK(may_be("b", "echo a > f; echo b | tee f; x=$(cat f)"));
  CHECK(may_be("b", "echo a > f; y=$(echo b > f); x=$(cat f)"));
  CHECK(may_be("b", "echo a > f; sh -c 'echo b > f'; x=$(cat f)"));
  CHECK(may_be("b", "echo a > f; echo b | xargs -I{} sh -c 'echo {} > f'; x=$(cat f)"));
  CHECK(may_be("b", "echo a > f; exec {d}> f; echo b >&$d; x=$(cat f)"));
  CHECK(may_be("b", "echo a > f; echo b > ./f; x=$(cat f)"));
  CHECK(may_be("b", "y=g; [ \"$1\" ] && y=f; echo a > f; echo b > $y; x=$(cat f)"));
  CHECK(may_be("b", "(exec > f; echo b); x=$(cat f)"));
  CHECK(may_be("", "x=$(exec > f; echo b)"));
  CHECK(may_be("b", "echo b > f; set -C; echo a > f; x=$(cat f)"));
  CHECK(may_be("b", "echo a > d/f; rm -r d; x=$(cat d/f || echo b)"));
}

TEST_CASE("the word of a case is what it was, whatever an arm does") {
  CHECK(may_be("b", "y=ab; case $y in a*) y=c ;;& *b) x=b ;; esac"));
}

TEST_CASE("an arm that the one above falls into is reached") {
  CHECK(codes("case $1 in a) echo 1 ;& a) echo 2 ;; esac\n") == "");
  CHECK(codes("case $1 in a) echo 1 ;; a) echo 2 ;; esac\n") == "T302:1");
}

TEST_CASE("what the shell counts does not come from outside") {
  CHECK(codes("echo $((LINENO))\nf() { echo $((LINENO + SECONDS)); }\n") == "");
  CHECK(codes(". \"$1\"\necho $((LINENO))\n") == "");
  CHECK(may_be("7", "SECONDS=0; sleep 7; x=$SECONDS"));
  CHECK(may_be("", "x=$BASH_VERSION", Dialect::kSh));
  CHECK(codes("for ((i = 0; i < 3; i++)); do echo; done <<< \"$1\"\n") == "");
}

TEST_CASE("an option with an A makes no associative arrays") {
  CHECK(codes("f=(a b)\ngrep -A 3 f x\nread -r i\necho \"${f[$i]}\"\n") ==
        codes("f=(a b)\ngrep -B 3 f x\nread -r i\necho \"${f[$i]}\"\n"));
}
