// Between the two views of a stream: line by line (Stream), and as one text with its newlines,
// which is how `tr` sees it and how some types are written ("a header, then numbers"). Every line
// of the text ends in a newline, the last one, too.
#pragma once

#include "base/budget.h"
#include "commands/stream.h"

namespace nacre::commands {

// All texts that the stream can be; exact if the stream's languages are.
Lang text_of(const Stream& stream);

// The lines of a set of texts. A last line without a newline counts as one with it. Exact where the
// texts are that do not differ in what one line says of another: "a\nb\n" or "c\nd\n" becomes "a or
// c, then b or d".
Stream stream_of(Lang texts, const Budget& budget = {});

// The same, or somewhat more, for less work: for texts that nothing much is known of.
Stream rough_stream_of(Lang texts);

// The name of a kind that is one line of a text that the script itself writes.
inline constexpr std::string_view kOwnLine = "line";
// Texts of up to this many lines have a kind for each.
inline constexpr size_t kMaxOwnLines = 8;

// The lines of one text, as they are: each by itself while there are few, else as a dictionary.
Stream lines_of_text(Context& context, std::string_view text);

// The same texts, each with a newline at the end of its last line.
Lang with_last_newline(Lang texts);

}  // namespace nacre::commands
