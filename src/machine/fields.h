// The expanded words of the commands that are being run: a stack of strings in one buffer, each
// with a terminating zero, so that a list of arguments costs no allocation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::machine {

class Fields {
 public:
  [[nodiscard]] size_t size() const { return starts_.size(); }
  void push(std::string_view field) {
    starts_.push_back(bytes_.size());
    bytes_.append(field);
    bytes_.push_back('\0');
  }
  void truncate(size_t size) {
    if (size >= starts_.size()) return;
    bytes_.resize(starts_[size]);
    starts_.resize(size);
  }
  [[nodiscard]] std::string_view operator[](size_t i) const {
    size_t end = i + 1 < starts_.size() ? starts_[i + 1] : bytes_.size();
    return {bytes_.data() + starts_[i], end - starts_[i] - 1};
  }
  [[nodiscard]] size_t bytes() const {
    return bytes_.capacity() + starts_.capacity() * sizeof(size_t);
  }
  [[nodiscard]] char* c_str(size_t i) { return bytes_.data() + starts_[i]; }

 private:
  std::string bytes_;
  std::vector<size_t> starts_;
};

// The arguments of a command: a range of Fields. Views stay valid until the next push.
class Args {
 public:
  Args(const Fields& fields, size_t base) : fields_(fields), base_(base), end_(fields.size()) {}
  [[nodiscard]] size_t size() const { return end_ - base_; }
  [[nodiscard]] std::string_view operator[](size_t i) const { return fields_[base_ + i]; }
  [[nodiscard]] const char* c_str(size_t i) const { return fields_[base_ + i].data(); }
  [[nodiscard]] size_t base() const { return base_; }
  [[nodiscard]] Args from(size_t i) const {
    Args rest = *this;
    rest.base_ += i;
    return rest;
  }

 private:
  const Fields& fields_;
  size_t base_;
  size_t end_;
};

}  // namespace nacre::machine
