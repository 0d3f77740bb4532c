// What people write in scripts that work, and what looks like it but is a mistake: each pair was
// met in real scripts.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;

namespace {

// Warnings and errors only.
std::string warned(const std::string& script, shell::Dialect dialect = shell::Dialect::kBash) {
  return flow::testing::codes(script, dialect, Severity::kWarning);
}

}  // namespace

TEST_CASE("a command reads what is piped into it unless all its files are known") {
  CHECK(warned("echo a | head b\n") == "T103:1");
  CHECK(warned("n='-n '\n[ -x /b ] || n=-\necho a | head ${n}1\n").empty());
  CHECK(warned("echo a | tail \"$@\"\n").empty());
  CHECK(warned("echo a | cmp file\n").empty());
  CHECK(warned("ls | git commit -F - && git log | cat\n").empty());
  CHECK(warned("ls | git hash-object --stdin\n").empty());
  CHECK(warned("ls | git status\n") == "T103:1");
  CHECK(warned("ls | while read -r f; do git update-ref -d \"$f\"; done\n").empty());
  CHECK(warned("ls | sort +1n -2\n").empty());
  CHECK(warned("ls | /usr/share/tool/arch -lib\n").empty());
  CHECK(warned("find . -print0 | du --files0-from=- -c\n").empty());
}

TEST_CASE("commands that ask, and those that are told to, read what is piped into them") {
  CHECK(warned("echo '* * * * * a' | crontab -\n").empty());
  CHECK(warned("cat key | apt-key add -\n").empty());
  CHECK(warned("cat list | install -m 600 /dev/stdin b\n").empty());
  CHECK(warned("cat body | curl -d @- http://localhost\n").empty());
  CHECK(warned("yes | apt-get install a\nyes | rm -ri a\nyes '' | make oldconfig\n").empty());
  CHECK(warned("echo a hold | dpkg --set-selections\n").empty());
  CHECK(warned("cat secret | sudo -S ls\n").empty());
  CHECK(warned("yes | find . -ok rm {} +\n").empty());
  CHECK(warned("yes | rm -r a\n") == "T103:1");
  CHECK(warned("ls | sudo ls\n") == "T103:1");
}

TEST_CASE("what env and the like run is what reads and prints") {
  CHECK(warned("ls | env LC_ALL=C sort -r\n").empty());
  CHECK(warned("ls | env LC_ALL=C sort file\n") == "T103:1");
  CHECK(warned("env LC_ALL=C seq 20 | nice sort\n") == "T105:1");
  CHECK(warned("ls | timeout 5 cat - file\n").empty());
}

TEST_CASE("options of other systems are no mistakes, unknown ones are") {
  CHECK(warned("date -j -f %s 0\n").empty());
  CHECK(warned("tail -r log\n").empty());
  CHECK(warned("chmod -x a\nchmod -rw b\nstty -echo\n").empty());
  CHECK(warned("ls | tr -C -d a\n").empty());
  CHECK(warned("cp --recursif a b\n") == "T110:1");
  CHECK(warned("if cp --reflink=auto --no-such a b 2>/dev/null; then echo; fi\n").empty());
  CHECK(warned("if ln --help | grep -q relative; then echo; fi\n").empty());
}

TEST_CASE("descriptors of the script's own lead out of a pipeline") {
  CHECK(warned("s=$(exec 4>&1; (ls a; echo $? >&4) 3>&1 | diff - b >&3)\necho \"$s\"\n").empty());
  CHECK(warned("(ls 2>&1 >&3 3>&- | grep -v a >&2) 3>&1 | sort -r\n").empty());
  CHECK(warned("ls >&1 | grep a\n").empty());
  CHECK(warned("ls >/dev/null 2>&1 | grep a\n") == "T307:1");
  CHECK(warned("x=$(ls a >&2)\necho \"$x\"\n") == "T303:1");
}

TEST_CASE("the content of a file is captured without a command, but not by dash") {
  const std::string script = "x=$(< /etc/name)\nif [ \"$x\" = a ]; then echo; fi\n";
  CHECK(warned(script).empty());
}

TEST_CASE("where only the status counts, nothing need be printed") {
  CHECK(warned("if $(grep -q a b); then echo; fi\n").empty());
  CHECK(warned("find . -name a | grep . >/dev/null && echo\n").empty());
  CHECK(warned("dmsetup table | sed -n '/a/q1' || echo\n").empty());
  CHECK(warned("if echo solaris | grep solais >/dev/null; then echo; fi\n").empty());
  CHECK(warned("ls | sed -n 's/a/b/' | cat\n") == "T102:1");
}

TEST_CASE("an empty pattern is that of the address") {
  CHECK(warned("apt-cache dumpavail | sed -n '/^Package: /s///p'\n").empty());
  CHECK(warned("ls | sed -n '/a\\(.\\)/{s//\\1/p;q}'\n").empty());
  CHECK(warned("seq 9 | sed -n '/a/s//b/p'\n") == "T102:1");
  CHECK(warned("sed -e '$a\\' file\n").empty());
}

TEST_CASE("what a variable of the script holds may change, what a command prints does not") {
  CHECK(warned("e=abc\nx=$(printf %s \"$e\" | sed 's/</;/')\necho $x\n").empty());
  CHECK(warned("v=1.0\nif grep -q beta <<< \"$v\"; then echo; fi\n").empty());
  CHECK(warned("v=1.0\nif [ -n \"$(echo $v | grep beta)\" ]; then echo; fi\n").empty());
  CHECK(warned("v=1.0\necho $v | sed -n s/a/b/ | cat\n") == "T102:2");
  CHECK(warned("f() { echo \"$1\" | cut -d/ -f1; }\nf a\nf b\n").empty());
  CHECK(warned("seq 9 | sed s/x/y/\n") == "T104:1");
  CHECK(warned("wc -l < f | tr -d ' '\nn=$(wc -l < f | sed 's/ //g')\n").empty());
}

TEST_CASE("a value is lost only as long as nobody assigns another") {
  const std::string loop = "ls | while read -r f; do n=$f; done\n";
  CHECK(warned("n=0\n" + loop + "echo $n\necho $n\n") == "X106:3");
  CHECK(warned("n=0\n" + loop + "if [ -x a ]; then n=1; fi\necho $n\n").empty());
  CHECK(warned("f() { n=0\n" + loop + "}\ng() { echo $n; }\nf\ng\n").empty());
  CHECK(warned("n=0\n" + loop + "eval \"$code\"\necho $n\n").empty());
}

TEST_CASE("whoever asks what the system does gets one answer on this one") {
  CHECK(warned("if [ \"`echo -n a`\" = '-n a' ]; then echo; fi\n").empty());
  CHECK(warned("me=$(whoami)\nif [ \"$me\" = '' ]; then exit; fi\n").empty());
  CHECK(warned("d=$(df / | awk 'END { print $4 }')\nif [ x != x\"$d\" ]; then echo; fi\n").empty());
  CHECK(warned("TMPDIR=/tmp\nif [ \"${TMPDIR+set}\" = set ]; then echo; fi\n").empty());
  CHECK(warned("n=$(wc -l < f)\nif [ \"$n\" = none ]; then echo; fi\n") == "T301:2");
}

TEST_CASE("a status is asked for once") {
  CHECK(warned("ls a\nif [ -n \"$1\" -a $? -eq 1 ]; then echo; fi\n").empty());
  CHECK(warned("ls a\nif [ -n \"$1\" ] && [ $? -eq 1 ]; then echo; fi\n") == "T301:2");
  CHECK(warned("worst=0\nset -e\nls a\nrc=$?\n[ $rc -lt $worst ] || worst=$rc\n").empty());
}

TEST_CASE("a file is what the script wrote as long as nobody else writes it") {
  CHECK(warned(": > f\nx=$(cat f)\necho \"$x\"\n") == "T303:2");
  CHECK(warned(": > f\nrun --log='>> f'\nx=$(cat f)\necho \"$x\"\n").empty());
}

TEST_CASE("what is asked for need not be there") {
  CHECK(warned("if command -v pintf >/dev/null; then echo; fi\n").empty());
  CHECK(warned("pintf a\n") == "T304:1");
  CHECK(warned("pintf a 2>/dev/null || echo a\n").empty());
}

TEST_CASE("under set -u only a question for emptiness comes too late") {
  CHECK(warned("set -u\nx=$1\n[ \"$x\" = add ] || exit\n").empty());
  CHECK(warned("set -u\nx=$1\ncase $x in a) echo ;; esac\n").empty());
  CHECK(warned("set -u\nx=$1\n[ -n \"$x\" ] || exit\n") == "X104:3");
  CHECK(warned("set -u\nx=$1\n[ \"$x\" != \"\" ] || exit\n") == "X104:3");
}

TEST_CASE("a removal is deadly if one missing value makes it so") {
  CHECK(warned("rm -rf \"$1/\"\n") == "X101:1");
  CHECK(warned(". ./lib\nrm -rf \"$a/$b\"\n").empty());
  CHECK(warned("find \"$1/\" -name '*.rpmnew' -delete\n").empty());
  CHECK(warned("find \"$1/\" -delete\n") == "X101:1");
  CHECK(warned("mv \"$1/\" /srv\n").empty());
  CHECK(warned("mv \"$1/\"* /srv\n") == "X101:1");
}

TEST_CASE("a program of the script's own may have a well-known name") {
  CHECK(warned("root=GENROOT\nx=$($root/util/arch -lib)\necho \"$x\"\n").empty());
  CHECK(warned("./sort --lib\n").empty());
  CHECK(warned("/usr/bin/arch -lib\n") == "T110:1");
}

TEST_CASE("every call of debconf sets RET") {
  const std::string use =
      "if [ \"$RET\" = true ]; then db_get b; x=$(echo \"$RET\" | tr A-Z a-z); fi\n";
  CHECK(warned(". /usr/share/debconf/confmodule\ndb_get a\n" + use + "echo \"$x\"\n").empty());
}

TEST_CASE("in an initial RAM disk nobody else has a /tmp") {
  CHECK(warned("echo a > /tmp/name.$$\n") == "J104:1");
  CHECK(warned(". /scripts/functions\necho a > /tmp/name.$$\n").empty());
  CHECK(warned("command -v getarg >/dev/null || . /lib/dracut-lib.sh\necho a > /tmp/name.$$\n")
            .empty());
}

TEST_CASE("what a command runs is found after its options") {
  CHECK(warned("x=\nsudo -n -u root rm -rf \"$x/\"\n") == "X101:2");
  CHECK(warned("x=\ntimeout -k 5 9 rm -rf \"$x/\"\n") == "X101:2");
  CHECK(warned("echo /usr | xargs -n 1 rm -rf\n") == "X101:1");
  CHECK(warned("seq 20 | sudo -u a sort\n") == "T105:1");
  CHECK(warned("if command -v pintf >/dev/null; then echo; fi\n").empty());
}

TEST_CASE("sort -u and sort -z") {
  CHECK(warned("find . -print0 | sort -z | xargs -0 ls\n").empty());
  CHECK(warned("seq 20 | sort -u | wc -l\n").empty());
  CHECK(warned("seq 20 | sort\n") == "T105:1");
}

TEST_CASE("after else, $? is the status of the condition") {
  CHECK(warned("if a; then :; else if [ $? -eq 127 ]; then echo; fi; fi\n").empty());
  CHECK(warned("a\ncase $1 in b) [ $? -eq 0 ] && echo ;; esac\n").empty());
  CHECK(warned("if a; then :; fi\nif [ $? -eq 127 ]; then echo; fi\n") == "T301:2");
  CHECK(warned("if a; then b=1; else b=2; fi\nif [ $? -eq 127 ]; then echo; fi\n") == "T301:2");
}

TEST_CASE("who makes sure is not mistaken, who contradicts himself is") {
  const std::string value = "x=$(if [ -f a ]; then echo yes; fi)\n";
  CHECK(warned(value + "if [ -z \"$x\" ] || [ \"$x\" != yes ]; then exit; fi\n").empty());
  CHECK(warned("x=$(if [ -f a ]; then echo yes; else echo no; fi)\n"
               "if [ -n \"$x\" ] && [ \"$x\" = maybe ]; then exit; fi\n") == "T301:2");
}

TEST_CASE("the last elif may name what is left") {
  const std::string value =
      "x=$(if [ -f a ]; then echo yes; elif [ -f b ]; then echo no; else echo both; fi)\n";
  const std::string chain = "if [ $x = yes ]; then echo; elif [ $x = both ]; then echo a; ";
  CHECK(warned(value + chain + "elif [ $x = no ]; then echo a; fi\n").empty());
  CHECK(warned(value + "if [ $x = yes ]; then echo; elif [ $x = on ]; then echo a; fi\n") ==
        "T301:2");
}

TEST_CASE("of several conditions in one only that which decides is asked for a mistake") {
  CHECK(warned("d=\nn=$(wc -l < f)\nif [ -n \"$d\" -a \"$n\" -gt 3 ]; then echo; fi\n").empty());
  CHECK(warned("d=$1\nn=$(wc -l < f)\nif [ -n \"$d\" -a \"$n\" = none ]; then echo; fi\n") ==
        "T301:3");
}

TEST_CASE("a pattern that is matched above is a mistake if other commands are run there") {
  CHECK(warned("case $1 in a*) echo 1 ;; ab) echo 2 ;; esac\n") == "T302:1");
  CHECK(warned("case $1 in a*) echo 1 ;; ab) echo 1 ;; esac\n").empty());
  CHECK(warned("case $1 in a*|ab) echo 1 ;; esac\n").empty());
}

TEST_CASE("what while read has read last is worth nothing after the loop") {
  CHECK(warned("x=1\nls | while read -r x; do echo \"$x\"; done\necho $x\n").empty());
  CHECK(warned("x=1\nls | while read -r y; do x=$y; done\necho $x\n") == "X106:3");
}

TEST_CASE("a variable that is set under a condition is there when the same one holds") {
  const std::string set = "#!/bin/bash\nset -u\nif [ -f a ]; then x=1; fi\n: ${x:-}\n";
  CHECK(warned(set + "if [ -f a ]; then echo $x; fi\n").empty());
  CHECK(warned(set + "[ -f a ] && echo $x\n").empty());
  CHECK(warned(set + "if [ -f b ]; then echo $x; fi\n") == "X104:5");
}

TEST_CASE("who names a variable often or counts it does not mistype it") {
  const std::string start = "#!/bin/bash\n. lib\nfile_name=a\n";
  CHECK(warned(start + "echo $flie_name\n") == "X102:4");
  CHECK(warned(start + "set_by_name flie_name\necho $flie_name\n").empty());
  CHECK(warned(start + "echo $flie_name; echo $flie_name; echo $flie_name\n").empty());
  CHECK(warned(start + "echo $file_names $file_name2\n").empty());
  CHECK(warned("#!/bin/bash\nf() { list[${#list[@]}]=a; }\nf\n").empty());
  CHECK(warned("#!/bin/bash\nfor name in $name b; do echo $name; done\n").empty());
}

TEST_CASE("a line that the user types may be a command, a line of a file may not") {
  CHECK(warned("read -r line\neval \"$line\"\n").empty());
  CHECK(warned("read -r line\neval \"git $line\"\n") == "J102:2");
  CHECK(warned("read -r line < file\neval \"$line\"\n") == "J102:2");
  CHECK(warned("read -r line <<< 'a=1'\neval \"$line\"\n").empty());
}

TEST_CASE("a temporary name is reported once") {
  CHECK(warned("t=/tmp/$$\necho a > $t.a\necho b > $t.b\necho c >> $t.a\n") == "J104:2");
  CHECK(warned("echo a > /tmp/a$$\necho b >> /tmp/a$$\necho c > /tmp/c$$\n") == "J104:1 J104:3");
  CHECK(warned("echo a > /tmp/a.log\n").empty());
}

TEST_CASE("a name that stays beside itself is not removed") {
  CHECK(warned("mv \"$ROOT/bin\" \"${ROOT}/bin.old\"\n").empty());
  CHECK(warned("mv \"$ROOT/bin\" /srv/old\n") == "X101:1");
  CHECK(warned("rm -rf /usr/include/*\n").empty());
  CHECK(warned("rm -rf /usr/*\n") == "X101:1");
}

TEST_CASE("a command that succeeds has printed what it was asked for") {
  CHECK(warned("x=$(mktemp -d) || exit\nrm -rf \"$x\"/*\n").empty());
  CHECK(warned("set -e\nx=$(tool --dir)\nrm -rf \"$x\"/*\n").empty());
  CHECK(warned("x=$(tool --dir)\nrm -rf \"$x\"/*\n") == "X101:2");
  CHECK(warned("x=$(sed -n s/a//p file) || exit\nrm -rf \"$x\"/*\n") == "X101:2");
  CHECK(warned("x=\"$(a)/$(b)\"\nrm -rf \"$x\"\n").empty());
}

TEST_CASE("what a library leaves is there when its functions are called") {
  CHECK(warned("hooks=tmp/hooks\nf() { rm -rf \"$ROOT/$hooks\"; }\n").empty());
  CHECK(warned("f() { rm -rf \"$ROOT/$hooks\"; }\n") == "X101:1");
}

TEST_CASE("a recursive call leaves the variables of its caller") {
  const std::string body = "f() { local d=\"$1\"\n[ -n \"$d\" ] || return\nf \"$d/a\"\n";
  CHECK(warned(body + "rm -rf \"$d/\"; }\nf a\n").empty());
  CHECK(warned("add() { eval \"$1=\\\"\\$$1 \\$2\\\"\"; [ -f x ] && add \"$1\" b; }\nl=\nadd l a\n"
               "x=$(for f in $l; do echo $f; done | sort -u)\necho $x\n")
            .empty());
}

TEST_CASE("commands are asked with texts of the script's own") {
  CHECK(warned("if [ \"$(echo a | grep '^+')\" = a ]; then echo; fi\n").empty());
  CHECK(warned("if [ \"$(seq 9 | grep '^+')\" = a ]; then echo; fi\n") == "T102:1");
  CHECK(warned("command -v tr >/dev/null || exit\n").empty());
  CHECK(warned("echo [0-9][0-9] | sed 's/\\[0-9]//g'\n").empty());
}

TEST_CASE("a branch for another shell may append") {
  CHECK(warned("l=\neval 'l+=a'\nx=$(for f in $l; do echo $f; done | sort -u | join -v 2 - y)\n",
               shell::Dialect::kSh)
            .empty());
}

TEST_CASE("a name that find was told holds no blank, but directories may") {
  CHECK(warned("find lib -maxdepth 1 -name cache -print | xargs rm -r\n").empty());
  CHECK(warned("find lib -name cache | xargs rm -r\n") == "T108:1");
  CHECK(warned("find lib -name '*.o' | xargs rm\n") == "T108:1");
}

TEST_CASE("what a loop appends to a file is in it") {
  CHECK(warned(": > d\nfor f in $1; do echo $f >> d; done\nx=$(cat d | grep a)\necho \"$x\"\n")
            .empty());
  CHECK(warned(": > d\nfor f in $1; do echo 1 >> d; done\nx=$(cat d | grep a)\necho \"$x\"\n") ==
        "T102:3");
}

TEST_CASE("who exports a variable to itself makes sure that it is there") {
  CHECK(warned("#!/bin/bash\nset -u\nexport HOST_X=\"$HOST_X\"\n").empty());
}

TEST_CASE("a redirection sets the variable that it names") {
  CHECK(
      warned("#!/bin/bash\nset -u\nexec {fd}< <(ls)\nread -r x <&\"$fd\"\necho \"$x\"\n").empty());
  CHECK(warned("#!/bin/bash\nset -u\ntake() { flock \"$lock\"; }\nexec {lock}> f\ntake\n").empty());
  CHECK(warned("#!/bin/bash\nexec {log}> f\nls | grep a > g\n").empty());
}

TEST_CASE("grep may ask whether there are any lines") {
  CHECK(warned("if git status --porcelain | grep .; then exit 1; fi\n").empty());
  CHECK(warned("git status --porcelain | grep . && exit 1\n").empty());
  CHECK(warned("ls | grep . | sort\n") == "T104:1");
  CHECK(warned("if time; then echo; fi\n").empty());
}

TEST_CASE("every shell keeps some variables itself") {
  CHECK(warned("parent=$(sh -c 'echo $PPID')\necho \"$parent\"\n").empty());
  CHECK(warned("echo $SECONDS | cut -d. -f1\n").empty());
}

TEST_CASE("a function is called with other words tomorrow") {
  CHECK(warned("f() { if echo $@ | tr -d ' ' | tr -d 0-9 | grep . >/dev/null; then exit; fi; }\n"
               "f 1 2\n")
            .empty());
  CHECK(warned("grep=grep\necho Y | \"$grep\" Y > \"$NULL\" || exit\n").empty());
}

TEST_CASE("who names files knows how they are named") {
  CHECK(warned("ls [0-9]*_\"$1\".sh | sort -n\n").empty());
  CHECK(warned("echo *.bad | tr ' ' '\\n' | sed 's/.bad//' | sort -n\n").empty());
  CHECK(warned("ls -l | sort -n\n") == "T101:1");
  CHECK(warned("find \"$1\" -mindepth 1 | grep '^/' | sort -n\n") == "T101:1");
}

TEST_CASE("ls -d lists its operands in order") {
  CHECK(warned("ls -d \"$1/cores\" \"$2/cores\" | uniq\n").empty());
  CHECK(warned("ls \"$1/cores\" \"$2/cores\" | uniq\n") == "T106:1");
}

TEST_CASE("what find is told to start from is as the script wants it") {
  CHECK(warned("find $dirs -mindepth 1 -maxdepth 1 -name cache | xargs rmdir\n").empty());
  CHECK(warned("find $dirs -maxdepth 1 -name '*.o' | xargs rm\n") == "T108:1");
  CHECK(warned("find . -path './a*' | grep '^./b'\n") == "T102:1");
}

TEST_CASE("what the script prints itself, and what is quoted for the shell, may be evaluated") {
  const std::string loop = " | while read -r line; do eval \"x=$line\"; done\n";
  CHECK(warned("list='a b'\nprintf '%s\\n' \"$list\"" + loop).empty());
  CHECK(warned(". ./conf\nprintf %s \"$list\" | sort" + loop).empty());
  CHECK(warned("echo \"$1\"" + loop) == "J102:1");
  CHECK(warned("list=$(cat file)\necho \"$list\"" + loop) == "J102:2");
  CHECK(warned("lsblk -P -o NAME | grep a | while read -r l; do eval \"$l\"; done\n").empty());
  CHECK(warned("lsblk -o NAME | while read -r l; do eval \"$l\"; done\n") == "J102:1");
}

TEST_CASE("a part of a line that is typed is typed, and not what is read from a file") {
  CHECK(warned("read -r line\neval \"${line:1}\"\n").empty());
  CHECK(warned("exec < file\nread -r line\neval \"$line\"\n") == "J102:3");
}

TEST_CASE("a variable that only takes what is printed may stay empty") {
  CHECK(warned("x=$(ls | grep -q a)\nif [ $? -eq 0 ]; then echo; fi\n").empty());
  CHECK(warned("x=$(\"$1\" help | grep -q a)\nif [ $? -eq 0 ]; then echo; fi\n").empty());
  CHECK(warned("x=$(ls | grep -q a)\nif [ -n \"$x\" ]; then echo; fi\n") == "T303:1");
}

TEST_CASE("other systems' date knows no nanoseconds") {
  CHECK(warned("date +%s.%N | grep -q N && echo\n").empty());
  CHECK(warned("date +%s | grep -q N && echo\n") == "T102:1");
}

TEST_CASE("a directory that was compared is the right one") {
  CHECK(warned("cd /srv/a\n[ \"$PWD\" = /srv/a ] || exit\nrm -rf ./*\n").empty());
  CHECK(warned("cd \"$1\"\nif [ \"$(pwd)\" != \"$1\" ]; then exit; fi\nrm -rf *\n").empty());
  CHECK(warned("cd /srv/a\n[ \"$1\" = /srv/a ] || exit\nrm -rf ./*\n") == "X105:3");
}

TEST_CASE("an option that is matched twice in one arm is written once too often") {
  CHECK(warned("case $1 in --sync) echo 1 ;; -*|--*) echo 2 ;; esac\n").empty());
  CHECK(warned("case $1 in -*) echo 1 ;; --*) echo 2 ;; esac\n") == "T302:1");
}

TEST_CASE("a name that the shell sets is meant only where it is used") {
  const std::string start = "#!/bin/bash\n. /etc/default/daemon\n";
  CHECK(warned(start + "exec daemon $OPTARGS\n").empty());
  CHECK(warned(start + "while getopts a: o; do x=$OPTARG; y=$OPTARGS; done\n") == "X102:3");
  CHECK(warned("#!/bin/bash\n: ${PEERS:=$PEER}\necho $PEERS\n").empty());
}

TEST_CASE("only what a stranger chooses is dangerous in arithmetic") {
  using flow::testing::codes;
  CHECK(codes("n=${RETRIES:-3}\necho $((n + 1)) $((RETRIES + 1))\n").empty());
  CHECK(codes("RANDOM=$1\necho $((RANDOM % 6))\n").empty());
  CHECK(codes("echo $(($1 + 1))\n") == "J101:1");
}

TEST_CASE("a call that is not followed any more sets what the others have set") {
  std::string calls;
  for (int i = 0; i < 30; i++) calls += "f\n";
  CHECK(warned("#!/bin/bash\nset -u\nf() { x=a; }\n" + calls + "[ -z \"$x\" ] || exit\n").empty());
}

TEST_CASE("an order that is for a comparison need not be that of numbers") {
  CHECK(warned("seq 20 | sort | comm -12 - b\nseq 20 | sort | md5sum\n").empty());
  CHECK(warned("diff <(seq 20 | sort) <(sort b)\n").empty());
  CHECK(warned("seq 20 | sort > a\nsort c > b\ncomm -12 a b\n").empty());
  CHECK(warned("seq 20 | sort | head -n 1\ncomm a b\n") == "T105:1");
  CHECK(warned("seq 20 | sort > a\n") == "T105:1");
}

TEST_CASE("under set -u who compares with a text expects a value from outside") {
  const std::string start = "#!/bin/bash\nset -u\n";
  CHECK(warned(start + "if [[ \"$KIND\" == static ]]; then echo; fi\n").empty());
  CHECK(warned(start + "if [ \"$KIND\" != static ]; then echo; fi\n").empty());
  CHECK(warned(start + "if [ \"$KIND\" = \"\" ]; then echo; fi\n") == "X104:3");
  CHECK(warned(start + "if [ \"x$KIND\" = x ]; then echo; fi\n") == "X104:3");
  CHECK(warned(start + "if [ -f a ]; then kind=1; fi\nif [ \"$kind\" = 1 ]; then echo; fi\n") ==
        "X104:4");
}

TEST_CASE("a here-document is in no order") {
  CHECK(warned("sort <<EOF\nb\na\nEOF\n").empty());
  CHECK(warned("uniq <<EOF\na\na\nb\nEOF\n").empty());
  CHECK(warned("sort <<EOF | sort\nb\na\nEOF\n") == "T104:1");
}

TEST_CASE("what a pattern in a list matches is as the script wants it") {
  const std::string list =
      "l='a.out b.*'\nr=\nfor f in $l; do\ncase $f in *.o) ;; *) r=\"$r $f\" ;; ";
  CHECK(warned(list + "esac\ndone\nrm -f $r\n").empty());
  CHECK(warned("l='/usr /etc'\nfor f in $l; do rm -rf $f; done\n") == "X101:2");
}

TEST_CASE("code that is not known may set again what a pipeline has lost") {
  const std::string loop = "for v in $1; do eval x=\\$$v; case $x in b) x=c ;; esac; done";
  const std::string twice = "while a; do\n" + loop + " | sort\n";
  CHECK(warned(twice + loop + "\ndone\n").empty());
  CHECK(warned("x=1\n" + twice + "echo $x\ndone\n") == "X106:4");
}

TEST_CASE("what is only an option is no file") {
  const std::string option = "-e b $(if [ -n \"$1\" ]; then echo '-e c'; fi)";
  CHECK(warned("ls | sed " + option + "\n").empty());
  CHECK(warned("ls | sed -e b $(echo c)\n") == "T103:1");
}

TEST_CASE("who reads all keeps the writer alive") {
  CHECK(warned("ls | tail -n +1 | head -n 1\n").empty());
  CHECK(warned("ls | tail -n +1 | sort -r\n") == "T104:1");
}

TEST_CASE("a default may be another variable of the environment") {
  const std::string start = "#!/bin/bash\n. lib\n";
  CHECK(warned(start + "TOOL_CACHE_DIR=${TOOL_CACHE_DIR:-$TOOL_CAHCE_DIR}\n").empty());
  CHECK(warned(start + "TOOL_CACHE_DIR=a\necho $TOOL_CAHCE_DIR\n") == "X102:4");
}

TEST_CASE("versions are sorted by their parts") {
  CHECK(warned("find . -printf '%f\\n' | sort -V\n").empty());
  CHECK(warned("find . -printf '%f\\n' | sort -k2,2n\n") == "T101:1");
}

TEST_CASE("a script may hand variables to itself") {
  const std::string rest = "exit; fi\nmount -o uid=$owner \"$1\"\n";
  CHECK(warned("#!/bin/sh\nif a; then owner=$(id -u) sudo \"$0\" \"$@\"; " + rest).empty());
  CHECK(warned("#!/bin/sh\nif a; then owner=$(id -u) sudo b \"$@\"; " + rest) == "X102:3");
}

TEST_CASE("a name of a variable may lead to a whole array") {
  CHECK(warned("a=(x y)\nn='a[@]'\nfor v in \"${!n}\"; do echo \"$v\"; done\n").empty());
  CHECK(warned("a=x\nfor v in \"$a\"; do echo \"$v\"; done\n") == "X107:2");
}

TEST_CASE("jq -n reads what its program asks for") {
  CHECK(warned("cat a.json b.json | jq -n '[inputs]'\n").empty());
  CHECK(warned("cat a.json | jq -n '{a: 1}'\n") == "T103:1");
}

TEST_CASE("a date may not know nanoseconds") {
  CHECK(warned("now=$(date +%N)\nif [ \"$now\" = N ]; then echo bsd; fi\n").empty());
  CHECK(warned("now=$(date +%s)\nif [ \"$now\" = N ]; then echo bsd; fi\n") == "T301:2");
}

TEST_CASE("one empty argument is given for none") {
  CHECK(warned("set -u\nf() { printf '%s\\n' \"$1\"; }\nf \"${@:-}\"\n").empty());
}

TEST_CASE("builtins, captured traps and names of functions in variables") {
  CHECK(warned("old=$(trap -p EXIT)\n[ -n \"$old\" ] && echo \"$old\"\n").empty());
  CHECK(warned("fast() { echo \"$1\"; }\nv=fast\n\"$v\" 3\n").empty());
  CHECK(warned("while read -r a[n]; do n=$((n + 1)); done < list\necho \"${a[@]}\"\n").empty());
  CHECK(warned("X=$(realpath \"$X\")\ncd \"$X\" || exit\n").empty());
  CHECK(warned("root=$1\nif [ -n \"$root\" ]; then rm -rf \"${root%/*}/cache\"; fi\n").empty());
  CHECK(warned("( eval 'x=(a b)' ) 2>/dev/null && echo arrays\n").empty());
  CHECK(warned("yes | rm -ri dir\n").empty());
  CHECK(warned("n=$(wc -l < f | tr -d ' ')\necho \"$n\"\n").empty());
}

TEST_CASE("a count compared with 0 as a text is right") {
  CHECK(warned("[[ ${#list[@]} > 0 ]] && echo some\n").empty());
  CHECK(warned("[[ ${#list[@]} > 10 ]] && echo some\n") == "X206:1");
}

TEST_CASE("an option may be put together") {
  CHECK(warned("n=$(wc -l < f)\nsort f | head -$n | tail -n 1\n").empty());
  CHECK(warned("chmod --reference=a b\n").empty());
  CHECK(warned("grep -c2 a f\nbasename \"$1\" -cert.pub\n").empty());
}
