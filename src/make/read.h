// Reads a Makefile into a Database, in the order and with the meaning of GNU make 4.3: what is
// assigned above is known below. Runs nothing and reads files only through `read_include`.
//
//   Database database = read_makefile(file, {});
//
// Without an environment, variables that nothing assigns may have any value: conditions on them are
// unknown, and both arms are read. Errors of the text are findings with a place; reading goes on at
// the next line.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "make/database.h"
#include "make/expand.h"

namespace nacre::make {

struct ReadOptions {
  // Nothing: any. Otherwise exactly these, and built-in variables have their values.
  std::optional<std::vector<std::pair<std::string, std::string>>> environment;
  std::vector<std::pair<std::string, std::string>> command_line;  // NAME, value
  // By its path as the Makefile writes it; nothing: it cannot be read.
  std::function<std::optional<SourceFile>(const std::string& path)> read_include;
  // As in ExpandHooks: without them `$(shell)` and `$(wildcard)` are unknown.
  std::function<std::optional<std::string>(std::string_view command)> shell;
  std::function<std::optional<std::vector<std::string>>(std::string_view pattern)> wildcard;
  ExpandLimits limits;
  uint32_t max_nested = 40;           // includes and evals within each other
  uint32_t max_includes = 300;        // files
  uint64_t max_statements = 300'000;  // also those of $(eval)
};

[[nodiscard]] Database read_makefile(const SourceFile& file, const ReadOptions& options);

// The names in a list of files: cut at blanks, `\ ` is a blank, a leading `./` is dropped.
[[nodiscard]] std::vector<std::string> file_names(std::string_view list);

// The variables that GNU make has before it reads anything.
[[nodiscard]] const VariableMap& builtin_variables();

// The value of a text in a recipe or a second expansion: with the variables of `target`.
class TargetExpander {
 public:
  TargetExpander(const Database& database, const ReadOptions& options);
  // The automatic variables and the target's own. `scope` lives as long as it is used.
  [[nodiscard]] VariableMap scope_of(const Rule& rule, std::string_view target,
                                     std::string_view stem) const;
  [[nodiscard]] Text expand(std::string_view text, const VariableMap& scope);
  // What is told of references that make would refuse.
  using ProblemSink = std::function<void(std::string_view code, std::string message)>;
  void set_problem_sink(ProblemSink sink) { sink_ = std::move(sink); }

 private:
  const Database& database_;
  Variables variables_;
  ProblemSink sink_;
  Expander expander_;
};

}  // namespace nacre::make
