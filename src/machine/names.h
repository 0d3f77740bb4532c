// Names as numbers: every variable, function and command name that a shell meets is interned once,
// so that looking one up while running is an index into a table. Append-only; shared by a machine,
// its code and its clones. Not thread-safe: one table belongs to one family of machines.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace nacre::machine {

enum class NameId : uint32_t {};
constexpr NameId kNoName{~uint32_t{0}};

class Names {
 public:
  NameId intern(std::string_view name) {
    if (auto found = ids_.find(name); found != ids_.end()) return found->second;
    const std::string& kept = names_.emplace_back(name);
    NameId id{static_cast<uint32_t>(names_.size() - 1)};
    ids_.emplace(kept, id);
    return id;
  }
  // kNoName if it was never used.
  [[nodiscard]] NameId find(std::string_view name) const {
    auto found = ids_.find(name);
    return found == ids_.end() ? kNoName : found->second;
  }
  [[nodiscard]] const std::string& text(NameId id) const {
    return names_[static_cast<uint32_t>(id)];
  }
  [[nodiscard]] size_t size() const { return names_.size(); }
  // A number for a table of functions that no machine of the family has used.
  uint32_t next_generation() { return ++generation_; }

 private:
  uint32_t generation_ = 1;
  std::deque<std::string> names_;  // a deque: the keys of ids_ point into it
  std::unordered_map<std::string_view, NameId> ids_;
};

// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool is_name_char(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}
[[nodiscard]] constexpr bool is_name(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (char c : text) {
    if (!is_name_char(c)) return false;
  }
  return true;
}

}  // namespace nacre::machine
