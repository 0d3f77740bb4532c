#include "base/again.h"

#include <algorithm>
#include <array>

namespace nacre {

namespace {

using Words = std::span<const WrittenWord>;

struct Letter {
  char letter;
  std::string_view long_name;
  std::string_view instead = {};  // letters that do as well
};

struct Row {
  std::string_view command;
  Letter needed;                // it must be there: ln without -s makes another kind of link
  std::array<Letter, 2> added;  // those that are missing are
  std::string_view joinable;    // letters of a group that they may be added to
  std::string_view name, message, differs_when;
};

constexpr Row kRows[] = {
    {"mkdir",
     {},
     {{{'p', "--parents"}, {}}},
     "v",
     "mkdir-p",
     "mkdir -p",
     "the directory is there already, or its parent is missing"},
    {"rm", {}, {{{'f', "--force"}, {}}}, "rRdv", "rm-f", "rm -f", "a file is missing"},
    {"ln",
     {'s', "--symbolic"},
     {{{'f', "--force"}, {'n', "--no-dereference", "T"}}},
     "sfnvr",
     "ln-sfn",
     "ln -sfn",
     "the link is there already"},
};

bool has(Words words, char letter, std::string_view long_name) {
  return std::any_of(words.begin() + 1, words.end(), [&](const WrittenWord& word) {
    if (word.text.starts_with("--")) return word.text == long_name;
    return word.text.size() > 1 && word.text[0] == '-' && word.text.find(letter) < word.text.size();
  });
}

bool has(Words words, const Letter& option) {
  return has(words, option.letter, option.long_name) ||
         std::any_of(option.instead.begin(), option.instead.end(),
                     [&](char other) { return has(words, other, ""); });
}

// The first group of short options takes the letters, or they are a group of their own.
Edit add_letters(Words words, const std::string& letters, std::string_view joinable) {
  const std::string_view first = words.size() > 1 ? words[1].text : std::string_view();
  const bool has_group = first.size() > 1 && first[0] == '-' &&
                         first.find_first_not_of(joinable, 1) == std::string_view::npos &&
                         words[1].is_own;
  if (has_group) return {{words[1].span.end, words[1].span.end}, letters};
  return {{words[0].span.end, words[0].span.end}, " -" + letters};
}

}  // namespace

std::optional<AgainEdit> edit_for_again(Words words) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& each) { return each.command == words[0].text; });
  if (row == std::end(kRows) || words.size() < 2) return std::nullopt;
  const bool is_kind = row->needed.letter == 0 || has(words, row->needed);
  if (!is_kind || has(words, 'i', "--interactive")) return std::nullopt;
  std::string letters;
  for (const Letter& each : row->added) {
    if (each.letter != 0 && !has(words, each)) letters += each.letter;
  }
  if (letters.empty()) return std::nullopt;
  return AgainEdit{row->name, row->message, row->differs_when,
                   add_letters(words, letters, row->joinable)};
}

}  // namespace nacre
