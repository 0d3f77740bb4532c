// Calls whose argument is a text in a language of its own: SQL, a shell command, a file name,
// Python code. A value that is put into the text must stay within its place: one word of the
// command, one literal or identifier of the statement, below the directory. This header knows the
// calls, and which values are harmless at a place.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "python/letters.h"
#include "python/words.h"

namespace nacre::python {

enum class Sink : uint8_t { kSql, kShell, kFileName, kCode };

struct SinkCall {
  Sink sink;
  std::string_view keyword;       // by which the text may be given instead of by position
  bool needs_shell_true = false;  // it is a shell command only with `shell=True`
};

// By the dotted name of a library function ("os.system") or the name of a builtin ("eval").
std::optional<SinkCall> sink_of_function(std::string_view name);
// By the name of a method of some object, whose class is not known: `cursor.execute`.
std::optional<SinkCall> sink_of_method(std::string_view name);
// Names of functions and methods that may be sinks: a file without them has none.
bool is_sink_name(std::string_view name);

// The quote that is open after this part of a shell command or SQL text; '\0': none.
char open_quote(Sink sink, std::string_view text, char quote = '\0');
bool is_sql(std::string_view text);  // begins with the name of a statement

// Where a value stands.
struct SinkPlace {
  Sink sink;
  std::string_view before, after;  // the constant texts around it
  char quote = '\0';               // that is open there
  bool is_last = false;            // nothing comes after it
};

// The values that stay within their place.
Words harmless_values(WordStore& words, const Letters& letters, const SinkPlace& place);
// Sets of values that show a break-out well, the most telling first.
std::vector<Words> telling_values(WordStore& words, const Letters& letters, Sink sink);
// Characters that the two functions above tell apart.
std::vector<regular::CharSet> sink_characters();

}  // namespace nacre::python
