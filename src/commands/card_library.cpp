#include "commands/card_library.h"

#include <algorithm>
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

using Aliases = std::vector<std::pair<std::string_view, std::string_view>>;  // and whose text

// Other names of built-in cards, sorted. They stand in the second line of a card.
Aliases find_aliases() {
  Aliases result;
  for (const EmbeddedFile& file : embedded_cards()) {
    std::string_view names = file.bytes.substr(file.bytes.find('\n') + 1);
    if (!names.starts_with("alias ")) continue;
    names = names.substr(6, names.find('\n') - 6);
    while (!names.empty()) {
      const size_t end = std::min(names.find(' '), names.size());
      if (end > 0) result.emplace_back(names.substr(0, end), file.bytes);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string_view builtin_text(std::string_view name) {
  // Sorted by their names, as file names are: "a-b.card" comes before "a.card".
  const std::string wanted = std::string(name) + std::string(kExtension);
  const auto files = embedded_cards();
  const auto found = std::lower_bound(
      files.begin(), files.end(), wanted,
      [](const EmbeddedFile& file, const std::string& other) { return file.name < other; });
  if (found != files.end() && found->name == wanted) return found->bytes;
  static const Aliases kAliases = find_aliases();
  const auto alias =
      std::lower_bound(kAliases.begin(), kAliases.end(), std::pair{name, std::string_view()});
  return alias != kAliases.end() && alias->first == name ? alias->second : std::string_view();
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
  texts_.push_back(file);
  for (Card& card : *cards) {
    auto shared = std::make_shared<const Card>(std::move(card));
    for (std::string_view alias : shared->aliases) cards_[std::string(alias)] = shared;
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
  constexpr int kMaxSteps = 8;  // cards that mean each other
  const size_t slash = name.rfind('/');
  // /usr/bin/sort is sort; /usr/share/tool/sort and ./sort are something else.
  const bool is_elsewhere =
      slash != std::string_view::npos && !name.substr(0, slash).ends_with("bin");
  if (is_elsewhere) return {};
  Meaning result{find(name.substr(slash + 1)), {}};
  for (int i = 0; i < kMaxSteps && result.card != nullptr && !result.card->means.empty(); i++) {
    const auto& words = result.card->means;
    result.words.insert(result.words.begin(), words.begin() + 1, words.end());
    result.card = find(words[0]);
  }
  return result;
}

const CardLibrary& builtin_library() {
  static const CardLibrary kLibrary;
  return kLibrary;
}

std::vector<std::pair<std::string_view, std::string_view>> builtin_cards() {
  std::vector<std::pair<std::string_view, std::string_view>> result;
  for (const EmbeddedFile& file : embedded_cards()) result.emplace_back(name_of(file), file.bytes);
  return result;
}

}  // namespace nacre::commands
