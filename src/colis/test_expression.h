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

// What `-d path` or `path -ef other` asks of files.
using AskFiles =
    std::function<bool(const std::string& op, const std::string& path, const std::string& other)>;

// `words` without the name of the command and without the `]`.
[[nodiscard]] TestAnswer evaluate_test(const std::vector<std::string>& words, const AskFiles& ask);

}  // namespace nacre::colis
