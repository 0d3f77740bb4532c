// The real files and environment of the process. Never blocks: pipes, devices and other files that
// are not regular are refused before they are opened, and those in /proc that wait for something
// end with an error.
#pragma once

#include "base/files.h"

namespace nacre::system {

class HostFiles : public Files {
 public:
  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         uint64_t max_bytes) const override;
  [[nodiscard]] std::string read_beginning(const std::string& path, size_t bytes) const override;
  [[nodiscard]] FileKind kind(const std::string& path) const override;
  [[nodiscard]] Result<std::vector<DirectoryEntry>> list(
      const std::string& directory) const override;
  [[nodiscard]] std::optional<std::string> variable(const std::string& name) const override;
  [[nodiscard]] Variables environment() const override;
  [[nodiscard]] std::string working_directory() const override;
};

// What can be read from an open descriptor until its end, a pipe or a terminal as well: standard
// input, and what a shell's `<(...)` names as /dev/fd/N.
[[nodiscard]] Result<std::string> read_descriptor(int descriptor, uint64_t max_bytes);

// The descriptor of this process that a path names: /dev/stdin, /dev/fd/N, /proc/self/fd/N.
[[nodiscard]] std::optional<int> descriptor_named(const std::string& path);

}  // namespace nacre::system
