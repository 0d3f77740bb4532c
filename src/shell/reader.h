// Text to trees, one complete command at a time: for a shell that runs what it reads. A complete
// command ends at a newline (or at the end of the input), and nothing after it is looked at, so
// that aliases, options and the dialect may change between two calls of next(), and a command may
// itself read the rest of the input.
//
//   CommandReader reader(file);                       // a script, `eval`, `.`
//   CommandReader reader(more, "stdin");              // a stream: more() is asked for each line
//   while (true) {
//     auto read = reader.next(options);
//     if (read.status == ReadStatus::kEnd) break;
//     if (read.status == ReadStatus::kError) report(read.error), reader.skip_line();
//     else run(read.tree->program());                 // may be empty: blank line or comment
//   }
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "shell/parse.h"
#include "shell/tree.h"

namespace nacre::shell {

// Appends the next line (or any amount of text) to `buffer`; false at the end of the input.
// `is_continued`: the text so far is not a complete command (the prompt is PS2).
using ReadMore = std::function<bool(std::string& buffer, bool is_continued)>;

enum class ReadStatus : uint8_t { kCommand, kEnd, kError };

struct ReadResult {
  ReadStatus status = ReadStatus::kEnd;
  std::shared_ptr<const Tree> tree;  // kCommand
  std::optional<Diagnostic> error;   // kError: what the shell would say; its span is in `file`
  bool is_in_array = false;          // kError: within a=( ), which only ends the line in bash
  std::string_view input;            // the bytes that were read for it, until the next call
};

class CommandReader {
 public:
  // Spans are those of `file`; its bytes are not copied.
  explicit CommandReader(SourceFile file);
  // Each tree has the lines of its command as its file, called `name`; Tree::line_of counts on.
  CommandReader(ReadMore more, std::string name);
  CommandReader(CommandReader&&) noexcept;
  CommandReader& operator=(CommandReader&&) noexcept;
  ~CommandReader();

  [[nodiscard]] ReadResult next(const ParseOptions& options);
  // After an error in an interactive shell: drops what was read of the current line.
  void skip_line();
  // Number of the line that next() starts with.
  [[nodiscard]] uint32_t line() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nacre::shell
