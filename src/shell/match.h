// Patterns of commands, written as shell. In a pattern the word `$_name` stands for any one word
// and is bound to it, `$__` for any words up to the end (none as well); every other word stands for
// words of the same value, whatever their quoting. Redirections and assignments of the command are
// not looked at unless the pattern has some.
//
//   static const Pattern kUselessCat("cat $_file | $_command $__");
//   if (auto match = kUselessCat.match(command)) report(match->word("file").span);
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "shell/parse.h"

namespace nacre::shell {

class Match {
 public:
  // The word that `$_name` stands for; the pattern must have it.
  [[nodiscard]] const Word& word(std::string_view name) const { return *words_.find(name)->second; }
  // The words of the last `$__`.
  [[nodiscard]] std::span<const Word> rest() const { return rest_; }

 private:
  friend class Pattern;
  std::map<std::string, const Word*, std::less<>> words_;
  std::span<const Word> rest_;
};

// Immutable; safe to match from several threads.
class Pattern {
 public:
  // `source` must be one valid command of bash: a simple one, a pipeline or an and-or list.
  explicit Pattern(std::string source);

  [[nodiscard]] std::optional<Match> match(const Command& command) const;

 private:
  ParseResult parsed_;
};

}  // namespace nacre::shell
