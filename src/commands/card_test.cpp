#include "commands/card.h"

#include <doctest/doctest.h>

#include "commands/card_library.h"
#include "commands/models.h"

using namespace nacre::commands;

namespace {

std::string error_of(std::string_view text) {
  auto cards = parse_cards(text);
  return cards ? "" : cards.error().message;
}

}  // namespace

TEST_CASE("a card says what it says") {
  auto cards = parse_cards(
      "# comment\n"
      "command   cut\n"
      "about     remove sections\n"
      "option    -d --delimiter=DELIM  posix gnu\n"
      "option    -i[SUFFIX] --in-place[=SUFFIX] gnu\n"
      "option    -o FILE posix\n"
      "operands  text [file...]\n"
      "output    -d operands:0 !-o|-i : a : b\n"
      "output    : {in}\n");
  REQUIRE(cards);
  const Card& card = cards->at(0);
  CHECK(card.name == "cut");
  CHECK(card.short_option("d")->argument == OptionArgument::kRequired);
  CHECK(card.long_option("in-place")->argument == OptionArgument::kOptional);
  CHECK(card.short_option("o")->placeholder == "FILE");
  CHECK(card.operands.at(1).repeats);
  const Property& first = card.properties.at(0);
  CHECK(first.conditions.size() == 3);
  CHECK(first.conditions[2].is_negated);
  CHECK(first.conditions[2].words.size() == 2);
  CHECK(first.value == "a : b");
  CHECK(card.properties.at(1).value == "{in}");
}

TEST_CASE("errors in a card name what is wrong") {
  CHECK(error_of("about x\n") == "a card begins with 'command NAME'");
  CHECK(error_of("command x\ncolour red\n") == "'colour' is not a key of a card");
  CHECK(error_of("command x\nstyle loud\n") == "'loud' is not a style of options");
  CHECK(error_of("command x\noption l\n") == "'l' is neither an option nor a standard");
  CHECK(error_of("command x\noutput -l : y\n") == "'-l' is not an option of x");
  CHECK(error_of("command x\noutput operands:a : y\n") == "'operands:a' is not a condition");
  CHECK(parse_cards("command x\n\nboo\n").error().span == nacre::Span{11, 14});
}

TEST_CASE("every built-in card parses and is found by its names") {
  CardLibrary library;
  for (const auto& builtin : builtin_cards()) {
    const auto& [name, text] = builtin;
    CAPTURE(builtin.first);
    auto cards = parse_cards(text);
    REQUIRE_MESSAGE(cards, (cards ? "" : cards.error().message));
    REQUIRE(cards->size() == 1);
    CHECK(cards->at(0).name == name);
    CHECK(library.find(name) != nullptr);
    CHECK((cards->at(0).model.empty() || find_model(cards->at(0).model) != nullptr));
    for (std::string_view alias : cards->at(0).aliases) CHECK(library.find(alias)->name == name);
  }
  CHECK(library.find("no-such-command") == nullptr);
  CHECK(library.find("ali") == nullptr);
}

TEST_CASE("a user's card replaces the built-in one") {
  CardLibrary library;
  REQUIRE(library.add(nacre::SourceFile("mine.card", "command wc\nabout mine\n")));
  CHECK(library.find("wc")->about == "mine");
  CHECK_FALSE(library.add(nacre::SourceFile("bad.card", "colour\n")));
}
