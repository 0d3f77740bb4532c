#include "flow/call_words.h"

#include <algorithm>

#include "base/path.h"
#include "shell/builtins.h"

namespace nacre::flow {

std::span<const Field> innermost(std::span<const Field> words, const commands::CardLibrary& cards) {
  while (words.size() > 1 && words[0].argument.text) {
    const commands::Card* card = cards.find(base_name(*words[0].argument.text));
    if (!card || !runs_operands(*card)) break;
    std::vector<commands::Argument> arguments;
    for (const Field& field : words.subspan(1)) arguments.push_back(field.argument);
    const auto invocation =
        commands::parse_invocation(*card, words[0].argument.span, std::move(arguments));
    if (invocation.property(commands::CardKey::kAsks) != nullptr) return {};
    const size_t first = called_at(words, invocation);
    if (first == 0) break;
    words = words.subspan(first);
  }
  return words;
}

bool has_model(std::string_view model, const Field& name, const commands::CardLibrary& cards) {
  const auto& text = name.argument.text;
  const commands::Card* card = text ? cards.find(base_name(*text)) : nullptr;
  return card && card->model == model;
}

bool prints_own_text(const shell::Command& command, const commands::CardLibrary& cards) {
  const auto* pipeline = std::get_if<shell::Pipeline>(&command.node);
  const shell::Command* first =
      pipeline && !pipeline->items.empty() ? pipeline->items[0].command : &command;
  const auto* simple = first ? std::get_if<shell::SimpleCommand>(&first->node) : nullptr;
  if (!simple || simple->words.empty()) return false;
  const auto is_literal = [](const shell::Word& word) { return word.is_literal(); };
  const commands::Card* card =
      simple->words[0].is_literal() ? cards.find(simple->words[0].literal()) : nullptr;
  return card && card->echoes &&
         std::all_of(simple->words.begin(), simple->words.end(), is_literal);
}

commands::Invocation literal_invocation(Context& languages, const commands::Card& card,
                                        const shell::SimpleCommand& simple) {
  std::vector<commands::Argument> arguments;
  for (const shell::Word& word : simple.words.subspan(1)) {
    if (!word.is_literal()) continue;
    const std::string text(word.literal());
    arguments.push_back({word.span, languages.literal(text), text, text, false});
  }
  return commands::parse_invocation(card, simple.words[0].span, std::move(arguments));
}

std::string_view asked_command(const shell::SimpleCommand& simple,
                               const commands::CardLibrary& cards, Context& languages) {
  const auto is_literal = [](const shell::Word& word) { return word.is_literal(); };
  if (!std::all_of(simple.words.begin(), simple.words.end(), is_literal)) return {};
  const commands::Card* card =
      simple.words.size() < 2 ? nullptr : cards.find(simple.words[0].literal());
  if (!card || !card->has_property(commands::CardKey::kAsks)) return {};
  const auto invocation = literal_invocation(languages, *card, simple);
  if (invocation.property(commands::CardKey::kAsks) == nullptr || invocation.operands.size() != 1)
    return {};
  const auto asked = std::find_if(simple.words.begin(), simple.words.end(), [&](const auto& word) {
    return word.span == invocation.operands[0].span;
  });
  return asked == simple.words.end() ? std::string_view{} : asked->literal();
}

bool is_shell_builtin(std::string_view name) { return shell::builtin_named(name) != nullptr; }

}  // namespace nacre::flow
