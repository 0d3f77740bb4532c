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
}

TEST_CASE("a command that is missing stays missing until it is installed") {
  const std::string missing = "if command -v zsh; then exit; fi\ncommand -v git || exit\n";
  CHECK(warned(missing + "env git clone a\nenv zsh\n") == "T304:4");
  CHECK(warned(missing + "env git clone a\napt-get install zsh\nenv zsh\n").empty());
  CHECK(warned(missing + "ln -s /opt/zsh /usr/bin/zsh\nenv zsh\n").empty());
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
}

TEST_CASE("a misspelt variable is no variable, even if one asks whether it is empty") {
  CHECK(warned("#!/bin/sh\nresult=$(make)\n[ -n \"$reslut\" ] && echo\n") == "X102:3");
  CHECK(warned("#!/bin/sh\nresult=$(make)\n[ -n \"$results\" ] && echo\n").empty());
  CHECK(warned("#!/bin/sh\nNOCOLOR=1\n[ -n \"$NO_COLOR\" ] && echo $NOCOLOR\n").empty());
}

TEST_CASE("letters in the wrong order make no command") {
  CHECK(warned("mkdri -p a\n") == "T304:1");
  CHECK(warned("grpe a b\n") == "T304:1");
  CHECK(warned("mkdri() { mkdir a; }\nmkdri -p a\n").empty());
  CHECK(warned("if command -v mkdri; then mkdri -p a; fi\n").empty());
  CHECK(warned("grap a b\n").empty());  // somebody may have that
}

TEST_CASE("text of arguments in a program that is evaluated") {
  CHECK(codes("eval \"name=$1\"\n") == "J105:1");
  CHECK(codes("case $1 in *[!a-z]*) exit ;; esac\neval \"name=$1\"\n").empty());
  CHECK(codes("eval \"$@\"\n").empty());
  CHECK(codes("put() { eval \"$1=\\$2\"; }\nput a b\n").empty());
}
