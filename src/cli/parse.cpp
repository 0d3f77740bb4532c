// By hand rather than by a library: it takes microseconds where the whole start takes one thousand,
// and nothing here needs <iostream>, whose locales would be made at each start.
#include "cli/parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/ascii.h"
#include "base/nearest.h"

namespace nacre::cli {

namespace {

constexpr size_t kMaxDigits = 9;
bool is_number(std::string_view text) { return is_digits(text) && text.size() <= kMaxDigits; }

bool is_choice(std::string_view text, std::string_view choices) {
  while (true) {
    const size_t end = std::min(choices.find('|'), choices.size());
    if (choices.substr(0, end) == text) return true;
    if (end == choices.size()) return false;
    choices.remove_prefix(end + 1);
  }
}

// What is wrong with the value; empty if nothing is.
std::string complaint(const Option& option, std::string_view value) {
  if (option.takes == "N" && is_digits(value) && !is_number(value))
    return fmt::format("--{}: {} is more than 999999999", option.name, value);
  if (option.takes == "N" && !is_number(value))
    return fmt::format("--{}: '{}' is not a number", option.name, value);
  if (option.takes.find('|') != std::string_view::npos && !is_choice(value, option.takes))
    return fmt::format("--{}: '{}' is not one of {}", option.name, value, option.takes);
  return "";
}

std::string unknown_option(const Verb& verb, std::string_view word) {
  std::vector<std::string> spelled{"--help"};
  for (const Option& option : verb.options) spelled.push_back(fmt::format("--{}", option.name));
  const std::vector<std::string_view> candidates(spelled.begin(), spelled.end());
  std::string message = fmt::format("unknown option '{}'", word);
  if (auto meant = nearest(word, candidates))
    message += fmt::format("; did you mean '{}'?", *meant);
  return message;
}

class Parser {
 public:
  Parser(const Verb& verb, std::span<const char* const> words) : verb_(verb), words_(words) {
    for (const Option& option : verb.options) values_[std::string(option.name)];
  }

  Result<std::optional<Arguments>> run() {
    bool are_operands = false;
    while (!words_.empty() && mistake_.empty() && !wants_help_) {
      const std::string_view word = take();
      if (are_operands || word.size() < 2 || word[0] != '-') {
        add_operand(word);
      } else if (word == "--") {
        are_operands = true;
      } else if (word[1] == '-') {
        read_long(word);
      } else {
        read_letters(word.substr(1));
      }
    }
    if (!mistake_.empty()) return fail({}, mistake_);
    if (wants_help_) return std::optional<Arguments>();
    return std::optional(Arguments(std::move(values_), std::move(operands_)));
  }

 private:
  std::string_view take() {
    const std::string_view word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  void add_operand(std::string_view word) {
    if (verb_.operands.empty()) mistake_ = fmt::format("unexpected operand '{}'", word);
    operands_.emplace_back(word);
  }

  template <typename Matches>
  const Option* find(Matches matches) const {
    const auto found = std::find_if(verb_.options.begin(), verb_.options.end(), matches);
    return found == verb_.options.end() ? nullptr : &*found;
  }

  // --name, --name=VALUE, --name VALUE
  void read_long(std::string_view word) {
    const size_t equals = word.find('=');
    const std::string_view name = word.substr(2, equals - 2);
    const bool has_value = equals != std::string_view::npos;
    const Option* option = find([&](const Option& each) { return each.name == name; });
    if (!option && name == "help") {
      wants_help_ = true;
    } else if (!option) {
      mistake_ = unknown_option(verb_, word.substr(0, equals));
    } else if (option->takes.empty() && has_value) {
      mistake_ = fmt::format("--{} takes no value", name);
    } else if (option->takes.empty()) {
      set(*option, "");
    } else if (has_value) {
      set(*option, word.substr(equals + 1));
    } else {
      set_next(*option);
    }
  }

  // -l, -lVALUE, -l VALUE, and several flags in one word
  void read_letters(std::string_view letters) {
    while (!letters.empty() && mistake_.empty() && !wants_help_) {
      const char letter = letters.front();
      letters.remove_prefix(1);
      const Option* option = find([&](const Option& each) { return each.letter == letter; });
      if (!option && letter == 'h') {
        wants_help_ = true;
      } else if (!option) {
        mistake_ = unknown_option(verb_, fmt::format("-{}", letter));
      } else if (option->takes.empty()) {
        set(*option, "");
      } else if (letters.empty()) {
        set_next(*option);
      } else {
        set(*option, std::exchange(letters, {}));
      }
    }
  }

  void set_next(const Option& option) {
    if (words_.empty())
      mistake_ = fmt::format("--{} needs a value ({})", option.name, option.takes);
    else
      set(option, take());
  }

  void set(const Option& option, std::string_view value) {
    mistake_ = complaint(option, value);
    values_.find(option.name)->second.emplace_back(value);
  }

  const Verb& verb_;
  std::span<const char* const> words_;
  Arguments::Values values_;
  std::vector<std::string> operands_;
  std::string mistake_;
  bool wants_help_ = false;
};

}  // namespace

Result<std::optional<Arguments>> parse(const Verb& verb, int argc, const char* const* argv) {
  return Parser(verb, {argv + 1, static_cast<size_t>(argc - 1)}).run();
}

}  // namespace nacre::cli
