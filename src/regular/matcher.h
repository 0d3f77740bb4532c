// Fast membership for many words: an automaton that is built while it runs, one dense row per state
// that some input reaches, like RE2's. Use contains() (lang.h) for a few words.
// One thread at a time, like the Context it draws from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regular/id_map.h"
#include "regular/lang.h"

namespace nacre::regular {

class Matcher {
 public:
  // A language over bytes.
  explicit Matcher(Lang lang);

  [[nodiscard]] bool matches(std::string_view word);
  // How many lines of the text are in the language; a last line without newline counts.
  size_t count_lines(std::string_view text);

 private:
  // States are offsets of their rows in next_. State 0 stands for "not computed yet", so rows start
  // as zeros; the row of the dead state leads to itself.
  using State = uint32_t;
  static constexpr State kUnknown = 0;
  static constexpr State kDead = 256;

  State state_of(TermId id);
  void fill(State state);
  // Follows the bytes up to `end` or up to a state where more bytes make no difference.
  State run(const char* begin, const char* end);

  [[nodiscard]] bool accepts(State state) const { return accepting_[state / 256] != 0; }
  // Every continuation without newline is accepted, or none is.
  [[nodiscard]] bool is_settled(State state) const { return settled_[state / 256] != 0; }

  Lang lang_;
  std::vector<State> next_;  // 256 entries a state
  std::vector<TermId> terms_;
  std::vector<uint8_t> accepting_;
  std::vector<uint8_t> settled_;
  IdMap states_;
  State start_ = kUnknown;
};

}  // namespace nacre::regular
