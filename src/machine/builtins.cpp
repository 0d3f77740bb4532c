#include "machine/builtins.h"

#include <algorithm>
#include <array>

#include "machine/builtin.h"
#include "shell/builtins.h"

namespace nacre::machine {
namespace {

// What the shell language says about a builtin; the table below only adds what is ours.
constexpr uint8_t language_flags(std::string_view name) {
  const shell::BuiltinInfo* info = shell::builtin_named(name);
  // To dash `local` is special; an error of it ends a script in no other shell.
  bool is_special = info->is(shell::kSpecial) && name != "local";
  return static_cast<uint8_t>((is_special ? kSpecial : 0) |
                              (info->is(shell::kDeclares) ? kDeclares : 0));
}

template <size_t N>
consteval std::array<Builtin, N> with_language_flags(const Builtin (&own)[N]) {
  auto table = std::to_array(own);
  for (Builtin& builtin : table) builtin.flags |= language_flags(builtin.name);
  return table;
}

// Sorted by name.
constexpr auto kBuiltins = with_language_flags({
    {".", run_dot, 0, ". FILE"},
    {":", run_colon, kUndoable, ": [ARGUMENT...]"},
    {"[", run_test, kUndoable | kPlain, "[ EXPRESSION ]"},
    {"alias", run_alias, kPlain, "alias [NAME[=VALUE]...]"},
    {"bg", run_bg, 0, "bg [JOB...]"},
    {"break", run_break, kUndoable, "break [N]"},
    {"builtin", run_builtin, kUndoable | kPlain | kOnlyBash, "builtin NAME [ARGUMENT...]"},
    {"caller", run_caller, kPlain | kOnlyBash, "caller [N]"},
    {"cd", run_cd, kUndoable | kPlain, "cd [-L|-P] [DIRECTORY|-]"},
    {"command", run_command, kUndoable | kPlain, "command [-pvV] COMMAND [ARGUMENT...]"},
    {"compgen", run_compgen, kPlain | kOnlyBash, "compgen [-abckfdvW LIST] [WORD]"},
    {"continue", run_continue, kUndoable, "continue [N]"},
    {"declare", run_declare, kUndoable | kOnlyBash, "declare [-aAfFgilnprtux] [NAME[=VALUE]...]"},
    {"dirs", run_dirs, kPlain | kOnlyBash, "dirs [-clpv] [+N|-N]"},
    {"disown", run_disown, kOnlyBash, "disown [-ar] [JOB...]"},
    {"echo", run_echo, kUndoable | kPlain, "echo [-n] [STRING...]"},
    {"enable", run_enable, kPlain | kOnlyBash, "enable [-anp] [NAME...]"},
    {"eval", run_eval, 0, "eval [ARGUMENT...]"},
    {"exec", run_exec, 0, "exec [COMMAND [ARGUMENT...]]"},
    {"exit", run_exit, kUndoable, "exit [N]"},
    {"export", run_export, kUndoable, "export [-p] [NAME[=VALUE]...]"},
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
    {"let", run_let, kUndoable | kPlain | kOnlyBash, "let EXPRESSION..."},
    {"local", run_local, kUndoable, "local [NAME[=VALUE]...]"},
    {"mapfile", run_mapfile, kUndoable | kPlain | kOnlyBash,
     "mapfile [-d DELIMITER] [-n COUNT] [-O ORIGIN] [-s COUNT] [-t] [-u FD] [ARRAY]"},
    {"newgrp", run_newgrp, 0, "newgrp [-l] [GROUP]"},
    {"popd", run_popd, kOnlyBash, "popd [-n] [+N|-N]"},
    {"printf", run_printf, kUndoable | kPlain, "printf [-v NAME] FORMAT [ARGUMENT...]"},
    {"pushd", run_pushd, kOnlyBash, "pushd [-n] [+N|-N|DIRECTORY]"},
    {"pwd", run_pwd, kUndoable | kPlain, "pwd [-L|-P]"},
    {"read", run_read, kUndoable | kPlain,
     "read [-r] [-d DELIMITER] [-p PROMPT] [-a ARRAY] [-nN COUNT] [-t SECONDS] [-u FD] NAME..."},
    {"readarray", run_mapfile, kUndoable | kPlain | kOnlyBash,
     "readarray [-d DELIMITER] [-n COUNT] [-O ORIGIN] [-s COUNT] [-t] [-u FD] [ARRAY]"},
    {"readonly", run_readonly, kUndoable, "readonly [-p] [NAME[=VALUE]...]"},
    {"return", run_return, kUndoable, "return [N]"},
    {"set", run_set, kUndoable, "set [-abCefhmnuvx] [-o OPTION] [--] [ARGUMENT...]"},
    {"shift", run_shift, kUndoable, "shift [N]"},
    {"shopt", run_shopt, kUndoable | kPlain | kOnlyBash, "shopt [-pqsu] [-o] [NAME...]"},
    {"source", run_dot, kSpecial, "source FILE"},
    {"test", run_test, kUndoable | kPlain, "test [EXPRESSION]"},
    {"times", run_times, 0, "times"},
    {"trap", run_trap, 0, "trap [ACTION SIGNAL...] | trap -p [SIGNAL...]"},
    {"true", run_true, kUndoable | kPlain, "true"},
    {"type", run_type, kUndoable | kPlain, "type NAME..."},
    {"typeset", run_declare, kUndoable | kOnlyBash, "typeset [-aAfFgilnprtux] [NAME[=VALUE]...]"},
    {"ulimit", run_ulimit, kPlain, "ulimit [-HSacdefilmnpqrstuvx] [LIMIT]"},
    {"umask", run_umask, kPlain, "umask [-S] [MASK]"},
    {"unalias", run_unalias, kPlain, "unalias [-a] NAME..."},
    {"unset", run_unset, 0, "unset [-fv] NAME..."},
    {"wait", run_wait, 0, "wait [PID|JOB...]"},
});

}  // namespace

std::span<const Builtin> builtins() { return kBuiltins; }

const Builtin* find_builtin(std::string_view name, bool in_bash) {
  const Builtin* found = std::lower_bound(
      std::begin(kBuiltins), std::end(kBuiltins), name,
      [](const Builtin& builtin, std::string_view wanted) { return builtin.name < wanted; });
  if (found == std::end(kBuiltins) || found->name != name) return nullptr;
  return found->is(kOnlyBash) && !in_bash ? nullptr : found;
}

}  // namespace nacre::machine
