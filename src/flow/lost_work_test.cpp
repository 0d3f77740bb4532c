// Stages whose work the next one undoes, each with one that looks alike and is of use.
#include <doctest/doctest.h>

#include "flow/testing/codes.h"

using namespace nacre;

namespace {

std::string warned(const std::string& script) {
  return flow::testing::codes(script + "\n", shell::Dialect::kBash, Severity::kWarning);
}

}  // namespace

TEST_CASE("what one tr does and the next takes back is done in vain") {
  CHECK(warned("tr ' ' '_' < f | tr '_' ' ' | head") == "T104:1");
  CHECK(warned("tr '\\n' ' ' < f | tr ' ' '\\n' | head") == "T104:1");
  CHECK(warned("tr a-z A-Z < f | tr A-Z a-z | head") == "T104:1");
}

TEST_CASE("a tr that is a step on the way is none in vain") {
  CHECK(warned("tr ' ' '\\n' < f | tr -s ' \\n' '\\n' | head").empty());
  CHECK(warned("tr ' ' '_' < f | tr '_' '-' | head").empty());
  CHECK(warned("tr -d '\\n' < f | tr -d '\\n ' | head -c 10").empty());
  CHECK(warned("tr -s ' ' < f | tr ' ' ',' | head").empty());
  CHECK(warned("tr ' :' ': ' < f | tr ':' '\\n' | head").empty());
}

TEST_CASE("an order that options ask for is lost before another order") {
  CHECK(warned("sort -r f | sort -n") == "T104:1");
  CHECK(warned("cat f | sort -k 2 | sort -u") == "T104:1");
  CHECK(warned("cat f | sort -n | shuf") == "T104:1");
  CHECK(warned("cat f | sort -k 2 | sort -u -k 1,1").empty());
  CHECK(warned("cat f | sort -k 2 | sort -s -k 1,1").empty());
  CHECK(warned("sort f | wc -l").empty());
}

TEST_CASE("lines that are sorted after uniq were not in order before it") {
  CHECK(warned("cat f | uniq | sort") == "T106:1");
  CHECK(warned("cat f | uniq | sort | head") == "T106:1");
  CHECK(warned("cat f | uniq | sort -u").empty());
  CHECK(warned("cat f | uniq | sort | uniq -c").empty());
  CHECK(warned("cat f | uniq -c | sort -rn").empty());
  CHECK(warned("cat f | uniq | sort -n").empty());
}
