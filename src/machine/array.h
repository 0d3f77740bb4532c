// The value of an array variable of bash: indexed (sparse, in the order of its indices) or
// associative (in the order in which bash 5.2 lists it, which scripts see in `${!a[@]}`).
//
//   Array array(ArrayKind::kIndexed);
//   array.at(Key(3)) = "x";
//   for (const Array::Entry& entry : array.entries()) use(entry.key_text(), *entry.value);
//
// An element of a dense indexed array and one of an associative array are found in constant time;
// of a sparse one in logarithmic time, where adding in the middle moves what follows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nacre::machine {

enum class ArrayKind : uint8_t { kIndexed, kAssociative };

// The subscript of one element, evaluated.
struct Key {
  Key() = default;
  explicit Key(int64_t at) : index(at) {}
  explicit Key(std::string_view key) : is_text(true), text(key) {}

  bool is_text = false;
  int64_t index = 0;
  std::string text;  // of an associative array
};

class Array {
 public:
  struct Entry {
    int64_t index = 0;
    const std::string* key = nullptr;  // null: `index` counts
    const std::string* value = nullptr;
    [[nodiscard]] std::string key_text() const {
      return key != nullptr ? *key : std::to_string(index);
    }
  };

  explicit Array(ArrayKind kind);

  [[nodiscard]] ArrayKind kind() const {
    return std::holds_alternative<Indexed>(elements_) ? ArrayKind::kIndexed
                                                      : ArrayKind::kAssociative;
  }
  [[nodiscard]] bool is_associative() const { return kind() == ArrayKind::kAssociative; }
  [[nodiscard]] size_t size() const;
  // Null if there is none. The key fits the kind.
  [[nodiscard]] const std::string* find(const Key& key) const;
  [[nodiscard]] std::string& at(const Key& key);  // made if it was missing
  void erase(const Key& key);
  void clear();
  // One more than the last index.
  [[nodiscard]] int64_t end_index() const;
  // Valid until the next change.
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] size_t bytes() const;

  bool is_assigned = false;  // false: only declared, `declare -p` shows no value

 private:
  struct Element {
    int64_t index;
    std::string value;
  };
  struct Indexed {
    std::vector<Element> elements;  // by index
    [[nodiscard]] size_t position(int64_t index) const;
    [[nodiscard]] bool has(size_t position, int64_t index) const {
      return position < elements.size() && elements[position].index == index;
    }
  };
  struct Slot {
    std::string key;
    std::string value;
    uint32_t hash = 0;
    uint32_t next = kNoSlot;
  };
  static constexpr uint32_t kNoSlot = ~uint32_t{0};
  // Chains of slots, newest first, as in bash; slots that were erased are used again.
  struct Associative {
    std::vector<uint32_t> buckets;  // a power of two, or none yet
    std::vector<Slot> slots;
    std::vector<uint32_t> free_slots;
    size_t size = 0;
    [[nodiscard]] uint32_t find(std::string_view key, uint32_t hash) const;
    uint32_t add(std::string_view key, uint32_t hash);
    void grow();
  };

  std::variant<Indexed, Associative> elements_;
};

}  // namespace nacre::machine
