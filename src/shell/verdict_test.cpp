// Which texts are valid, where the shells surprise. Each line was compared with `dash -n` and
// `bash -n`; the random comparison is elsewhere.
#include <doctest/doctest.h>

#include "shell/parse.h"

using namespace nacre;
using namespace nacre::shell;

namespace {

struct Verdict {
  const char* text;
  bool dash, bash;
};

constexpr Verdict kVerdicts[] = {
    {"if (a) then (b) fi", true, true},
    {"for i\n; do a; done", true, false},
    {"for i do a; done", true, true},
    {"for a in b; { c; }", false, true},
    {"for a { c; }", false, false},
    {"f() echo", true, false},
    {"f()\ntime (a)", false, false},
    {"local() { :; }", false, true},
    {"x-y() { :; }", false, true},
    {"! ! a", false, true},
    {"!", false, true},
    {"( ! )", false, false},
    {"a | ! b", false, false},
    {"a;;", false, false},
    {"{ }", false, false},
    {"echo $( )", true, true},
    {"echo `if`", false, true},
    {"x=`)`", true, true},
    {"x=`o [(`", true, true},
    {"echo \"${x-it's}\"", true, false},
    {"echo \"${x-'a}\" \"${y%'}'}\"", true, true},
    {"echo ${-\"}\"}", false, true},
    {"echo ${x!!} ${} ${a[}", true, true},
    {"echo $((a) b)", false, true},
    {"echo $((1+", false, false},
    {"cat <<E\n$(if)\nE\n", false, true},
    {"cat <<E\n", true, true},
    {"case x in a|) b;; esac", false, false},
    {"case x in if) b;; (esac) c; esac", true, true},
    {"case in in in) a;; esac", true, true},
    {"a=(b\nc)", false, true},
    {"a=(b|c)", false, false},
    {"a=( [b )", false, false},
    {"a=([x y]=1 [z]w)", false, true},
    {"a[1 2]=3", true, true},
    {"a[1", true, false},
    {"a=(b)c=(d)", false, false},
    {"echo a=(b)", false, false},
    {"eval local a=($x)", false, true},
    {"echo @(a|b) !(c) +([0-9])", false, true},
    {"if !(a); then b; fi", true, true},
    {"a >&1>n", false, true},
    {"a 10>x", true, true},
    {"diff <(a) >(b)", false, true},
    {"[[ a b ]]", true, false},
    {"[[ a =~ (b c)|d ]]", false, true},
    {"]] d", true, false},
    {"coproc", true, false},
    {"coproc x fi", true, false},
    {"coproc x function", true, false},
    {"coproc x time", true, true},
    {"coproc x { a; }", false, true},
    {"coproc x \\\nif a; then b; fi", false, true},
    {"((1;2))", true, true},
    {"for ((a;b)); do c; done", false, false},
    {"a &>b", true, true},
    {"a |& b", false, true},
    {"a ;& b", false, false},
};

}  // namespace

TEST_CASE("verdicts are those of dash -n and bash -n") {
  for (const Verdict& verdict : kVerdicts) {
    CAPTURE(std::string(verdict.text));
    SourceFile file("test.sh", std::string(verdict.text) + "\n");
    CHECK(parse_file(file, Dialect::kSh).is_valid() == verdict.dash);
    CHECK(parse_file(file, Dialect::kBash).is_valid() == verdict.bash);
  }
}
