// A stack on which lists are built: what is above a mark when take() is called becomes a list in
// the arena. One stack serves all lists of a kind, also those within each other. Only for trivial
// types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "shell/arena.h"

namespace nacre::shell {

// Not a std::vector: g++ does not inline its push_back here, which is called for every word.
template <typename T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  [[nodiscard]] size_t mark() const { return size_; }
  [[gnu::always_inline]] void push(const T& item) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    items_[size_++] = item;
  }
  [[nodiscard]] size_t count(size_t mark) const { return size_ - mark; }
  [[nodiscard]] T& back() { return items_[size_ - 1]; }
  [[nodiscard]] T& operator[](size_t index) { return items_[index]; }
  void drop(size_t mark) { size_ = mark; }
  [[nodiscard]] std::span<const T> view(size_t mark) const {
    return {items_.get() + mark, size_ - mark};
  }
  std::span<const T> take(size_t mark, Arena& arena) {
    auto result = arena.copy(view(mark));
    drop(mark);
    return result;
  }

 private:
  [[gnu::noinline]] void grow() {
    capacity_ = std::max<size_t>(4, 2 * capacity_);
    auto larger = std::make_unique<T[]>(capacity_);
    std::copy(items_.get(), items_.get() + size_, larger.get());
    items_ = std::move(larger);
  }

  std::unique_ptr<T[]> items_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace nacre::shell
