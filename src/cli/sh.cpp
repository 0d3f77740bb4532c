#include <fmt/format.h>

#include "cli/help.h"
#include "cli/verb.h"
#include "terminal/shell_main.h"

namespace nacre::cli {
namespace {

constexpr std::string_view kDescription =
    R"(A POSIX shell. It is also started when nacre is called as `sh` or `nash`.

    nacre sh [OPTIONS] [FILE [ARGUMENT...]]    run the script FILE
    nacre sh [OPTIONS] -c COMMAND [NAME [ARGUMENT...]]
    nacre sh [OPTIONS] -s [ARGUMENT...]        read commands from standard input

OPTIONS are those of `set` (-abCefhmnuvx, -o NAME), -i for an interactive shell, -l for a login
shell, and --report-unspecified, which says where a script relies on what POSIX leaves open.)";

int run_shell(int argc, char** argv);

constexpr Verb kVerb = {.name = "sh",
                        .summary = "run a script or a session with the POSIX shell",
                        .operands = "[OPTIONS] [FILE [ARGUMENT...]]",
                        .description = kDescription,
                        .run_raw = run_shell};

int run_shell(int argc, char** argv) {
  std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--help") {
    fmt::print("{}", help_of(kVerb));
    return kClean;
  }
  if (first == "--version") {
    fmt::print("nacre sh {}\n", NACRE_VERSION);
    return kClean;
  }
  return terminal::shell_main(argc, argv);
}

}  // namespace

const Verb& sh_verb() { return kVerb; }

}  // namespace nacre::cli
