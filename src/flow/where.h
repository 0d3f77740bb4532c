// Where the interpreter is: what surrounds the construct at hand and decides what is worth a
// finding, or what the shell makes of a failure. It is changed only by Scoped, so that it is always
// true of the construct at hand, whatever ran before it. Internal to this module.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/span.h"
#include "flow/condition.h"
#include "flow/environment.h"
#include "flow/facts.h"
#include "shell/ast.h"

namespace nacre::flow {

// The last command substitution in the words of a command.
struct Substituted {
  std::optional<Status> status;
  bool prints_on_success = false;  // if it succeeds, it has printed something
};

// What is known of all that prints to a command substitution, beside its type.
struct Capture {
  bool may_print_more = false;    // with other settings of the script
  bool prints_elsewhere = false;  // something goes to a descriptor that the script opened
  uint8_t varies = 0;             // what the words of its commands depend on: see Variation
};

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
  const shell::Pipeline* pipeline = nullptr;   // the innermost around it
  const shell::Pipeline* asked_pipeline = {};  // the pipeline whose status is a condition
  Substituted* substituted = nullptr;          // the words being expanded: where to note that
  bool keeps_status = false;   // the substitution is all that decides the status of its command
  Capture* capture = nullptr;  // the substitution that reads what is printed
  ExpansionContext expanding = ExpansionContext::kArgument;  // of the words being expanded
  bool is_quoted = false;                                    // a part of one in double quotes
  bool is_again = false;  // something that was interpreted before: nothing is recorded
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
