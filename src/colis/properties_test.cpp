// The report's theorems, on a few programs each; `./dev bench colis` has many.
#include "colis/testing/properties.h"

#include <doctest/doctest.h>

namespace nacre::colis {
namespace {

void check(const PropertyResult& result) {
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.checks > 0);
}

TEST_CASE("every concrete run is covered by a symbolic state") {
  check(check_over_approximation(11, 40, false));
}
TEST_CASE("also where paths lead through links") { check(check_over_approximation(12, 10, true)); }
TEST_CASE("every complete state has a run that ends so") {
  check(check_under_approximation(13, 40));
}
TEST_CASE("a program and its shell script end alike") { check(check_shell_agreement(14, 60)); }
TEST_CASE("a script and its translation end alike") {
  for (const char* script : {
           "case $(echo a; false) in a) echo yes ;; esac",
           "export X=$(echo v; false); : \"${Y:=$(false)}\"; echo \"$X$Y\"",
           "x=$(mkdir /w && echo made); echo \"$x\" > /w/f; rm -f /w/g; cat /w/f",
           "f() { for a in \"$@\"; do mkdir -p \"/w/$a\"; done; }; f \"$1\" 'b c'; rmdir /none || "
           "true",
           "set -u; . /usr/share/debconf/confmodule; db_stop; echo ${1%figure} $#",
       }) {
    INFO(script);
    CHECK(check_translation(script, {"configure"}) == "");
  }
  CHECK(check_translation("eval x", {}) == std::nullopt);
}
TEST_CASE("a bound that is not reached changes nothing") { check(check_bounds(15, 40)); }

}  // namespace
}  // namespace nacre::colis
