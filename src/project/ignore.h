// What a directory walk leaves out: .gitignore files with git's meaning, read on the way down, and
// .git/info/exclude. The ignore file of the user's home is not read: what is checked should not
// depend on who checks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "project/glob.h"

namespace nacre::project {

// The rules that hold in one directory: its own and those of the directories above. Immutable and
// shared with the directories below.
class IgnoreRules {
 public:
  using Handle = std::shared_ptr<const IgnoreRules>;

  // The rules in `directory`, an absolute path: from the root of the git repository it lies in (or
  // from itself, outside of any) down to it.
  static Handle at(const Files& files, const std::string& directory);
  // The rules in a directory `name` of the one that `above` belongs to.
  static Handle below(const Files& files, const Handle& above, std::string_view name);

  // Whether the entry `name` of this directory is left out.
  [[nodiscard]] bool ignores(std::string_view name, bool is_directory) const;

 private:
  struct Rule {
    PathPattern pattern;
    bool is_negated;
  };

  IgnoreRules(const Files& files, std::string directory, Handle above);
  void add_file(const Files& files, const std::string& path);
  void add_line(std::string_view line);

  std::string directory_;
  Handle above_;
  std::vector<Rule> rules_;
};

}  // namespace nacre::project
