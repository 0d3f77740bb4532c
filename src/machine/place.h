// Where a value is: a variable, an element of an array, a positional or special parameter, or all
// elements or parameters at once. What `x`, `a[3]`, `!ref` or `@` in ${...} stand for when
// subscript and references have been followed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/array.h"
#include "machine/names.h"

namespace nacre::machine {

struct Place {
  enum class Kind : uint8_t {
    kVariable,
    kElement,
    kPositional,
    kSpecial,
    kAllParameters,
    kAllElements,
  };
  Kind kind = Kind::kVariable;
  char special = 0;        // kSpecial
  bool is_joined = false;  // of the last two: $* and ${a[*]}
  uint32_t position = 0;
  NameId name = kNoName;
  Key key;

  [[nodiscard]] bool is_list() const { return kind >= Kind::kAllParameters; }
};

// The values of a list. They are views of variables, or of what `owner` holds.
struct List {
  std::vector<std::string_view> values;
  std::shared_ptr<const void> owner;
};

// The elements of a=(...), expanded.
struct CompoundValue {
  struct Element {
    bool has_key = false;
    bool is_append = false;
    std::string key;
    std::string value;
  };
  std::vector<Element> elements;
};

}  // namespace nacre::machine
