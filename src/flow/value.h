// What is known of the strings that a variable, a word or a parameter may hold: a regular language,
// whether there may be no value at all, and where it came from. Values are immutable and live in a
// Values store; environments refer to them by id, so that copying and comparing environments is
// cheap.
//
//   Values values(context);
//   ValueId x = values.add(constant(context, "a b", span));
//   ValueId y = values.join(x, values.inherited());   // either
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id_map.h"
#include "base/span.h"
#include "commands/line_kind.h"
#include "commands/stream.h"
#include "regular/lang.h"

namespace nacre::flow {

using regular::Context;
using regular::Lang;

enum class ValueId : uint32_t {};

// Who made the value. It decides what may be asked of it: see `is_opaque`.
enum class Source : uint8_t {
  kScript,       // written in the script
  kCommand,      // printed by a command
  kInput,        // read from a file or a terminal
  kArgument,     // $1
  kEnvironment,  // a variable that the script never sets
};

// The kinds of lines that a value, a part of it or a word of it was made of, and who printed them.
struct Printed {
  commands::ProducerPointer producer;
  std::vector<commands::LineKind> kinds;
};

// All that a command has printed, and the text that it was when it was captured.
struct Captured {
  commands::Stream lines;
  Lang text;
};

// What a value depends on that differs from run to run, as far as known: bits of Value::varies.
enum Variation : uint8_t {
  kVariesByProcess = 1,  // $$, $!, $PPID
  kVariesByChance = 2,   // $RANDOM
  kVariesByTime = 4,     // $SECONDS
};

struct Value {
  Lang strings;                     // while it is set; of an array: each element
  std::optional<std::string> text;  // when it can be only this
  std::string prefix;               // what it begins with in any case; all of `text`
  // It is a path, and this is how it is reached from the script's own directory: of $0 the name of
  // the script, of `$(dirname "$0")` ".".
  std::optional<std::string> own_path;
  // What an opaque value was put together from, with kSomeName for each unknown part that is not
  // empty: `$a$b/$c` may be "/".
  std::optional<Lang> skeleton;
  uint32_t captured = 0;  // how many of its parts are what a command printed
  uint32_t parts = 1;     // that `strings` was put together from; too many are widened
  Source source = Source::kScript;
  // Nothing is known of where it comes from: the user knows better than we do which strings occur,
  // and only what goes wrong for all of them, or for the empty one, is a mistake.
  bool is_opaque = false;
  bool may_be_unset = false;  // with no string at all in `strings`: it is surely unset
  bool is_array = false;
  bool is_integer = false;     // declare -i: what is assigned is evaluated
  bool is_converted = false;   // declare -u, -l, -i, on some path: what is assigned may be changed
  bool is_reference = false;   // declare -n: another variable by this name
  bool is_tainted = false;     // others may have chosen the string
  bool is_typed = false;       // it was read from the input of the script itself
  bool is_list = false;        // the script itself put blanks into it: it is meant to be split
  bool is_status = false;      // it was $?
  bool is_file_names = false;  // its lines are names of files, as a command printed them
  bool is_filtered = false;    // a filter printed it: nothing, if nothing was found
  uint8_t varies = 0;          // see Variation
  std::optional<Span> needs;   // a file: without it the command that printed this prints nothing
  // It is what `command -v NAME` printed: empty if there is no such command.
  std::string_view asked_command = {};
  uint32_t required = 0;        // it was this $N under `set -u`: without one the script has ended
  bool may_be_foreign = false;  // the environment may have set it: the script has not, on some path
  bool is_assigned = false;     // the script has set it, on some path
  Span origin;                  // where it got this value; empty: before the script began
  // It is what `$copied` was when that had the value `from`, with these texts around it: what is
  // learnt of one holds of both.
  std::string_view copied = {};
  ValueId from = {};
  std::string text_before, text_after;
  std::shared_ptr<const Printed> printed = {};  // null: no command, or nothing is known of it
  std::shared_ptr<const Captured> output = {};  // it is `text` as long as its strings are these

  explicit Value(Lang lang) : strings(lang) {}
};

// The lines that a command printed, if the value is still all of them; else null.
std::shared_ptr<const commands::Stream> lines_printed(const Value& value);

// Stands for a string that nothing is known of but that it is not empty.
inline constexpr std::string_view kSomeName = "\x01";

// The strings of the value if unknown parts are either empty or harmless.
Lang skeleton_of(const Value& value);

// Every string that a variable can hold: no byte is NUL.
Lang any_value(Context& context);
Lang integers(Context& context);  // -?[0-9]+

Value constant(Context& context, std::string_view text, Span origin = {});
Value unknown(Context& context, Source source, Span origin = {});
Value something(Context& context, Source source, Span origin = {});  // unknown, but not empty
Value unset(Context& context, Span origin = {});

// With the empty string for "unset": what an expansion gives.
Lang expansion_of(const Value& value);
bool may_be_empty(const Value& value);
bool is_surely_unset(const Value& value);

// Made of the same other value in the same way.
bool is_same_copy(const Value& a, const Value& b);

// With every kind of line that it is made of changed in the same way; without any if nothing is
// left of them.
template <typename Map>
std::shared_ptr<const Printed> mapped(const std::shared_ptr<const Printed>& printed, Map map) {
  if (!printed) return nullptr;
  Printed result{printed->producer, {}};
  for (commands::LineKind kind : printed->kinds) {
    kind.lines = map(kind.lines);
    result.kinds.push_back(std::move(kind));
  }
  return std::make_shared<const Printed>(std::move(result));
}

// Some of `result` comes from `other`: who may have chosen it, and what it depends on.
void add_taint(Value& result, const Value& other);

// Either of the two. Equals `a` if `b` adds nothing to it.
Value joined(const Value& a, const Value& b);
// A superset of both that does not grow for ever when it is widened again and again: any string of
// the same symbols.
Value widened(const Value& a, const Value& b);
// Widens a value that was put together from too many parts.
void simplify(Value& value);
// The same knowledge, wherever it came from.
bool is_same(const Value& a, const Value& b);

class Values {
 public:
  explicit Values(Context& context);

  ValueId add(Value value);
  const Value& operator[](ValueId id) const { return values_[static_cast<size_t>(id)]; }
  ValueId join(ValueId a, ValueId b);
  ValueId widen(ValueId a, ValueId b);
  // Whether any value was ever made that is a copy of this one.
  [[nodiscard]] bool has_copies(ValueId id) const {
    return static_cast<size_t>(id) < has_copies_.size() && has_copies_[static_cast<size_t>(id)];
  }

  // Variables that the script has not touched: whatever the environment says.
  [[nodiscard]] ValueId inherited() const { return ValueId{0}; }
  [[nodiscard]] ValueId nothing() const { return ValueId{1}; }  // unset

 private:
  std::deque<Value> values_;
  std::vector<bool> has_copies_;  // by id
  IdMap joins_;                   // by both ids
};

}  // namespace nacre::flow
