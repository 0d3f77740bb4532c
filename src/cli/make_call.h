// The operands after FILE of verbs that run a Makefile: goals and NAME=value, as make takes them.
#pragma once

#include "cli/verb.h"
#include "remake/run_make.h"

namespace nacre::cli {

inline remake::MakeCall make_call(const Arguments& arguments) {
  remake::MakeCall call;
  const auto& operands = arguments.operands();
  for (size_t i = 1; i < operands.size(); i++) {
    const size_t equals = operands[i].find('=');
    if (equals == std::string::npos) {
      call.goals.push_back(operands[i]);
    } else {
      call.variables.emplace_back(operands[i].substr(0, equals), operands[i].substr(equals + 1));
    }
  }
  return call;
}

}  // namespace nacre::cli
