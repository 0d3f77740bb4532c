// Guards that hold and guards that only look like it, in scripts of the kind that people write to
// install, to back up and to clean up.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;
using flow::testing::codes;

namespace {

std::string warned(const std::string& script) {
  return flow::testing::codes(script, shell::Dialect::kBash, Severity::kWarning);
}

}  // namespace

TEST_CASE("the word of an alternative is for a value that is there") {
  CHECK(warned("set -u\nexport LIBS=/opt/lib${LIBS:+:$LIBS}\n").empty());
  CHECK(warned("set -u\nexport LIBS=/opt/lib${LIBS+:$LIBS}\n").empty());
  CHECK(warned("set -u\nexport LIBS=/opt/lib:$LIBS\n") == "X104:2");
  CHECK(warned("rm -rf ${DIR:+\"$DIR/\"*}\n").empty());
}

TEST_CASE("an empty value does not get through ${x:?}") {
  CHECK(warned("name=\nrm -rf \"/usr/lib/${name:?}\"\n").empty());
  CHECK(warned("name=\nrm -rf \"/usr/lib/${name?}\"\n") == "X101:2");
}

TEST_CASE("a word from a list may be evaluated") {
  CHECK(warned("read -r what < list\ncase $what in up|down) eval \"$what\" ;; esac\n").empty());
  CHECK(warned("read -r what < list\neval \"$what\"\n") == "J102:2");
}

TEST_CASE("under set -u nobody gets to know that a variable of the login is missing") {
  CHECK(warned("set -u\nif [ -n \"$DISPLAY\" ]; then xterm; fi\n") == "X104:2");
  CHECK(warned("set -u\nif [ -n \"${DISPLAY-}\" ]; then xterm; fi\n").empty());
  CHECK(warned("set -u\necho \"$TMPDIR\"\n").empty());
  CHECK(warned("if [ -n \"$DISPLAY\" ]; then xterm; fi\n").empty());
  CHECK(warned("set -u\nread -r\nif [ -n \"$REPLY\" ]; then echo; fi\n").empty());
}

TEST_CASE("what is learnt of an argument is learnt of its copies") {
  const std::string removal = "rm -rf \"$dir/\"*\n";
  CHECK(warned("dir=$1\n[ -n \"$1\" ] || exit\n" + removal).empty());
  CHECK(warned("dir=${1:-}\n[ -n \"$1\" ] || exit\n" + removal).empty());
  CHECK(warned("dir=$ROOT\n[ -n \"$ROOT\" ] || exit\n" + removal).empty());
  CHECK(warned("dir=$1\n[ -n \"$dir\" ] || exit\nrm -rf \"$1/\"*\n").empty());
  CHECK(warned("f() {\n  local dir=$1\n  [ -n \"$1\" ] || return\n  " + removal + "}\nf \"$@\"\n")
            .empty());
  CHECK(warned("dir=$1\nlib=$dir/lib\n[ -n \"$1\" ] || exit\nrm -rf \"$lib\"\n").empty());
  CHECK(warned("lib=$1/lib\n[ -n \"$1\" ] || exit\nrm -rf \"$lib\"\n").empty());
  CHECK(warned("lib=$1/lib\n[ -n \"$2\" ] || exit\nrm -rf \"$lib\"\n") == "X101:3");
  CHECK(warned("lib=$1$2/lib\n[ -n \"$1\" ] || exit\nrm -rf \"/usr/$3\"\n") == "X101:3");
  CHECK(warned("dir=$1\nshift\n[ -n \"$1\" ] || exit\n" + removal) == "X101:4");
  CHECK(warned("dir=$ROOT\nROOT=$1\n[ -n \"$ROOT\" ] || exit\n" + removal) == "X101:4");
  CHECK(warned("dir=$1\n[ -n \"$2\" ] || exit\n" + removal) == "X101:3");
}

TEST_CASE("so many arguments are there as were counted") {
  const std::string removal = "rm -rf \"$1/\"*\n";
  CHECK(warned("[ $# -eq 1 ] || exit\n" + removal).empty());
  CHECK(warned("if [ $# -lt 1 ]; then exit; fi\n" + removal).empty());
  CHECK(warned("if [[ $# -eq 0 ]]; then exit; fi\n" + removal).empty());
  CHECK(warned("if (( $# < 1 )); then exit; fi\n" + removal).empty());
  CHECK(warned("(( $# )) || exit\n" + removal).empty());
  CHECK(warned("case $# in 0) exit ;; esac\n" + removal).empty());
  CHECK(warned("dir=$1\n[ $# -gt 0 ] || exit\nrm -rf \"$dir/\"*\n").empty());
  CHECK(warned("[ $# -gt 1 ] && exit\n" + removal) == "X101:2");
  CHECK(warned("[ $# -eq 1 ] || exit\nrm -rf \"$2/\"*\n") == "X101:2");
  CHECK(warned("[ $# -eq 1 ] || exit\nshift\n" + removal) == "X101:3");
}

TEST_CASE("a length and a default tell whether a value is there") {
  const std::string removal = "rm -rf \"$DIR/\"*\n";
  CHECK(warned("[ ${#DIR} -gt 0 ] || exit\n" + removal).empty());
  CHECK(warned("(( ${#DIR} )) || exit\n" + removal).empty());
  CHECK(warned("if (( ! ${#DIR} )); then exit; fi\n" + removal).empty());
  CHECK(warned("[ ${#1} -gt 0 ] || exit\nrm -rf \"$1/\"*\n").empty());
  CHECK(warned("[ \"${DIR:-none}\" = none ] && exit\n" + removal).empty());
  CHECK(warned("[ \"${DIR:-none}\" = all ] && exit\n" + removal) == "X101:2");
}

TEST_CASE("echo does not fail on the way to exit") {
  const std::string removal = "rm -rf \"$DIR/\"*\n";
  CHECK(warned("[ -z \"$DIR\" ] && echo usage && exit 1\n" + removal).empty());
  CHECK(warned("[ -z \"$DIR\" ] && echo usage >&2 && exit 1\n" + removal).empty());
  CHECK(warned("[ -n \"$DIR\" ] || printf usage && exit 1\n" + removal).empty());
  CHECK(warned("[ -z \"$DIR\" ] && mail root && exit 1\n" + removal) == "X101:2");
}

TEST_CASE("under set -u an argument is missing before one can ask for it") {
  CHECK(warned("set -u\nif [ -z \"$2\" ]; then exit; fi\n") == "X104:2");
  CHECK(warned("set -u\nif [ -z \"${2:-}\" ]; then exit; fi\n").empty());
  CHECK(warned("set -u\n[ $# -ge 2 ] || exit\nif [ -z \"$2\" ]; then exit; fi\n").empty());
  CHECK(warned("set -u\n[ $# -ge 1 ] || exit\nx=$1\n[ -z \"$x\" ] && exit\n").empty());
  CHECK(warned("set -u\nx=$1\n[ -z \"$x\" ] && exit\n") == "X104:3");
  CHECK(warned("set -u\nif [ \"$(id)\" != \"$WANTED\" ]; then exit; fi\n").empty());
}

TEST_CASE("a sourced file does not change the arguments, an evaluated text may") {
  const std::string rest = "f() {\n  local a=\"$1\"\n  [ -n \"$a\" ] || return\n}\nf \"$@\"\n";
  CHECK(warned("set -u\n. /etc/lib.sh\n" + rest) == "X104:5");
  CHECK(warned("set -u\noptions=$(getopt a \"$@\")\neval set -- \"$options\"\n" + rest).empty());
}

TEST_CASE("what a search for a command printed tells whether there is one") {
  CHECK(warned("x=$(command -v git)\nif [ -z \"$x\" ]; then git init; fi\n") == "T304:2");
  CHECK(warned("if [ -z \"$(which git)\" ]; then git init; fi\n") == "T304:1");
  CHECK(warned("if [ ! -n \"$(which git)\" ]; then git init; fi\n") == "T304:1");
  CHECK(warned("if [ -n \"$(which git)\" ]; then git init; fi\n").empty());
  CHECK(
      warned("x=$(which git)\n[ -n \"$x\" ] || x=$(which hg)\n[ -n \"$x\" ] || hg init\n").empty());
  CHECK(warned("x=$(which git)\n[ -n \"$x\" ] || exit\ngit init\n").empty());
  CHECK(warned("if [ ! -x \"$(command -v git)\" ]; then git init; fi\n") == "T304:1");
  CHECK(warned("if [ -x \"$(command -v git)\" ]; then git init; fi\n").empty());
}

TEST_CASE("a command that is missing stays missing until it is installed") {
  const std::string missing = "if command -v zsh; then exit; fi\ncommand -v git || exit\n";
  CHECK(warned(missing + "env git clone a\nenv zsh\n") == "T304:4");
  CHECK(warned(missing + "env git clone a\napt-get install zsh\nenv zsh\n").empty());
  CHECK(warned(missing + "ln -s /opt/zsh /usr/bin/zsh\nenv zsh\n").empty());
}

TEST_CASE("names that a command lists are not known to be the system's") {
  CHECK(warned("ls | xargs -d '\\n' rm -rf\n").empty());
  CHECK(warned("echo \"$DIR/\" | xargs rm -rf\n") == "X101:1");
  CHECK(warned("printf '%s\\n' \"$DIR/\" | xargs rm -rf\n") == "X101:1");
  CHECK(warned("printf '%s\\n' \"${DIR:?}/\" | xargs rm -rf\n").empty());
}

TEST_CASE("an array that a pipeline has filled is as it was, also when it is counted") {
  CHECK(warned("a=()\nls | while read -r f; do a+=(\"$f\"); done\necho ${#a[@]}\n") == "X106:3");
  CHECK(warned("a=()\nwhile read -r f; do a+=(\"$f\"); done < l\necho ${#a[@]}\n").empty());
}

TEST_CASE("a test that is a command of its own is there to end the script") {
  const std::string begin = "set -e\nready() { [ -f list ]; rm -f lock; }\n";
  CHECK(codes(begin + "if ready; then echo; fi\n") == "T309:3");
  CHECK(codes(begin + "ready\n").empty());
}

TEST_CASE("quotes elsewhere tell that a text with blanks is one name") {
  const std::string begin = "dir=\"/srv/My Files\"\n";
  CHECK(codes(begin + "mkdir -p \"$dir\"\nrm -r $dir/old\n") == "X103:3");
  CHECK(codes(begin + "cd \"$dir\" || exit\nrm -r $dir\n") == "X103:3");
  CHECK(codes("files=\"a b\"\necho \"$files\"\nrm -f $files\n").empty());
}

TEST_CASE("a removal of all files in the wrong directory") {
  CHECK(warned("cd /var/log/app\nrm -f *\n") == "X105:2");
  CHECK(warned("cd /var/log/app\nrm -f ./*\n") == "X105:2");
  CHECK(warned("cd /var/log/app || exit\nrm -f *\n").empty());
  CHECK(warned("cd /var/log/app\nrm -f *.gz\n").empty());
  CHECK(warned("cd ~\nrm -rf *\n") == "X101:2");
  CHECK(warned("cd \"$1\" && rm -rf *\n") == "X105:1");
  CHECK(warned("[ $# -gt 0 ] || exit\ncd \"$1\" && rm -rf *\n").empty());
  CHECK(warned("cd \"$1/build\" && rm -rf *\n").empty());
  CHECK(warned("set -e\nout=$(sed -n 1p list)\ncd \"$out\"\nrm -rf ./*\n") == "X105:4");
  CHECK(warned("set -e\nout=$(sed -n 1p list)\ncd \"${out:?}\"\nrm -rf ./*\n").empty());
  CHECK(warned("set -e\nout=$(mktemp -d)\ncd \"$out\"\nrm -rf ./*\n").empty());
}

TEST_CASE("what a value is added to has to be there under set -u") {
  CHECK(warned("set -u\nif [ \"${V:-}\" ]; then opts=\"$opts -v\"; fi\n") == "X104:2");
  CHECK(warned("set -u\nopts=\nif [ \"${V:-}\" ]; then opts=\"$opts -v\"; fi\n").empty());
  CHECK(warned("set -u\nopts=\"$opts\" make\n").empty());
}

TEST_CASE("no word of a list that is split is empty") {
  const std::string removal = "; do rm -rf \"$d/\"*; done\n";
  CHECK(warned("for d in $DIRS" + removal).empty());
  CHECK(warned("for d in $(cat list) $1" + removal).empty());
  CHECK(warned("for d in \"$@\"" + removal).empty());
  CHECK(warned("for d" + removal).empty());
  CHECK(warned("for d in \"$DIR\" b" + removal) == "X101:1");
  CHECK(warned("IFS=:\nfor d in $DIRS" + removal) == "X101:2");
  CHECK(warned("dirs=(\"$1\" \"$2\")\nfor d in \"${dirs[@]}\"" + removal) == "X101:2");
}

TEST_CASE("options of the first line") {
  CHECK(warned("#!/bin/sh -e\nmake\nif [ $? -ne 0 ]; then exit 1; fi\n") == "T301:3");
  CHECK(warned("#!/bin/sh\nmake\nif [ $? -ne 0 ]; then exit 1; fi\n").empty());
  CHECK(warned("#!/bin/bash -x -o errexit\ncd /srv/data\nrm -rf *\n").empty());
  CHECK(warned("#!/bin/bash -eu\nif [ -z \"$MODE\" ]; then MODE=a; fi\n") == "X104:2");
}

TEST_CASE("a function that looks at its argument guards it") {
  const std::string removal = "rm -rf \"$out/\"*\n";
  const std::string need = "need() { [ -n \"$1\" ] || exit 1; }\nout=$(sed -n 1p list)\n";
  CHECK(warned(need + removal) == "X101:3");
  CHECK(warned(need + "need \"$out\" directory\n" + removal).empty());
  CHECK(warned(need + "need \"a$out\"\n" + removal) == "X101:4");
  CHECK(warned(need + "need \"$out\"\nout=$2\n" + removal) == "X101:5");
  CHECK(warned("need() { local v=$1; if [ -z \"$v\" ]; then exit 1; fi; }\nout=$(sed -n 1p list)\n"
               "need \"$out\"\n" +
               removal)
            .empty());
  CHECK(warned("ok() { [ -d \"$1\" ]; }\nout=$(sed -n 1p list)\nif ok \"$out\"; then " + removal +
               "fi\n")
            .empty());
}

TEST_CASE("what a command that succeeded was given was there") {
  const std::string out = "out=$(sed -n 1p list)\n", removal = "rm -rf \"$out/\"*\n";
  CHECK(warned(out + "mkdir -p \"$out\"\n" + removal) == "X101:3");
  CHECK(warned(out + "mkdir -p \"$out\" || exit\n" + removal).empty());
  CHECK(warned("set -e\n" + out + "mkdir -p \"$out\"\n" + removal).empty());
  CHECK(warned(out + "mountpoint -q \"$out\" && " + removal).empty());
  CHECK(warned(out + "rm -rf \"$out\" || exit\n" + removal) == "X101:3");
  CHECK(warned(out + "echo \"$out\" || exit\n" + removal) == "X101:3");
}

TEST_CASE("guards that look at a part of a value, or below it") {
  const std::string out = "out=$(sed -n 1p list)\n", removal = "rm -rf \"$out/\"*\n";
  CHECK(warned(out + "[ \"${out:0:1}\" = / ] || exit\n" + removal).empty());
  CHECK(warned(out + "if [ -z \"${out// }\" ]; then exit; fi\n" + removal).empty());
  CHECK(warned(out + "[ -n \"${out%/}\" ] || exit\n" + removal).empty());
  CHECK(warned(out + "[ -n \"${out:-x}\" ] || exit\n" + removal) == "X101:3");
  CHECK(warned(out + "[ -f \"$out/Makefile\" ] || exit\n" + removal).empty());
  CHECK(warned(out + "[ -f \"$out/etc/fstab\" ] || exit\n" + removal) == "X101:3");
}

TEST_CASE("a variable that was asked for with -v is set") {
  CHECK(warned("set -u\n[[ -v TOKEN ]] && [ -n \"$TOKEN\" ] && echo\n").empty());
  CHECK(warned("set -u\nif [[ ! -v MODE ]]; then MODE=a; fi\n[ -z \"$MODE\" ] && echo\n").empty());
  CHECK(warned("set -u\n[[ -v MODE ]]\n[ -z \"$MODE\" ] && echo\n") == "X104:3");
}

TEST_CASE("a status that is asked for tells what was captured") {
  const std::string removal = "rm -rf \"$top/\"*\n";
  CHECK(warned("top=$(git rev-parse --show-toplevel)\n" + removal) == "X101:2");
  CHECK(warned("top=$(mktemp -d)\nif [ $? -ne 0 ]; then exit 1; fi\n" + removal).empty());
  CHECK(warned("top=$(git rev-parse --show-toplevel)\n[ $? -eq 0 ] || exit\n" + removal).empty());
  CHECK(warned("top=$(mktemp -d)\necho\nif [ $? -ne 0 ]; then exit 1; fi\n" + removal) ==
        "X101:4 T301:3");
}

TEST_CASE("a misspelt variable is no variable, even if one asks whether it is empty") {
  CHECK(warned("#!/bin/sh\nresult=$(make)\n[ -n \"$reslut\" ] && echo\n") == "X102:3");
  CHECK(warned("#!/bin/sh\nresult=$(make)\n[ -n \"$results\" ] && echo\n").empty());
  CHECK(warned("#!/bin/sh\nKEEP=3\n[ $1 -gt \"$KEPE\" ] && echo\n") == "X102:3");
  CHECK(warned("#!/bin/sh\nNOCOLOR=1\n[ -n \"$NO_COLOR\" ] && echo $NOCOLOR\n").empty());
}

TEST_CASE("letters in the wrong order make no command") {
  CHECK(warned("mkdri -p a\n") == "T304:1");
  CHECK(warned("grpe a b\n") == "T304:1");
  CHECK(warned("mkdri() { mkdir a; }\nmkdri -p a\n").empty());
  CHECK(warned("if command -v mkdri; then mkdri -p a; fi\n").empty());
  CHECK(warned("grap a b\n").empty());  // somebody may have that
}

TEST_CASE("a command that nobody knows is run for what it does") {
  const std::string begin = "set -e\nf() {\n  ./migrate\n  ./collect\n}\n";
  CHECK(codes(begin + "f || echo failed\n") == "T309:6");
  CHECK(codes(begin + "f\n").empty());
  CHECK(codes("set -e\nf() {\n  ./migrate || return\n  ./collect\n}\nf || echo\n").empty());
}

TEST_CASE("text of arguments in a program that is evaluated") {
  CHECK(codes("eval \"name=$1\"\n") == "J105:1");
  CHECK(codes("case $1 in *[!a-z]*) exit ;; esac\neval \"name=$1\"\n").empty());
  CHECK(codes("url=$1\neval \"curl -O $url\"\n") == "J105:2");
  CHECK(codes("url=$(printf %q \"$1\")\neval \"curl -O $url\"\n").empty());
  CHECK(codes("eval \"$@\"\n").empty());
  CHECK(codes("put() { eval \"$1=\\$2\"; }\nput a b\n").empty());
}

TEST_CASE("[ -z ] asks the same of a word that is not there") {
  CHECK(warned("set -u\nif [ -z ${M+x} ]; then :; else echo \"$M\"; fi\n").empty());
  CHECK(warned("set -u\nif [ -z ${M+x} ]; then echo \"$M\"; fi\n") == "X104:2");
  CHECK(warned("set -u\nx=$(cat f)\n[ -n $x ] && echo \"$x\"\n") == "T301:3");
}

TEST_CASE("what is printed of a value that is there is there, too") {
  CHECK(warned("[ \"$1\" ] || exit\nrm -rf \"$(echo \"$1\")/\"*\n").empty());
  CHECK(warned("[ \"$1\" ] || exit\np=$(echo \"$1\" | sed 's/%v/*/')\nrm -rf \"$p/\"\n").empty());
  CHECK(warned("p=$(echo \"$1\" | sed 's/%v/*/')\nrm -rf \"$p/\"\n") == "X101:2");
  CHECK(warned("p=$(cd \"${0%/*}\" && echo \"$PWD\")\nrm -rf \"$p/\"*\n") == "X101:2");
  CHECK(warned("f() { [ \"$1\" ] && echo \"$1\"; }\np=$(f \"$2\")\nrm -rf \"$p/\"*\n") == "X101:3");
  CHECK(warned("p=$(if true$1; then echo \"$PWD\"; fi)\nrm -rf \"$p/\"*\n") == "X101:2");
  CHECK(warned("[ \"$1\" ] || exit\np=$(echo \"$1\" | grep old)\nrm -rf \"$p/\"\n") == "X101:3");
}
