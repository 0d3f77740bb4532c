#include "explore/scenario.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace nacre::explore {
namespace {

Package package(std::map<std::string, std::string> scripts) {
  Package result;
  result.name = "foo";
  result.version = "1.0";
  result.files = {"/etc/", "/etc/foo/", "/etc/foo/foo.conf", "/usr/", "/usr/bin/", "/usr/bin/foo"};
  result.conffiles = {"/etc/foo/foo.conf"};
  for (auto& [name, text] : scripts)
    result.scripts.emplace(name, SourceFile(name, "#!/bin/sh\nset -e\n" + text));
  return result;
}

ScenarioResult play(std::string_view scenario, std::map<std::string, std::string> scripts) {
  for (const Scenario& each : scenarios()) {
    if (each.name == scenario) return play_scenario(each, package(std::move(scripts)), {});
  }
  FAIL("no such scenario");
  return {};
}

std::string codes(const ScenarioResult& result) {
  std::string text;
  for (const Finding& each : result.findings) text += each.code + " ";
  return text;
}

std::string ends(const ScenarioResult& result) {
  std::string text;
  for (const StateResult& each : result.ends) text += each.label + " ";
  return text;
}

TEST_CASE("scenarios are read, and refused with what is wrong") {
  CHECK(scenarios().size() >= 16);
  CHECK(!parse_scenario("x", ""));
  CHECK(!parse_scenario("x", "a\n"));
  CHECK(!parse_scenario("x", "begins somehow\na : B\n"));
  CHECK(!parse_scenario("x", "a : b\n"));
  CHECK(parse_scenario("x", "a : b | C\nb : D\n"));
}

TEST_CASE("a package without scripts goes through everything") {
  for (const Scenario& each : scenarios()) {
    CAPTURE(each.name);
    ScenarioResult result = play_scenario(each, package({}), {});
    CHECK(result.coverage() == "complete");
    CHECK(codes(result).empty());
  }
}

TEST_CASE("what a purge leaves is found") {
  CHECK(codes(play("install-purge", {{"postinst", "mkdir -p /var/lib/foo\n"}})) == "F204 ");
  CHECK(codes(play("install-purge", {{"postinst", "mkdir -p /var/lib/foo\n"},
                                     {"postrm", "[ $1 != purge ] || rm -rf /var/lib/foo\n"}}))
            .empty());
  // What was there before is not the package's.
  CHECK(codes(play("install-purge", {{"postinst", "[ -d /var/lib/foo ] || exit 0\n"}})).empty());
}

TEST_CASE("a script that cannot be run twice is found") {
  ScenarioResult result =
      play("idempotence-postinst-configure", {{"postinst", "mkdir /var/lib/foo\n"}});
  CHECK(codes(result) == "F201 ");
  CHECK(codes(play("idempotence-postinst-configure", {{"postinst", "mkdir -p /var/lib/foo\n"}}))
            .empty());
  CHECK(codes(play("idempotence-postinst-configure", {{"postinst", "echo x >> /etc/foo.log\n"}})) ==
        "F203 ");
}

TEST_CASE("a broken state and a command that is gone are found") {
  CHECK(codes(play("install", {{"postinst", "rm /var/lib/foo\n"}})) == "F205 ");
  CHECK(ends(play("install", {{"postinst", "rm /var/lib/foo\n"}})) == "Half-Configured Installed ");
  CHECK(codes(play("removal-purge",
                   {{"postrm", "[ $1 != purge ] || ucf --purge /etc/foo.conf\n"}})) == "F206 ");
  CHECK(codes(play("removal-purge",
                   {{"postrm",
                     "if command -v ucf > /dev/null; then ucf --purge /etc/foo.conf; fi\n"}}))
            .empty());
}

TEST_CASE("an unknown command makes a scenario partial and no finding") {
  ScenarioResult result = play("install", {{"postinst", "frobnicate; rm /var/lib/foo\n"}});
  CHECK(result.coverage() == "partial");
  CHECK(codes(result).empty());
}

}  // namespace
}  // namespace nacre::explore
