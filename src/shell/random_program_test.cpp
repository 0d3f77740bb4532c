// Random programs: what the generator makes is valid for the shells and for us, the tree holds all
// of it, and with a few tokens changed we still agree with the shells.
//
// NACRE_RANDOM_PROGRAMS=N in the environment makes N of each instead of the default, and
// NACRE_RANDOM_SEED=N starts elsewhere.
#include "shell/testing/random_program.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

#include "shell/dump.h"
#include "shell/parse.h"
#include "shell/print.h"
#include "shell/testing/real_shell.h"
#include "shell/testing/reduce.h"

namespace nacre::shell {
namespace {

uint64_t number_from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

size_t program_count() { return number_from_environment("NACRE_RANDOM_PROGRAMS", 5000); }
uint64_t first_seed() { return number_from_environment("NACRE_RANDOM_SEED", 1); }

ParseResult parse_text(std::string_view text, Dialect dialect) {
  return parse_file(SourceFile("random", std::string(text)), dialect);
}

bool is_valid(std::string_view text, Dialect dialect) {
  return parse_text(text, dialect).is_valid();
}

// Whether the shell accepts the text and read all of it: at some errors within [[ ]] bash stops
// without a word, so that it does not see an error after them.
bool is_valid_for_shell(std::string_view text, Dialect dialect) {
  const ScratchFile file(text);
  if (!ask_shell(dialect, file.path()).is_valid) return false;
  file.write(std::string(text) + "\n)\n");
  return !ask_shell(dialect, file.path()).is_valid;
}

// Printed and written anew, it is the same program.
bool round_trips(std::string_view text, Dialect dialect) {
  const ParseResult result = parse_text(text, dialect);
  if (print(result.tree) != text) return false;
  if (!result.is_valid()) return true;
  const ParseResult again = parse_text(to_source(result.tree.program()), dialect);
  return again.is_valid() && dump(again.tree) == dump(result.tree);
}

// Reports a program that shows a difference, made small first.
void report(const std::string& what, Dialect dialect, const std::string& program,
            const std::function<bool(std::string_view)>& differs) {
  FAIL_CHECK(what << " (" << name_of(dialect) << "):\n" << reduce(program, differs, 2000));
}

std::vector<std::string> programs(Dialect dialect) {
  std::vector<std::string> all;
  for (size_t i = 0; i < program_count(); ++i)
    all.push_back(random_program(first_seed() + i, dialect));
  return all;
}

std::vector<std::string> broken_programs(Dialect dialect) {
  std::vector<std::string> all;
  for (size_t i = 0; i < program_count() / 5; ++i) {
    const uint64_t seed = first_seed() + i;
    all.push_back(mutated(random_program(seed, dialect), seed) + "\n");
  }
  return all;
}

constexpr Dialect kDialects[] = {Dialect::kSh, Dialect::kBash};

TEST_CASE("random programs are valid and keep their tree") {
  for (const Dialect dialect : kDialects) {
    for (const std::string& program : programs(dialect)) {
      if (!is_valid(program, dialect))
        report("rejected", dialect, program, [&](std::string_view text) {
          return !is_valid(text, dialect) && is_valid_for_shell(text, dialect);
        });
      else if (!round_trips(program, dialect))
        report("does not round-trip", dialect, program, [&](std::string_view text) {
          return is_valid(text, dialect) && !round_trips(text, dialect);
        });
    }
  }
}

TEST_CASE("random programs are valid for the shells") {
  for (const Dialect dialect : kDialects) {
    if (!has_real_shell(dialect)) continue;
    const std::vector<std::string> all = programs(dialect);
    for (const size_t index : rejected_by_shell(dialect, all))
      FAIL_CHECK(name_of(dialect) << " rejects:\n" << all[index]);
  }
}

// Texts that we accept are shown to the shells many at once; those that we reject, one by one.
TEST_CASE("on changed programs we agree with the shells") {
  for (const Dialect dialect : kDialects) {
    if (!has_real_shell(dialect)) continue;
    std::vector<std::string> accepted;
    for (const std::string& program : broken_programs(dialect)) {
      CHECK(print(parse_text(program, dialect).tree) == program);
      if (is_valid(program, dialect))
        accepted.push_back(program);
      else if (is_valid_for_shell(program, dialect))
        report("rejected", dialect, program, [&](std::string_view text) {
          return !is_valid(text, dialect) && is_valid_for_shell(text, dialect);
        });
    }
    for (const size_t index : rejected_by_shell(dialect, accepted))
      report("accepted", dialect, accepted[index], [&](std::string_view text) {
        return is_valid(text, dialect) && !rejected_by_shell(dialect, {std::string(text)}).empty();
      });
  }
}

}  // namespace
}  // namespace nacre::shell
