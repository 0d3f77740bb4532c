#include "cli/verb.h"
#include "terminal/shell_main.h"

namespace nacre::cli {
namespace {

constexpr std::string_view kDescription =
    R"(The shell with the language of bash: [[ ]], (( )), for (( )), brace expansion, <<<, &>, |&, +=, let,
function, and the operators ${x/p/r}, ${x:o:l}, ${x^^}, ${!x}. Arrays, process substitution and
extended patterns are not there yet: a script that uses them gets an error, never another result.

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
