// How deep a running awk program is nested; part of awk_interpreter.h.
#pragma once

#include "utilities/awk_interpreter.h"

namespace nacre::utilities {

class AwkInterpreter::Level {
 public:
  explicit Level(AwkInterpreter& interpreter) : depth_(interpreter.depth_) {
    // A process of the simulation has a stack of 8 MB.
    constexpr int kMaxLevels = 8000;
    if (++depth_ > kMaxLevels) {
      --depth_;
      fatal("function calls or expressions are nested too deeply");
    }
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

}  // namespace nacre::utilities
