#include "utilities/options.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <fmt/format.h>

#include "commands/card_library.h"
#include "commands/invocation.h"

namespace nacre::utilities {
namespace {

using commands::GivenOption;
using commands::OptionArgument;
using commands::OptionSpec;

// One entry of a list of modelled options.
struct Modelled {
  std::string_view name;  // "q", "--complement", "-NUM"
  char letter = 0;
  bool reads_value = false;  // of an optional argument
};

std::vector<Modelled> parse_modelled(std::string_view text) {
  std::vector<Modelled> result;
  const std::string_view letters = text.substr(0, text.starts_with('-') ? 0 : text.find(' '));
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] == '=') {
      result.back().reads_value = true;
    } else {
      result.push_back({letters.substr(i, 1), letters[i]});
    }
  }
  text.remove_prefix(letters.size());
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const size_t end = std::min(word.find_first_of("=:"), word.size());
    const bool is_synonym = word.substr(end).starts_with(':');
    result.push_back({word.substr(0, end), is_synonym ? word[end + 1] : '\0', word.ends_with('=')});
  }
  return result;
}

bool is_for(const Modelled& entry, const OptionSpec& spec) {
  return entry.name.starts_with('-') ? spec.is(entry.name) : spec.short_name == entry.name;
}

[[maybe_unused]] bool is_on_card(const commands::Card& card, const Modelled& entry) {
  return std::any_of(card.options.begin(), card.options.end(),
                     [&](const OptionSpec& spec) { return is_for(entry, spec); });
}

const Modelled* find_modelled(const std::vector<Modelled>& modelled, const OptionSpec& spec) {
  for (const Modelled& entry : modelled) {
    if (is_for(entry, spec)) return &entry;
  }
  return nullptr;
}

}  // namespace

const std::string* Options::last(char letter) const {
  for (size_t i = given.size(); i-- > 0;) {
    if (given[i].letter == letter) return &given[i].value;
  }
  return nullptr;
}

const std::string* Options::last(std::string_view name) const {
  for (size_t i = given.size(); i-- > 0;) {
    if (given[i].name == name) return &given[i].value;
  }
  return nullptr;
}

char Options::last_of(std::string_view letters) const {
  for (size_t i = given.size(); i-- > 0;) {
    const char letter = given[i].letter;
    if (letter != 0 && letters.find(letter) != std::string_view::npos) return letter;
  }
  return 0;
}

tl::expected<Options, int> parse_options(Context& context, std::string_view card_name,
                                         std::string_view modelled, int usage_status) {
  const commands::Card* card = commands::builtin_library().find(card_name);
  assert(card != nullptr);
  const std::vector<Modelled> known = parse_modelled(modelled);
  for ([[maybe_unused]] const Modelled& entry : known) assert(is_on_card(*card, entry));
  regular::Context languages;
  const commands::Invocation invocation =
      parse_words(languages, *card, {}, std::span(context.arguments).subspan(1));
  Options result;
  for (const GivenOption& option : invocation.options) {
    const Modelled* entry = find_modelled(known, *option.spec);
    const bool has_unread_value = entry != nullptr && option.argument && !entry->reads_value &&
                                  option.spec->argument == OptionArgument::kOptional;
    if (entry == nullptr || has_unread_value) {
      const std::string_view what = has_unread_value ? "the value of option" : "option";
      return tl::unexpected(
          context.not_modelled(fmt::format("{} '{}'", what, option.spec->spelling())));
    }
    result.given.push_back({entry->letter, entry->letter == 0 ? entry->name : std::string_view(),
                            option.argument ? *option.argument->text : ""});
  }
  if (invocation.is_uncertain) return tl::unexpected(context.not_modelled("an option"));
  if (!invocation.problems.empty()) {
    context.fail(invocation.problems[0].message);
    return tl::unexpected(usage_status);
  }
  for (const commands::Argument& operand : invocation.operands)
    result.operands.push_back(*operand.text);
  return result;
}

std::optional<int64_t> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace nacre::utilities
