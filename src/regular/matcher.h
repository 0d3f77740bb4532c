// Fast membership for many lines: an automaton that is built while it runs, one dense row per state
// that some input reaches, like RE2's. Use contains() (lang.h) for a few words.
// One thread at a time, like the Context it draws from.
//
//   LineMatcher errors(holding_error);
//   errors.count(text);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regular/id_map.h"
#include "regular/lang.h"

namespace nacre::regular {

class LineMatcher {
 public:
  // A language over bytes, of lines: words with a newline in them are never asked for.
  explicit LineMatcher(Lang lang);

  // How many lines of the text are in the language; a last line without newline counts.
  size_t count(std::string_view text);

 private:
  // A state is the offset of its row in next_, or one of these. The row of a state has an entry for
  // each byte; that for newline is kLineEnd, so that the inner loop makes one test a byte.
  using State = uint32_t;
  static constexpr State kSpecial = 1u << 31;
  static constexpr State kUnknown = kSpecial;      // the row is not filled yet
  static constexpr State kLineEnd = kSpecial + 1;  // the line is over
  static constexpr State kAccepts = kSpecial + 2;  // whatever follows in this line
  static constexpr State kRejects = kSpecial + 3;

  State state_of(TermId id);
  void fill(State state);
  // Reads the line at `at` and moves behind its newline, which exists.
  bool matches_next(const char*& at, const char* end);

  Lang lang_;
  std::vector<State> next_;  // 256 entries a state
  std::vector<TermId> terms_;
  std::vector<uint8_t> accepting_;
  IdMap states_;
  State start_;
};

}  // namespace nacre::regular
