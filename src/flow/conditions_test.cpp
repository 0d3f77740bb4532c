// Conditions that go one way whatever happens, and those that only look like it.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;

namespace {

std::string warned(const std::string& script) {
  return flow::testing::codes(script, shell::Dialect::kBash, Severity::kWarning);
}

}  // namespace

TEST_CASE("without quotes nothing is left to ask for") {
  CHECK(warned("[ -n $1 ] && echo\n") == "T301:1");
  CHECK(warned("if test ! -n $x; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ -n $(ls) ]; then echo; fi\n") == "T301:1");
  CHECK(warned("[ -n \"$1\" ] && echo\n").empty());
  CHECK(warned("[[ -n $1 ]] && echo\n").empty());
  CHECK(warned("[ $1 ] && echo\n").empty());
  CHECK(warned("[ -z $1 ] && echo\n").empty());
  CHECK(warned("x=a$1\n[ -n $x ] && echo\n").empty());
}

TEST_CASE("a text beside an expansion is never empty") {
  CHECK(warned("if [ \"pgrep $1\" ]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ -z \"x$1\" ]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [[ $1=a ]]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ 'pgrep a' ]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ \"$1$2\" ]; then echo; fi\n").empty());
  CHECK(warned("while [ 1 ]; do break; done\n").empty());
}

TEST_CASE("a text is no number") {
  CHECK(warned("if [ \"$(id -u)\" -ne root ]; then exit; fi\n") == "T301:1");
  CHECK(warned("if test \"$1\" -gt 1.5; then exit; fi\n") == "T301:1");
  CHECK(warned("if [ \"$1\" -gt '' ]; then exit; fi\n") == "T301:1");
  CHECK(warned("if [ \"$1\" -gt -1 ] && [ \"$1\" -lt '10 ' ]; then exit; fi\n").empty());
  CHECK(warned("n=5\nif [[ 4 -lt n ]]; then exit; fi\n").empty());
}

TEST_CASE("a status in arithmetic") {
  CHECK(warned("set -e\nmount /mnt\nif (( $? != 0 )); then exit; fi\n") == "T301:3");
  CHECK(warned("set -e\nmount /mnt\nif (($?)); then exit; fi\n") == "T301:3");
  CHECK(warned("mount /mnt\nif (( $? != 0 )); then exit; fi\nmkdri a\n") == "T304:3");
  CHECK(warned("x=$(mktemp -d)\n(( $? == 0 )) || exit\nrm -rf \"$x/\"*\n").empty());
}

TEST_CASE("questions that exclude each other") {
  CHECK(warned("if [ \"$1\" != a ] || [ \"$1\" != b ]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [[ $1 != a || $1 != b ]]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ \"$1\" = a ] && [ \"$1\" = b ]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ \"$1\" = a -a \"$1\" = b ]; then echo; fi\n") == "T301:1");
  CHECK(warned("if [ \"$1\" != a ] && [ \"$1\" != b ]; then echo; fi\n").empty());
  CHECK(warned("if [ \"$1\" = a ] || [ \"$1\" = b ]; then echo; fi\n").empty());
  CHECK(warned("if [ \"$1\" = a ] && [ \"$2\" = b ]; then echo; fi\n").empty());
  CHECK(warned("[ \"$x\" = a ] && read -r x && [ \"$x\" = b ] && echo\n").empty());
}

TEST_CASE("who names all that there is, is not mistaken") {
  const std::string known = "case $1 in a | b) ;; *) exit ;; esac\n";
  CHECK(warned(known + "if [ \"$1\" = a ] || [ \"$1\" = b ]; then echo; fi\n").empty());
  CHECK(
      warned(known + "if [ \"$1\" = a ]; then echo; elif [ \"$1\" = b ]; then echo; fi\n").empty());
}

TEST_CASE("echo succeeds, whatever the command before it has done") {
  CHECK(warned("mount /mnt\necho mounted\nif [ $? -ne 0 ]; then exit; fi\n") == "T301:3");
  CHECK(warned("mount /mnt\nprintf done\n[ $? -eq 0 ] || exit\n") == "T301:3");
  CHECK(warned("echo a > /sys/b\nif [ $? -ne 0 ]; then exit; fi\n").empty());
  CHECK(warned("mount /mnt && echo mounted\nif [ $? -ne 0 ]; then exit; fi\n").empty());
  CHECK(warned("f() { mount /mnt || return; echo a; }\nf\n[ $? -eq 0 ] || exit\n").empty());
  CHECK(warned("ls | echo a\n[ $? -eq 0 ] || exit\n") == "T103:1");
}

TEST_CASE("the status of a command that must succeed") {
  CHECK(warned("set -e\nmake\ncase $? in 0) echo ;; *) exit ;; esac\n") == "T301:3");
  CHECK(warned("make\ncase $? in 0) echo ;; *) exit ;; esac\n").empty());
}

TEST_CASE("a number has at least one digit") {
  CHECK(warned("n=0\nfor f in *; do n=$((n + 1)); done\n[ ${#n} -eq 0 ] && echo\n") == "T301:3");
  CHECK(warned("n=$1\n[ ${#n} -eq 0 ] && echo\n").empty());
  CHECK(warned("n=$(date)\n[ ${#n} -eq 0 ] && echo\n").empty());
}

TEST_CASE("letters that a conversion has removed") {
  CHECK(warned("if [[ ${1,,} == Yes ]]; then echo; fi\n") == "T301:1");
  CHECK(warned("case ${1^^} in yes) echo ;; esac\n") == "T302:1");
  CHECK(warned("case ${1,,} in yes) echo ;; esac\n").empty());
  CHECK(warned("x=NO\nif [[ ${x,,} == Yes ]]; then echo; fi\n").empty());
}

TEST_CASE("a loop over a text in quotes runs once") {
  CHECK(warned("for x in \"a b c\"; do echo $x; done\n") == "X107:1");
  CHECK(warned("for x in 'a b'; do echo $x; done\n") == "X107:1");
  CHECK(warned("for x in a b c; do echo $x; done\n").empty());
  CHECK(warned("for x in \"a b\" c; do echo $x; done\n").empty());
  CHECK(warned("for x in a; do echo $x; done\n").empty());
  CHECK(warned("for x in \"/srv/My Files\"; do ls \"$x\"; done\n").empty());
}

TEST_CASE("a number is missing if the file is that it is counted in") {
  CHECK(warned("n=$(wc -l < list)\n[ $n -gt 3 ] && echo\n") == "X108:2");
  CHECK(warned("[ -f list ] || exit\nn=$(wc -l < list)\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("ls > list\nn=$(wc -l < list)\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("n=$(grep -c a list)\n[ $n -gt 3 ] && echo\n") == "X108:2");
  CHECK(warned("touch list\nn=$(wc -l < list)\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("./make-list list\nn=$(grep -c a list)\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("for f in *; do n=$(wc -l < $f); [ $n -gt 3 ] && echo; done\n").empty());
  CHECK(warned("n=$(wc -l < list) || exit\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("if n=$(wc -l < list); then [ $n -gt 3 ] && echo; fi\n").empty());
  CHECK(warned("set -e\nn=$(wc -l < list)\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("n=$(wc -l < /etc/passwd)\n[ $n -gt 3 ] && echo\n").empty());
  CHECK(warned("n=$(wc -l < /proc/mounts)\n[ $n -gt 3 ] && echo\n").empty());
}

TEST_CASE("with pipefail a reader ends a writer that would never end") {
  const std::string set = "set -eo pipefail\n";
  CHECK(warned(set + "p=$(tr -dc a-z < /dev/urandom | head -c 9)\necho $p\n") == "T308:2");
  CHECK(warned(set + "p=$(cat /dev/urandom | tr -dc a-z | head -c 9)\necho $p\n") == "T308:2");
  CHECK(warned(set + "p=$(cat /dev/urandom | head -c 9 | base64)\necho $p\n") == "T308:2");
  CHECK(warned(set + "p=$(head -c 9 /dev/urandom | base64)\necho $p\n").empty());
  CHECK(warned(set + "p=$(tr -dc a-z < /dev/urandom | head -c 9 || true)\necho $p\n").empty());
  CHECK(warned(set + "p=$(tr -dc a-z < /dev/urandom | head -c 9) || true\necho $p\n").empty());
  CHECK(warned(set + "p=$(od -N 4 -A n < /dev/urandom | head -n 1)\necho $p\n").empty());
  CHECK(warned("set -e\np=$(tr -dc a-z < /dev/urandom | head -c 9)\necho $p\n").empty());
}

TEST_CASE("a compressor hides the failure of what it reads") {
  using flow::testing::codes;
  CHECK(codes("set -e\npg_dump a | gzip > a.gz\n") == "T311:2");
  CHECK(codes("if ! make | tee log; then exit 1; fi\n") == "T311:1");
  CHECK(codes("pg_dump a | gzip > a.gz || exit\n") == "T311:1");
  CHECK(codes("pg_dump a | gzip > a.gz || true\npg_dump a | gzip > a.gz\n").empty());
  CHECK(codes("set -o pipefail\nif ! make | tee log; then exit 1; fi\n").empty());
  CHECK(codes("if make | grep -q error; then exit 1; fi\n").empty());
  CHECK(codes("set -eo pipefail\npg_dump a | gzip > a.gz\n").empty());
  CHECK(codes("set -e\ncurl -s a | gzip -d > a\n").empty());
  CHECK(codes("set -e\necho a | gzip > a.gz\n").empty());
}
