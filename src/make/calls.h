// What the command lines of a recipe do, as far as their words and cards tell: which paths they
// write, make or remove. Facts for rules; nothing is run.
#pragma once

#include <string>
#include <vector>

#include "commands/card_library.h"
#include "make/recipe.h"

namespace nacre::make {

// A simple command. Parts of words that are not known are holes (kHole).
struct Call {
  std::vector<std::string> words;  // the name first, without its directory
  std::vector<Span> spans;         // of each word, in the Makefile
  const shell::Command* command = nullptr;
  bool is_checked = false;  // part of a condition, `!` or `||`: its status decides something
  bool needs_input = true;  // false: it prints without reading anything (`date -u`)
};

struct PathUse {
  enum Kind : uint8_t {
    kWritten,
    kAppended,
    kMade /* mkdir */,
    kRemoved,
    kStamped
  } kind = kWritten;
  std::string path;  // may have holes
  Span span;
  size_t call = 0;                // index into LineFacts::calls; npos: a redirection of a group
  bool fails_if_there = false;    // mkdir without -p
  bool may_be_directory = false;  // then the file is in it
};

struct LineFacts {
  std::vector<Call> calls;
  std::vector<PathUse> uses;
  bool is_understood = true;  // every command's effect on files is known

  [[nodiscard]] bool may_write() const;  // a file, as far as is known
  [[nodiscard]] bool only_removes() const;
};

[[nodiscard]] LineFacts facts_of(const ShellLine& line, const commands::CardLibrary& cards);

// The text of a word, with kHole for what only the running shell knows.
[[nodiscard]] std::string word_text(const shell::Word& word);

}  // namespace nacre::make
