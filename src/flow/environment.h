// The state of the shell at one point of the script, as far as it is known: variables, positional
// parameters, functions, options, the last status, the working directory, the content of files that
// the script wrote. A plain value, cheap to copy (what copies have in common is shared); two of
// them are joined where branches meet.
//
// Names are numbered by Names, once per check.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "commands/stream.h"
#include "flow/places.h"
#include "flow/shared.h"
#include "flow/value.h"
#include "shell/ast.h"

namespace nacre::flow {

enum class Name : uint32_t {};

// The numbers of variable and function names, in the order in which they were first seen.
class Names {
 public:
  Name operator[](std::string_view name);
  // The number of a name that was seen before.
  [[nodiscard]] std::optional<Name> find(std::string_view name) const {
    const auto known = numbers_.find(name);
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }
  [[nodiscard]] std::string_view text(Name name) const {
    return *texts_[static_cast<size_t>(name)];
  }
  [[nodiscard]] size_t size() const { return texts_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, Name, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> texts_;
};

enum class Known : uint8_t { kNo, kYes, kMaybe };

struct Options {
  Known errexit = Known::kNo;
  Known errexit_suspended = Known::kNo;  // errexit does not matter: in the substitutions of bash
  Known nounset = Known::kNo;
  Known pipefail = Known::kNo;
  Known noglob = Known::kNo;
  Known nullglob = Known::kNo;
  Known lastpipe = Known::kNo;
  Known nocasematch = Known::kNo;
  Known noclobber = Known::kNo;
  friend bool operator==(const Options&, const Options&) = default;
};

// The status of the last command.
struct Status {
  bool can_succeed = true;
  bool can_fail = false;
  bool is_excused = false;  // left by a list of && and ||: errexit looks away
  Span origin = {};         // the command that left it
  bool is_printed = false;  // that command only printed a text, and where to is not its business
};

inline Status succeeded(Span origin) { return {true, false, false, origin}; }
inline Status failed(Span origin) { return {false, true, false, origin}; }
inline Status uncertain(Span origin) { return {true, true, false, origin}; }

// $1, $2, ...: the first ones, and whether there may be more than these.
struct Positional {
  std::vector<ValueId> first;
  bool may_have_more = true;
};

struct Definition {
  const shell::Function* function = nullptr;  // null: not defined
  bool may_be_missing = true;                 // on some path it is not defined
  bool may_be_other = false;                  // on some path another one of that name is
  friend bool operator==(const Definition&, const Definition&) = default;
};

// Where relative paths begin, as far as that matters to who removes them.
struct Directory {
  bool is_start = true;                // nothing has changed it
  Span changed_by;                     // the last `cd`
  bool may_have_failed = false;        // ... which may have failed unnoticed
  bool may_be_wrong = false;           // ... which may have been given an empty path
  const shell::Word* given = nullptr;  // that path
  std::string path;                    // if it is known
  std::string place{kStartDirectory};  // its key (places.h); empty: one of several
};

// A stage of a pipeline that has ended assigned the variable; what it has is `kept`.
struct Lost {
  Span span;                        // the assignment
  ValueId kept = {};                // as long as it has this, it was not assigned again
  const shell::Function* function;  // that the pipeline is in
  bool is_group = false;            // it was a subshell that is written as one: ( )
};

using Files = std::map<std::string, commands::Stream, std::less<>>;
// The name of a file without "./" before it.
inline std::string_view plain_path(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}
using FoundCommands = std::map<std::string, bool, std::less<>>;

struct Environment {
  bool is_reachable = true;
  bool is_subshell = false;
  bool has_unknown_code = false;  // a file was sourced or a text evaluated that is not known
  bool has_evaluated = false;     // a text that is not known: it may be `set -- ...`
  Shared<std::vector<ValueId>> variables;     // by Name; beyond the end: inherited
  Shared<std::vector<Definition>> functions;  // by Name; beyond the end: not defined
  Shared<std::map<Name, Lost>> lost;
  Positional positional;
  Options options;
  Status status;
  Directory directory;
  Shared<Files> files;             // by path, as it is written: see plain_path()
  Shared<Places> places;           // what is known of files, by key
  Shared<FoundCommands> commands;  // what `command -v` found, or did not
};

// Nothing is known any more of the files whose names are such.
template <typename Predicate>
void forget_files(Environment& environment, Predicate is_such) {
  const auto is_forgotten = [&](const auto& file) { return is_such(file.first); };
  const Files& files = *environment.files;
  if (std::any_of(files.begin(), files.end(), is_forgotten))
    std::erase_if(environment.files.edit(), is_forgotten);
}

inline Environment unreachable() {
  Environment result;
  result.is_reachable = false;
  return result;
}

// Both ways in which a condition can go.
struct Branches {
  Environment success;
  Environment failure;
};

// The other way round, as `!` has it.
inline Branches negated(Branches branches) {
  std::swap(branches.success, branches.failure);
  branches.success.status = succeeded(branches.success.status.origin);
  branches.failure.status = failed(branches.failure.status.origin);
  return branches;
}

// What holds if either does. `is_widening`: `b` is a later round of a loop that began with `a`.
Environment join(Values& values, const Environment& a, const Environment& b,
                 bool is_widening = false);
// Nothing that decides how the script goes on differs.
bool is_same(const Environment& a, const Environment& b);

}  // namespace nacre::flow
