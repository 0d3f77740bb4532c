#include "cli/help.h"

#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"

namespace nacre::cli {

namespace {

constexpr Option kHelpOption = {"help", 'h', "", "print this help"};
constexpr Option kGlobalOptions[] = {kHelpOption, {"version", 'V', "", "print the version"}};
constexpr size_t kTextColumn = 26;

// "  LEFT        right", with `right` on the next line when LEFT is too long.
std::string entry(std::string_view left, std::string_view right) {
  if (left.size() + 4 > kTextColumn) {
    return fmt::format("  {}\n{:{}}{}\n", left, "", kTextColumn, right);
  }
  return fmt::format("  {:<{}}{}\n", left, kTextColumn - 2, right);
}

std::string option_entries(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options) text += entry(spelling(option), option.help);
  return text;
}

int run_help(const Arguments& arguments) {
  if (arguments.operands().empty()) {
    fmt::print("{}", overview());
    return kClean;
  }
  for (const std::string& name : arguments.operands()) {
    const Verb* verb = find_verb(name);
    if (verb == nullptr) return complain("help", fmt::format("unknown command '{}'", name));
    fmt::print("{}", help_of(*verb));
  }
  return kClean;
}

constexpr Verb kHelpVerb = {.name = "help",
                            .summary = "print help for a command",
                            .operands = "[COMMAND...]",
                            .run = run_help};

}  // namespace

const Verb& help_verb() { return kHelpVerb; }

std::span<const Option> shared_options() { return {&kHelpOption, 1}; }
std::span<const Option> global_options() { return kGlobalOptions; }

std::string spelling(const Option& option) {
  std::string text = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
  text += fmt::format("--{}", option.name);
  return option.takes.empty() ? text : fmt::format("{} {}", text, option.takes);
}

std::string synopsis(const Verb& verb) {
  std::string text = fmt::format("nacre {}", verb.name);
  if (!verb.options.empty()) text += " [OPTIONS]";
  return verb.operands.empty() ? text : fmt::format("{} {}", text, verb.operands);
}

std::string overview() {
  std::string text =
      "usage: nacre COMMAND [OPTIONS] ...\n"
      "       nacre FILE...            short for nacre check FILE...\n\n";
  for (const Verb* verb : verbs()) text += entry(verb->name, verb->summary);
  text += "\n" + option_entries(global_options());
  text +=
      "\nRun `nacre help COMMAND` for the options of a command, `nacre explain CODE` for a "
      "finding.\n";
  return text;
}

std::string help_of(const Verb& verb) {
  std::string text = fmt::format("usage: {}\n\n{}\n", synopsis(verb), verb.summary);
  if (!verb.description.empty()) text += fmt::format("\n{}\n", verb.description);
  return text + "\n" + option_entries(verb.options) + option_entries(shared_options());
}

}  // namespace nacre::cli
