// `nacre check`.
#include <cstdio>
#include <fmt/format.h>

#include "cli/verb.h"

namespace nacre::cli {

namespace {

int run_check(const Arguments& arguments) {
  for (const std::string& name : arguments.operands()) {
    std::FILE* file = std::fopen(name.c_str(), "r");
    if (file == nullptr) {
      fmt::print(stderr, "nacre check: {}: cannot be read\n", name);
      return kUnfinished;
    }
    std::fclose(file);
  }
  fmt::print(stderr, "nacre check: nothing is checked yet\n");
  return kUnfinished;
}

constexpr Verb kVerb = {
    .name = "check", .summary = "report what cannot work", .operands = "FILE...", .run = run_check};

}  // namespace

const Verb& check_verb() { return kVerb; }

}  // namespace nacre::cli
