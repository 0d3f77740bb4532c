// The formats of a report: JSON by its schema, pages and graphs without anything that is not
// escaped.
#include "explore/show.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "explore/confirm.h"
#include "explore/open_scene.h"
#include "explore/prepare.h"

namespace nacre::explore {
namespace {

struct Explored {
  World start = open_world();
  Report report;
  std::vector<Finding> findings;
};

Explored explored(const char* text) {
  Explored result;
  auto script = prepare(SourceFile("script", text), Given(), result.start);
  REQUIRE(script);
  Budget budget;
  budget.runs = 100;
  result.report = report_on(*script, result.start, budget);
  result.findings = all_findings(*script, result.report, budget, 4);
  return result;
}

bool is_valid_json(const std::string& content) {
  char path[] = "/tmp/nacre-explore-XXXXXX";
  const int fd = mkstemp(path);
  REQUIRE(fd >= 0);
  REQUIRE(write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
  close(fd);
  const int status = std::system(fmt::format("python3 '{0}/tests/validate-json' "
                                             "'{0}/docs/explore.schema.json' {1}",
                                             NACRE_SOURCE_DIR, path)
                                     .c_str());
  unlink(path);
  return status == 0;
}

constexpr const char* kScripts[] = {
    "mkdir /srv/a && echo '<b>' > '/srv/a/<i>'\n",
    "while :; do :; done\n",
    "frob \"$1\"\n",
};

TEST_CASE("the JSON report keeps to its schema") {
  for (const char* text : kScripts) {
    const Explored all = explored(text);
    CHECK(is_valid_json(show_json(all.report, all.findings, {})));
    ShowOptions options;
    options.scenes = {"a.json"};
    CHECK(is_valid_json(show_json(all.report, all.findings, options)));
  }
  Report refused;
  refused.refusal = "no";
  CHECK(is_valid_json(show_json(refused, {}, {})));
  CHECK_FALSE(is_valid_json("{\"script\": 1}"));
}

TEST_CASE("the page shows every outcome and escapes names") {
  const Explored all = explored(kScripts[0]);
  const std::string page = show_html(all.report, all.start, all.findings, {});
  size_t outcomes = 0;
  for (size_t at = page.find("class=\"outcome\""); at != page.npos;
       at = page.find("class=\"outcome\"", at + 1))
    ++outcomes;
  CHECK(outcomes == all.report.outcomes.size());
  CHECK(page.find("<i>") == page.npos);
  CHECK(page.find("/srv/a/&lt;i&gt;") != page.npos);
}

TEST_CASE("a finding is confirmed by a run that gets there") {
  const SourceFile file("script",
                        "#!/bin/sh\nif [ -e /etc/a ]; then\n  cat /etc/b\nfi\nexit 0\necho no\n");
  const Reached reached = lines_reached(file, Budget{});
  CHECK(reached.refusal.empty());
  CHECK(reached.lines.contains(3));
  CHECK(reached.lines.at(3).find("/etc/a") != std::string::npos);
  CHECK_FALSE(reached.lines.contains(6));
}

}  // namespace
}  // namespace nacre::explore
