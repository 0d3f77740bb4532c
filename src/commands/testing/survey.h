// For tests only: every trial on many inputs, alone and as stages of random pipelines, and what
// came of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "commands/testing/random_lines.h"
#include "commands/testing/soundness.h"

namespace nacre::commands {

// Of one command line, over all its runs.
struct Record {
  const Trial* trial = nullptr;
  uint32_t runs = 0;
  bool was_refused = false;
  bool is_exact = true;  // whatever is known of the input, the type has no line too many
  std::string spare_line;
  double slowest = 0;                     // milliseconds that the claims took
  std::vector<std::string> false_claims;  // each with the input that shows it
};

class Survey {
 public:
  Survey(const Laboratory& laboratory, std::vector<Trial> trials, uint32_t seed)
      : laboratory_(laboratory), trials_(std::move(trials)), random_(seed) {
    records_.resize(trials_.size());
    for (size_t i = 0; i < trials_.size(); i++) records_[i].trial = &trials_[i];
  }

  void run_each(uint32_t rounds);   // each trial alone
  void run_chains(uint32_t count);  // random pipelines of two to four of them
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }

 private:
  struct Input {
    Stream type;
    std::string bytes;
  };
  Input known_lines(Context& context, const Trial& trial);
  Input typed_lines(Context& context, const Trial& trial);
  std::string joined(const std::vector<std::string>& lines);
  Experiment run(size_t index, const Input& input, const std::string& before);

  const Laboratory& laboratory_;
  std::vector<Trial> trials_;
  RandomLines random_;
  std::vector<Record> records_;
};

// The page docs/commands.md: exact, over-approximate, untested.
std::string page_of(const CardLibrary& cards, const std::vector<Record>& records);

// A directory with files of every kind, made by the script tests/commands/tree.sh; removed with it.
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& script);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace nacre::commands
