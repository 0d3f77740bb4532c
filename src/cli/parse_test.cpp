#include "cli/parse.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/help.h"
#include "report/report.h"

using namespace nacre;
using namespace nacre::cli;

namespace {

constexpr Option kOptions[] = {
    {"all", 'a', "", "a flag"},       {"brief", 'b', "", "another"},
    {"jobs", 'j', "N", "a number"},   {"mode", 'm', "fast|slow", "a choice"},
    {"code", 'c', "CODES", "a list"},
};
constexpr Verb kVerb = {
    .name = "try", .summary = "a test", .operands = "FILE...", .options = kOptions};

Result<std::optional<Arguments>> parse_words(std::vector<const char*> words) {
  words.insert(words.begin(), "try");
  return parse(kVerb, static_cast<int>(words.size()), words.data());
}

Arguments parsed(const std::vector<const char*>& words) {
  auto result = parse_words(words);
  REQUIRE(result);
  REQUIRE(*result);
  return **result;
}

std::string mistake(const std::vector<const char*>& words) {
  auto result = parse_words(words);
  return result ? "" : result.error().message;
}

}  // namespace

TEST_CASE("options are given long, short, joined and bundled") {
  CHECK(parsed({"--jobs", "4"}).number("jobs") == 4u);
  CHECK(parsed({"--jobs=4"}).number("jobs") == 4u);
  CHECK(parsed({"-j", "4"}).number("jobs") == 4u);
  CHECK(parsed({"-j4"}).number("jobs") == 4u);
  CHECK(parsed({"-ab"}).has("all"));
  CHECK(parsed({"-ab"}).has("brief"));
  CHECK_FALSE(parsed({}).has("all"));
  CHECK(parsed({"--mode", "fast", "--mode=slow"}).value("mode") == "slow");
  CHECK(parsed({}).value("mode", "fast") == "fast");
}

TEST_CASE("lists are split at commas and add up") {
  CHECK(parsed({"-c", "A,B", "-c", "C"}).list("code") == std::vector<std::string>{"A", "B", "C"});
}

TEST_CASE("an option takes one word; the rest are operands") {
  Arguments arguments = parsed({"-c", "A", "x", "-", "-a", "--", "-b"});
  CHECK(arguments.operands() == std::vector<std::string>{"x", "-", "-b"});
  CHECK(arguments.has("all"));
  CHECK_FALSE(arguments.has("brief"));
}

TEST_CASE("mistakes are told in one line") {
  CHECK(mistake({"--moed", "fast"}) == "unknown option '--moed'; did you mean '--mode'?");
  CHECK(mistake({"--mode", "quick"}).find("'quick' is not one of fast|slow") != std::string::npos);
  CHECK(mistake({"--mode", "fast|slow"}).find("is not one of") != std::string::npos);
  CHECK(mistake({"-j", "-1"}).find("'-1' is not a number") != std::string::npos);
  CHECK_FALSE(mistake({"--jobs"}).empty());
  CHECK_FALSE(mistake({"-z"}).empty());
}

TEST_CASE("help is neither a value nor a mistake") {
  auto result = parse_words({"--help"});
  REQUIRE(result);
  CHECK_FALSE(*result);
}

TEST_CASE("every verb can be described: a summary, one-line helps, no option twice") {
  for (const Verb* verb : verbs()) {
    CAPTURE(verb->name);
    CHECK(!verb->summary.empty());
    CHECK((verb->run != nullptr) != (verb->run_raw != nullptr));
    CHECK(help_of(*verb).find(verb->summary) != std::string::npos);
    std::string seen = "h";
    for (const Option& option : verb->options) {
      CAPTURE(option.name);
      CHECK(!option.help.empty());
      CHECK(option.help.find('\n') == std::string_view::npos);
      if (option.letter != '\0') CHECK(seen.find(option.letter) == std::string::npos);
      if (option.letter != '\0') seen += option.letter;
    }
  }
}

TEST_CASE("check offers every report format") {
  std::string names;
  for (const report::Format& format : report::formats()) {
    names += fmt::format("{}{}", names.empty() ? "" : "|", format.name);
  }
  CHECK(find_verb("check")->options[0].takes == names);
}
