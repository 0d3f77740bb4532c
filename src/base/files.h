// The outside of a check: files and the environment. Analyses never touch the disk or the
// environment themselves; they ask here, so that an editor can show them unsaved buffers, a browser
// a tree in memory, and a test any world it likes. `system/host_files.h` is the real one,
// `base/memory_files.h` a fake.
//
// Only regular files (and /dev/null) are ever read: a pipe or a device would block or never end.
// Relative paths count from working_directory(). All calls are const and may come from several
// threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/source_file.h"

namespace nacre {

enum class FileKind : uint8_t { kMissing, kRegular, kDirectory, kOther };

struct DirectoryEntry {
  std::string name;
  FileKind kind = FileKind::kRegular;  // of what a link points to
  bool is_link = false;
  friend bool operator==(const DirectoryEntry&, const DirectoryEntry&) = default;
};

class Files {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  Files() = default;
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  virtual ~Files() = default;

  // The bytes of a regular file. Anything else, a file over `max_bytes` and one that cannot be
  // opened are errors: "is a directory", "not a regular file", "permission denied", ...
  [[nodiscard]] virtual Result<std::string> read(const std::string& path,
                                                 uint64_t max_bytes) const = 0;
  // Up to `bytes` from the beginning of a regular file; empty when it cannot be read.
  [[nodiscard]] virtual std::string read_beginning(const std::string& path, size_t bytes) const = 0;
  // Links are followed.
  [[nodiscard]] virtual FileKind kind(const std::string& path) const = 0;
  // Without "." and "..", sorted by name.
  [[nodiscard]] virtual Result<std::vector<DirectoryEntry>> list(
      const std::string& directory) const = 0;
  [[nodiscard]] virtual std::optional<std::string> variable(const std::string& name) const = 0;
  [[nodiscard]] virtual Variables environment() const = 0;
  [[nodiscard]] virtual std::string working_directory() const = 0;
};

// The file at `path` as a text called `name`.
Result<SourceFile> read_source(const Files& files, const std::string& path, std::string name,
                               uint64_t max_bytes);

// The path from the root, without "." and "..", and without a slash at its end.
std::string absolute_path(const Files& files, const std::string& path);

}  // namespace nacre
