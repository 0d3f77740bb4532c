// What a verb of the command line is: plain data and one function. The parser, the help, the man
// page and the completions all read this data, so they cannot drift apart.
//
// To add a verb NAME: write src/cli/NAME.cpp with a function `const Verb& NAME_verb()` that returns
// a constant, and add `VERB(NAME)` to verbs.inc. A verb with `run_raw` gets its words as they were
// typed and is called before anything else is done (the shell parses its own command line and must
// start fast); every other verb has `run` and gets them parsed.
//
//   constexpr Option kOptions[] = {{"depth", 'd', "N", "stop after N levels"}};
//   constexpr Verb kVerb = {.name = "tree", .summary = "print the tree", .operands = "FILE...",
//                           .options = kOptions, .run = run_tree};
//   const Verb& tree_verb() { return kVerb; }
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::cli {

// The exit statuses of every verb that is not `raw` (docs: man page, EXIT STATUS).
enum ExitStatus : int { kClean = 0, kFindings = 1, kUnfinished = 2, kUsage = 3 };

struct Option {
  std::string_view name;   // long, without dashes
  char letter = '\0';      // short form, if any
  std::string_view takes;  // "": a flag; "N": a number; "a|b|c": one of these; "FILE", "DIR": a
                           // path; any other word: text. May be given several times; the last one
                           // counts unless the verb asks for all.
  std::string_view help;   // one line, no full stop
};

// One parsed command line. Asking for an option that the verb does not have is a bug (assert).
class Arguments {
 public:
  using Values = std::map<std::string, std::vector<std::string>, std::less<>>;
  Arguments(Values values, std::vector<std::string> operands)
      : values_(std::move(values)), operands_(std::move(operands)) {}

  [[nodiscard]] bool has(std::string_view option) const { return !all(option).empty(); }
  // The last value given, or `otherwise`.
  [[nodiscard]] std::string value(std::string_view option, std::string_view otherwise = "") const;
  [[nodiscard]] std::optional<unsigned> number(std::string_view option) const;
  // Every value given, each split at commas.
  [[nodiscard]] std::vector<std::string> list(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& all(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }

 private:
  Values values_;  // every option of the verb is a key
  std::vector<std::string> operands_;
};

struct Verb {
  std::string_view name;
  std::string_view summary;   // one line for the list of verbs
  std::string_view operands;  // as the synopsis shows them: "FILE...", "[CODE]"; "" takes none
  std::string_view description = {};  // paragraphs for `help VERB` and the man page
  std::span<const Option> options = {};
  int (*run)(const Arguments&) = nullptr;
  int (*run_raw)(int argc, char** argv) = nullptr;  // argv[0] is the verb
};

std::span<const Verb* const> verbs();
const Verb* find_verb(std::string_view name);

}  // namespace nacre::cli
