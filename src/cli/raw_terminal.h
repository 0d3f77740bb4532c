// The terminal in raw mode with a screen of its own, as long as this lives. The user gets it back
// as it was whichever way the program ends: a signal (^C, TERM, HUP, QUIT) restores it before it
// kills, ^Z before it stops, and a later `fg` takes the screen again. One at a time.
#pragma once

#include <string_view>

namespace nacre::cli {

class RawTerminal {
 public:
  RawTerminal();
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  struct Size {
    size_t columns;
    size_t rows;
  };
  [[nodiscard]] static Size size();
  static void put(std::string_view text);
  // A character, or one of these.
  enum Key : int { kOther = 0, kUp = 256, kDown, kRight, kLeft, kResized, kEnd };
  [[nodiscard]] static int key();
};

}  // namespace nacre::cli
