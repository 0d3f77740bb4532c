// Tests in awk programs that compare the wrong thing, told by what the columns of a known format
// hold: another column, a text with a number, fields that are held apart by another character.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "commands/awk_program.h"
#include "commands/awk_run.h"
#include "commands/behaviour.h"

namespace nacre::commands {

// `word` is where the program stands, as one argument.
void find_wrong_tests(const awk::Program& program, const Argument& word, const Stream& input,
                      const std::map<std::string, awk::Value>& variables,
                      std::vector<Problem>& problems);

}  // namespace nacre::commands
