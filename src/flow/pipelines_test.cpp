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
