// What an awk program reads and writes besides standard output: files and commands, each open under
// its name until close() or the end.
#pragma once

#include <map>
#include <optional>

#include "utilities/regex.h"
#include "utilities/utility.h"

namespace nacre::utilities {

// How records end: by a character, by a regular expression, or by empty lines.
struct RecordSeparator {
  std::string text = "\n";     // RS; empty: paragraphs
  std::optional<Regex> regex;  // where `text` has more than one character
};

// Records from a descriptor. The bytes that it holds are bounded by the longest record.
class AwkReader {
 public:
  AwkReader(Context& context, int fd, world::Pid pid = -1)
      : context_(context), fd_(fd), pid_(pid) {}

  // False at the end, or after an error.
  bool next(const RecordSeparator& separator, std::string& record);
  [[nodiscard]] int error() const { return error_; }
  // The status of the command that it reads, otherwise 0.
  int close();

 private:
  bool fill();
  bool until_character(char separator, std::string& record);
  bool until_match(const Regex& separator, std::string& record);
  bool paragraph(std::string& record);
  bool last(std::string& record);
  void take(size_t length, size_t skipped, std::string& record);

  Context& context_;
  int fd_;
  world::Pid pid_;
  std::string buffer_;
  size_t begin_ = 0;
  int error_ = 0;
  bool is_at_end_ = false;
};

class AwkStreams {
 public:
  explicit AwkStreams(Context& context) : context_(context) {}

  enum class Target : uint8_t { kFile, kAppended, kCommand };
  // Writes to a file or command; what cannot be opened is -errno.
  int write(Target target, const std::string& name, std::string_view text);
  // Null if it cannot be opened.
  AwkReader* reader(bool is_command, const std::string& name);
  // -1 if nothing has that name; otherwise the status.
  int close(const std::string& name);
  void flush();
  void close_all();
  // The status of `sh -c command`.
  int run(const std::string& command);

 private:
  struct Output {
    int fd = 1;
    world::Pid pid = -1;
    std::string buffer;
  };
  int open(Target target, const std::string& name, Output& output);
  int start(const std::string& command, bool reads, world::Pid& pid);
  void flush(Output& output);
  int close(Output& output);

  Context& context_;
  std::map<std::string, Output> outputs_;
  std::map<std::string, AwkReader> readers_;
};

}  // namespace nacre::utilities
