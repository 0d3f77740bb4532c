// What commands say of the columns and the number of the lines that reach them.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;

namespace {

std::string warned(const std::string& script) {
  return flow::testing::codes(script + "\n", shell::Dialect::kBash, Severity::kWarning);
}

}  // namespace

TEST_CASE("cut ends a field at each blank of a column that is filled up") {
  CHECK(warned("ls -l | cut -d' ' -f5") == "T101:1");
  CHECK(warned("ls -l *.c | grep -v old | cut -d' ' -f3-") == "T101:1");
  CHECK(warned("ps aux | cut -d' ' -f2") == "T101:1");
  CHECK(warned("df / | tail -n 1 | cut -d' ' -f5") == "T101:1");
  CHECK(warned("ls -l | cut -d' ' -f1").empty());
  CHECK(warned("ls -l | tr -s ' ' | cut -d' ' -f5").empty());
  CHECK(warned("ls -l | sed 's/  */ /g' | cut -d' ' -f5").empty());
  CHECK(warned("ls -l | awk '{print $5, $9}' | cut -d' ' -f2").empty());
}

TEST_CASE("the total of a directory is no column") {
  CHECK(warned("ls -l | head -n 1 | cut -d' ' -f2").empty());
  CHECK(warned("ls -l | grep total | cut -d' ' -f2").empty());
}

TEST_CASE("a question mark stands where ls knows no number") {
  CHECK(warned("ls -s | sort -n | tail -n 3").empty());
  CHECK(warned("ls -i | sort -n | tail -n 3").empty());
}

TEST_CASE("one file alone is listed in columns of its own width") {
  CHECK(warned("ls -l notes.txt | cut -d' ' -f5").empty());
  CHECK(warned("ls -l \"$1\" | cut -d' ' -f5").empty());
}

TEST_CASE("nothing stands before the blanks of an aligned number") {
  CHECK(warned("sort f | uniq -c | cut -d' ' -f1") == "T101:1");
  CHECK(warned("sort f | uniq -c | cut -d' ' -f1-2") == "T101:1");
  CHECK(warned("nl f | cut -d' ' -f1") == "T101:1");
  CHECK(warned("sort f | uniq -c | tr -s ' ' | cut -d' ' -f1") == "T102:1");
  CHECK(warned("sort f | uniq -c | tr -s ' ' | cut -d' ' -f2").empty());
  CHECK(warned("sort f | uniq -c | sed 's/^ *//' | cut -d' ' -f1").empty());
  CHECK(warned("sort f | uniq -c | cut -d' ' -f8-").empty());
  CHECK(warned("cat f | cut -d' ' -f1").empty());
  CHECK(warned("date +'%s %F' | cut -d' ' -f1").empty());
}

TEST_CASE("a count has no second field, in whatever way it is aligned") {
  CHECK(warned("wc -l < f | cut -d' ' -f2") == "T104:1");
  CHECK(warned("wc -l < f | cut -d' ' -f1") == "T104:1");
  CHECK(warned("wc -l < f | cut -d' ' -f8").empty());
  CHECK(warned("wc -l < f | tr -d ' '").empty());
  CHECK(warned("wc -l f | cut -d' ' -f1").empty());
}

TEST_CASE("a list of cut that leaves nothing out is idle") {
  CHECK(warned("cat f | cut -c1-") == "T104:1");
  CHECK(warned("cat f | cut -d, -f1-") == "T104:1");
  CHECK(warned("cat f | cut -d, -f1- --output-delimiter=' '").empty());
  CHECK(warned("cat f | tail -n +1") == "T104:1");
  CHECK(warned("cat f | tail -n +2").empty());
  CHECK(warned("tail -n +1 *.txt | cat").empty());
}

TEST_CASE("sort looks for a field that no line has") {
  CHECK(warned("cut -d' ' -f1 f | cut -f1 | sort -k2") == "T101:1");
  CHECK(warned("seq 10 | sort -t, -k2") == "T101:1");
  CHECK(warned("find . | sort -t/ -k3").empty());
  CHECK(warned("sort -k2 f | head").empty());
}

TEST_CASE("numbers in a field are sorted by their characters") {
  CHECK(warned("cat /etc/passwd | sort -t: -k3 | head") == "T105:1");
  CHECK(warned("cat /etc/passwd | sort -t: -k3n | head").empty());
  CHECK(warned("cat /etc/passwd | sort -t: -k3,3 | uniq").empty());
  CHECK(warned("cat /etc/passwd | sort -t: -k1 | head").empty());
  CHECK(warned("sort -t: -k3 f | head").empty());
}

TEST_CASE("lines whose number never differs are counted") {
  CHECK(warned("find . | tr '\\n' ' ' | wc -l") == "T107:1");
  CHECK(warned("cat f | wc -l | wc -l") == "T107:1");
  CHECK(warned("cat f | grep a | head -n 1 | wc -l").empty());
  CHECK(warned("echo \"$names\" | wc -l").empty());
  CHECK(warned("printf '%s' \"$names\" | wc -l").empty());
  CHECK(warned("cat f | tr -d '\\n' | wc -c").empty());
}

TEST_CASE("no name in a directory holds a slash") {
  CHECK(warned("ls | cut -d/ -f2") == "T104:1");
  CHECK(warned("ls -a | grep / | head") == "T102:1");
  CHECK(warned("ls -F | grep / | head").empty());
  CHECK(warned("ls -p | grep -v / | head").empty());
  CHECK(warned("ls /etc/*.conf | cut -d/ -f3").empty());
  CHECK(warned("ls -R | grep / | head").empty());
  CHECK(warned("ls -l | grep -e '-> /usr' | head").empty());
}

TEST_CASE("grep shows nothing of data with NUL bytes") {
  CHECK(warned("find . -print0 | grep txt") == "T101:1");
  CHECK(warned("find . -print0 | grep -z txt | xargs -0 ls").empty());
  CHECK(warned("find . -print0 | grep -a txt").empty());
}

TEST_CASE("kill takes numbers") {
  CHECK(warned("ps aux | grep '[f]oo' | xargs kill") == "T120:1");
  CHECK(warned("ps aux | grep '[f]oo' | awk '{print $2}' | xargs kill").empty());
  CHECK(warned("pgrep foo | xargs kill -9").empty());
  CHECK(warned("cat pids | xargs kill").empty());
}

TEST_CASE("cd reads nothing") {
  CHECK(warned("find . -name src | cd") == "T103:1");
  CHECK(warned("find . -name src | { cd /tmp && cat; }").empty());
}

TEST_CASE("sed deletes lines that cannot occur") {
  CHECK(warned("seq 10 | sed '/^$/d'") == "T104:1");
  CHECK(warned("seq 10 | sed '/^1/d'").empty());
  CHECK(warned("seq 10 | sed -e '/^$/d' -e 's/^/a/'").empty());
  CHECK(warned("seq 10 | sed '/^$/!d'") != "T104:1");
}

TEST_CASE("letters are deleted where there are none") {
  CHECK(warned("seq 10 | tr -d 'a-z'") == "T104:1");
  CHECK(warned("seq 10 | tr -d '[:alpha:]'") == "T104:1");
  CHECK(warned("seq 10 | tr -d '[:space:]'").empty());
  CHECK(warned("tr -cs a-z '\\n' < f | tr -d '[:punct:]'").empty());
}

TEST_CASE("to shuffle lines repeats none, to draw them does") {
  CHECK(warned("seq 10 | shuf | uniq -d") != "");
  CHECK(warned("seq 10 | shuf | sort | uniq -d") == "T102:1");
  CHECK(warned("seq 10 | shuf -r -n 99 | sort | uniq -d").empty());
}
