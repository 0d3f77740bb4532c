#include "shell/variables.h"

#include <algorithm>
#include <iterator>

namespace nacre::shell {

namespace {

using Owner = VariableOwner;
using Varies = VariableVaries;

constexpr Variable kVariables[] = {
    {"IFS"},
    {"LINENO"},
    {"OLDPWD"},
    {"OPTARG"},
    {"OPTIND"},
    {"PPID", Owner::kShell, Varies::kByProcess},
    {"PS1"},
    {"PS2"},
    {"PS4"},
    {"PWD"},
    {"REPLY"},
    {"_"},

    {"HOME", Owner::kSession},
    {"HOSTNAME", Owner::kSession, Varies::kByHost},
    {"LANG", Owner::kSession},
    {"LOGNAME", Owner::kSession},
    {"MAIL", Owner::kSession},
    {"PATH", Owner::kSession},
    {"SHELL", Owner::kSession},
    {"SHLVL", Owner::kSession},
    {"TERM", Owner::kSession},
    {"TMPDIR", Owner::kSession},
    {"TZ", Owner::kSession},
    {"USER", Owner::kSession},

    {"BASH", Owner::kBash},
    {"BASHOPTS", Owner::kBash},
    {"BASHPID", Owner::kBash, Varies::kByProcess},
    {"BASH_ALIASES", Owner::kBash},
    {"BASH_ARGC", Owner::kBash},
    {"BASH_ARGV", Owner::kBash},
    {"BASH_ARGV0", Owner::kBash},
    {"BASH_CMDS", Owner::kBash},
    {"BASH_COMMAND", Owner::kBash},
    {"BASH_EXECUTION_STRING", Owner::kBash},
    {"BASH_LINENO", Owner::kBash},
    {"BASH_REMATCH", Owner::kBash},
    {"BASH_SOURCE", Owner::kBash},
    {"BASH_SUBSHELL", Owner::kBash},
    {"BASH_VERSINFO", Owner::kBash},
    {"BASH_VERSION", Owner::kBash},
    {"DIRSTACK", Owner::kBash},
    {"EPOCHREALTIME", Owner::kBash, Varies::kByTime},
    {"EPOCHSECONDS", Owner::kBash, Varies::kByTime},
    {"EUID", Owner::kBash},
    {"FUNCNAME", Owner::kBash},
    {"GROUPS", Owner::kBash},
    {"HOSTTYPE", Owner::kBash, Varies::kByHost},
    {"MACHTYPE", Owner::kBash, Varies::kByHost},
    {"OPTERR", Owner::kBash},
    {"OSTYPE", Owner::kBash, Varies::kByHost},
    {"PIPESTATUS", Owner::kBash},
    {"RANDOM", Owner::kBash, Varies::kByChance},
    {"SECONDS", Owner::kBash, Varies::kByTime},
    {"SHELLOPTS", Owner::kBash},
    {"SRANDOM", Owner::kBash, Varies::kByChance},
    {"UID", Owner::kBash},
};

}  // namespace

const Variable* find_variable(std::string_view name) {
  const auto* found = std::find_if(std::begin(kVariables), std::end(kVariables),
                                   [&](const Variable& variable) { return variable.name == name; });
  return found == std::end(kVariables) ? nullptr : found;
}

}  // namespace nacre::shell
