// The functions behind the table of builtins (builtins.cpp). Each gets its arguments with its name
// first and returns a status, kPushed or kNotReady. They are grouped by what they are about:
//   builtins_control.cpp    break eval exit return . exec trap ...
//   builtins_variables.cpp  export readonly local unset set shift getopts
//   builtins_names.cpp      alias command type hash help
//   builtins_jobs.cpp       jobs fg bg wait kill
//   builtins_system.cpp     cd pwd umask ulimit times
//   printf.cpp test.cpp read.cpp history.cpp
#pragma once

#include "machine/fields.h"

namespace nacre::machine {

struct Machine;

int run_dot(Machine& machine, Args args);
int run_colon(Machine& machine, Args args);
int run_test(Machine& machine, Args args);
int run_alias(Machine& machine, Args args);
int run_bg(Machine& machine, Args args);
int run_break(Machine& machine, Args args);
int run_cd(Machine& machine, Args args);
int run_command(Machine& machine, Args args);
int run_continue(Machine& machine, Args args);
int run_echo(Machine& machine, Args args);
int run_eval(Machine& machine, Args args);
int run_exec(Machine& machine, Args args);
int run_exit(Machine& machine, Args args);
int run_export(Machine& machine, Args args);
int run_false(Machine& machine, Args args);
int run_fc(Machine& machine, Args args);
int run_fg(Machine& machine, Args args);
int run_getopts(Machine& machine, Args args);
int run_hash(Machine& machine, Args args);
int run_help(Machine& machine, Args args);
int run_history(Machine& machine, Args args);
int run_jobs(Machine& machine, Args args);
int run_kill(Machine& machine, Args args);
int run_let(Machine& machine, Args args);
int run_local(Machine& machine, Args args);
int run_newgrp(Machine& machine, Args args);
int run_printf(Machine& machine, Args args);
int run_pwd(Machine& machine, Args args);
int run_read(Machine& machine, Args args);
int run_readonly(Machine& machine, Args args);
int run_return(Machine& machine, Args args);
int run_set(Machine& machine, Args args);
int run_shift(Machine& machine, Args args);
int run_times(Machine& machine, Args args);
int run_trap(Machine& machine, Args args);
int run_true(Machine& machine, Args args);
int run_type(Machine& machine, Args args);
int run_ulimit(Machine& machine, Args args);
int run_umask(Machine& machine, Args args);
int run_unalias(Machine& machine, Args args);
int run_unset(Machine& machine, Args args);
int run_builtin(Machine& machine, Args args);
int run_caller(Machine& machine, Args args);
int run_compgen(Machine& machine, Args args);
int run_declare(Machine& machine, Args args);
int run_dirs(Machine& machine, Args args);
int run_disown(Machine& machine, Args args);
int run_enable(Machine& machine, Args args);
int run_mapfile(Machine& machine, Args args);
int run_popd(Machine& machine, Args args);
int run_pushd(Machine& machine, Args args);
int run_shopt(Machine& machine, Args args);
int run_wait(Machine& machine, Args args);

}  // namespace nacre::machine
