// For tests only: is what a model or a card says of a command true of the real one? A stage is run
// in a directory on some input; every line that it prints must be in the inferred type, at the
// place where the type allows it, as many as it allows, in the order that it claims. More claims
// are checked on the way: what is said not to read its input must not read it, what is said to
// change nothing must change nothing, a printed line must have the origin that the trace gives it,
// and what is called an invalid command line must be refused.
//
//   Laboratory lab("/tmp/x", cards);
//   Experiment e = lab.run(trial, lab.of_lines(context, {"a", "b"}), "a\nb\n");
//   for (const std::string& claim : e.false_claims) ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/behaviour.h"
#include "commands/card_library.h"
#include "commands/testing/trial.h"

namespace nacre::commands {

struct Experiment {
  bool was_run = false;  // false: the command is not installed, or has no card
  int status = 0;
  std::string printed;
  std::string errors;
  std::vector<std::string> false_claims;  // empty: all that was said is true
  std::optional<Behaviour> claimed;
  double milliseconds = 0;  // that the claims took
  // A line that the type allows and that was not printed, if there is one: with the input known to
  // the last byte, an exact type has none.
  std::optional<std::string> spare_line;
};

class Laboratory {
 public:
  // `directory` is where the commands run; files that they name are read there.
  Laboratory(std::string directory, const CardLibrary& cards)
      : directory_(std::move(directory)), cards_(cards) {}

  // `input` is the type of `bytes`.
  [[nodiscard]] Experiment run(const Trial& trial, const Stream& input,
                               const std::string& bytes) const;

  // What is known of lines that are known.
  static Stream of_lines(Context& context, const std::vector<std::string>& lines);

 private:
  // `files` gets the lines of the files that the command is said to read.
  [[nodiscard]] std::optional<Behaviour> claims(const Trial& trial, const Stream& input,
                                                std::vector<std::string>& files) const;
  [[nodiscard]] std::vector<std::string> content(const Argument& file) const;

  std::string directory_;
  const CardLibrary& cards_;
};

}  // namespace nacre::commands
