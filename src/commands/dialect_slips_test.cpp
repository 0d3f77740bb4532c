#include "commands/dialect_slips.h"

#include <doctest/doctest.h>

using namespace nacre::commands;

namespace {

void check(PatternDialect dialect, std::initializer_list<const char*> slips,
           std::initializer_list<const char*> plain) {
  for (const char* pattern : slips) {
    CAPTURE(pattern);
    CHECK(dialect_slip(pattern, dialect) != "");
  }
  for (const char* pattern : plain) {
    CAPTURE(pattern);
    CHECK(dialect_slip(pattern, dialect) == "");
  }
}

}  // namespace

TEST_CASE("what only another dialect understands is told") {
  check(PatternDialect::kBasic,
        {"error|warning", "[0-9]+", "\\s+x", "[a-z]{3}", "\\d", "*.log", "* * * * *"},
        {"a|b", "| x |", "a+b", "error\\|warning", "[0-9]\\+", "[0-9]*", "*** ERROR", "x{3}",
         "[0-9]\\{3\\}", "^ii  x", "c++", "[+]", "\\\\d"});
  check(PatternDialect::kExtended, {"error\\|warning", "inet \\d+", "*.txt"},
        {"error|warning", "[0-9]+", "[0-9]{3}", "a\\|b", "\\.\\*"});
  check(PatternDialect::kFixed, {"a.*b"}, {"a.b", "* * *", "x$", "[0-9]+"});
  check(PatternDialect::kGlob, {".*\\.txt", "*.(jpg|png)", ".*log$"},
        {"*.txt", ".*", "*.[ch]", "a(1).txt", ".git*"});
}
