#include "commands/pattern_slips.h"

#include <doctest/doctest.h>

using nacre::commands::slip_in;
using nacre::commands::slip_in_any;
using nacre::commands::slip_in_tr;

TEST_CASE("a set that names a letter twice was meant as a word") {
  CHECK(slip_in("-i[SUFFIX]") != "");
  CHECK(slip_in("[error]:") != "");
  for (const char* pattern :
       {"-i\\[SUFFIX]", "[aeiou]", "[Ee]rror", "[00-9]", "[[:alpha:]aa]", "[^ ]", "[]a]",
        "[a-zA-Z][a-z]", "a[", "[", "", "\\", "[..", "[[.a.]]"}) {
    CAPTURE(pattern);
    CHECK(slip_in(pattern) == "");
  }
}

TEST_CASE("a backslash does not quote within a set") {
  CHECK(slip_in("\\[[^\\[]]*\\]") != "");
  CHECK(slip_in("[\\]]+") != "");
  CHECK(slip_in("\\[[^\\[]*\\]") == "");
  CHECK(slip_in("[^]]*") == "");
  CHECK(slip_in("[a]]*") == "");
}

TEST_CASE("a slip in every dialect") {
  CHECK(slip_in_any("\\[[^\\[]]*\\]") != "");
  for (const char* pattern :
       {"[\\]]+", "[SUFFIX]", "[options]]*", "[^\\]]*", "[a\\", "[", "[\\[]"}) {
    CAPTURE(pattern);
    CHECK(slip_in_any(pattern) == "");
  }
}

TEST_CASE("a class in a set of tr needs two colons") {
  CHECK(slip_in_tr("[:lower]") != "");
  CHECK(slip_in_tr("a[upper:]") != "");
  for (const char* set : {"a-z", "[a-z]", "[:lower:]", "[:space:][:digit:]", "lower]", "[lower]",
                          "[\\n*]", "", "[", ":]"}) {
    CAPTURE(set);
    CHECK(slip_in_tr(set) == "");
  }
}
