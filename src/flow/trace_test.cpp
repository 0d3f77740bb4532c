#include "flow/trace.h"

#include <doctest/doctest.h>

#include "flow/check.h"
#include "shell/parse.h"

using namespace nacre;

namespace {

// What is printed on the way to the first finding, and its counterexample.
std::string way(std::string script) {
  const auto parsed =
      shell::parse_file(SourceFile("test.sh", std::move(script)), shell::Dialect::kBash);
  const commands::CardLibrary cards;
  const auto findings = flow::check(parsed.tree, cards).findings;
  REQUIRE(!findings.empty());
  std::string result;
  for (const Note& step : findings[0].path) result += step.message + "; ";
  return result + findings[0].counterexample;
}

}  // namespace

TEST_CASE("a counterexample is a line that the source can print") {
  CHECK(way("find . -name '*.php' | xargs cat") == "find prints \"./ .php\"; ./ .php");
  CHECK(way("seq 3 7 | tr 3-7 a-e | cut -c 1 | sort -n") ==
        "seq prints \"3\"; tr prints \"a\"; cut prints \"a\"; a");
  CHECK(way("ls | grep '^[a-c]$' | tr a-z A-Z | sort -n") ==
        "ls prints \"a\"; grep prints \"a\"; tr prints \"A\"; A");
}

TEST_CASE("the way leads through sed") {
  const std::string found = "find . -printf '%f\\n'";
  CHECK(way("seq 3 7 | sed 's/3/a/;y/a/b/' | sort -n") == "seq prints \"3\"; sed prints \"b\"; b");
  CHECK(way(found + " | sed '/a/d' | sort -n") == "find prints \"b\"; sed prints \"b\"; b");
  CHECK(way(found + " | sed -n 's/^x//p' | sort -n") == "find prints \"xa\"; sed prints \"a\"; a");
}

TEST_CASE("an empty line is no example where there is another") {
  CHECK(way("ls | tr -cs A-Za-z '\\n' | sort -n").ends_with("tr prints \"a\"; a"));
}

TEST_CASE("the way begins after a stage that mixes lines") {
  const std::string found =
      way("find . -printf '%f\\n' | sort | uniq -c | sort -n | cut -c 9- | sort -n");
  CHECK(found.starts_with("uniq prints"));
  CHECK(found.ends_with("cut prints \"a\"; a"));
}

TEST_CASE("the way tells where a value gets lost, and what comes first") {
  CHECK(way("d=$1\np=\"$d/dev\"\nrm -rf \"$p\"\n") ==
        "its value comes from here; d may be empty; /dev");
  CHECK(way("case $1 in -a) ls ;; -a|-b) pwd ;; esac\n") == "this matches first; -a");
  CHECK(way("set -e\nls a\nif [ $? -ne 0 ]; then echo; fi\n") ==
        "set -e ends the script if this fails; test it with `if`; ");
  CHECK(way("set -e\nls a\nx=$?\nif [ $x -ne 0 ]; then echo; fi\n") ==
        "set -e has ended the script if the command before this failed; ");
  CHECK(way("seq 20 | sort\n") == "seq prints \"10\"; 9\n10");
}

TEST_CASE("what is evaluated has to get out of its quotes first") {
  const std::string way_of_line = "its value comes from here; ";
  CHECK(way("read -r x < f\neval \"$x\"\n") == way_of_line + "$(reboot)");
  CHECK(way("read -r x < f\neval \"cd '/srv/$x'\"\n") == way_of_line + "'$(reboot)'");
  CHECK(way("read -r x < f\neval cd \"\\\"it's $x\\\"\"\n") == way_of_line + "$(reboot)");
}
