// A part of an environment that copies of it share until one of them changes it. Environments are
// copied and joined at every branch, and most branches change little.
#pragma once

#include <memory>

namespace nacre::flow {

template <typename T>
class Shared {
 public:
  const T& operator*() const { return value_ ? *value_ : kEmpty; }
  const T* operator->() const { return &**this; }

  // To be changed; others that share it keep what they have.
  T& edit() {
    if (!value_ || value_.use_count() > 1) value_ = std::make_shared<T>(**this);
    return *value_;
  }

  // Neither was changed since one was copied from the other.
  [[nodiscard]] bool is_shared_with(const Shared& other) const { return value_ == other.value_; }

  friend bool operator==(const Shared& a, const Shared& b) {
    return a.is_shared_with(b) || *a == *b;
  }

 private:
  static inline const T kEmpty{};
  std::shared_ptr<T> value_;  // null: empty
};

}  // namespace nacre::flow
