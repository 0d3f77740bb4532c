// `nacre card`: what is known of a command.
#include <cstdio>
#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "explore/cases.h"
#include "project/workspace.h"

namespace nacre::cli {

namespace {

constexpr std::string_view kDescription =
    "Prints the description (card) of each COMMAND: the project's (.nacre/commands in this\n"
    "directory or one above it), the user's (~/.config/nacre/commands) or the built-in one. "
    "Without\n"
    "a COMMAND, lists the built-in cards. docs/cards.md describes the format; `nacre type "
    "--declare`\n"
    "writes a card.";

int list_cards() {
  for (const auto& [name, text] : commands::builtin_cards()) fmt::print("{}\n", name);
  return kClean;
}

int say_unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& [known, text] : commands::builtin_cards()) names.push_back(known);
  const auto meant = nearest(name, names);
  return complain("card",
                  fmt::format("no card for '{}'{}", name,
                              meant ? fmt::format("; did you mean '{}'?", *meant) : ""),
                  kFindings);
}

int show_cases(const std::vector<std::string>& lines) {
  int status = kClean;
  for (const std::string& line : lines) {
    auto report = explore::cases_of(line);
    if (report)
      print_text(explore::show_cases(*report));
    else
      status = complain("card", report.error().message, kUnfinished);
  }
  return status;
}

int run_card(const Arguments& arguments) {
  if (arguments.has("cases")) return show_cases(arguments.operands());
  if (arguments.operands().empty()) return list_cards();
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), "script"));
  int status = kClean;
  for (const Diagnostic& mistake : cards->mistakes) {
    status = complain("card",
                      fmt::format("{}:{}: {}", mistake.file.name(),
                                  mistake.file.line_of(mistake.span.begin), mistake.message),
                      kUnfinished);
  }
  bool is_first = true;
  for (const std::string& name : arguments.operands()) {
    const commands::Card* card = cards->library->find(name);
    if (card == nullptr) {
      status = std::max<int>(status, say_unknown(name));
      continue;
    }
    print_text(fmt::format("{}{}{}", is_first ? "" : "\n", card->text,
                           card->text.ends_with('\n') ? "" : "\n"));
    is_first = false;
  }
  return status;
}

constexpr Option kOptions[] = {
    {"cases", 'c', "", "treat each COMMAND as a command line, and print what it can do to files"},
};

constexpr Verb kVerb = {.name = "card",
                        .summary = "print what Nacre knows about a command",
                        .operands = "[COMMAND...]",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_card};

}  // namespace

const Verb& card_verb() { return kVerb; }

}  // namespace nacre::cli
