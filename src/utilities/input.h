// Reading files: whole, in pieces, by lines.
#pragma once

#include <optional>

#include "utilities/utility.h"

namespace nacre::utilities {

// A file operand or, for "-", standard input. Closes what it has opened.
class Input {
 public:
  // `error()` is not 0 if it could not be opened.
  Input(Context& context, std::string_view path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] int descriptor() const { return fd_; }
  // The next bytes; empty at the end or after an error.
  std::string_view piece();
  // The next line without its newline; false at the end. `delimiter` ends lines.
  bool line(std::string& text, char delimiter = '\n');
  // Whether the line that was read last ended with the delimiter.
  [[nodiscard]] bool was_terminated() const { return was_terminated_; }
  std::string rest();

 private:
  Context& context_;
  int fd_ = 0;
  int error_ = 0;
  std::string buffer_;
  size_t begin_ = 0;
  bool was_terminated_ = true;
  unsigned lines_ = 0;
};

// Calls `use(input, name)` for each operand, or for standard input if there is none; says what
// could not be opened ("NAME: path: message"). The status: 1 if one failed.
template <typename Use>
int for_each_input(Context& context, std::vector<std::string> operands, Use&& use) {
  if (operands.empty()) operands.emplace_back("-");
  int status = 0;
  for (const std::string& path : operands) {
    Input input(context, path);
    if (input.error() == 0) use(input, path);
    if (input.error() != 0) status = context.fail(path == "-" ? "-" : path, input.error());
  }
  return status;
}

}  // namespace nacre::utilities
