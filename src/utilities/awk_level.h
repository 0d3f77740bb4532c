// How deep a running awk program is nested; part of awk_interpreter.h.
#pragma once

#include "utilities/awk_interpreter.h"
#include "world/fiber.h"

namespace nacre::utilities {

class AwkInterpreter::Level {
 public:
  explicit Level(AwkInterpreter& interpreter) : depth_(interpreter.depth_) {
    constexpr int kMaxLevels = world::kFiberStack >> 10;
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
