// Builtins: a list of small things of one kind. Each has a name, a function and what the machine
// has to know about it. To add one, write the function and add its line to the table in
// builtins.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "machine/fields.h"

namespace nacre::machine {

struct Machine;

// A status, or one of these.
constexpr int kPushed = -1;    // frames were pushed; they set the status
constexpr int kNotReady = -2;  // nothing was done yet: call again

enum BuiltinFlags : uint8_t {
  kSpecial = 1,   // POSIX: assignments before it stay, its errors end a script
  kUndoable = 2,  // changes nothing but what a journal can undo
  kPlain = 4,     // touches descriptors only by reading 0 and writing 1 and 2
  kDeclares = 8,  // its arguments of the form name=value are assignments
  kOnlyBash = 16,
};

struct Builtin {
  std::string_view name;
  int (*run)(Machine& machine, Args args);  // args[0] is the name
  uint8_t flags;
  std::string_view help;  // its synopsis

  [[nodiscard]] bool is(BuiltinFlags flag) const { return (flags & flag) != 0; }
};

[[nodiscard]] std::span<const Builtin> builtins();
// Null if there is none, or if only bash has it.
[[nodiscard]] const Builtin* find_builtin(std::string_view name, bool in_bash = false);
[[nodiscard]] std::string_view bash_usage(std::string_view name);  // as bash writes it
[[nodiscard]] std::span<const std::string_view> reserved_words();

}  // namespace nacre::machine
