// Files in memory: the world of a test, the open buffers of an editor, the tree of a browser. What
// is not in it is asked of another world, if there is one below.
//
//   MemoryFiles files;
//   files.put("/p/lib.sh", "f() { :; }\n");
//   files.set_variable("HOME", "/home/me");
#pragma once

#include <map>
#include <set>

#include "base/files.h"

namespace nacre {

// put() and set_*() are not for use while another thread reads.
class MemoryFiles : public Files {
 public:
  explicit MemoryFiles(const Files* below = nullptr, std::string working_directory = "/")
      : below_(below), working_directory_(std::move(working_directory)) {}

  // `path` counts from the working directory; the directories above it come into being.
  void put(const std::string& path, std::string bytes);
  void remove(const std::string& path);
  // Something that is there and must not be read: a pipe, a device.
  void put_special(const std::string& path);
  void set_variable(const std::string& name, std::string value);

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         uint64_t max_bytes) const override;
  [[nodiscard]] std::string read_beginning(const std::string& path, size_t bytes) const override;
  [[nodiscard]] FileKind kind(const std::string& path) const override;
  [[nodiscard]] Result<std::vector<DirectoryEntry>> list(
      const std::string& directory) const override;
  [[nodiscard]] std::optional<std::string> variable(const std::string& name) const override;
  [[nodiscard]] Variables environment() const override;
  [[nodiscard]] std::string working_directory() const override;

 private:
  const Files* below_;
  std::string working_directory_;
  std::map<std::string, std::string> contents_;  // by absolute path
  std::set<std::string> special_;
  std::map<std::string, std::string> variables_;
};

}  // namespace nacre
