// The line of a card that tells what a command line does: `does` (a program over the kernel's
// calls, effect.h) or `acts` (a shell script over the commands that have one).
//
//   auto effect = find_effect(library, {"ln", "-s", "x", "a"});
//   if (effect && effect->kind == Effect::kDoes) ... run_effect(effect->program, effect->words,
//   store)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "commands/card_library.h"
#include "commands/effect.h"

namespace nacre::commands {

// The words of a command line, read as the card says.
struct EffectWords {
  std::vector<std::string> operands;
  // By every spelling of the option (-t, --target-directory); the last one given wins.
  std::map<std::string, std::string, std::less<>> options;

  [[nodiscard]] bool has(std::string_view option) const { return options.contains(option); }
};

struct Effect {
  enum Kind : uint8_t {
    kDoes,
    kActs,
    kRefused,  // the command does not accept these words: it fails and does nothing
  } kind = kDoes;
  EffectProgram program;
  std::string_view script;  // of kActs: called with all words of the command line
  EffectWords words;
};

struct Invocation;
// Of a command line whose words are constant.
[[nodiscard]] EffectWords effect_words(const Invocation& invocation);

// `words` begin with the command's name. Nothing if no card tells what it does, or an option is not
// on the card. The library must outlive the result.
[[nodiscard]] std::optional<Effect> find_effect(const CardLibrary& cards,
                                                std::span<const std::string> words);

// The names of all built-in commands whose card has the key `acts`.
[[nodiscard]] const std::vector<std::string>& scripted_commands();

}  // namespace nacre::commands
