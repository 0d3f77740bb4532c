#include "commands/card_library.h"

#include <cassert>

#include "base/embedded.h"
#include "commands/check_card.h"

namespace nacre {

std::span<const EmbeddedFile> embedded_cards();

}  // namespace nacre

namespace nacre::commands {

namespace {

constexpr std::string_view kExtension = ".card";

std::string_view name_of(const EmbeddedFile& file) {
  return file.name.substr(0, file.name.size() - kExtension.size());
}

// Does the text have a line `alias … name …`? Cheaper than parsing the card.
bool has_alias(std::string_view text, std::string_view name) {
  size_t at = text.find("\nalias ");
  if (at == std::string_view::npos) return false;
  const std::string_view line = text.substr(at + 7, text.find('\n', at + 1) - at - 7);
  for (size_t found = line.find(name); found != std::string_view::npos;
       found = line.find(name, found + 1)) {
    const size_t end = found + name.size();
    if ((found == 0 || line[found - 1] == ' ') && (end == line.size() || line[end] == ' '))
      return true;
  }
  return false;
}

std::string_view builtin_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_cards()) {
    if (name_of(file) == name) return file.bytes;
  }
  for (const EmbeddedFile& file : embedded_cards()) {
    if (has_alias(file.bytes, name)) return file.bytes;
  }
  return {};
}

}  // namespace

Result<void> CardLibrary::add(const SourceFile& file) {
  auto cards = parse_cards(file.bytes());
  if (!cards) return tl::unexpected<Error>(cards.error());
  for (const Card& card : *cards) {
    if (auto mistake = find_mistake(card))
      return fail(file.line_span(mistake->line), std::move(mistake->message));
  }
  const std::lock_guard lock(mutex_);
  for (Card& card : *cards) {
    auto shared = std::make_shared<const Card>(std::move(card));
    for (const std::string& alias : shared->aliases) cards_[alias] = shared;
    cards_[shared->name] = shared;
  }
  return {};
}

const Card* CardLibrary::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  if (auto known = cards_.find(name); known != cards_.end()) return known->second.get();
  std::shared_ptr<const Card> card;
  if (const std::string_view text = builtin_text(name); !text.empty()) {
    auto parsed = parse_cards(text);
    assert(parsed && parsed->size() == 1);
    card = std::make_shared<const Card>(std::move(parsed->front()));
  }
  return cards_.emplace(name, std::move(card)).first->second.get();
}

CardLibrary::Meaning CardLibrary::meaning_of(std::string_view name) const {
  constexpr int kMostSteps = 8;  // cards that mean each other
  const size_t slash = name.rfind('/');
  // /usr/bin/sort is sort; /usr/share/tool/sort is something else.
  const bool is_elsewhere = name.starts_with('/') && !name.substr(0, slash).ends_with("bin");
  if (is_elsewhere) return {};
  Meaning result{find(name.substr(slash + 1)), {}};
  for (int i = 0; i < kMostSteps && result.card != nullptr && !result.card->means.empty(); i++) {
    const auto& words = result.card->means;
    result.words.insert(result.words.begin(), words.begin() + 1, words.end());
    result.card = find(words[0]);
  }
  return result;
}

std::vector<std::pair<std::string_view, std::string_view>> builtin_cards() {
  std::vector<std::pair<std::string_view, std::string_view>> result;
  for (const EmbeddedFile& file : embedded_cards()) result.emplace_back(name_of(file), file.bytes);
  return result;
}

}  // namespace nacre::commands
