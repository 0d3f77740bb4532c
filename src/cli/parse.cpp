#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/nearest.h"

namespace nacre::cli {

namespace {

std::string flag_names(const Option& option) {
  std::string names = fmt::format("--{}", option.name);
  return option.letter == '\0' ? names : fmt::format("-{},{}", option.letter, names);
}

void check_number(CLI::Option& option) {
  option.check([](const std::string& text) {
    bool is_number = is_digits(text) && text.size() <= 9;
    return is_number ? std::string() : fmt::format("'{}' is not a number", text);
  });
}

void check_choice(CLI::Option& option, std::string_view choices) {
  option.check([choices](const std::string& text) {
    bool is_choice =
        fmt::format("|{}|", choices).find(fmt::format("|{}|", text)) != std::string::npos;
    if (is_choice && text.find('|') == std::string::npos) return std::string();
    return fmt::format("'{}' is not one of {}", text, choices);
  });
}

void add_option(CLI::App& app, const Option& option, std::vector<std::string>& values) {
  if (option.takes.empty()) {
    app.add_flag_function(flag_names(option), [&values](int64_t) { values.assign(1, ""); });
    return;
  }
  CLI::Option* added = app.add_option(flag_names(option), values)->allow_extra_args(false);
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (option.takes == "N") check_number(*added);
  if (option.takes.find('|') != std::string_view::npos) check_choice(*added, option.takes);
}

// "-x" of "-xyz=1": what the user would recognise as the option that is unknown.
std::string unknown_option_message(const Verb& verb, std::string word) {
  word = word.substr(0, word.find('='));
  std::vector<std::string> spelled{"--help"};
  for (const Option& option : verb.options) spelled.push_back(fmt::format("--{}", option.name));
  std::vector<std::string_view> candidates(spelled.begin(), spelled.end());
  std::string message = fmt::format("unknown option '{}'", word);
  if (auto meant = nearest(word, candidates))
    message += fmt::format("; did you mean '{}'?", *meant);
  return message;
}

std::string explain(const CLI::ParseError& error, const CLI::App& app, const Verb& verb) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& word : app.remaining()) {
      if (word.size() > 1 && word[0] == '-') return unknown_option_message(verb, word);
      return fmt::format("unexpected operand '{}'", word);
    }
  }
  return error.what();
}

}  // namespace

Result<std::optional<Arguments>> parse(const Verb& verb, int argc, const char* const* argv) {
  CLI::App app;
  Arguments::Values values;
  std::vector<std::string> operands;
  for (const Option& option : verb.options) {
    add_option(app, option, values[std::string(option.name)]);
  }
  if (!verb.operands.empty()) app.add_option("operand", operands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return std::optional<Arguments>();
  } catch (const CLI::ParseError& error) {
    return fail({}, explain(error, app, verb));
  }
  return std::optional(Arguments(std::move(values), std::move(operands)));
}

}  // namespace nacre::cli
