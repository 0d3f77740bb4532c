// Files that asks another Files everything: a base for those that change a few answers.
#pragma once

#include "base/files.h"

namespace nacre {

// `files` must outlive this.
class ForwardingFiles : public Files {
 public:
  explicit ForwardingFiles(const Files& files) : files_(files) {}

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         uint64_t max_bytes) const override {
    return files_.read(path, max_bytes);
  }
  [[nodiscard]] std::string read_beginning(const std::string& path, size_t bytes) const override {
    return files_.read_beginning(path, bytes);
  }
  [[nodiscard]] FileKind kind(const std::string& path) const override { return files_.kind(path); }
  [[nodiscard]] Result<std::vector<DirectoryEntry>> list(
      const std::string& directory) const override {
    return files_.list(directory);
  }
  [[nodiscard]] std::optional<std::string> variable(const std::string& name) const override {
    return files_.variable(name);
  }
  [[nodiscard]] Variables environment() const override { return files_.environment(); }
  [[nodiscard]] std::string working_directory() const override {
    return files_.working_directory();
  }

 protected:
  [[nodiscard]] const Files& below() const { return files_; }

 private:
  const Files& files_;
};

}  // namespace nacre
