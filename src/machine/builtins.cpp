#include "machine/builtins.h"

#include <algorithm>

#include "machine/builtin.h"

namespace nacre::machine {
namespace {

// Sorted by name.
constexpr Builtin kBuiltins[] = {
    {".", run_dot, kSpecial, ". FILE"},
    {":", run_colon, kSpecial | kUndoable, ": [ARGUMENT...]"},
    {"[", run_test, kUndoable | kPlain, "[ EXPRESSION ]"},
    {"alias", run_alias, kPlain, "alias [NAME[=VALUE]...]"},
    {"bg", run_bg, 0, "bg [JOB...]"},
    {"break", run_break, kSpecial | kUndoable, "break [N]"},
    {"cd", run_cd, kPlain, "cd [-L|-P] [DIRECTORY|-]"},
    {"command", run_command, kUndoable | kPlain, "command [-pvV] COMMAND [ARGUMENT...]"},
    {"continue", run_continue, kSpecial | kUndoable, "continue [N]"},
    {"echo", run_echo, kUndoable | kPlain, "echo [-n] [STRING...]"},
    {"eval", run_eval, kSpecial, "eval [ARGUMENT...]"},
    {"exec", run_exec, kSpecial, "exec [COMMAND [ARGUMENT...]]"},
    {"exit", run_exit, kSpecial | kUndoable, "exit [N]"},
    {"export", run_export, kSpecial | kUndoable | kDeclares, "export [-p] [NAME[=VALUE]...]"},
    {"false", run_false, kUndoable | kPlain, "false"},
    {"fc", run_fc, 0,
     "fc [-r] [-e EDITOR] [FIRST [LAST]] | fc -l [-nr] [FIRST [LAST]] | fc -s [OLD=NEW] [FIRST]"},
    {"fg", run_fg, 0, "fg [JOB]"},
    {"getopts", run_getopts, kUndoable | kPlain, "getopts OPTSTRING NAME [ARGUMENT...]"},
    {"hash", run_hash, kPlain, "hash [-r] [NAME...]"},
    {"help", run_help, kPlain, "help [NAME...]"},
    {"history", run_history, kPlain, "history [N]"},
    {"jobs", run_jobs, kPlain, "jobs [-lp] [JOB...]"},
    {"kill", run_kill, kPlain, "kill [-s SIGNAL|-SIGNAL] PID... | kill -l [STATUS...]"},
    {"local", run_local, kUndoable | kDeclares, "local [NAME[=VALUE]...]"},
    {"newgrp", run_newgrp, 0, "newgrp [-l] [GROUP]"},
    {"printf", run_printf, kUndoable | kPlain, "printf FORMAT [ARGUMENT...]"},
    {"pwd", run_pwd, kUndoable | kPlain, "pwd [-L|-P]"},
    {"read", run_read, kUndoable | kPlain, "read [-r] [-d DELIMITER] [-p PROMPT] NAME..."},
    {"readonly", run_readonly, kSpecial | kUndoable | kDeclares, "readonly [-p] [NAME[=VALUE]...]"},
    {"return", run_return, kSpecial | kUndoable, "return [N]"},
    {"set", run_set, kSpecial | kUndoable, "set [-abCefhmnuvx] [-o OPTION] [--] [ARGUMENT...]"},
    {"shift", run_shift, kSpecial | kUndoable, "shift [N]"},
    {"source", run_dot, kSpecial, "source FILE"},
    {"test", run_test, kUndoable | kPlain, "test [EXPRESSION]"},
    {"times", run_times, kSpecial, "times"},
    {"trap", run_trap, kSpecial, "trap [ACTION SIGNAL...] | trap -p [SIGNAL...]"},
    {"true", run_true, kUndoable | kPlain, "true"},
    {"type", run_type, kUndoable | kPlain, "type NAME..."},
    {"ulimit", run_ulimit, kPlain, "ulimit [-HSacdefilmnpqrstuvx] [LIMIT]"},
    {"umask", run_umask, kPlain, "umask [-S] [MASK]"},
    {"unalias", run_unalias, kPlain, "unalias [-a] NAME..."},
    {"unset", run_unset, kSpecial, "unset [-fv] NAME..."},
    {"wait", run_wait, 0, "wait [PID|JOB...]"},
};

}  // namespace

std::span<const Builtin> builtins() { return kBuiltins; }

const Builtin* find_builtin(std::string_view name) {
  const Builtin* found = std::lower_bound(
      std::begin(kBuiltins), std::end(kBuiltins), name,
      [](const Builtin& builtin, std::string_view wanted) { return builtin.name < wanted; });
  return found != std::end(kBuiltins) && found->name == name ? found : nullptr;
}

}  // namespace nacre::machine
