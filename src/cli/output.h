// Where verbs print. Names, scripts and arguments may hold escape sequences that would command the
// user's terminal; none of them gets there raw.
#pragma once

#include <string_view>

#include "cli/verb.h"

namespace nacre::cli {

// "nacre VERB: message" on standard error, on one line. `verb` may be empty. Returns `status`.
int complain(std::string_view verb, std::string_view message, ExitStatus status = kUsage);

// The same about a command line, followed by a hint at `nacre help VERB`. Returns kUsage.
int complain_about_usage(std::string_view verb, std::string_view message);

// To standard output: as it is for a file or a pipe; on a terminal, control characters other than
// newline and tab become visible.
void print_text(std::string_view text);

// The control characters of `text`, except newline and tab, made visible.
std::string harmless(std::string_view text);

}  // namespace nacre::cli
