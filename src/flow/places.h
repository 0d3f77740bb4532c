// What a script knows of the files that it names: it has made one, removed one or asked for one on
// every path to this point. Nothing is assumed of the system, and what a command that is not known
// may have changed is forgotten. Plain values; part of the Environment. Internal to this module.
//
// A place is named by a key, a text that two words share only if they name one file: the path from
// the root, from where the script was started (`./a`), from a directory that a `cd` went to
// (`#12/a`), or from a variable that was not assigned since (`${x}/a`), or from the home directory
// (`~/a`).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/span.h"

namespace nacre::flow {

// What may be there: bits. A link counts as what it leads to.
enum PlaceKind : uint8_t {
  kAbsentPlace = 1,
  kFilePlace = 2,
  kDirectoryPlace = 4,
  kDanglingPlace = 8,  // a link that leads nowhere
  kAnyPlace = 15,
};

struct Place {
  enum class Told : uint8_t { kMade, kRemoved, kMoved, kTested, kTemporary };
  uint8_t kinds = kAnyPlace;
  Told told = Told::kMade;
  Span by;       // the command that made it so, or that asked
  Span written;  // a text of the script's own that went there, and nothing has read it since
};
using Places = std::map<std::string, Place, std::less<>>;

constexpr std::string_view kStartDirectory = ".";

// The text before the first slash: where the path of the key begins. Of an absolute one it is "".
[[nodiscard]] inline std::string_view place_root(std::string_view key) {
  return key.substr(0, key.find('/'));
}
// Below `directory`, at any depth.
[[nodiscard]] inline bool is_below(std::string_view key, std::string_view directory) {
  if (directory == "/") return key.size() > 1 && key.starts_with('/');
  return key.size() > directory.size() && key.starts_with(directory) &&
         key[directory.size()] == '/';
}

[[nodiscard]] uint8_t kinds_at(const Places& places, std::string_view key);
// What says so: the place itself, or a directory above it that is not there.
[[nodiscard]] const Place* telling_place(const Places& places, std::string_view key);

// The entry was changed: nothing is known any more of it, of what is below it, nor of other keys
// that may name the same file.
void forget_place(Places& places, std::string_view key);
// Of what is not below a directory that this text, which is part of a key, is in: `${x}`.
void forget_places_naming(Places& places, std::string_view part);
void set_place(Places& places, const std::string& key, const Place& place);

// What holds if either does. True if `into` has changed.
bool join_places(Places& into, const Places& other);
[[nodiscard]] bool is_same_places(const Places& a, const Places& b);

}  // namespace nacre::flow
