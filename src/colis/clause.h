// A conjunction of constraints on file trees, in the logic of feature trees with updates (Jeannerod
// and Treinen), kept in a normal form: a clause is satisfiable, or the literal that was added last
// said that it is not.
//
// A tree is of a kind; a directory maps names to trees. The variables of the logic are nodes. A
// node has the kinds it may be of, slots by name, and a row: the map of all other names. `x ~F y`,
// "equal outside the names F", is two nodes with the same row and the same slots outside F, so that
// what is learnt of one is known of the other without propagation. A fence, "no other names", is a
// closed row. A slot is open, absent, there (a node), or absent-or-this-node (maybe).
//
//   Clause clause;
//   NodeId root = clause.fresh();
//   clause.feature(root, "etc", clause.fresh(kDirectory))      // false: no tree satisfies it
//   NodeId after = clause.updated(root, "tmp", std::nullopt);  // root without /tmp
//
// Every call that returns a bool says whether the clause is still satisfiable; after false it must
// not be used. A value; copies are independent. Costs: a literal is logarithmic in the clause but
// for equal() and similar(), which are linear.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::colis {

enum class NodeId : uint32_t {};
enum class SlotId : uint32_t {};
enum class RowId : uint32_t {};
enum class FactId : uint32_t {};

using Kinds = uint8_t;  // a set
constexpr Kinds kRegular = 1, kDirectory = 2, kSymlink = 4, kFifo = 8, kSocket = 16,
                kCharacter = 32, kBlock = 64;
constexpr Kinds kAnyKind = 127;

// Something that is true or false of a file, or not known.
enum class Truth : uint8_t { kUnknown, kFalse, kTrue };

struct Slot {
  bool may_be_absent = true;
  bool may_be_there = true;
  std::vector<NodeId> nodes;  // what it is if it is there: all of these are one
};

struct Row {
  std::map<std::string, SlotId, std::less<>> known;
  bool is_closed = false;     // nothing but what is known
  bool is_not_empty = false;  // something is there that is not in `counted`
  std::set<std::string, std::less<>> counted;
};

struct Node {
  Kinds kinds = kAnyKind;
  RowId row{};
  std::map<std::string, SlotId, std::less<>> own;  // instead of what the row has
  std::optional<std::string> target;               // of a symbolic link
  FactId is_filled{}, is_executable{};             // of a regular file
  bool has_other_names = false;                    // made by `ln`
};

class Clause {
 public:
  // A node of which nothing is known but its kind.
  NodeId fresh(Kinds kinds = kAnyKind);
  // An empty directory, and a file.
  NodeId empty_directory();
  NodeId file(Truth is_filled, Truth is_executable);

  [[nodiscard]] NodeId find(NodeId x) const;
  [[nodiscard]] const Node& node(NodeId x) const { return nodes_[index(find(x))]; }
  [[nodiscard]] const Row& row(NodeId x) const { return rows_[index(find_row(node(x).row))]; }
  [[nodiscard]] const Row& row(RowId r) const { return rows_[index(find_row(r))]; }
  [[nodiscard]] RowId find_row(RowId r) const;
  [[nodiscard]] const Slot& slot(SlotId s) const { return slots_[index(find_slot(s))]; }
  [[nodiscard]] Truth truth(FactId f) const { return facts_[index(f)]; }
  // The slot of a name; nothing if the name is not mentioned, so that the row decides.
  [[nodiscard]] std::optional<SlotId> known_slot(NodeId x, std::string_view name) const;
  // All names that are mentioned for x.
  [[nodiscard]] std::set<std::string> names(NodeId x) const;
  [[nodiscard]] size_t size() const { return nodes_.size(); }

  // --- literals
  bool kinds(NodeId x, Kinds allowed);
  bool feature(NodeId x, std::string_view name, NodeId y);   // x[f]y
  bool absent(NodeId x, std::string_view name);              // x[f] is not there: true of files
  bool maybe(NodeId x, std::string_view name, NodeId y);     // absent or y
  bool fence(NodeId x, const std::set<std::string>& names);  // no other names than these
  bool similar(NodeId x, const std::set<std::string>& except, NodeId y);
  bool equal(NodeId x, NodeId y);
  bool not_equal(NodeId x, NodeId y);
  // Something is in x besides `names` and the names that are mentioned.
  bool not_empty_beyond(NodeId x);

  // --- what the store needs to decide things
  SlotId learn(NodeId x, std::string_view name);  // the slot of a name, made if need be
  bool make_absent(SlotId s);
  bool make_there(SlotId s);
  // The node of a slot that is there.
  NodeId there(SlotId s);
  bool close(NodeId x);  // nothing but the names that are mentioned
  void decide(FactId f, Truth truth) { facts_[index(f)] = truth; }
  FactId new_fact(Truth truth);
  Node& edit(NodeId x) { return nodes_[index(find(x))]; }

  // x with another entry, or with none of that name.
  NodeId updated(NodeId x, std::string_view name, std::optional<NodeId> entry);
  // Another node that is now as x is, with the same entries.
  NodeId copy(NodeId x);

 private:
  template <typename Id>
  static size_t index(Id id) {
    return static_cast<size_t>(id);
  }
  [[nodiscard]] SlotId find_slot(SlotId s) const;
  SlotId new_slot();
  RowId new_row();
  bool equal_slots(SlotId a, SlotId b);
  bool merge_nodes_of(SlotId s);
  bool merge_rows(RowId a, RowId b, const std::set<std::string>& except);
  void own_names(RowId row, const std::set<std::string>& names);
  bool has_cycle_from(NodeId start) const;
  [[nodiscard]] bool are_apart() const;
  [[nodiscard]] bool is_blank(NodeId x) const;
  [[nodiscard]] bool must_be_equal(NodeId x, NodeId y, int depth) const;
  bool close_row(RowId r);

  std::vector<Node> nodes_;
  std::vector<Slot> slots_;
  std::vector<Row> rows_;
  std::vector<Truth> facts_;
  std::vector<NodeId> node_parent_;
  std::vector<SlotId> slot_parent_;
  std::vector<RowId> row_parent_;
  std::vector<std::pair<NodeId, NodeId>> unequal_;
};

}  // namespace nacre::colis
