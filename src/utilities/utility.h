// Models of the utilities that scripts use, as functions over the Os interface: they behave as the
// GNU ones (coreutils 9.1, grep 3.8, sed 4.9, findutils 4.9) do in the C locale, with the options
// that scripts use. An option that is not modelled is an error of its own, with the status
// kNotModelled, which none of the real ones has for that; nothing is silently left out.
//
// A utility is a function and a line in the table of utilities.cpp. It keeps nothing between calls.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "world/os.h"

namespace nacre::utilities {

constexpr int kNotModelled = 125;

class Context {
 public:
  Context(world::Os& world, std::vector<std::string> given, std::vector<std::string> variables)
      : os(world), arguments(std::move(given)), environment(std::move(variables)) {}

  world::Os& os;
  std::vector<std::string> arguments;    // with the name first
  std::vector<std::string> environment;  // NAME=value

  [[nodiscard]] const std::string& name() const { return arguments[0]; }
  // Null if it is not set.
  [[nodiscard]] const char* variable(std::string_view name) const;

  // Standard output is kept until it is worth a write. `status` is 1 after a failure to write.
  void out(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kFlushSize) flush();
  }
  void out(char c) { out(std::string_view(&c, 1)); }
  bool flush();

  // "NAME: MESSAGE" on standard error. Returns 1, a status to return.
  int fail(std::string_view message);
  // "NAME: WHAT: the message of errno -error".
  int fail(std::string_view what, int error);
  int not_modelled(std::string_view what);
  // The utility keeps this number of bytes now; if the world has no more, this ends the process.
  void holds(size_t bytes);

 private:
  static constexpr size_t kFlushSize = 65536;
  std::string buffer_;
  bool is_broken_ = false;
};

using Utility = int (*)(Context&);

struct Entry {
  std::string_view name;
  Utility run;
};

[[nodiscard]] std::span<const Entry> utilities();
// Null if there is none.
[[nodiscard]] Utility find_utility(std::string_view name);
// Runs it and writes what is left of its output.
int run_utility(Utility utility, Context& context);

[[nodiscard]] std::string error_text(int error);  // of -errno or errno
// 'text', as the GNU utilities quote names in the C locale.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace nacre::utilities
