// What cards say that commands do (commands/effect_run.h), over a set of file systems. The user is
// root. What the constraints cannot tell (contents, owners, the entries of a directory of which not
// all are known) makes the case incomplete, with the reason.
#pragma once

#include "colis/symbolic_files.h"
#include "commands/effect_run.h"

namespace nacre::colis {

class ClauseStore {
 public:
  ClauseStore(SymbolicFiles& files, const std::string& cwd, Choices& choices, bool considers_links,
              bool writes_something)
      : files_(files),
        choices_(choices),
        walker_(files, cwd, choices, considers_links),
        writes_something_(writes_something) {}

  int call(commands::EffectCall call, const std::string& a, const std::string& b);
  bool is(commands::PathTest test, const std::string& path);
  bool related(commands::PathRelation relation, const std::string& a, const std::string& b);
  std::vector<std::string> list(commands::PathList::Kind kind, const std::string& path);
  size_t choose(size_t count) { return choices_.choose(count); }
  std::string fresh(const commands::EffectWords& words);
  void print(const std::string& text) { printed += text + "\n"; }
  void failed(const std::string& what, int error);

  [[nodiscard]] Walker& walker() { return walker_; }

  std::string printed;
  std::vector<std::string> events;  // what was done, and what failed, in words

 private:
  int make(const std::string& path, NodeId (Clause::*maker)(), const char* what);
  int open_to_write(const std::string& path, bool truncates, bool creates_only);
  int unlink(const std::string& path);
  int rmdir(const std::string& path);
  int remove(const std::string& path);
  int rename(const std::string& from, const std::string& to);
  int symlink(const std::string& text, const std::string& path);
  int link(const std::string& from, const std::string& to);
  int chmod(const std::string& mode, const std::string& path, bool is_tree);
  int chown(const std::string& owner, const std::string& path);
  int copy(const std::string& from, const std::string& to, bool is_tree, bool is_forced);
  int copy_directory(const Place& from, const Place& to);
  int copy_file(const Place& from, Place to, bool follows);
  void did(const std::string& what) { events.push_back(what); }

  SymbolicFiles& files_;
  Choices& choices_;
  Walker walker_;
  bool writes_something_;
};

}  // namespace nacre::colis
