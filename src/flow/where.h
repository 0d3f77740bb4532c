// Where the interpreter is: what surrounds the construct at hand and decides what is worth a
// finding, or what the shell makes of a failure. It is changed only by Scoped, so that it is always
// true of the construct at hand, whatever ran before it. Internal to this module.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/span.h"
#include "flow/condition.h"
#include "shell/ast.h"

namespace nacre::flow {

struct Where {
  const Condition* asking = nullptr;           // the condition whose operands are being expanded
  std::string_view assigning = {};             // the variable whose new value is being expanded
  uint32_t tested = 0;                         // conditions around it: errexit is off
  uint32_t ignored = 0;                        // `... || true` around it: a failure is expected
  uint32_t elsewhere = 0;                      // code around it whose places are not the script's
  Span command_word = {};                      // the only word of the command: `$(grep -q a b)`
  bool is_in_uncalled = false;                 // in a function that the script does not call
  const shell::Function* function = nullptr;   // that is running; null: the script itself
  Span function_call = {};                     // the command that called it
  const shell::Pipeline* asked_pipeline = {};  // the pipeline whose status is a condition
};

// Gives a place another value until the end of the block.
template <typename T>
class Scoped {
 public:
  template <typename U>
  Scoped(T& place, U&& value)
      : place_(place), before_(std::exchange(place, std::forward<U>(value))) {}
  ~Scoped() { place_ = std::move(before_); }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  T& place_;
  T before_;
};

}  // namespace nacre::flow
