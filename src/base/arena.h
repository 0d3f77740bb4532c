// Memory for many small arrays of plain data that live as long as their owner: handed out from
// blocks that grow, never given back one by one. What std::pmr::monotonic_buffer_resource is, which
// some standard libraries do not have. Not copyable; one thread.
//
//   Arena arena(4096);
//   auto* places = arena.array<Place>(count);   // not initialised
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace nacre {

class Arena {
 public:
  explicit Arena(size_t first_block) : next_(first_block) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <typename T>
  T* array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    static_assert(alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

 private:
  static constexpr size_t kMaxBlock = size_t{1} << 20;

  void* allocate(size_t bytes) {
    bytes = (bytes + alignof(std::max_align_t) - 1) & ~(alignof(std::max_align_t) - 1);
    if (left_ < bytes) {
      left_ = std::max(next_, bytes);
      blocks_.emplace_back(new std::byte[left_]);  // not initialised
      at_ = blocks_.back().get();
      next_ = std::min(next_ * 2, kMaxBlock);
    }
    void* result = at_;
    at_ += bytes;
    left_ -= bytes;
    return result;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* at_ = nullptr;
  size_t left_ = 0;
  size_t next_;
};

}  // namespace nacre
