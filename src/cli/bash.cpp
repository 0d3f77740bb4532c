#include "cli/verb.h"
#include "terminal/shell_main.h"

namespace nacre::cli {
namespace {

constexpr std::string_view kDescription =
    R"(The shell with the language of bash 5.2: arrays, [[ ]], (( )), brace expansion, process
substitution, extended patterns, shopt, the traps ERR, DEBUG and RETURN, mapfile and coproc.
docs/shell.md lists what is missing.

    nacre bash [OPTIONS] [FILE [ARGUMENT...]]
    nacre bash [OPTIONS] -c COMMAND [NAME [ARGUMENT...]]

It is also started when nacre is called as `bash`, and `set -o bash` turns it on. OPTIONS are those of
`nacre sh`.)";

constexpr Verb kVerb = {.name = "bash",
                        .summary = "run a script or a session with the language of bash",
                        .operands = "[OPTIONS] [FILE [ARGUMENT...]]",
                        .description = kDescription,
                        .run_raw = terminal::shell_main};

}  // namespace

const Verb& bash_verb() { return kVerb; }

}  // namespace nacre::cli
