// Memory for the nodes of one tree: allocation is a pointer bump, everything is freed at once.
// Only for trivially destructible types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nacre::shell {

class Arena {
 public:
  Arena() = default;
  // For about `expected` bytes.
  explicit Arena(size_t expected) : next_block_(expected) {}
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    Arena(std::move(other)).swap(*this);
    return *this;
  }

  template <typename T>
  T* make(const T& value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(value);
  }

  template <typename T>
  std::span<const T> copy(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return {};
    auto* to = static_cast<T*>(allocate(values.size_bytes(), alignof(T)));
    // Lists are short: the first item is copied in place, without a call.
    constexpr size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    std::memcpy(static_cast<void*>(to), values.data(), kSize);
    if (values.size() > 1)
      std::memcpy(static_cast<void*>(to + 1), values.data() + 1, values.size_bytes() - kSize);
    return {to, values.size()};
  }

  std::string_view copy(std::string_view text) {
    auto bytes = copy(std::span<const char>(text));
    return {bytes.data(), bytes.size()};
  }

  [[gnu::always_inline]] void* allocate(size_t size, size_t alignment) {
    auto at = (reinterpret_cast<uintptr_t>(next_) + alignment - 1) & ~(alignment - 1);
    if (at + size > reinterpret_cast<uintptr_t>(end_)) return grow(size);
    next_ = reinterpret_cast<char*>(at + size);
    return reinterpret_cast<void*>(at);
  }

  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kFirstBlock = 1024;
  static constexpr size_t kUnusedAtMost = 10;  // at most a tenth of a block
  static constexpr size_t kLargestBlock = size_t{1} << 20;

  [[gnu::noinline]] void* grow(size_t size) {
    size_t block = std::max(next_block_, size);
    next_block_ = std::clamp(bytes_ / kUnusedAtMost, kFirstBlock, kLargestBlock);
    blocks_.emplace_back(new char[block]);
    bytes_ += block;
    next_ = blocks_.back().get() + size;
    end_ = blocks_.back().get() + block;
    return blocks_.back().get();
  }

  void swap(Arena& other) {
    std::swap(blocks_, other.blocks_);
    std::swap(next_, other.next_);
    std::swap(end_, other.end_);
    std::swap(bytes_, other.bytes_);
    std::swap(next_block_, other.next_block_);
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  size_t bytes_ = 0;
  size_t next_block_ = kFirstBlock;
};

}  // namespace nacre::shell
