// What a command reads and where its output goes. Internal to this module.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

// Applies the redirections of a command before it runs, and what it prints after it ran: the result
// is what reaches the reader of its output.
Connected connect(Run& run, const Command& node, Environment& environment, const Io& io);
Stream disconnect(Run& run, const Connected& connected, Environment& environment, Stream output);

// The files that the redirections of a command, which has run, have written.
void note_written(Run& run, const Command& node, Environment& environment);

// A file that does not exist or cannot be written fails the command, whatever that is.
void note_refusal(std::span<const shell::Redirection> redirections, Environment& environment);
// A builtin, a function or a group that reads a file which may be missing. That a file cannot be
// written is not assumed.
bool reads_missing_file(Run& run, const Command& node, const Environment& environment);

// The content of what a word of the script names, if more is known than its text.
std::optional<Stream> content_named_by(Run& run, Span word);
// What is known of a file's lines: what the script itself wrote into it, or the system's format.
Stream content_of_file(Run& run, const std::string& file, const Environment& environment);

}  // namespace nacre::flow
