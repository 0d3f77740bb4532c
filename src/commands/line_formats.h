// Languages of lines that several models use.
#pragma once

#include <cstdint>
#include <optional>

#include "commands/stream.h"

namespace nacre::commands {

Lang blanks(Context& context);  // blanks and tabs, any number of them
Lang digits(Context& context);  // at least one digit
Lang digits(Context& context, uint32_t least, uint32_t most);

// Lines that `sort -n` orders as a person expects: a number, perhaps after blanks, and then
// anything.
Lang begins_with_number(Context& context);
// Lines whose first word is a number: nothing but a blank follows it. Ordering them by their
// characters is a mistake, unless they are padded.
Lang number_first(Context& context);
// Lines whose first word is a size with an optional unit, as `du -h` prints it: 12K, 1.5G.
Lang size_first(Context& context);
// Every line of `lines` begins with blanks and a number that end at the same column, so that the
// order of characters is the order of numbers (`uniq -c` pads its counts).
bool has_padded_numbers(Lang lines);

// A mode as ls -l, stat and find print it: drwxr-xr-x.
Lang mode_text(Context& context);

// A number as programs print it: -12, 3.5, 1e+20.
Lang json_number(Context& context);

// Seconds since 1970 as they are nowadays: nine or ten digits. As the usual kind of a stream that
// may be any number, it tells a time from a small count.
void add_time_kind(Stream& lines);

// printf's "%WIDTHd" for a number that is not negative.
Lang padded_number(Context& context, uint32_t width);

}  // namespace nacre::commands
