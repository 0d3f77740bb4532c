// Argument types, subcommands and kinds of lines, on command lines as a script has them.
#include <doctest/doctest.h>

#include "commands/card_library.h"
#include "commands/models.h"
#include "regular/decide.h"

using namespace nacre::commands;
namespace regular = nacre::regular;

namespace {

struct Line {
  regular::Context context;
  CardLibrary cards;

  Invocation parsed(std::initializer_list<std::string_view> words) {
    const auto [card, implied] = cards.meaning_of(*words.begin());
    REQUIRE(card);
    std::vector<Argument> arguments;
    for (auto word = words.begin() + 1; word != words.end(); ++word)
      arguments.push_back({{}, context.literal(*word), std::string(*word), std::string(*word)});
    return parse_invocation(*card, {}, std::move(arguments));
  }
  Behaviour of(std::initializer_list<std::string_view> words,
               std::optional<Stream> input = std::nullopt) {
    const auto file = [&](const Argument&) { return opaque_stream(context); };
    const auto find = [&](std::string_view name) { return cards.find(name); };
    return behaviour_of(parsed(words), {input.value_or(opaque_stream(context)), file, find});
  }
  bool is_flawed(std::initializer_list<std::string_view> words) {
    return !of(words).problems.empty();
  }
};

}  // namespace

TEST_CASE("words that a command never takes are told") {
  Line line;
  CHECK(line.is_flawed({"kill", "-HUP", "www-data"}));
  CHECK_FALSE(line.is_flawed({"kill", "-HUP", "4711"}));
  CHECK_FALSE(line.is_flawed({"kill", "%1"}));
  CHECK(line.is_flawed({"sleep", "5sec"}));
  CHECK_FALSE(line.is_flawed({"sleep", "0.5m", "3"}));
  CHECK(line.is_flawed({"ping", "-c", "1", "192.0.2.1/24"}));
  CHECK_FALSE(line.is_flawed({"ping", "-c", "1", "fe80::1%eth0"}));
}

TEST_CASE("subcommands have options of their own") {
  Line line;
  CHECK(line.parsed({"docker", "ps", "-q"}).card->name == "docker ps");
  CHECK(line.parsed({"docker", "container", "ls", "-q"}).card->name == "docker ps");
  CHECK(line.parsed({"git", "-C", "d", "log", "--oneline"}).card->name == "git log");
  CHECK(line.is_flawed({"docker", "ps", "--quite"}));
  CHECK(line.is_flawed({"git", "psuh"}));
  CHECK_FALSE(line.is_flawed({"git", "my-own-command"}));
  CHECK_FALSE(line.is_flawed({"docker", "ps", "--some-new-option"}));
  CHECK(line.parsed({"tar", "cfz", "a.tgz", "d"}).last("-f")->argument->text == "a.tgz");
}

TEST_CASE("kinds of lines go their own ways") {
  Line line;
  const auto names = [](const Stream& stream) {
    std::string result;
    for (const LineKind& kind : stream.kinds) result += kind.name + " ";
    return result;
  };
  const Stream table = line.of({"docker", "ps"}).output;
  CHECK(names(table) == "row heading ");
  const Stream ids = line.of({"awk", "{print $1}"}, table).output;
  CHECK(names(ids) == "row heading ");
  CHECK(regular::contains(ids.kinds[1].lines, "CONTAINER"));
  CHECK(names(line.of({"tail", "-n", "+2"}, table).output) == "row ");
  CHECK(names(line.of({"awk", "NR > 1 {print $1}"}, table).output) == "row ");
  CHECK(names(line.of({"sed", "1d"}, table).output) == "row ");
  CHECK(names(line.of({"head", "-n", "1"}, table).output) == "heading ");
  CHECK(line.of({"xargs", "docker", "stop"}, ids).problems.size() == 1);
  const Stream rows = line.of({"docker", "ps", "-q"}).output;
  CHECK(line.of({"xargs", "docker", "stop"}, rows).problems.empty());
}

TEST_CASE("commands that call each other for ever come to an end") {
  Line line;
  std::vector<std::string_view> words(4000, "xargs");
  std::vector<Argument> arguments;
  for (const auto word : words)
    arguments.push_back({{}, line.context.literal(word), std::string(word), std::string(word)});
  const auto find = [&](std::string_view name) { return line.cards.find(name); };
  const auto file = [&](const Argument&) { return opaque_stream(line.context); };
  const Invocation invocation =
      parse_invocation(*line.cards.find("xargs"), {}, std::move(arguments));
  CHECK(behaviour_of(invocation, {opaque_stream(line.context), file, find}).reads_input);
}
