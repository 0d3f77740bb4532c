#include "project/settings.h"

#include <doctest/doctest.h>

using namespace nacre;
using namespace nacre::project;

namespace {

std::string mistake_in(const std::string& toml) {
  auto parsed = parse_configuration(SourceFile("nacre.toml", toml), "/p");
  return parsed ? "" : parsed.error().message;
}

}  // namespace

TEST_CASE("a configuration says what holds for each file") {
  auto parsed = parse_configuration(SourceFile("nacre.toml", R"(
select = ["S", "T"]
ignore = ["S005"]
threshold = "warning"
shell = "bash"
exclude = ["vendor/"]
max-bytes = 1000
[severity]
S004 = "info"
[[override]]
files = ["tests/**", "*.bats"]
ignore = ["S004"]
threshold = "error"
[[override]]
files = ["tests/x.sh"]
shell = "dash"
[override.severity]
S008 = "error"
)"),
                                    "/p");
  REQUIRE(parsed);
  Settings plain = parsed->for_file("/p/a.sh");
  CHECK(plain.choice.select.contains("T101"));
  CHECK_FALSE(plain.choice.select.contains("X101"));
  CHECK(plain.choice.severities.at("S004") == Severity::kInfo);
  CHECK(plain.threshold == Severity::kWarning);
  CHECK(plain.shell == "bash");
  CHECK(plain.max_bytes == 1000);
  Settings test = parsed->for_file("/p/tests/x.sh");
  CHECK(test.choice.ignore.contains("S004"));
  CHECK(test.choice.ignore.contains("S005"));  // overrides add to what is ignored
  CHECK(test.threshold == Severity::kError);
  CHECK(test.shell == "dash");
  CHECK(test.choice.severities.at("S008") == Severity::kError);
  CHECK(parsed->for_file("/p/deep/y.bats").choice.ignore.contains("S004"));
}

TEST_CASE("pyproject.toml has settings in a table of its own") {
  auto parsed = parse_configuration(
      SourceFile("/p/pyproject.toml", "[project]\nname = 'x'\n[tool.nacre]\nignore = ['S005']\n"),
      "/p");
  REQUIRE(parsed);
  CHECK(parsed->for_file("/p/a.py").choice.ignore.contains("S005"));
  CHECK(parsed->settings.origin == "/p/pyproject.toml");
  parsed = parse_configuration(SourceFile("/p/pyproject.toml", "[tool.other]\nslect = 1\n"), "/p");
  REQUIRE(parsed);
  CHECK(parsed->settings.origin.empty());
  parsed = parse_configuration(SourceFile("pyproject.toml", "[tool.nacre]\nslect = ['S']\n"), "/p");
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().message.find("did you mean 'select'") != std::string::npos);
}

TEST_CASE("settings are printed as a configuration that says the same") {
  Settings settings;
  settings.choice.ignore = CodeSet({"S005"});
  settings.choice.severities["S004"] = Severity::kInfo;
  settings.threshold = Severity::kInfo;
  settings.shell = "ksh";
  auto again = parse_configuration(SourceFile("nacre.toml", to_toml(settings)), "/");
  REQUIRE(again);
  CHECK(to_toml(again->settings) == to_toml(settings));
}

TEST_CASE("mistakes are told with their place and a suggestion") {
  CHECK(mistake_in("").empty());
  CHECK(mistake_in("\nslect = []") ==
        "nacre.toml:2:1: unknown key 'slect'; did you mean 'select'?");
  CHECK(mistake_in("select = [\"Q1\"]") == "nacre.toml:1:10: unknown code 'Q1'");
  CHECK(mistake_in("threshold = \"eror\"") ==
        "nacre.toml:1:13: expected one of error, warning, info, style; did you mean 'error'?");
  CHECK(mistake_in("[severity]\nZ999 = \"info\"") == "nacre.toml:2:1: unknown code 'Z999'");
  CHECK(mistake_in("max-bytes = -1") == "nacre.toml:1:13: expected a positive number");
  CHECK(mistake_in("[[override]]\nignore = []") == "nacre.toml:1:1: an override needs `files`");
  CHECK(mistake_in("select = 3") == "nacre.toml:1:10: expected a list of strings");
  CHECK(mistake_in("a = [").starts_with("nacre.toml:1:"));
}

TEST_CASE("a table without a name is a mistake with its place") {
  CHECK(mistake_in("[ = 1\n").starts_with("nacre.toml:1:"));
  CHECK(mistake_in("[|severity]\n").starts_with("nacre.toml:1:"));
  CHECK(mistake_in("[[ , ]]\n").starts_with("nacre.toml:1:"));
}

TEST_CASE("keys with too many parts are refused before tables are made of them") {
  std::string deep = "a";
  for (int i = 0; i < 90'000; i++) deep += ".a";
  for (const std::string& text : {deep + " = 1\n", "[" + deep + "]\n", "[[" + deep + "]]\n",
                                  "x = { " + deep + " = 1 }\n", "x = 'open\n" + deep + " = 1\n"})
    CHECK(mistake_in(text).find("this key has too many parts") != std::string::npos);
  std::string many = "exclude = [\n";
  for (int i = 0; i < 100; i++) many += "  \"*.a.b.c.d\", '.x.y.z', # a.b.c.d.e\n";
  CHECK(mistake_in(many + "]\nselect = [\"all\"] # " + deep + "\n").empty());
  CHECK(mistake_in("exclude = [\"\"\"" + deep + "\"\"\", 'a\\', \"\\\"\"]\n").empty());
}
