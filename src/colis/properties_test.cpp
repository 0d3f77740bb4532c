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
TEST_CASE("a bound that is not reached changes nothing") { check(check_bounds(15, 40)); }

}  // namespace
}  // namespace nacre::colis
