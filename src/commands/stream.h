// What is known of the lines that flow through a pipe: which lines may come first, which may
// follow, how many there are, in what order. A Stream is a value; its languages live in one Context
// and hold lines without their newline.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "commands/line_kind.h"
#include "regular/lang.h"

namespace nacre::jq {

struct Shape;
using ShapePointer = std::shared_ptr<const Shape>;

}  // namespace nacre::jq

namespace nacre::commands {

using regular::Context;
using regular::Lang;

inline constexpr uint64_t kManyLines = ~uint64_t{0};
// First lines beyond this number are not told apart.
inline constexpr uint64_t kMaxKnownLines = 64;
// First lines that are worth a run of a program of their own: headings.
inline constexpr size_t kMaxHeadings = 2;

struct LineCount {
  uint64_t least = 0;
  uint64_t most = kManyLines;
  uint64_t least_if_any = 1;  // of a stream that may be empty, but not shorter than this otherwise

  // Lines may be missing from now on: there may be as few as `count`.
  void lower(uint64_t count) {
    least = std::min(least, count);
    least_if_any = 1;
  }
  // The smallest number of lines if it is not empty.
  [[nodiscard]] uint64_t least_of_some() const { return std::max(least, least_if_any); }
  friend bool operator==(LineCount, LineCount) = default;
};

// What is known about which of the possible lines occur. Any line of a known format may occur, so
// one bad line is a mistake. About an unknown source the author knows more than we do: only what
// goes wrong for every input is a mistake.
enum class Choice : uint8_t { kFormat, kOpaque };

// The order of the lines, as far as uniq, comm and join care.
enum class Order : uint8_t {
  kUnknown,    // from a source whose order nothing is known of
  kScattered,  // equal lines may stand apart, and some stage or format made it so
  kGrouped,    // equal lines stand together
  kSorted,     // by the bytes of the whole line; implies kGrouped
};

struct Stream {
  std::vector<Lang> first;  // of the first lines, one each
  Lang rest;                // of every later line
  LineCount count;
  Choice choice = Choice::kFormat;
  Order order = Order::kUnknown;
  uint32_t sorted_field = 0;     // the field that sort looked at first, if any
  bool is_number_order = false;  // sort has compared numbers
  Span scattered_by;             // the stage that lost the order, when order is kScattered
  bool is_distinct = false;      // no line occurs twice
  // An empty line of it may be what a program says that has read nothing: awk's END.
  bool may_tell_of_nothing = false;
  // `printf a` and `tr -d '\n'` leave their last line open: what is printed next goes on with it.
  bool may_lack_newline = false;
  bool lacks_newline = false;  // the last line is surely open
  bool holds_names = false;    // each line is the name of a file
  bool is_filtered = false;    // a filter chose its lines: there are none if nothing was found
  // Its columns are filled up with blanks, as those of `ls -l` are.
  bool is_aligned = false;
  // Each line is of one of these; none: nothing is known of kinds.
  std::vector<LineKind> kinds;
  ProducerPointer producer;
  jq::ShapePointer json;  // what it is as JSON; null: not known

  explicit Stream(Lang rest_lines) : rest(rest_lines) {}
};

// Any bytes but newline, any number of lines, nothing known.
Stream opaque_stream(Context& context);
// No line at all.
Stream empty_stream(Context& context);
Lang any_text(Context& context);  // every line

// Every line that may occur anywhere.
Lang any_line(const Stream& stream);
// The order of what is left if only this field is kept of each line. Equal ones of the field that
// lines were sorted by, and of what sorted lines begin with, hardly stand apart: that is not said.
Order order_by_field(const Stream& stream, uint32_t field);
// Those below the first line, which may be a heading; every line if there are no others.
Lang below_heading(const Stream& stream);
// No line can ever occur. Asks the engine.
bool is_silent(const Stream& stream);
bool is_exact(const Stream& stream);

// The lines of `a` and then those of `b`: `{ a; b; }`, `cat f g`.
Stream concatenated(const Stream& a, const Stream& b);
// Whichever of the two: the branches of `if`.
Stream either(const Stream& a, const Stream& b);

// What `printf '%s\n' "$x"` prints if these lines were put into x: one empty line for none.
Stream printed_again(const Stream& captured);

// The lines that are in `kept`. First lines of which each is surely kept or surely dropped stay
// what they are.
Stream filtered(const Stream& input, Lang kept);

// Each line on its own through `map`, in order; a line may vanish if `may_drop`. Equal lines stay
// equal, but different ones may become equal and scatter: `stage` is then to blame.
template <typename Map>
Stream mapped(const Stream& input, Map map, bool may_drop, bool is_injective, Span stage) {
  Stream result = input;
  if (may_drop) {
    result.rest = map(any_line(input));
    result.first.clear();
    result.count.lower(0);
  } else {
    for (Lang& line : result.first) line = map(line);
    result.rest = map(input.rest);
  }
  result.is_aligned = false;
  if (is_injective) return result;
  result.is_distinct = false;
  if (input.order >= Order::kGrouped) {
    result.order = Order::kScattered;
    result.scattered_by = stage;
  }
  return result;
}

}  // namespace nacre::commands
