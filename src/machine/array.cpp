#include "machine/array.h"

#include <algorithm>
#include <cstddef>

namespace nacre::machine {
namespace {

// What bash 5.2 starts an associative array with, and when and how it grows.
constexpr size_t kFirstBuckets = 1024;
constexpr size_t kMaxLoad = 2;
constexpr size_t kGrowth = 4;

// FNV-1 over signed characters.
uint32_t hash_of(std::string_view key) {
  uint32_t hash = 2166136261U;
  for (char c : key) {
    hash *= 16777619U;
    hash ^= static_cast<uint32_t>(static_cast<int32_t>(static_cast<signed char>(c)));
  }
  return hash;
}

}  // namespace

Array::Array(ArrayKind kind) {
  if (kind == ArrayKind::kAssociative) elements_ = Associative{};
}

size_t Array::Indexed::position(int64_t index) const {
  if (index >= 0 && has(static_cast<size_t>(index), index)) return static_cast<size_t>(index);
  if (elements.empty() || elements.back().index < index) return elements.size();
  auto found = std::lower_bound(elements.begin(), elements.end(), index,
                                [](const Element& e, int64_t wanted) { return e.index < wanted; });
  return static_cast<size_t>(found - elements.begin());
}

uint32_t Array::Associative::find(std::string_view key, uint32_t hash) const {
  if (buckets.empty()) return kNoSlot;
  uint32_t slot = buckets[hash & (buckets.size() - 1)];
  while (slot != kNoSlot && (slots[slot].hash != hash || slots[slot].key != key)) {
    slot = slots[slot].next;
  }
  return slot;
}

// Each chain is taken over from its start, so that what was newest comes last among those that
// stay together: bash does that, and it shows in the order.
void Array::Associative::grow() {
  std::vector<uint32_t> old = std::move(buckets);
  buckets.assign(old.empty() ? kFirstBuckets : old.size() * kGrowth, kNoSlot);
  for (uint32_t slot : old) {
    while (slot != kNoSlot) {
      uint32_t next = slots[slot].next;
      uint32_t& head = buckets[slots[slot].hash & (buckets.size() - 1)];
      slots[slot].next = head;
      head = slot;
      slot = next;
    }
  }
}

uint32_t Array::Associative::add(std::string_view key, uint32_t hash) {
  if (size >= buckets.size() * kMaxLoad) grow();
  uint32_t slot = 0;
  if (free_slots.empty()) {
    slot = static_cast<uint32_t>(slots.size());
    slots.emplace_back();
  } else {
    slot = free_slots.back();
    free_slots.pop_back();
  }
  uint32_t& head = buckets[hash & (buckets.size() - 1)];
  slots[slot] = {std::string(key), "", hash, head};
  head = slot;
  ++size;
  return slot;
}

size_t Array::size() const {
  if (const auto* indexed = std::get_if<Indexed>(&elements_)) return indexed->elements.size();
  return std::get<Associative>(elements_).size;
}

const std::string* Array::find(const Key& key) const {
  if (const auto* indexed = std::get_if<Indexed>(&elements_)) {
    size_t position = indexed->position(key.index);
    return indexed->has(position, key.index) ? &indexed->elements[position].value : nullptr;
  }
  const auto& table = std::get<Associative>(elements_);
  uint32_t slot = table.find(key.text, hash_of(key.text));
  return slot == kNoSlot ? nullptr : &table.slots[slot].value;
}

std::string& Array::at(const Key& key) {
  is_assigned = true;
  if (auto* indexed = std::get_if<Indexed>(&elements_)) {
    size_t position = indexed->position(key.index);
    auto& elements = indexed->elements;
    if (!indexed->has(position, key.index)) {
      elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(position), {key.index, ""});
    }
    return elements[position].value;
  }
  auto& table = std::get<Associative>(elements_);
  uint32_t hash = hash_of(key.text);
  uint32_t slot = table.find(key.text, hash);
  if (slot == kNoSlot) slot = table.add(key.text, hash);
  return table.slots[slot].value;
}

void Array::erase(const Key& key) {
  if (auto* indexed = std::get_if<Indexed>(&elements_)) {
    size_t position = indexed->position(key.index);
    if (indexed->has(position, key.index)) {
      indexed->elements.erase(indexed->elements.begin() + static_cast<std::ptrdiff_t>(position));
    }
    return;
  }
  auto& table = std::get<Associative>(elements_);
  uint32_t hash = hash_of(key.text);
  uint32_t slot = table.find(key.text, hash);
  if (slot == kNoSlot) return;
  uint32_t* link = &table.buckets[hash & (table.buckets.size() - 1)];
  while (*link != slot) link = &table.slots[*link].next;
  *link = table.slots[slot].next;
  table.slots[slot] = {};
  table.free_slots.push_back(slot);
  --table.size;
}

void Array::clear() {
  if (auto* indexed = std::get_if<Indexed>(&elements_)) {
    indexed->elements.clear();
    return;
  }
  auto& table = std::get<Associative>(elements_);
  std::fill(table.buckets.begin(), table.buckets.end(), kNoSlot);
  table.slots.clear();
  table.free_slots.clear();
  table.size = 0;
}

int64_t Array::end_index() const {
  const auto* indexed = std::get_if<Indexed>(&elements_);
  if (indexed == nullptr || indexed->elements.empty()) return 0;
  return indexed->elements.back().index + 1;
}

std::vector<Array::Entry> Array::entries() const {
  std::vector<Entry> result;
  result.reserve(size());
  if (const auto* indexed = std::get_if<Indexed>(&elements_)) {
    for (const Element& element : indexed->elements) {
      result.push_back({element.index, nullptr, &element.value});
    }
    return result;
  }
  const auto& table = std::get<Associative>(elements_);
  for (uint32_t slot : table.buckets) {
    for (; slot != kNoSlot; slot = table.slots[slot].next) {
      result.push_back({0, &table.slots[slot].key, &table.slots[slot].value});
    }
  }
  return result;
}

size_t Array::bytes() const {
  size_t result = 0;
  for (const Entry& entry : entries()) {
    result += sizeof(Slot) + entry.value->capacity();
    if (entry.key != nullptr) result += entry.key->capacity();
  }
  return result;
}

}  // namespace nacre::machine
