// What is kept of a check, place by place.
#include "flow/facts.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "flow/check.h"
#include "regular/decide.h"
#include "shell/parse.h"

using namespace nacre;
using flow::ExpansionContext;
using flow::NameUse;

namespace {

struct Checked {
  shell::ParseResult parsed;
  std::shared_ptr<const flow::Facts> facts;

  explicit Checked(const std::string& script, shell::Dialect dialect = shell::Dialect::kBash)
      : parsed(shell::parse_file(SourceFile("test.sh", script), dialect)) {
    flow::CheckOptions options;
    options.wants_facts = true;
    facts = flow::check(parsed.tree, commands::CardLibrary(), options).facts;
  }

  [[nodiscard]] std::string_view text(Span span) const { return parsed.tree.text(span); }

  // The only expansion, or the last, that is written so.
  [[nodiscard]] const flow::ExpansionFact& expansion(std::string_view written) const {
    const flow::ExpansionFact* result = nullptr;
    for (const flow::ExpansionFact& each : facts->expansions())
      if (text(each.span) == written) result = &each;
    REQUIRE(result != nullptr);
    return *result;
  }

  [[nodiscard]] const flow::CommandFact* command(std::string_view written) const {
    for (const flow::CommandFact& each : facts->commands())
      if (text(each.span) == written) return &each;
    return nullptr;
  }

  // "x=2 x?3": where x is set (=), read (?) and unset (-), by line.
  [[nodiscard]] std::string uses(std::string_view name) const {
    std::string result;
    for (const flow::NameFact& each : facts->names()) {
      if (facts->text(each.name) != name) continue;
      const char* marks = "=?-";
      result += (result.empty() ? "" : " ") + std::string(1, marks[static_cast<int>(each.use)]) +
                std::to_string(parsed.tree.file().line_of(each.span.begin)) +
                (each.is_local ? "l" : "");
    }
    return result;
  }
};

}  // namespace

TEST_CASE("facts are kept only if they are asked for") {
  const auto parsed = shell::parse_file(SourceFile("a.sh", "echo $x\n"), shell::Dialect::kSh);
  CHECK(flow::check(parsed.tree, commands::CardLibrary()).facts == nullptr);
  flow::CheckOptions options;
  options.wants_types = true;
  const auto facts = flow::check(parsed.tree, commands::CardLibrary(), options).facts;
  REQUIRE(facts != nullptr);
  CHECK(facts->commands().size() == 1);
  CHECK(facts->expansions().empty());
}

TEST_CASE("the context of each expansion") {
  const Checked script(
      "a=$one\necho $two \"$three\" pre\"${four}\"post\n[ -n $five ]\n[[ $six = $seven ]]\n"
      "case $eight in $nine) ;; \"$ten\") ;; esac\ncat < $eleven <<EOF\n$twelve\nEOF\n"
      "echo $((thirteen + $fourteen))\nfor i in $fifteen; do :; done\nb=($sixteen)\n"
      "export c=$seventeen\n");
  const auto context = [&](std::string_view name) { return script.expansion(name).context; };
  CHECK(context("$one") == ExpansionContext::kAssignment);
  CHECK(context("$two") == ExpansionContext::kArgument);
  CHECK(script.expansion("$two").is_split());
  CHECK(!script.expansion("$three").is_split());
  CHECK(script.expansion("$three").is_quoted);
  CHECK(script.expansion("${four}").is_quoted);
  CHECK(script.expansion("$five").is_split());
  CHECK(context("$six") == ExpansionContext::kOperand);
  CHECK(context("$eight") == ExpansionContext::kSubject);
  CHECK(context("$nine") == ExpansionContext::kPattern);
  CHECK(!script.expansion("$nine").is_quoted);
  CHECK(script.expansion("$ten").is_quoted);
  CHECK(context("$eleven") == ExpansionContext::kRedirection);
  CHECK(context("$twelve") == ExpansionContext::kHereDocument);
  CHECK(context("$fourteen") == ExpansionContext::kArithmetic);
  CHECK(script.expansion("$fifteen").is_split());
  CHECK(script.expansion("$sixteen").is_split());
  CHECK(context("$seventeen") == ExpansionContext::kAssignment);
}

TEST_CASE("a substitution in quotes begins words of its own") {
  const Checked script("echo \"$(ls $dir)\"\n");
  CHECK(script.expansion("$(ls $dir)").is_quoted);
  CHECK(script.expansion("$dir").is_split());
}

TEST_CASE("values are those of all passes") {
  const Checked script("for x in a b; do y=$x; echo \"$y\"; done\n");
  const flow::ExpansionFact& fact = script.expansion("$y");
  CHECK(regular::contains(fact.strings, "a"));
  CHECK(regular::contains(fact.strings, "b"));
  CHECK(!regular::contains(fact.strings, "c"));
  CHECK(script.facts->value(fact.value).source == flow::Source::kScript);
}

TEST_CASE("who may have chosen a value, and whether it differs from run to run") {
  const Checked script(
      "read -r line\necho \"$line\" \"$1\" \"$HOME\" \"$$\" \"$RANDOM\" x\"$y\"\n");
  const auto value = [&](std::string_view written) {
    return script.facts->value(script.expansion(written).value);
  };
  CHECK(value("$line").is_tainted);
  CHECK(value("$line").source == flow::Source::kInput);
  CHECK(value("$1").source == flow::Source::kArgument);
  CHECK(value("$HOME").source == flow::Source::kEnvironment);
  CHECK(value("$$").varies == flow::kVariesByProcess);
  CHECK(value("$RANDOM").varies == flow::kVariesByChance);
  CHECK(value("$line").varies == 0);
}

TEST_CASE("what varies does so in what is made of it") {
  const Checked script("name=/tmp/$$.$RANDOM\ncopy=${name%.*}\necho \"$copy\"\n");
  CHECK(script.facts->value(script.expansion("$copy").value).varies ==
        (flow::kVariesByProcess | flow::kVariesByChance));
}

TEST_CASE("a command without a fact is not reached") {
  const Checked script("exit 1\necho never\n");
  CHECK(script.command("exit 1") != nullptr);
  CHECK(script.command("echo never") == nullptr);
}

TEST_CASE("the state before a command") {
  const Checked script("x=1\necho a\nx=2\necho b\n");
  const auto x = [&](std::string_view command) {
    return script.facts->variable("x", script.command(command)->before).text;
  };
  CHECK(x("echo a") == "1");
  CHECK(x("echo b") == "2");
}

TEST_CASE("who uses the status of a command") {
  const Checked script(
      "cp a b\nif cp c d; then :; fi\ncp e f || exit\ncp g h\necho $?\nset -e\ncp i j\n"
      "if f() { :; }; then :; fi\ncp k l\n");
  CHECK(script.command("cp a b")->use.is_ignored());
  CHECK(script.command("cp a b")->can_fail);
  CHECK(script.command("cp c d")->use.is_tested);
  CHECK(script.command("cp e f")->use.is_tested);
  CHECK(script.command("cp g h")->use.is_read);
  CHECK(script.command("cp i j")->use.is_fatal);
  CHECK(script.command("cp k l")->use.is_result);
}

TEST_CASE("where a variable is set and read, and whether it is local") {
  const Checked script(
      "x=1\nf() {\n  local y=2\n  echo \"$y\" \"$x\"\n}\nf\nread -r x\nunset x\n"
      "for i in a; do echo $i; done\n((n = n + 1))\n");
  CHECK(script.uses("x") == "=1 ?4 =7 -8");
  CHECK(script.uses("y") == "=3l ?4l");
  CHECK(script.uses("i") == "=9 ?9");
  CHECK(script.uses("n") == "=10 ?10");
}

TEST_CASE("code from elsewhere has no facts") {
  const Checked script("eval \"echo $x\"' $inner'\n");
  for (const flow::ExpansionFact& each : script.facts->expansions())
    CHECK(script.text(each.span) == "$x");
}

TEST_CASE("types are printed when they are asked for") {
  const Checked script("n=$(ls | wc -l)\n");
  const auto types = flow::types_of(script.facts);
  const auto n =
      std::find_if(types.begin(), types.end(), [](const auto& type) { return type.name == "n"; });
  REQUIRE(n != types.end());
  CHECK(!n->is_read);
  CHECK(n->output() == "[0-9]+");
}
