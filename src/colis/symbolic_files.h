// A set of file systems: the trees that a clause allows, before the program ran (`initial`) and now
// (`root`). Paths are walked as the kernel does. A question that the clause leaves open is a
// choice: the same call is made again for the other answer, so that the cases of a command are
// found by running it (clause_store.h) until every choice was taken every way.
#pragma once

#include "colis/clause.h"

namespace nacre::colis {

struct SymbolicFiles {
  Clause clause;
  NodeId root{};
  NodeId initial{};
  std::set<std::string> assumed;  // what was taken for granted, for the report
};

// Nothing is known but that the root is a directory (of the original not even that).
[[nodiscard]] SymbolicFiles unknown_files(bool is_original);

// The answers of one run, and then those of the next.
//
//   Choices choices;
//   do { ... choices.choose(2) ... } while (choices.advance());
class Choices {
 public:
  [[nodiscard]] size_t choose(size_t count);
  // False when every answer was taken.
  [[nodiscard]] bool advance();
  void restart() { at_ = 0; }

 private:
  struct Taken {
    size_t answer, count;
  };
  std::vector<Taken> taken_;
  size_t at_ = 0;
};

// Where a path leads.
struct Place {
  enum Last : uint8_t { kName, kDot, kDotDot, kRoot };
  int error = 0;                   // -errno if the directory of the last name cannot be reached
  std::vector<NodeId> nodes;       // from the root to that directory
  std::vector<std::string> names;  // of nodes[1], nodes[2], ...
  Last last = kName;
  std::string name;
  bool has_slash = false;      // after the name
  std::optional<NodeId> node;  // what is there; links are not followed

  // All names from the root: two paths to one place have the same.
  [[nodiscard]] std::vector<std::string> whole() const;
};

class Walker {
 public:
  Walker(SymbolicFiles& files, std::string cwd, Choices& choices, bool considers_links)
      : files_(files), cwd_(std::move(cwd)), choices_(choices), considers_links_(considers_links) {}

  // The directory of the last name and what has the name.
  [[nodiscard]] Place place(const std::string& path);
  // What a path leads to; the place of it, with `error` also where it is not there.
  [[nodiscard]] Place find(const std::string& path, bool follows);

  // Questions about a node, decided if they are open.
  [[nodiscard]] bool is_of(NodeId x, Kinds kinds);
  [[nodiscard]] bool is_link(NodeId x, bool is_asked);
  [[nodiscard]] bool is_empty(NodeId directory);
  [[nodiscard]] bool is_true(FactId fact);

  // Puts something into a place, or takes it away.
  void set(const Place& place, std::optional<NodeId> entry);

  [[nodiscard]] bool is_dead() const { return is_dead_; }
  [[nodiscard]] const std::optional<std::string>& gave_up() const { return gave_up_; }
  void give_up(std::string reason) {
    if (!gave_up_) gave_up_ = std::move(reason);
  }
  // Whether two names lead to one file that a program has linked.
  [[nodiscard]] bool are_linked(NodeId x, NodeId y) const {
    return files_.clause.find(x) == files_.clause.find(y) && files_.clause.node(x).has_other_names;
  }
  void require(bool is_satisfiable) { is_dead_ = is_dead_ || !is_satisfiable; }
  [[nodiscard]] bool is_over() const { return is_dead_ || gave_up_.has_value(); }

 private:
  int enter(Place& at, const std::string& name, bool follows, int& links);
  int follow(Place& at, NodeId link, int& links);
  [[nodiscard]] std::optional<std::string> target_of(NodeId link);
  bool is_there(SlotId slot);

  SymbolicFiles& files_;
  std::string cwd_;
  Choices& choices_;
  bool considers_links_;
  void count_steps(size_t steps);

  size_t steps_ = 0;
  bool is_dead_ = false;
  std::optional<std::string> gave_up_;
};

}  // namespace nacre::colis
