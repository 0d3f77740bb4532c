#include "commands/effect_words.h"

#include <algorithm>

#include "commands/invocation.h"

namespace nacre::commands {

namespace {

// A script reads its own words, so it also knows what to do with options that the card does not
// list; which of several lines is meant, only options that are on the card can tell.
const Property* acts_of(const Invocation& invocation, bool is_certain) {
  if (is_certain) return invocation.property(CardKey::kActs);
  for (const Property& property : invocation.card->properties) {
    if (property.key == CardKey::kActs && property.conditions.empty()) return &property;
  }
  return nullptr;
}

}  // namespace

EffectWords effect_words(const Invocation& invocation) {
  EffectWords result;
  for (const Argument& operand : invocation.operands) result.operands.push_back(*operand.text);
  for (const GivenOption& given : invocation.options) {
    std::string value = given.argument ? given.argument->text.value_or("") : "1";
    if (!given.spec->short_name.empty())
      result.options[std::string("-").append(given.spec->short_name)] = value;
    if (!given.spec->long_name.empty())
      result.options[std::string("--").append(given.spec->long_name)] = value;
  }
  return result;
}

std::optional<Effect> find_effect(const CardLibrary& cards, std::span<const std::string> words) {
  const CardLibrary::Meaning meaning = cards.meaning_of(words[0]);
  if (meaning.card == nullptr) return std::nullopt;
  const bool has_effect =
      meaning.card->has_property(CardKey::kDoes) || meaning.card->has_property(CardKey::kActs);
  if (!has_effect) return std::nullopt;
  regular::Context context;
  const Invocation invocation =
      parse_words(context, *meaning.card, meaning.words, words.subspan(1));
  const bool is_certain = !invocation.is_uncertain && !invocation.is_foreign;
  Effect result;
  result.words = effect_words(invocation);
  if (const Property* acts = acts_of(invocation, is_certain && invocation.problems.empty())) {
    result.kind = Effect::kActs;
    result.script = acts->value;
    return result;
  }
  if (!is_certain) return std::nullopt;
  if (!invocation.problems.empty()) {
    result.kind = Effect::kRefused;
    return result;
  }
  const Property* does = invocation.property(CardKey::kDoes);
  if (does == nullptr) return std::nullopt;
  auto program = parse_effect(does->value);
  if (!program) return std::nullopt;  // a mistake in a project's card, reported with the card
  result.program = std::move(*program);
  return result;
}

const std::vector<std::string>& scripted_commands() {
  static const auto kNames = [] {
    std::vector<std::string> names;
    for (const auto& [name, text] : builtin_cards()) {
      if (text.find("\nacts ") == std::string_view::npos) continue;
      auto cards = parse_cards(text);
      if (!cards) continue;
      for (const Card& card : *cards) {
        names.push_back(card.name);
        names.insert(names.end(), card.aliases.begin(), card.aliases.end());
      }
    }
    return names;
  }();
  return kNames;
}

}  // namespace nacre::commands
