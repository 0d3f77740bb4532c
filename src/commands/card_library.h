// All cards at hand: those built into the program and those of the user's project, which win. A
// card is parsed when it is first asked for, so that a check pays only for the commands that its
// script calls. May be shared between threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source_file.h"
#include "commands/card.h"

namespace nacre::commands {

class CardLibrary {
 public:
  CardLibrary() = default;

  // Adds the cards of a file of the user's; they replace those of the same name that came before.
  Result<void> add(const SourceFile& file);

  // By name or alias, null when no card has it. The card lives as long as the library.
  [[nodiscard]] const Card* find(std::string_view name) const;

  // The card of the command that `name` stands for, perhaps with words that come before those of
  // the call: `egrep x` is `grep -E x`. A name with a directory is that of its last component.
  struct Meaning {
    const Card* card = nullptr;  // null: no card has it
    std::vector<std::string_view> words;
  };
  [[nodiscard]] Meaning meaning_of(std::string_view name) const;

 private:
  std::vector<SourceFile> texts_;  // of the user's cards
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const Card>, std::less<>>
      cards_;  // null: known to be missing
};

// The built-in cards alone: what the commands of the host do, whatever a project says of its own.
[[nodiscard]] const CardLibrary& builtin_library();

// The text of every built-in card, by name.
std::vector<std::pair<std::string_view, std::string_view>> builtin_cards();

}  // namespace nacre::commands
