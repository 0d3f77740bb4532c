#include "flow/places.h"

#include <algorithm>
#include <vector>

#include "flow/place_names.h"

namespace nacre::flow {

namespace {

constexpr size_t kMaxPlaces = 64;  // more of them are not remembered

std::string_view last_name(std::string_view key) { return key.substr(key.rfind('/') + 1); }

// Two keys that differ may still name one file: `$a` and `$b`, `$a/x` and /etc/x.
bool may_be_one(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (place_root(a) == place_root(b) && !names_several(a) && !names_several(b)) return false;
  if (a.find('/') == a.npos || b.find('/') == b.npos) return true;  // a variable alone: any file
  return names_several(a) || names_several(b) || last_name(a) == last_name(b);
}

}  // namespace

const Place* telling_place(const Places& places, std::string_view key) {
  // The outermost directory that is not there, else the place itself.
  for (size_t at = key.find('/', 1); at != key.npos; at = key.find('/', at + 1)) {
    const auto above = places.find(key.substr(0, at));
    if (above != places.end() && (above->second.kinds & kDirectoryPlace) == 0)
      return &above->second;
  }
  const auto own = places.find(key);
  return own == places.end() ? nullptr : &own->second;
}

uint8_t kinds_at(const Places& places, std::string_view key) {
  if (key == "/" || key == "~" || key == kStartDirectory) return kDirectoryPlace;
  if (key.starts_with('#') && key.find('/') == key.npos) return kDirectoryPlace;
  const Place* place = telling_place(places, key);
  if (!place) return kAnyPlace;
  const auto own = places.find(key);
  return own != places.end() && &own->second == place ? place->kinds : uint8_t{kAbsentPlace};
}

void forget_place(Places& places, std::string_view key) {
  std::erase_if(places, [&](const auto& entry) {
    return is_below(entry.first, key) || may_be_one(entry.first, key);
  });
}

void forget_places_naming(Places& places, std::string_view part) {
  std::erase_if(places, [&](const auto& entry) { return entry.first.find(part) != part.npos; });
}

void set_place(Places& places, const std::string& key, const Place& place) {
  if (names_several(key)) return;
  if (places.size() < kMaxPlaces || places.contains(key)) places.insert_or_assign(key, place);
}

bool join_places(Places& into, const Places& other) {
  bool has_changed = false;
  for (auto at = into.begin(); at != into.end();) {
    const auto that = other.find(at->first);
    const uint8_t kinds = that == other.end()
                              ? uint8_t{kAnyPlace}
                              : static_cast<uint8_t>(at->second.kinds | that->second.kinds);
    const bool is_written =
        that != other.end() && !at->second.written.empty() && !that->second.written.empty();
    if (kinds == kAnyPlace) {
      at = into.erase(at);
      has_changed = true;
      continue;
    }
    has_changed |= kinds != at->second.kinds || is_written == at->second.written.empty();
    at->second.kinds = kinds;
    if (!is_written) at->second.written = {};
    ++at;
  }
  return has_changed;
}

bool is_same_places(const Places& a, const Places& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.kinds == y.second.kinds &&
           x.second.written.empty() == y.second.written.empty();
  });
}

}  // namespace nacre::flow
