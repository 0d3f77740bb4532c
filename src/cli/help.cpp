#include "cli/help.h"

#include <cstdio>
#include <fmt/format.h>

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
    if (verb == nullptr) {
      fmt::print(stderr, "nacre help: there is no verb '{}'\n", name);
      return kUsage;
    }
    fmt::print("{}", help_of(*verb));
  }
  return kClean;
}

constexpr Verb kHelpVerb = {.name = "help",
                            .summary = "print the help of a verb",
                            .operands = "[VERB...]",
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
      "usage: nacre VERB [OPTIONS] ...\n"
      "       nacre FILE...            the same as nacre check FILE...\n\n";
  for (const Verb* verb : verbs()) text += entry(verb->name, verb->summary);
  text += "\n" + option_entries(global_options());
  text += "\n`nacre help VERB` says more about a verb, `nacre explain CODE` about a finding.\n";
  return text;
}

std::string help_of(const Verb& verb) {
  std::string text = fmt::format("usage: {}\n\n{}\n", synopsis(verb), verb.summary);
  if (!verb.description.empty()) text += fmt::format("\n{}\n", verb.description);
  return text + "\n" + option_entries(verb.options) + option_entries(shared_options());
}

}  // namespace nacre::cli
