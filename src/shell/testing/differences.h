// Where we and the real shells disagree on scripts: which are valid, and whether printing the tree
// gives back the file. Grouped by what the one that rejects says, each group with one script made
// small, so that a difference can be read at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "shell/testing/corpus.h"
#include "shell/testing/real_shell.h"

namespace nacre::shell {

// What the shells said before, by dialect and content, kept in a file: asking takes seconds for
// each 1,000 scripts.
class TruthCache {
 public:
  explicit TruthCache(std::string path);
  TruthCache(const TruthCache&) = delete;
  TruthCache& operator=(const TruthCache&) = delete;
  ~TruthCache();

  [[nodiscard]] const ShellVerdict& ask(const Script& script, const std::string& text);

 private:
  std::string path_;
  std::map<std::string, ShellVerdict> verdicts_;
};

struct Difference {
  Script script;
  std::string text;
  std::string cause;  // what the one that rejects says, without what it quotes and numbers
};

[[nodiscard]] std::vector<Difference> find_differences(const std::vector<Script>& scripts,
                                                       TruthCache& truth);

// A few lines that still differ for the same cause. Runs a shell some hundred times.
[[nodiscard]] std::string reduced(const Difference& difference);

void write_differences(const std::vector<Difference>& differences, const std::string& path);

}  // namespace nacre::shell
