// For tests only: the command lines on which types are tried against the real commands. They are
// plain files (tests/commands/*.trials), one command line each, quoted as for a shell:
//
//   # comment
//   lines [0-9]+ [a-z]*     the type of the lines that the following commands are given to read;
//                           `lines` alone: lines of every kind
//   through bash            the following run as a command of this shell; alone: as programs
//   sort -n -k 2
//
// Words are cut at blanks; '…', "…" and backslashes protect, $'…' knows \n, \t and \\.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::commands {

struct Trial {
  std::string text;                // as written
  std::vector<std::string> words;  // the command and its arguments
  std::string lines;               // the type of its input; empty: any
  std::string shell;               // empty: the words are a program and its arguments
  uint32_t line_number = 0;
};

std::vector<std::string> shell_words(std::string_view text);

// Empty if the file cannot be read.
std::vector<Trial> read_trials(const std::string& path);
// Of all files *.trials of a directory, in the order of their names.
std::vector<Trial> read_all_trials(const std::string& directory);

}  // namespace nacre::commands
