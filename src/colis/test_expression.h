// The expressions of `test` and `[`, by POSIX's rules for up to four arguments and the grammar with
// -a and -o for more. What is asked of files is asked through `ask`; strings and numbers are
// decided here.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nacre::colis {

struct TestAnswer {
  bool is_true = false;
  std::string error;  // not empty: not an expression; the status is 2
};

// What a letter such as -d asks of a path; nothing if there is no such letter.
using AskLetter = std::function<bool(char letter, const std::string& path)>;

// `words` without the name of the command and without the `]`.
[[nodiscard]] TestAnswer evaluate_test(const std::vector<std::string>& words, const AskLetter& ask);

}  // namespace nacre::colis
