// Pipelines whose stages do not fit, each with one that looks alike and works.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;

namespace {

std::string warned(const std::string& script) {
  return flow::testing::codes(script + "\n", shell::Dialect::kBash, Severity::kWarning);
}

}  // namespace

TEST_CASE("xargs -0 needs names that end with a NUL") {
  CHECK(warned("find . -name '*.c' | xargs -0 wc -l") == "T101:1");
  CHECK(warned("ls *.txt | xargs -0 rm") == "T101:1");
  CHECK(warned("find . -name '*.c' -print0 | xargs -0 wc -l").empty());
  CHECK(warned("ls | tr '\\n' '\\0' | xargs -0 rm").empty());
  CHECK(warned("printf '%s\\0' \"$@\" | xargs -0 rm").empty());
  CHECK(warned("cat names | xargs -0 rm").empty());
  CHECK(warned("echo \"$code\" | xargs -0 sh -c").empty());
}

TEST_CASE("a last stage that prints nothing whatever it reads") {
  CHECK(warned("foo | sed -n 's/a/b/'") == "T102:1");
  CHECK(warned("foo | sed -n 's/a/b/p'").empty());
  CHECK(warned("foo | sed -e 's/a/b/' -e '/^/d'") == "T102:1");
  CHECK(warned("foo | sed -e 's/a/b/' -e '/a/d'").empty());
  CHECK(warned("foo | grep '^a' | sed -n '/^b/p'") == "T102:1");
  CHECK(warned("foo | grep '^a' | sed -n 's/^b/c/p'") == "T102:1");
  CHECK(warned("foo | grep -v '.*'") == "T102:1");
  CHECK(warned("foo | tr a-z A-Z | grep abc") == "T102:1");
  CHECK(warned("foo | cut -d: -f1 | grep :") == "T102:1");
}

TEST_CASE("a class in a set of tr needs both colons") {
  CHECK(warned("tr '[:lower]' '[:upper]' < names") == "T111:1 T111:1");
  CHECK(warned("tr '[:lower:]' '[:upper:]' < names").empty());
}

TEST_CASE("what stands for a separator in our own types separates nothing in the data") {
  CHECK(warned("printf 'a\\001b\\n' | awk -F '[:,]' '{print $2}' | grep .") == "T102:1 T102:1");
  CHECK(warned("printf 'a,b\\nc,d\\n' | awk -F '[:,]' '{print $2}' | grep b").empty());
  CHECK(warned("printf 'a,b\\n' | awk -F '[:,]' '{$0 = \"c\\nd\"; print $1}' | grep d").empty());
}

TEST_CASE("formats of git are known, as far as its options do not change them") {
  CHECK(warned("git log --oneline | cut -d' ' -f1 | grep '[g-z]'") == "T102:1");
  CHECK(warned("git log --oneline --stat | cut -d' ' -f1 | grep '[g-z]'").empty());
  CHECK(warned("git log --oneline $options | cut -d' ' -f1 | grep '[0-9]'").empty());
  CHECK(warned("git status --porcelain | grep '^modified'") == "T102:1");
  CHECK(warned("git status --porcelain -b | grep '^## main'").empty());
  CHECK(warned("git rev-parse HEAD | cut -d' ' -f2") == "T104:1");
}

TEST_CASE("formats of the system's own commands are known") {
  CHECK(warned("df | tail -n +2 | awk '{print $2}' | sort | tail -1") == "T105:1");
  CHECK(warned("df -h | tail -n +2 | awk '{print $2}' | sort -h").empty());
  CHECK(warned("df -h | grep -v tmpfs | sort -k5 -h").empty());
  CHECK(warned("ss -tln | awk 'NR>1 {print $4}' | sed 's/.*://' | sort -n").empty());
  CHECK(warned("ip -o -4 addr show | awk '{print $4}' | cut -d/ -f1").empty());
  CHECK(warned("ip -br link | grep '^ '") == "T102:1");
  CHECK(warned("dpkg -l | grep '^installed'") == "T102:1");
  CHECK(warned("dpkg -l | grep '^ii' | awk '{print $2}'").empty());
  CHECK(warned("wget https://example.com | grep title") == "T307:1");
  CHECK(warned("wget -qO- https://example.com | grep title").empty());
  CHECK(warned("wget https://example.com 2>&1 | grep saved").empty());
}

TEST_CASE("a card that lists not all options says nothing of the arguments of others") {
  CHECK(warned("wget --max-redirect=3 -O page https://example.com").empty());
  CHECK(warned("getopt --options=ab --longoptions=all -- \"$@\"").empty());
  CHECK(warned("wc --lines=3 file") == "T110:1");
}

TEST_CASE("of a command that refuses its arguments only that is said") {
  CHECK(warned("ls | grep '[a' | sort") == "T109:1");
  CHECK(warned("seq 9 | xargs -n 1 expr 1 + | grep a") == "T102:1");
  CHECK(warned("ls | sort -Q | uniq | grep a") == "T110:1");
  CHECK(warned("x=$(echo a | sed 's/a/b')\necho \"$x\"") == "T109:1");
}

TEST_CASE("a set that ends too early is a slip in every language of patterns") {
  CHECK(warned("sed 's/\\[[^\\[]]*\\]//' f") == "T111:1");
  CHECK(warned("sed -n '/[error]/p' f") == "T111:1");
  CHECK(warned("awk '/[error]/' f") == "T111:1");
  CHECK(warned("awk '/[^\\]]*x/' f").empty());
  CHECK(warned("my_filter '\\[[^\\[]]*\\]' < f") == "T111:1");
  CHECK(warned("my_echo 'usage: x [options]' '[\\]]*'").empty());
}

TEST_CASE("the last of some lines is not the first of them") {
  const std::string counted = "sort /etc/passwd | uniq -c | head -n 1 | tr -s ' ' '\\n'";
  CHECK(warned("# @output \".+\"\n" + counted + " | tail -n 1").empty());
  CHECK(warned("# @output \".+\"\n" + counted + " | tail -n 3") == "T203:2");
  CHECK(warned("# @output \".+\"\n" + counted + " | head -n 1") == "T203:2");
}

TEST_CASE("kill takes its numbers from its words") {
  CHECK(warned("ps aux | awk '/x/ {print $2}' | kill -9") == "T103:1");
  CHECK(warned("ps aux | awk '/x/ {print $2}' | xargs kill -9").empty());
  CHECK(warned("kill -9 12; kill -s TERM 1; kill -- -12; kill -l | head; kill -0 $$").empty());
}

TEST_CASE("below a heading numbers are numbers, also where some are missing") {
  CHECK(warned("ls -l | awk '{print $5}' | sort | tail -n 1") == "T105:1");
  CHECK(warned("ps aux | awk '{print $4}' | sort -r | head -3") == "T105:1");
  CHECK(warned("df -h | awk '{print $5}' | sed 's/%//' | sort | tail -1") == "T105:1");
  CHECK(warned("cat f | awk '{print $1 / 2}' | sort") == "T105:1");
  CHECK(warned("find . -printf '%T@ %p\\n' | sort | tail -1").empty());  // all of one width
  CHECK(warned("ls -l | awk '{print $5}' | sort -n | tail -n 1").empty());
  CHECK(warned("ls -l | awk '{print $9}' | sort").empty());
}

TEST_CASE("a missing number counts as 0, and a word where all are words is a mistake") {
  CHECK(warned("grep -o 'id=[0-9]*' f | cut -d= -f2 | sort -n").empty());
  CHECK(warned("grep -Eo '[0-9]+[.,][0-9]+' f | sort -t . -k 1,1n -k 2,2n").empty());
  CHECK(warned("printf '%s\\n' b c a | sort -n") == "T101:1");
  CHECK(warned("printf '%s\\n' size 3 1 | sort -n").empty());
  CHECK(warned("printf 'a b\\nc d\\n' | cut -d' ' -f1 | sort -k2n") == "T101:1");
}

TEST_CASE("a pattern may name several files") {
  CHECK(warned("wc -l *.c | sort -n | tail -2").empty());
  CHECK(warned("wc -l main.c | sort -n") == "T107:1");
  CHECK(warned("stat -c '%s %n' * | sort -n").empty());
  CHECK(warned("ls -d */ | grep -v '/$'") == "T102:1");
  CHECK(warned("ls -d */ | grep -v '^a'").empty());
}

TEST_CASE("what is there once is not repeated") {
  CHECK(warned("sort -u f | uniq -d") == "T102:1");
  CHECK(warned("sort f | uniq | uniq -u") == "T104:1");
  CHECK(warned("sort f | uniq -d | wc -l").empty());
  CHECK(warned("sort -u f | uniq -w 3 -d").empty());
}

TEST_CASE("a program that never prints is one whatever it reads") {
  CHECK(warned("sed -n 's/a/b/' f | head") == "T102:1");
  CHECK(warned("sed -n 's/a/b/p' f | head").empty());
  CHECK(warned("sed -n 's/a/b/w out' f").empty());
}

TEST_CASE("names that systems, files and users have") {
  CHECK(warned("uname -s | grep linux") == "T102:1");
  CHECK(warned("uname | grep -i macos") == "T102:1");
  CHECK(warned("uname -s | grep -i linux").empty());
  CHECK(warned("uname | tr A-Z a-z | grep linux").empty());
  CHECK(warned("find . -type f -printf '%f\\n' | grep /") == "T102:1");
  CHECK(warned("find src/ -printf '%f\\n' | grep /").empty());
  CHECK(warned("sha256sum *.iso | cut -d' ' -f2 | sort") == "T102:1");
  CHECK(warned("sha256sum -b *.iso | cut -d' ' -f2 | sort").empty());
  CHECK(warned("docker ps -q | grep Up") == "T102:1");
  CHECK(warned("uptime | cut -d: -f9") == "T102:1");
  CHECK(warned("which -a python | xargs readlink -f").empty());
  CHECK(warned("cat f | nl | grep '^[a-z]'") == "T102:1");
  CHECK(warned("whoami | cut -d: -f1") == "T104:1");
}

TEST_CASE("what nothing is known of may be what its reader wants") {
  CHECK(warned("lsof -t -i :80 | sort -n").empty());
  CHECK(warned("netstat -an | awk '{print $4}' | sed 's/.*[.:]//' | sort -n").empty());
  CHECK(warned("cat urls | wget -i -").empty());
  CHECK(warned("cat urls | wget") == "T103:1");
}

TEST_CASE("a few words are one line of xargs") {
  CHECK(warned("seq 1 10 | xargs | sort -rn") == "T107:1");
  CHECK(warned("seq 1 10 | xargs -n 2 | sort -rn").empty());
}

TEST_CASE("what stands in the place of a number is no word") {
  CHECK(warned("grep -o 'price:[0-9.]*' f | cut -d: -f2 | sort -n").empty());
  CHECK(warned("df -i | awk 'NR>1 {print $5, $6}' | sort -rn").empty());
  CHECK(warned("ls -l --time-style=+%s | awk 'NR>1 {print $6, $7}' | sort -n").empty());
  CHECK(warned("ls -l --time-style=+%b | awk 'NR>1 {print $6, $7}' | sort -n") == "T101:1");
  CHECK(warned("ls -lh | awk '{print $5}' | sort -n") == "T105:1");
  CHECK(warned("printf '%s\\n' 10 9 8 | sort") == "T105:1");
}

TEST_CASE("commands print the names that they are given") {
  CHECK(warned("wc -l notes.txt | cut -d: -f1") == "T104:1");
  CHECK(warned("wc -l a:b | cut -d: -f1").empty());
  CHECK(warned("wc -l *.c | grep total").empty());
  CHECK(warned("wc -l \"$f\" | cut -d: -f1").empty());
  CHECK(warned("du -sh . | cut -d' ' -f1") == "T104:1");
  CHECK(warned("du -sh . | cut -f1").empty());
  CHECK(warned("find . -type f | sed 's|^\\./||' | grep '^\\./'") == "T102:1");
  CHECK(warned("git branch | grep '*' | cut -d'*' -f1") == "T102:1");
}

TEST_CASE("a field of lines without the separator of awk is all of them") {
  CHECK(warned("date +%Y-%m-%d | awk -F/ '{print $1}'") == "T104:1");
  CHECK(warned("cat f | tr ',' ';' | awk -F, '{print $NF}'") == "T104:1");
  CHECK(warned("date +%Y-%m-%d | awk -F- '{print $1}'").empty());
  CHECK(warned("cat f | awk -F, '{print $1}'").empty());
  CHECK(warned("wc -l < f | awk '{print $1}'").empty());
}

TEST_CASE("a count is no name") {
  CHECK(warned("ls *.jpg | wc -l | xargs rm") == "T101:1");
  CHECK(warned("ls *.jpg | wc -l | xargs -I{} mv {} old") == "T101:1");
  CHECK(warned("ls *.jpg | wc -l | xargs echo found").empty());
  CHECK(warned("seq 3 | xargs rm").empty());
}

TEST_CASE("by what lines were sorted they stay together") {
  CHECK(warned("md5sum * | sort | awk '{print $1}' | uniq -d").empty());
  CHECK(warned("sort f | cut -d, -f1 | uniq -c").empty());
  CHECK(warned("sort f | cut -c1-3 | uniq -c").empty());
  CHECK(warned("sort f | sed 's/:.*//' | uniq").empty());
  CHECK(warned("sort -k1,1 -k2,2n f | cut -f1 | uniq -c").empty());
  CHECK(warned("sort -t, -k3 f | awk -F, '$1 > 2 {print $3}' | uniq").empty());
  CHECK(warned("sort f | cut -d, -f2 | uniq") == "T106:1");
  CHECK(warned("sort -k2 f | cut -d' ' -f1 | uniq -c") == "T106:1");
  CHECK(warned("sort f | awk '{print $NF}' | uniq") == "T106:1");
  CHECK(warned("sort f | sed 's/^[0-9]*//' | uniq") == "T106:1");
}

TEST_CASE("the order of numbers matters to who takes the first or the last") {
  CHECK(warned("du -k * | cut -f1 | sort | uniq | tail -1") == "T105:1");
  CHECK(warned("du -a | cut -f1 | sort | uniq | head -1") == "T105:1");
  CHECK(warned("du -a | cut -f1 | sort | uniq | wc -l").empty());
  CHECK(warned("du -a | cut -f1 | sort | uniq -c | head").empty());
}

TEST_CASE("find prints no directory that it is told to leave out") {
  CHECK(warned("find . -maxdepth 1 -type f | cut -d/ -f3") == "T102:1");
  CHECK(warned("find . -maxdepth 1 -type d | cut -d/ -f3").empty());
  CHECK(warned("find . -maxdepth 1 -type f -o -name x | cut -d/ -f3").empty());
}

TEST_CASE("findings stay when lines take a detour") {
  CHECK(warned("seq 10 | grep '[a-z]' | { cat; }") == "T102:1");
  CHECK(warned("seq 10 | grep '[a-z]' | while read -r n; do echo \"$n\"; done") == "T102:1");
  CHECK(warned("x=$(date +%F)\necho \"$x\" | cut -d/ -f1") == "T104:2");
  CHECK(warned("x=$(date +%F)\ncut -d/ -f1 <<< \"$x\"") == "T104:2");
  CHECK(warned("x=$(du -h *)\nprintf '%s\\n' \"$x\" | sort -n") == "T105:2");
  CHECK(warned("x=2024-01-02\necho \"$x\" | cut -d/ -f1").empty());  // a setting
}
