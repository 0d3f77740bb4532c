// What the evaluation of a CoLiS program is about: the components of the judgements of the report's
// appendix B, by its names. The file system is a parameter: a tree for the concrete interpreter, a
// set of trees given by constraints for the symbolic one (interpreter.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "colis/syntax.h"

namespace nacre::colis {

// Failure is what the original calls Incomplete: a bound was exceeded, or what happens is not
// known.
enum class Behaviour : uint8_t { kNormal, kExit, kReturn, kFailure };

struct VariableValue {
  std::optional<std::string> value;
  bool is_exported = false;
  friend bool operator==(const VariableValue&, const VariableValue&) = default;
};

using Functions = std::map<std::string, const Instruction*, std::less<>>;

struct Context {
  std::map<std::string, VariableValue, std::less<>> vars;
  std::shared_ptr<const Functions> funs;
  std::vector<std::string> arguments;
  std::string cwd = "/";
  bool result = true;
};

// The part that does not change: whether a failing instruction ends the program, the name of what
// runs, and the bounds.
struct Input {
  bool under_condition = false;
  std::string argument0;
  uint64_t loop_limit = UINT64_MAX;
  uint64_t stack_size = UINT64_MAX;
};

template <typename Files>
struct State {
  Files files;
  Context context;
  std::string stdin_text;
  std::string stdout_text;
  std::vector<std::string> log;
  bool is_discarded = false;  // within nooutput: what is printed does not matter
};

// What a pipe or an embedded instruction gives back afterwards: all of a state but its files and
// its log.
struct Surroundings {
  Context context;
  std::string stdin_text;
  std::string stdout_text;
  bool is_discarded = false;
};
template <typename Files>
[[nodiscard]] Surroundings surroundings_of(const State<Files>& state) {
  return {state.context, state.stdin_text, state.stdout_text, state.is_discarded};
}

template <typename Files>
struct Outcome {
  State<Files> state;
  Behaviour behaviour = Behaviour::kNormal;
};

// What a string and a list evaluate to: Success with a text and a result, or with words; or Error.
template <typename Files>
struct StringResult {
  State<Files> state;
  bool is_error = false;
  std::string text;
  bool b = true;
};
template <typename Files>
struct ListResult {
  State<Files> state;
  bool is_error = false;
  std::vector<std::string> words;
};

// How a utility is called: interp (cwd, filter(vars), ss) (id, S).
struct UtilityCall {
  std::string name;
  std::vector<std::string> arguments;
};

enum class UtilityResult : uint8_t { kTrue, kFalse, kIncomplete };

template <typename Files>
struct UtilityCase {
  State<Files> state;
  UtilityResult result = UtilityResult::kTrue;
};

// The whole run ends, with a message: an unknown utility, a limit of the machine.
struct Abort {
  enum Why : uint8_t { kUnknownUtility, kNoPackage, kCpuTime, kSteps } why = kUnknownUtility;
  std::string message;
};

[[nodiscard]] inline Abort over_time() {
  return {Abort::kCpuTime, "the limit of CPU time was reached (--cpu-time-limit)"};
}

template <typename Files>
struct UtilityAnswer {
  std::vector<UtilityCase<Files>> cases;
  std::optional<Abort> abort;
  uint64_t steps = 0;  // what the call costs, in steps of the program
};

template <typename Files>
using Utilities = std::function<UtilityAnswer<Files>(const UtilityCall&, State<Files>)>;

// Bounds of the interpreter itself. Reaching one of the first two gives Failure, and the log says
// so; the last one ends the run.
struct Bounds {
  uint64_t max_states = 5'000;  // alive at the same time
  uint64_t max_depth = 1'000;   // of evaluations within each other
  uint64_t max_steps = 5'000'000;
  std::function<bool()> is_over_time = {};  // asked now and then
};

// The exported variables, NAME=value.
[[nodiscard]] std::vector<std::string> filter(
    const std::map<std::string, VariableValue, std::less<>>& vars);
// "/a/../b/./c" -> "/b/c", by its text alone.
[[nodiscard]] std::string norm_path(const std::string& cwd, const std::string& path);
// The words between blanks.
[[nodiscard]] std::vector<std::string> split_words(const std::string& text);
// What `embed` gives: without the newlines at its end. The original loses a last line that has
// none.
[[nodiscard]] std::string captured(std::string output, bool is_original);
// Two states with the same key differ in nothing but their files and logs.
[[nodiscard]] std::string key_of(const Context& context, const std::string& stdin_text,
                                 const std::string& stdout_text);

}  // namespace nacre::colis
