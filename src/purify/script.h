// A shell script as the purifier sees it: the tree, the facts of the checker, and for each command
// where it stands and what becomes of its status. Made anew for each round; offers only read it.
//
//   Script script(file, settings, cards);
//   for (const Place& place : script.places()) if (script.fate(place) != Fate::kTested) ...
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/rewrite.h"
#include "flow/check.h"
#include "purify/settings.h"
#include "shell/parse.h"

namespace nacre::purify {

// What becomes of the status of a command.
enum class Fate : uint8_t {
  kDead,    // nothing looks at it
  kFatal,   // a failure only ends the script, or is its result
  kTested,  // something depends on it, or nothing is known
};

// Where a command stands.
struct Place {
  const shell::Command* command = nullptr;
  const shell::Command* parent = nullptr;     // the command around it; null: the script
  const shell::Sequence* sequence = nullptr;  // that it is an item of; null: of a list or pipeline
  const shell::Item* item = nullptr;          // in that sequence
  const shell::Function* function = nullptr;  // whose body it is in
  const shell::Part* substitution = nullptr;  // the innermost $( ) or <( ) around it
  bool is_in_condition = false;               // of if, while, or under `!`
  bool is_in_subshell = false;                // ( ), a pipeline, a substitution, `&`
  bool is_in_here_document = false;
  bool is_in_backquotes = false;
  uint32_t loops = 0;  // around it, in the same function

  [[nodiscard]] const shell::SimpleCommand* simple() const {
    return std::get_if<shell::SimpleCommand>(&command->node);
  }
  // It is a command of its own: not a part of a list, a pipeline or a function's definition.
  [[nodiscard]] bool is_statement() const { return item != nullptr; }
};

enum class WordRole : uint8_t {
  kArgument,
  kAssigned,  // x=WORD
  kForList,
  kElement,  // of an array
  kRedirected,
  kSubject,
  kPattern,
  kOperand,  // of [[ ]]
  kHereDocument,
  kOther,  // within ${x-WORD}, arithmetic
};

struct WordPlace {
  const shell::Word* word = nullptr;
  const Place* place = nullptr;  // the command that it belongs to
  WordRole role = WordRole::kOther;
  uint32_t index = 0;  // kArgument: among the words of the command
  const shell::Redirection* redirection = nullptr;
  const shell::Assignment* assignment = nullptr;
  bool is_in_quotes = false;  // within "..." of another word
};

class Script {
 public:
  Script(const SourceFile& file, const Settings& settings, const commands::CardLibrary& cards);

  [[nodiscard]] const shell::Tree& tree() const { return parsed_.tree; }
  [[nodiscard]] const std::vector<Diagnostic>& problems() const { return parsed_.diagnostics; }
  [[nodiscard]] bool is_valid() const { return parsed_.is_valid(); }
  [[nodiscard]] const flow::Facts& facts() const { return *checked_.facts; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const commands::CardLibrary& cards() const { return cards_; }
  [[nodiscard]] const SourceFile& file() const { return parsed_.tree.file(); }
  [[nodiscard]] std::string text(Span span) const { return std::string(file().text(span)); }

  // In the order of the text, outer commands first.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const Place& place(const shell::Command& command) const {
    return places_[by_command_.at(&command)];
  }
  [[nodiscard]] const std::vector<WordPlace>& words() const { return words_; }
  // The innermost word that holds the part.
  [[nodiscard]] const WordPlace* word_of(const shell::Part& part) const;

  [[nodiscard]] Fate fate(const Place& place) const;
  [[nodiscard]] const flow::CommandFact* fact(const Place& place) const {
    return facts().command(*place.command);
  }
  // The name of a simple command, if it is written out; empty otherwise.
  [[nodiscard]] std::string_view name_of(const Place& place) const;
  [[nodiscard]] bool has_function(std::string_view name) const { return functions_.contains(name); }
  [[nodiscard]] const std::map<std::string_view, const shell::Function*>& functions() const {
    return functions_;
  }
  // Whether the script evaluates or sources text that is not known.
  [[nodiscard]] bool has_unknown_code() const { return has_unknown_code_; }
  // Somewhere in the script, `set -e` may be on.
  [[nodiscard]] bool may_exit_on_error(const Place& place) const;
  // `base`, or with a number: a variable name that occurs nowhere in the text.
  [[nodiscard]] std::string fresh(std::string_view base) const;
  // Whether the text of the script names it as a variable: x=, $x, ${x...}, `read x`, ...
  [[nodiscard]] bool mentions(std::string_view name) const { return identifiers_.contains(name); }
  [[nodiscard]] std::string indentation_of(uint32_t offset) const;

 private:
  friend class Gatherer;
  [[nodiscard]] Fate fate_of(const Place& place, unsigned depth) const;
  [[nodiscard]] Fate fate_of_function(const shell::Function& function, unsigned depth) const;

  Settings settings_;
  const commands::CardLibrary& cards_;
  shell::ParseResult parsed_;
  flow::CheckResult checked_;
  std::vector<Place> places_;
  std::vector<WordPlace> words_;
  std::map<const shell::Command*, size_t> by_command_;
  std::map<const shell::Part*, size_t> by_part_;  // the word that it is in
  std::map<std::string_view, const shell::Function*> functions_;
  std::set<std::string, std::less<>> identifiers_;
  bool has_unknown_code_ = false;
};

}  // namespace nacre::purify
