// Where the bodies of a text's functions end, so that the next reading of the same text can leave
// them out without looking into them: three hundred tests source the same library, and each of them
// calls two of its functions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/source_file.h"
#include "shell/dialect.h"

namespace nacre::shell {

class BodyIndex {
 public:
  // Reads the whole text. The index of one with mistakes has no bodies.
  BodyIndex(const SourceFile& text, Dialect dialect);

  // Whether offsets in a text of this size are those of the indexed one: texts within it are
  // smaller.
  [[nodiscard]] bool is_about(size_t text_size) const { return text_size == text_size_; }
  // The end of the body whose `{` is at `begin`. Only bodies that nothing follows on their last
  // line are here, and that hold their here-documents.
  [[nodiscard]] std::optional<uint32_t> end_of(uint32_t begin) const;

 private:
  size_t text_size_;
  std::vector<std::pair<uint32_t, uint32_t>> bodies_;  // sorted
};

// Makes each index once, by the content of the text. May be used from several threads.
class BodyCache {
 public:
  explicit BodyCache(uint64_t max_bytes = 64u << 20) : left_(max_bytes) {}
  std::shared_ptr<const BodyIndex> index_of(const SourceFile& text, Dialect dialect);

 private:
  struct Entry {
    SourceFile text;
    std::shared_ptr<const BodyIndex> index;
  };
  std::mutex mutex_;
  std::map<std::pair<size_t, Dialect>, Entry> entries_;  // by the text's hash
  uint64_t left_;                                        // of texts that may still be kept
};

}  // namespace nacre::shell
