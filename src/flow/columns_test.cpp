// What commands say of the columns and the number of the lines that reach them.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;

namespace {

std::string warned(const std::string& script) {
  return flow::testing::codes(script + "\n", shell::Dialect::kBash, Severity::kWarning);
}

}  // namespace

TEST_CASE("cut ends a field at each blank of a padded column") {
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

TEST_CASE("a search in a list of all command lines finds itself") {
  CHECK(warned("if ps -ef | grep -q nginx; then echo up; fi") == "T123:1");
  CHECK(warned("if ps aux | grep -q nginx; then echo up; fi") == "T123:1");
  CHECK(warned("if ps -A -o pid,args | grep -q nginx; then echo up; fi") == "T123:1");
  CHECK(warned("if ps -eo cmd | grep -q nginx; then echo up; fi") == "T123:1");
  // The names of programs only, chosen processes, a pattern that does not match itself.
  CHECK(warned("if ps -e | grep -q nginx; then echo up; fi").empty());
  CHECK(warned("if ps -eo comm | grep -q nginx; then echo up; fi").empty());
  CHECK(warned("if ps -p 1 -o args | grep -q init; then echo up; fi").empty());
  CHECK(warned("if ps -ef | grep -q '[n]ginx'; then echo up; fi").empty());
  CHECK(warned("if ps -ef | grep -q '^root .* nginx: master'; then echo up; fi").empty());
}

TEST_CASE("a search in a table with descriptions finds other rows") {
  CHECK(warned("if dpkg -l | grep -q nginx; then echo yes; fi") == "T123:1");
  CHECK(warned("if dpkg-query -l | grep -qw nginx; then echo yes; fi") == "T123:1");
  CHECK(warned("if dpkg -l | grep -q '^ii  nginx '; then echo yes; fi").empty());
  CHECK(warned("dpkg -l | grep nginx").empty());
  CHECK(warned("if dpkg --get-selections | grep -q nginx; then echo yes; fi").empty());
}

TEST_CASE("counts of a column that nothing has sorted") {
  CHECK(warned("cut -d: -f7 users | uniq -c | sort -rn") == "T106:1");
  CHECK(warned("awk '{print $1, $3}' log | uniq -c | sort -rn") == "T106:1");
  CHECK(warned("cut -d: -f7 users | sort | uniq -c | sort -rn").empty());
  CHECK(warned("awk '/x/' log | uniq -c | sort -rn").empty());
  CHECK(warned("grep x log | uniq -c | sort -rn").empty());
}

TEST_CASE("a backslash of JSON is an escape") {
  CHECK(warned("jq -c '.[]' f | while read x; do echo \"$x\"; done") == "T128:1");
  CHECK(warned("jq -c '.[]' f | while read -r x; do echo \"$x\"; done").empty());
}

TEST_CASE("a column names things of one sort") {
  CHECK(warned("docker ps -a | grep Exited | awk '{print $2}' | xargs docker rm") == "T120:1");
  CHECK(warned("docker ps -a | grep Exited | awk '{print $1}' | xargs docker rm").empty());
  CHECK(warned("docker ps --format '{{.Image}}' | xargs -r docker stop") == "T120:1");
  CHECK(warned("docker ps --format '{{.Names}}' | xargs -r docker stop").empty());
  CHECK(warned(
            "kubectl get pods -A --no-headers | awk '{print $1}' | xargs -n1 kubectl delete pod") ==
        "T120:1");
}

TEST_CASE("a word for a state names no object") {
  CHECK(warned("systemctl list-units --no-legend --plain | awk '{print $2}' | xargs -r systemctl "
               "restart") == "T120:1");
  CHECK(warned("systemctl list-units --no-legend --plain | awk '{print $1}' | xargs -r systemctl "
               "restart")
            .empty());
}

TEST_CASE("a line that was searched for is no frame") {
  CHECK(warned("n=$(lscpu | awk '$1 == \"CPU(s):\" {print $2}')\nmake -j \"$n\"").empty());
  CHECK(warned("n=$(lscpu | grep 'CPU(s)' | awk '{print $2}')\nmake -j \"$n\"") == "T120:2");
  CHECK(warned("wc -l /etc/*.conf | sort -rn | head -n 1 | awk '{print $2}' | xargs cat") ==
        "T120:1");
}

TEST_CASE("a test of awk that every row passes") {
  CHECK(warned("kubectl get pods --no-headers | awk '$2 != \"Running\" {print $1}'") == "T111:1");
  CHECK(warned("kubectl get pods --no-headers | awk '$3 != \"Running\" {print $1}'").empty());
  CHECK(warned("awk '$2 != \"Running\" {print $1}' list").empty());
}

TEST_CASE("awk tests a column for what stands in another") {
  CHECK(warned("mount | awk '$3 == \"ext4\" {print $1}'") == "T101:1");
  CHECK(warned("mount | awk '$5 == \"ext4\" {print $1}'").empty());
  CHECK(warned("mount | awk '$3 == \"/\" {print $1}'").empty());
  CHECK(warned("mount | awk '{ $3 = $5 } $3 == \"ext4\" {print $1}'").empty());
}

TEST_CASE("awk compares what is no number as text") {
  CHECK(warned("df -P | awk 'NR > 1 && $5 > 90 {print $6}'") == "T121:1");
  CHECK(warned("df -P | awk 'NR > 1 && $5 + 0 > 90 {print $6}'").empty());
  CHECK(warned("df -P | awk '{sub(\"%\", \"\", $5)} $5 > 90 {print $6}'").empty());
  CHECK(warned("df -P | awk '$4 > 90 {print $6}'").empty());
  CHECK(warned("awk '$5 > 90' table.txt").empty());
}

TEST_CASE("awk cuts at blanks what another character holds apart") {
  CHECK(warned("getent passwd | awk '$3 >= 1000 {print $1}'") == "T101:1");
  CHECK(warned("getent passwd | awk -F: '$3 >= 1000 {print $1}'").empty());
  CHECK(warned("getent passwd | awk '{split($0, a, \":\"); print a[3]}'").empty());
  CHECK(warned("awk '{print $2}' FS=: /etc/passwd").empty());
  CHECK(warned("awk 'BEGIN {FS = \":\"} {print $2}' /etc/passwd").empty());
}

TEST_CASE("sort compares a column of numbers that is not padded as text") {
  CHECK(warned("kubectl get pods --no-headers | sort -k4 | tail -n 5") == "T105:1");
  CHECK(warned("kubectl get pods --no-headers | sort -k4n | tail -n 5").empty());
  CHECK(warned("df -P | sort -k3 | tail -n 1").empty());
}

TEST_CASE("jq takes no member of an array") {
  CHECK(warned("docker inspect web | jq -r .NetworkSettings.IPAddress") == "T128:1");
  CHECK(warned("docker inspect web | jq -r '.[0].NetworkSettings.IPAddress'").empty());
  CHECK(warned("docker inspect web | jq -r '.NetworkSettings?'").empty());
  CHECK(warned("ip -j addr | jq -r '.[].addr_info.local'") == "T128:1");
  CHECK(warned("ip -j addr | jq -r '.[].addr_info[].local'").empty());
}

TEST_CASE("sed looks for a plus sign that is not meant") {
  CHECK(warned("ps aux | sed 's/ +/ /g'") == "T111:1");
  CHECK(warned("ps aux | sed -E 's/ +/ /g'").empty());
  CHECK(warned("sed 's/ +/+/' formulas").empty());
  CHECK(warned("sed 's/ + / - /' formulas").empty());
}

TEST_CASE("a line of text that may hold the pattern is not the one that is meant") {
  const std::string loss = "l=$(ping -c 5 host | awk '/packet loss/ {print $6}'";
  CHECK(warned(loss + ")\n[ \"$l\" -gt 20 ] && echo bad") == "T121:2");
  CHECK(warned(loss + " | tr -d %)\n[ \"${l%.*}\" -gt 20 ] && echo bad").empty());
}

TEST_CASE("columns that are chosen have the types of the other options") {
  CHECK(warned("df -h --output=avail,target | tail -n +2 | sort -n | head -n 1") == "T105:1");
  CHECK(warned("df -h --output=avail,target | tail -n +2 | sort -h | head -n 1").empty());
  CHECK(warned("docker images --format '{{.Size}} {{.ID}}' | sort -n | tail") == "T105:1");
  CHECK(
      warned("docker ps -a --format '{{.Names}}\\t{{.Status}}' | awk -F'\\t' '$2 == \"Exited\"'") ==
      "T102:1");
  CHECK(warned("chown --reference=a b").empty());
  CHECK(warned("find . -regex '*.jpg'") == "T111:1");
  CHECK(warned("find . -regex '.*\\.jpg'").empty());
  CHECK(warned("git tag --points-at HEAD~1").empty());
}

TEST_CASE("a checksum is compared with a line that also holds the name of the file") {
  const std::string wanted =
      "want=2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\n";
  const std::string test = "\nif [ \"$sum\" != \"$want\" ]; then exit 1; fi";
  CHECK(warned(wanted + "sum=$(sha256sum app.tar)" + test) == "T301:3");
  CHECK(warned(wanted + "sum=$(sha256sum app.tar | cut -d' ' -f1)" + test).empty());
}
