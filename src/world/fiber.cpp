#include "world/fiber.h"

#include <cassert>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef NACRE_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace nacre::world {

namespace {
constexpr size_t kGuard = 4096;
}

struct Fiber::State {
  std::function<void()> body;
  void* stack = nullptr;
  size_t stack_bytes = 0;
  ucontext_t inside = {};
  ucontext_t outside = {};
  bool is_done = false;
  // What the address sanitizer has to be told when stacks change.
  void* inside_fake = nullptr;
  void* outside_fake = nullptr;
  const void* outside_stack = nullptr;
  size_t outside_bytes = 0;

  void enter() {
#ifdef NACRE_SANITIZED
    __sanitizer_finish_switch_fiber(inside_fake, &outside_stack, &outside_bytes);
#endif
  }
  void leave(bool for_good) {
#ifdef NACRE_SANITIZED
    __sanitizer_start_switch_fiber(for_good ? nullptr : &inside_fake, outside_stack, outside_bytes);
#endif
    (void)for_good;
    swapcontext(&inside, &outside);
    enter();
  }
  // makecontext() passes ints only.
  static void trampoline(unsigned high, unsigned low) {
    auto address = (static_cast<uintptr_t>(high) << 32) | low;
    auto* state = reinterpret_cast<State*>(address);
    state->enter();
    state->body();
    state->is_done = true;
    state->leave(true);
  }
};

Fiber::Fiber(std::function<void()> body, size_t stack_bytes) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.body = std::move(body);
  state.stack_bytes = stack_bytes;
  state.stack = mmap(nullptr, stack_bytes + kGuard, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (state.stack == MAP_FAILED) throw std::bad_alloc();
  mprotect(state.stack, kGuard, PROT_NONE);
  getcontext(&state.inside);
  state.inside.uc_stack.ss_sp = static_cast<char*>(state.stack) + kGuard;
  state.inside.uc_stack.ss_size = stack_bytes;
  state.inside.uc_link = nullptr;
  auto address = reinterpret_cast<uintptr_t>(&state);
  makecontext(&state.inside, reinterpret_cast<void (*)()>(State::trampoline), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}

Fiber::~Fiber() { munmap(state_->stack, state_->stack_bytes + kGuard); }

void Fiber::resume() {
  State& state = *state_;
  assert(!state.is_done);
#ifdef NACRE_SANITIZED
  __sanitizer_start_switch_fiber(&state.outside_fake, static_cast<char*>(state.stack) + kGuard,
                                 state.stack_bytes);
#endif
  swapcontext(&state.outside, &state.inside);
#ifdef NACRE_SANITIZED
  __sanitizer_finish_switch_fiber(state.outside_fake, nullptr, nullptr);
#endif
}

void Fiber::suspend() { state_->leave(false); }
bool Fiber::is_done() const { return state_->is_done; }

}  // namespace nacre::world
