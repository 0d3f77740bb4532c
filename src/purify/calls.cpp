#include "purify/calls.h"

#include <algorithm>

#include "purify/values.h"

namespace nacre::purify {

using shell::Word;

bool Call::has(char letter, std::string_view long_name) const {
  for (const Word& word : words.subspan(1)) {
    if (!word.is_literal()) continue;
    const std::string_view text = word.literal();
    if (text == "--") return false;
    if (text.starts_with("--")) {
      if (text == long_name) return true;
    } else if (text.size() > 1 && text[0] == '-' && text.find(letter) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::vector<const Word*> Call::operands() const {
  std::vector<const Word*> result;
  bool are_all = false;
  for (const Word& word : words.subspan(1)) {
    const bool is_option =
        !are_all && word.is_literal() && word.literal().size() > 1 && word.literal()[0] == '-';
    are_all |= word.is_literal() && word.literal() == "--";
    if (!is_option) result.push_back(&word);
  }
  return result;
}

std::vector<Call> calls_of(const Script& script) {
  std::vector<Call> result;
  for (const Place& place : script.places()) {
    const shell::SimpleCommand* simple = place.simple();
    const std::string_view name = script.name_of(place);
    if (name.empty() || place.is_in_backquotes || place.is_in_here_document) continue;
    if (!script.has_function(name)) result.push_back({&place, name, simple->words});
  }
  return result;
}

std::optional<commands::Invocation> invocation_of(const Script& script, const Call& call) {
  const commands::CardLibrary::Meaning meaning = script.cards().meaning_of(call.name);
  if (meaning.card == nullptr) return std::nullopt;
  regular::Context& languages = script.facts().languages();
  std::vector<commands::Argument> arguments;
  const auto add = [&](Span span, const std::optional<std::string>& text) {
    const regular::Lang value = text ? languages.literal(*text) : languages.all();
    arguments.push_back({span, value, text, text.value_or(""), !text});
  };
  for (std::string_view word : meaning.words) add(call.words[0].span, std::string(word));
  for (const Word& word : call.words.subspan(1)) {
    add(word.span, word.is_literal() ? std::string(word.literal()) : constant_of(script, word));
    arguments.back().may_be_many = word.has(shell::kWordMayGlob);
  }
  return commands::parse_invocation(*meaning.card, call.words[0].span, std::move(arguments));
}

std::string redirections_within(const Script& script, const Call& call, Span words) {
  std::string result;
  for (const shell::Redirection& each : call.place->command->redirections) {
    if (words.contains(each.span)) result += " " + script.text(each.span);
  }
  return result;
}

Edit add_letters(const Script& script, const Call& call, std::string_view letters,
                 std::string_view joinable) {
  if (call.words.size() > 1 && call.words[1].is_plain()) {
    const std::string_view group = call.words[1].literal();
    const bool is_group = group.size() > 1 && group[0] == '-' &&
                          group.find_first_not_of(joinable, 1) == std::string_view::npos;
    if (is_group && script.text(call.words[1].span) == group)
      return {{call.words[1].span.end, call.words[1].span.end}, std::string(letters)};
  }
  const uint32_t end = call.words[0].span.end;
  return {{end, end}, " -" + std::string(letters)};
}

}  // namespace nacre::purify
