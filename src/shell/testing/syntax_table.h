// The tables of tests/syntax/: texts with what the shells say of them, and sometimes their tree.
//
//   #### NAME
//   TEXT...
//   ---- DIALECT valid
//   ---- DIALECT invalid LINE      (the shell's own line: ours must not be later)
//   ---- DIALECT stops LINE        (the same, but the shell ends there without a word)
//   ---- tree DIALECT              (the lines after it are the dump)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shell/dialect.h"

namespace nacre::shell {

struct SyntaxExpectation {
  Dialect dialect = Dialect::kSh;
  bool is_valid = true;
  bool is_told = true;  // by the shell
  uint32_t line = 0;
  bool is_tree = false;
  std::string tree;
};

struct SyntaxCase {
  std::string name;
  std::string text;
  std::vector<SyntaxExpectation> expectations;
};

[[nodiscard]] std::vector<SyntaxCase> read_syntax_table(const std::string& path);

}  // namespace nacre::shell
