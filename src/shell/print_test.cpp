#include "shell/print.h"

#include <doctest/doctest.h>

#include "shell/parse.h"

using namespace nacre;
using namespace nacre::shell;

namespace {

ParseResult parse(std::string text, Dialect dialect = Dialect::kBash) {
  return parse_file(SourceFile("test.sh", std::move(text)), dialect);
}

std::string source(std::string text) { return to_source(parse(std::move(text)).tree.program()); }

}  // namespace

TEST_CASE("printing gives back every byte, also of wrong texts") {
  for (const char* text :
       {"", "\n\n# c\n", "a  b\\\n c # d\n\n\n", "if a; then\n", "echo `x \\`y\\``;;)\n", "'",
        "\"$(", "cat <<-E\n\ta $x\n\tE\n", "a=( 1 # c\n 2 )\n", "fi )) } done\nok\n",
        "\xff\x80 a\r\n", "cat <<E; coproc x\na\nE\n"}) {
    CHECK(print(parse(text).tree) == text);
  }
}

TEST_CASE("to_source writes a node anew in one layout") {
  CHECK(source("if a;then b&c\nelse d;fi>x 2>&1") ==
        "if a; then\n  b &\n  c\nelse\n  d\nfi >x 2>&1");
  CHECK(source("x=`echo \\`y\\`` cmd  'a b' \"$z\"") == "x=$(echo $(y)) cmd 'a b' \"$z\"");
  CHECK(source("echo $( (a);b )") == "echo $(\n  (\n    a\n  )\n  b\n)");
  CHECK(source("echo x$`a` \"$`b`\"") == "echo x\\$$(a) \"\\$$(b)\"");
  CHECK(source("echo `a \\\\`b") == "echo $(a \\\\)b");
  CHECK(source("\"if x\"() { a; }") == "'if x'() {\n  a\n}");
  CHECK(to_source(parse("time() { a; }", Dialect::kSh).tree.program()) == "time() {\n  a\n}");
  CHECK(source("A\\\nB=(c)") == "AB=(c)");
  CHECK(source("echo `!`") == "echo $(\n  ! \n)");
  CHECK(source("echo `a || !`") == "echo $(\n  a || ! \n)");
  CHECK(source("a || ! !") == "a || ! ! ");
  CHECK(source("echo ${`a`}") == "echo ${.$(a)}");
  CHECK(source("cat <<$(a;b)\nx\n$(a;b)\n") == "cat <<$(a;b)\nx\n$(a;b)\n");
  CHECK(source("read x < <(a)") == "read x < <(a)");
  CHECK(source("cat <<A && b\n$x\nA\nc") == "cat <<A && b\n$x\nA\nc");
}

TEST_CASE("what to_source writes parses to the same source") {
  for (const char* text :
       {"while a; do b; done | c |& d", "! time -p a", "for ((i=0;i<5;i++)); do a; done",
        "case $x in a|b) c;& (d) e;;& *) ;; esac", "function f { a; } >x", "f() (a)",
        "[[ -f $x && ( ! a == b* || $c =~ ^(x|y z)$ ) ]]", "(( a[1] += 2, b ? c : d ))",
        "a=([x]=1 \"b c\" $d) e+=f g[1]=2", "echo ${x/a/b} ${x:1:2} ${!y@} ${!z[@]} ${#w} ${v^^a}",
        "echo {a,b{1..3}} $'a\\'\\n' $\"b\" @(c|d*) ~/e ~f", "coproc N { a; }",
        "select x; do a; done", "exec {fd}<>a 3>&- &>>b <<<\"c\"",
        "echo $(( (1+$x) * y )) $[ z ] <(p) \"${q:-'r'}\""}) {
    std::string once = source(text);
    CAPTURE(text);
    CHECK(parse(text).is_valid());
    CHECK(parse(once).is_valid());
    CHECK(source(once) == once);
  }
}
