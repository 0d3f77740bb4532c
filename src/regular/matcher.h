// Fast membership for many lines: an automaton that is built while it runs, one dense row per state
// that some input reaches, like RE2's. Use contains() (lang.h) for a few words.
// One thread at a time, like the Context it draws from.
//
//   LineMatcher errors(holding_error);
//   errors.count(text);
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id_map.h"
#include "regular/lang.h"

namespace nacre::regular {

class LineMatcher {
 public:
  // A language over bytes, of lines: words with a newline in them are never asked for.
  explicit LineMatcher(Lang lang);

  // How many lines of the text are in the language; a last line without newline counts.
  size_t count(std::string_view text);

 private:
  // A state is the offset of its row in next_, or one of the special ones. A row has an entry for
  // each byte: the next state, for newline the start again. The start has a twin, entered when the
  // line that ends matched; it alone has an odd offset, so that the lowest bits of the states
  // passed count the matching lines.
  using State = uint32_t;
  static constexpr State kSpecial = 1u << 31;
  static constexpr State kUnknown = kSpecial;      // the row is not filled yet
  static constexpr State kAccepts = kSpecial + 2;  // whatever follows in this line
  static constexpr State kRejects = kSpecial + 4;

  // A place in the text; `end` is after a newline.
  struct Cursor {
    const char* at;
    const char* end;
    State state;
    size_t matching;  // lines so far
  };
  static constexpr size_t kCursors = 6;
  using Cursors = std::array<Cursor, kCursors>;

  State state_of(TermId id);
  State add_state(TermId id);
  void fill(State state);
  // Reads one byte, or the rest of a line that is settled. False at the end.
  bool advance(Cursor& cursor);
  template <size_t... kEach>
  void advance_together(Cursors& cursors, std::index_sequence<kEach...> each);
  size_t count_whole_lines(std::string_view text);

  Lang lang_;
  // Whether settled lines are skipped; short ones are sooner read to their end.
  bool skips_ = false;
  std::vector<State> next_;  // 256 entries a state
  std::vector<TermId> terms_;
  std::vector<uint8_t> accepting_;
  IdMap states_;
  State start_ = kUnknown;
  State matched_start_ = kUnknown;
};

}  // namespace nacre::regular
