// The variables of a Makefile while it is read. Where a condition is not known, every arm is read
// from the same state; afterwards a variable that differs between them has the value of the last
// arm, as an assumption. Only what an arm changed is remembered, so arms cost what they assign.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_file.h"
#include "make/syntax.h"
#include "make/text.h"

namespace nacre::make {

// A place in a file. What comes from $(eval ...) or an expansion has the place of that.
struct Place {
  SourceFile file;
  Span span;
};

enum class Origin : uint8_t {
  kUndefined,
  kDefault,
  kEnvironment,
  kFile,
  kCommandLine,
  kOverride,
  kAutomatic,
};

struct Variable {
  std::string value;
  bool is_recursive = true;
  bool is_assumed = false;  // may have another value when make runs
  bool appends = false;     // of a target: `+=` on what holds outside
  bool is_private = false;
  std::optional<bool> is_exported = std::nullopt;  // nothing said: only if it came from outside
  Origin origin = Origin::kFile;
  Place place = {};
};

using VariableMap = std::map<std::string, Variable, std::less<>>;

class Variables {
 public:
  [[nodiscard]] const Variable* find(std::string_view name) const;
  void set(std::string_view name, Variable variable);
  void remove(std::string_view name);
  [[nodiscard]] const VariableMap& all() const { return map_; }

  // A conditional with an unknown condition: begin(), then end_arm() after each arm, then join().
  void begin_arms() { choices_.push_back({}); }
  void end_arm();
  // `is_complete`: one of the arms is surely taken.
  void join_arms(bool is_complete);

 private:
  using Changes = std::map<std::string, std::optional<Variable>, std::less<>>;
  struct Choice {
    Changes before;              // what the present arm has replaced
    std::vector<Changes> after;  // what the arms before have left
  };
  void remember(std::string_view name);

  VariableMap map_;
  std::vector<Choice> choices_;
};

}  // namespace nacre::make
