// `nacre card`: what is known of a command.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/verb.h"
#include "project/cards.h"
#include "project/discover.h"

namespace nacre::cli {

namespace {

constexpr std::string_view kDescription =
    "Prints the card of each COMMAND: the project's (.nacre/commands, here or above), the user's, "
    "or\n"
    "the one that is built in. Without a COMMAND, lists the built-in ones. The format is described "
    "in\n"
    "docs/cards.md; `nacre type --declare` writes a card.";

int list_cards() {
  for (const auto& [name, text] : commands::builtin_cards()) fmt::print("{}\n", name);
  return kClean;
}

int say_unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& [known, text] : commands::builtin_cards()) names.push_back(known);
  const auto meant = nearest(name, names);
  fmt::print(stderr, "nacre card: there is no card for '{}'{}\n", name,
             meant ? fmt::format("; did you mean '{}'?", *meant) : "");
  return kFindings;
}

int run_card(const Arguments& arguments) {
  if (arguments.operands().empty()) return list_cards();
  const project::Cards cards = project::cards_for(project::absolute_path("./script"));
  int status = kClean;
  for (const Diagnostic& mistake : cards.mistakes) {
    fmt::print(stderr, "nacre card: {}:{}: {}\n", mistake.file.name(),
               mistake.file.line_of(mistake.span.begin), mistake.message);
    status = kUnfinished;
  }
  bool is_first = true;
  for (const std::string& name : arguments.operands()) {
    const commands::Card* card = cards.library->find(name);
    if (card == nullptr) {
      status = std::max<int>(status, say_unknown(name));
      continue;
    }
    fmt::print("{}{}{}", is_first ? "" : "\n", card->text, card->text.ends_with('\n') ? "" : "\n");
    is_first = false;
  }
  return status;
}

constexpr Verb kVerb = {.name = "card",
                        .summary = "print what is known of a command",
                        .operands = "[COMMAND...]",
                        .description = kDescription,
                        .run = run_card};

}  // namespace

const Verb& card_verb() { return kVerb; }

}  // namespace nacre::cli
