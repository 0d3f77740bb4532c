// Rows of named columns: what `rows`, `column`, `line`, `choose`, `headings` and `ending` of a card
// say of what one command line prints, as a stream of kinds of lines (line_kind.h).
//
//   column  pid  {pid}  PID right
//   column  comm .+     COMMAND
//   rows    : aligned heading pid comm
#pragma once

#include <optional>
#include <string>

#include "commands/invocation.h"
#include "commands/stream.h"

namespace nacre::commands {

// Nothing if the card has no rows for these options, or they choose columns that it does not know.
// `output` is what its `output` line says: the rows, if it has only `line`s beside that.
std::optional<Stream> rows_of(const Invocation& invocation, Context& context,
                              const std::optional<Stream>& output);

// The same for one value of a `rows` line: "aligned heading pid comm".
std::optional<Stream> rows_from(const Invocation& invocation, Context& context,
                                std::string_view value);

// The operands that the script spells out: what a command prints that prints their names.
Lang names_of(const Invocation& invocation, Context& context);

// `missing`: some of the lines may be this word, which stands for a value that is not there.
void add_missing(Lang word, std::string_view command, Stream& lines);

// `ending`: lines that end with a carriage return, or a last line without a newline.
void end_lines(const Invocation& invocation, Stream& lines);

// What is wrong with the value of a `rows` line; empty: nothing.
std::string rows_mistake(const Card& card, std::string_view value);

}  // namespace nacre::commands
