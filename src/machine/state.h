// The state of a shell (sigma of the semantics): variables, functions, options, positional
// parameters, traps, jobs and the small registers. A plain value: copying it is what fork() does.
#pragma once

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/code.h"
#include "machine/jobs.h"
#include "machine/locale.h"
#include "machine/options.h"
#include "machine/signals.h"
#include "machine/variables.h"

namespace nacre::machine {

// $1 $2 ...; never changed in place, so that saving them is cheap.
struct Positional {
  std::shared_ptr<const std::vector<std::string>> values;
  size_t first = 0;  // how many were shifted away

  [[nodiscard]] size_t size() const { return values == nullptr ? 0 : values->size() - first; }
  [[nodiscard]] const std::string& operator[](size_t i) const { return (*values)[first + i]; }
};

struct Function {
  std::shared_ptr<const Code> code;  // keeps `body` alive; null: not defined
  const Node* body = nullptr;
  const Node* definition = nullptr;  // the command that defined it
  bool is_exported = false;
  bool is_readonly = false;  // readonly -f of bash
};

// An action of `trap`; an empty one ignores the signal. Signal 0 is EXIT.
struct Traps {
  std::array<std::optional<std::string>, kTrapCount> actions;
  bool has_pseudo = false;  // ERR, DEBUG or RETURN of bash was set at some time
  // In a subshell: what `trap` still shows of the parent until the first change.
  bool are_inherited = false;
  bool is_async = false;  // INT and QUIT are ignored because the list is asynchronous
  std::array<bool, kTrapCount> ignored_at_start{};  // as far as it was looked at
  bool has_noted_ignored = false;                   // those of job control have been

  // Whether the shell has something to do when it ends or gets a signal.
  [[nodiscard]] bool has_actions() const {
    return !are_inherited && std::any_of(actions.begin(), actions.end(), [](const auto& action) {
      return action && !action->empty();
    });
  }
};

// A call of a function or a dot script.
struct CallRecord {
  std::string function;
  std::string source;
  uint32_t line = 0;  // where it was called
  bool is_function = false;
};

struct State {
  explicit State(std::shared_ptr<Names> names) : variables(std::move(names)) {}

  Variables variables;
  std::vector<Function> functions;  // by NameId
  uint32_t function_generation = 1;
  std::map<std::string, std::string, std::less<>> aliases;
  Options options;
  std::string arg0;
  Positional positional;
  Traps traps;
  JobTable jobs;
  Locale locale;
  struct Hashed {
    std::string path;
    unsigned hits = 0;
  };
  std::map<NameId, Hashed> hashed;  // where commands were found in PATH

  int status = 0;                 // $?
  world::Pid root_pid = 0;        // $$
  world::Pid background_pid = 0;  // $!
  bool is_subshell = false;
  // Of a process that was forked within calls: those, innermost first, and the variables that are
  // local to the innermost function.
  std::vector<CallRecord> outer_calls;
  std::vector<NameId> outer_locals;
  bool is_in_substitution = false;    // of a session: its commands cannot be stopped
  uint32_t exit_warned_at = 0;        // `commands_read` when `exit` warned about stopped jobs
  uint32_t commands_read = 0;         // by the session
  bool is_posix_interactive = false;  // prompts are shown, errors do not end the shell
  size_t getopts_offset = 0;          // within the argument that OPTIND names
  uint32_t line = 0;                  // $LINENO
  std::string directory;              // $PWD as the shell knows it
  std::vector<std::string> history;   // of an interactive shell, oldest first

  // Only in bash.
  int trace_depth = 0;        // set -x: of the process that this one was forked from
  std::string last_argument;  // $_
  std::set<std::string, std::less<>> disabled;  // builtins: enable -n
  std::vector<int> pipe_statuses;               // PIPESTATUS; empty: $? is its only element
  std::vector<std::string> directories;         // of pushd, below the working directory
  uint32_t random_seed = 0;
  int64_t started_ns = 0;          // SECONDS counts from here
  bool is_command_string = false;  // -c
  std::string script;              // the file that is run
  int subshell_depth = 0;          // processes between this shell and the first one
};

}  // namespace nacre::machine
