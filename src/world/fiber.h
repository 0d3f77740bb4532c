// A function with a stack of its own that can stop in the middle and go on later: what a simulated
// process runs on, so that a call which has to wait looks like a call. Not copyable; a fiber and
// all of its resume() calls belong to one thread.
//
// A fiber that has not ended cannot just be dropped, because what is on its stack has destructors:
// its owner makes it unwind (an exception that never leaves the fiber) and resumes it once more.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace nacre::world {

// What a simulated process gets. In a browser deep calls end at the browser's own limit, of about 1
// MB for frames that are several times as large as native ones.
#ifdef __EMSCRIPTEN__
constexpr size_t kFiberStack = size_t{384} << 10;
#else
constexpr size_t kFiberStack = size_t{8} << 20;
#endif

class Fiber {
 public:
  Fiber(std::function<void()> body, size_t stack_bytes);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  void resume();   // from outside: runs until the next suspend() or the end
  void suspend();  // from inside
  [[nodiscard]] bool is_done() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nacre::world
