// What a descriptor of a simulated process refers to: a file of the tree with an offset, an end of
// a pipe, or a stream of the host. Descriptors that were duplicated or inherited share one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "world/tree.h"

namespace nacre::world {

struct Pipe {
  std::string data;
  size_t begin = 0;
  size_t capacity = 65536;
  int readers = 0;
  int writers = 0;
  uint64_t opened_readers = 0;  // ever: a fifo's open() waits for the other side
  uint64_t opened_writers = 0;

  [[nodiscard]] size_t size() const { return data.size() - begin; }
  [[nodiscard]] size_t room() const { return capacity - size(); }
  void put(std::string_view piece) { data.append(piece); }
  std::string_view front(size_t most) const {
    return std::string_view(data).substr(begin, std::min(most, size()));
  }
  void take(size_t count) {
    begin += count;
    if (begin == data.size() || begin > capacity) {
      data.erase(0, begin);
      begin = 0;
    }
  }
};

// A way out of the simulation: where the first process's input comes from and its output goes to.
struct Stream {
  std::function<size_t(char* buffer, size_t size)> read;  // 0: the end
  std::function<void(std::string_view)> write;
  std::string ahead;  // read from the host, not yet by a process
};

struct OpenFile {
  FileTree* tree = nullptr;
  InodeId inode = kNoInode;
  std::shared_ptr<Pipe> pipe;
  std::shared_ptr<Stream> stream;
  uint64_t offset = 0;
  bool reads = false;
  bool writes = false;
  bool appends = false;
  std::string name;  // for people: the path it was opened by, or what else it is

  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (inode != kNoInode) tree->release(inode);
    if (pipe != nullptr && reads) --pipe->readers;
    if (pipe != nullptr && writes) --pipe->writers;
  }
};

}  // namespace nacre::world
