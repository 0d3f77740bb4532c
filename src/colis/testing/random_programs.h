// Random programs and trees for the tests and the benchmark. The same seed gives the same ones.
#pragma once

#include <random>

#include "colis/syntax.h"

namespace nacre::colis {

class RandomPrograms {
 public:
  explicit RandomPrograms(uint32_t seed) : random_(seed) {}

  // Any tree: odd names, literals of any bytes. Not meant to be run.
  [[nodiscard]] Program any_program();
  // One whose utilities act on a few paths below /w, or only on strings. It ends: loops are bounded
  // by what they count.
  [[nodiscard]] Program file_program();
  [[nodiscard]] Program string_program();

  [[nodiscard]] size_t below(size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random_);
  }

 private:
  Instruction any_instruction(int depth);
  StringExpression any_string(int depth);
  ListExpression any_list(int depth);
  std::string any_text();
  std::string any_name();

  Instruction ending_instruction(int depth, bool with_files, bool in_function);
  Instruction file_call();
  Instruction string_call();
  std::string path();
  StringExpression word(bool with_files);
  Program ending_program(bool with_files);

  std::mt19937 random_;
  int loops_ = 0;
  int functions_ = 0;
};

}  // namespace nacre::colis
