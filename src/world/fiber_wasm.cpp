// Fibers for WebAssembly: emscripten's, which save and restore the stack by Asyncify. The frames of
// a fiber that waits are in a buffer of their own; both are much smaller than on a system that
// gives memory page by page. A buffer that is too small traps. A stack that is too small would
// change other memory: its last bytes are known and looked at after each run of the fiber.
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <emscripten/fiber.h>
#include <new>

#include "world/fiber.h"

namespace nacre::world {

namespace {
constexpr size_t kFrames = size_t{256} << 10;
constexpr size_t kOutsideFrames = size_t{32} << 10;  // of the one loop that resumes fibers
constexpr size_t kGuard = 1024;
constexpr char kUntouched = '\xA5';

bool is_untouched(const char* guard) {
  return std::all_of(guard, guard + kGuard, [](char each) { return each == kUntouched; });
}

}  // namespace

struct Fiber::State {
  ~State() { std::free(stack); }

  std::function<void()> body;
  void* stack = nullptr;
  std::unique_ptr<char[]> frames, outside_frames;
  emscripten_fiber_t inside = {};
  emscripten_fiber_t outside = {};
  bool is_done = false;

  static void run(void* argument) {
    auto* state = static_cast<State*>(argument);
    state->body();
    state->is_done = true;
    emscripten_fiber_swap(&state->inside, &state->outside);
  }
};

Fiber::Fiber(std::function<void()> body, size_t stack_bytes) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.body = std::move(body);
  state.stack = std::aligned_alloc(16, stack_bytes);
  if (state.stack == nullptr) throw std::bad_alloc();
  std::fill_n(static_cast<char*>(state.stack), kGuard, kUntouched);
  state.frames = std::unique_ptr<char[]>(new char[kFrames]);
  state.outside_frames = std::unique_ptr<char[]>(new char[kOutsideFrames]);
  emscripten_fiber_init(&state.inside, State::run, &state, state.stack, stack_bytes,
                        state.frames.get(), kFrames);
  emscripten_fiber_init_from_current_context(&state.outside, state.outside_frames.get(),
                                             kOutsideFrames);
}

Fiber::~Fiber() = default;

void Fiber::resume() {
  assert(!state_->is_done);
  emscripten_fiber_swap(&state_->outside, &state_->inside);
  if (!is_untouched(static_cast<const char*>(state_->stack))) std::abort();
}

void Fiber::suspend() { emscripten_fiber_swap(&state_->inside, &state_->outside); }
bool Fiber::is_done() const { return state_->is_done; }

}  // namespace nacre::world
