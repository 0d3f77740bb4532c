// The invariants: (1) every id in a node, a slot or a row may be old; find() gives the one that
// counts. (2) A slot that must be there has one node, and none of its nodes is waiting. (3) A
// closed row has a slot for every name that may be there. (4) The edges "there" have no cycle.
//
// Why a clause in this form has a model: take every open or maybe slot for absent, every row for
// what is known of it plus, where it is not empty, a file of a new name; for kinds take any.
// Nothing else is demanded but inequalities, which are looked at when nodes become equal
// (must_be_equal).
#include "colis/clause.h"

#include <algorithm>

namespace nacre::colis {

NodeId Clause::fresh(Kinds kinds) {
  Node node;
  node.kinds = kinds;
  node.row = new_row();
  node.is_filled = new_fact(Truth::kUnknown);
  node.is_executable = new_fact(Truth::kUnknown);
  nodes_.push_back(std::move(node));
  const NodeId id{static_cast<uint32_t>(nodes_.size() - 1)};
  node_parent_.push_back(id);
  return id;
}

NodeId Clause::empty_directory() {
  const NodeId x = fresh(kDirectory);
  rows_[index(node(x).row)].is_closed = true;
  return x;
}

NodeId Clause::file(Truth is_filled, Truth is_executable) {
  const NodeId x = fresh(kRegular);
  decide(node(x).is_filled, is_filled);
  decide(node(x).is_executable, is_executable);
  return x;
}

SlotId Clause::new_slot() {
  slots_.emplace_back();
  const SlotId id{static_cast<uint32_t>(slots_.size() - 1)};
  slot_parent_.push_back(id);
  return id;
}
RowId Clause::new_row() {
  rows_.emplace_back();
  const RowId id{static_cast<uint32_t>(rows_.size() - 1)};
  row_parent_.push_back(id);
  return id;
}
FactId Clause::new_fact(Truth truth) {
  facts_.push_back(truth);
  return FactId{static_cast<uint32_t>(facts_.size() - 1)};
}

NodeId Clause::find(NodeId x) const {
  while (node_parent_[index(x)] != x) x = node_parent_[index(x)];
  return x;
}
SlotId Clause::find_slot(SlotId s) const {
  while (slot_parent_[index(s)] != s) s = slot_parent_[index(s)];
  return s;
}
RowId Clause::find_row(RowId r) const {
  while (row_parent_[index(r)] != r) r = row_parent_[index(r)];
  return r;
}

std::optional<SlotId> Clause::known_slot(NodeId x, std::string_view name) const {
  const Node& it = node(x);
  if (auto own = it.own.find(name); own != it.own.end()) return find_slot(own->second);
  const Row& rest = row(x);
  if (auto known = rest.known.find(name); known != rest.known.end())
    return find_slot(known->second);
  return std::nullopt;
}

std::set<std::string> Clause::names(NodeId x) const {
  std::set<std::string> result;
  for (const auto& [name, slot] : row(x).known) result.insert(name);
  for (const auto& [name, slot] : node(x).own) result.insert(name);
  return result;
}

SlotId Clause::learn(NodeId x, std::string_view name) {
  if (auto known = known_slot(x, name)) return *known;
  const SlotId s = new_slot();
  Row& rest = rows_[index(find_row(node(x).row))];
  if (rest.is_closed) slots_[index(s)].may_be_there = false;
  rest.known.emplace(name, s);
  return s;
}

// --- literals

bool Clause::kinds(NodeId x, Kinds allowed) {
  Node& it = edit(x);
  it.kinds &= allowed;
  return it.kinds != 0;
}

bool Clause::feature(NodeId x, std::string_view name, NodeId y) {
  if (!kinds(x, kDirectory)) return false;
  const SlotId s = learn(x, name);
  slots_[index(s)].nodes.push_back(y);
  return make_there(s);
}

bool Clause::absent(NodeId x, std::string_view name) {
  if ((node(x).kinds & kDirectory) == 0) return true;
  if (node(x).kinds == kDirectory) return make_absent(learn(x, name));
  // Not a directory, or one without the name: if the name cannot be missing, no directory.
  const SlotId s = learn(x, name);
  if (!slot(s).may_be_absent) return kinds(x, static_cast<Kinds>(kAnyKind & ~kDirectory));
  return make_absent(s);
}

bool Clause::maybe(NodeId x, std::string_view name, NodeId y) {
  if ((node(x).kinds & kDirectory) == 0) return true;
  const SlotId s = learn(x, name);
  if (!slot(s).may_be_there) return true;
  slots_[index(s)].nodes.push_back(y);
  return slot(s).may_be_absent || merge_nodes_of(s);
}

bool Clause::make_absent(SlotId s) {
  Slot& it = slots_[index(find_slot(s))];
  it.may_be_there = false;
  it.nodes.clear();
  return it.may_be_absent;
}

bool Clause::make_there(SlotId s) {
  s = find_slot(s);
  const Slot& known = slots_[index(s)];
  if (!known.may_be_absent && known.nodes.size() == 1) return true;
  slots_[index(s)].may_be_absent = false;
  if (!slots_[index(s)].may_be_there) return false;
  if (slots_[index(s)].nodes.empty()) {
    const NodeId made = fresh();
    slots_[index(s)].nodes.push_back(made);
  }
  return merge_nodes_of(s);
}

NodeId Clause::there(SlotId s) { return find(slot(s).nodes.front()); }

// All nodes of a slot that is there are one.
bool Clause::merge_nodes_of(SlotId s) {
  const std::vector<NodeId> all = slot(s).nodes;
  const bool was_checked = all.size() > 1 && find(all[0]) != find(all.back());  // by equal()
  for (size_t i = 1; i < all.size(); ++i) {
    if (!equal(all[0], all[i])) return false;
  }
  slots_[index(find_slot(s))].nodes = {find(all[0])};
  return was_checked || !has_cycle_from(all[0]);
}

bool Clause::close_row(RowId r) {
  Row& rest = rows_[index(find_row(r))];
  rest.is_closed = true;
  if (!rest.is_not_empty) return true;
  // Something that was not counted is there: one of the names that were learnt since.
  std::vector<SlotId> candidates;
  for (const auto& [name, s] : rest.known) {
    if (rest.counted.contains(name) || !slot(s).may_be_there) continue;
    if (!slot(s).may_be_absent) return true;
    candidates.push_back(s);
  }
  return candidates.size() == 1 ? make_there(candidates[0]) : !candidates.empty();
}

bool Clause::fence(NodeId x, const std::set<std::string>& allowed) {
  if (!kinds(x, kDirectory)) return false;
  for (const std::string& name : allowed) learn(x, name);
  for (const std::string& name : names(x)) {
    if (!allowed.contains(name) && !make_absent(*known_slot(x, name))) return false;
  }
  return close(x);
}

bool Clause::close(NodeId x) {
  // Names that x hides may still be there in the row of another node.
  for (const auto& [name, s] : std::map(node(x).own)) {
    Row& rest = rows_[index(find_row(node(x).row))];
    if (!rest.is_closed && !rest.known.contains(name)) rest.known.emplace(name, new_slot());
  }
  return close_row(node(x).row);
}

bool Clause::not_empty_beyond(NodeId x) {
  if (!kinds(x, kDirectory)) return false;
  for (const std::string& name : names(x)) learn(x, name);
  for (const auto& [name, s] : std::map(node(x).own)) {
    Row& rest = rows_[index(find_row(node(x).row))];
    if (!rest.is_closed && !rest.known.contains(name)) rest.known.emplace(name, new_slot());
  }
  Row& rest = rows_[index(find_row(node(x).row))];
  if (rest.is_closed) return false;
  rest.is_not_empty = true;
  for (const auto& [name, s] : rest.known) rest.counted.insert(name);
  return true;
}

// --- equality and similarity

bool Clause::equal_slots(SlotId a, SlotId b) {
  a = find_slot(a), b = find_slot(b);
  if (a == b) return true;
  Slot& kept = slots_[index(a)];
  const Slot gone = slots_[index(b)];
  slot_parent_[index(b)] = a;
  kept.may_be_absent = kept.may_be_absent && gone.may_be_absent;
  kept.may_be_there = kept.may_be_there && gone.may_be_there;
  if (!kept.may_be_absent && !kept.may_be_there) return false;
  kept.nodes.insert(kept.nodes.end(), gone.nodes.begin(), gone.nodes.end());
  if (!kept.may_be_there) kept.nodes.clear();
  if (kept.may_be_absent) return true;
  return kept.nodes.empty() ? make_there(a) : merge_nodes_of(a);
}

// Every node of this row gets slots of its own for these names, so that the row may forget them.
void Clause::own_names(RowId r, const std::set<std::string>& owned) {
  r = find_row(r);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const NodeId x{static_cast<uint32_t>(i)};
    if (find(x) != x || find_row(nodes_[i].row) != r) continue;
    for (const std::string& name : owned) {
      const SlotId s = learn(x, name);
      nodes_[i].own.emplace(name, s);
    }
  }
}

bool Clause::merge_rows(RowId a, RowId b, const std::set<std::string>& except) {
  a = find_row(a), b = find_row(b);
  if (a == b) return true;
  own_names(a, except);
  own_names(b, except);
  const Row gone = rows_[index(b)];
  std::vector<std::pair<SlotId, SlotId>> same;
  {
    Row& kept = rows_[index(a)];
    for (const auto& [name, s] : std::map(kept.known)) {
      if (except.contains(name)) continue;
      auto other = gone.known.find(name);
      if (other != gone.known.end())
        same.emplace_back(s, other->second);
      else if (gone.is_closed && !make_absent(s))
        return false;
    }
    for (const auto& [name, s] : gone.known) {
      if (except.contains(name) || kept.known.contains(name)) continue;
      if (kept.is_closed && !make_absent(s)) return false;
      rows_[index(a)].known.emplace(name, s);
    }
  }
  Row& kept = rows_[index(a)];
  kept.is_not_empty = kept.is_not_empty || gone.is_not_empty;
  kept.counted.insert(gone.counted.begin(), gone.counted.end());
  kept.counted.insert(except.begin(), except.end());
  const bool closes = gone.is_closed || kept.is_closed;
  row_parent_[index(b)] = a;
  for (const auto& [left, right] : same) {
    if (!equal_slots(left, right)) return false;
  }
  return !closes || close_row(a);
}

bool Clause::similar(NodeId x, const std::set<std::string>& except, NodeId y) {
  if (!kinds(x, kDirectory) || !kinds(y, kDirectory)) return false;
  std::set<std::string> apart = except;
  for (const auto& [name, s] : node(x).own) apart.insert(name);
  for (const auto& [name, s] : node(y).own) apart.insert(name);
  for (const std::string& name : apart) {
    if (!except.contains(name) && !equal_slots(learn(x, name), learn(y, name))) return false;
  }
  return merge_rows(node(x).row, node(y).row, apart) && are_apart();
}

// Nothing is known of x but its kinds, and no other node shares what will be known.
bool Clause::is_blank(NodeId x) const {
  const Node& it = node(x);
  const Row& rest = row(x);
  const bool says_nothing = it.own.empty() && !it.target && !it.has_other_names &&
                            rest.known.empty() && !rest.is_closed && !rest.is_not_empty &&
                            truth(it.is_filled) == Truth::kUnknown &&
                            truth(it.is_executable) == Truth::kUnknown;
  if (!says_nothing) return false;
  const RowId r = find_row(it.row);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const NodeId other{static_cast<uint32_t>(i)};
    if (other != x && find(other) == other && find_row(nodes_[i].row) == r) return false;
  }
  return true;
}

bool Clause::equal(NodeId x, NodeId y) {
  x = find(x), y = find(y);
  if (x == y) return true;
  // Most nodes that become equal to another one were made to stand for it.
  if (is_blank(x)) std::swap(x, y);
  if (is_blank(y)) {
    if (!kinds(x, nodes_[index(y)].kinds)) return false;
    node_parent_[index(y)] = x;
    return !has_cycle_from(x) && are_apart();
  }
  if (!kinds(x, nodes_[index(y)].kinds)) return false;
  nodes_[index(y)].kinds = nodes_[index(x)].kinds;
  if ((node(x).kinds & kDirectory) != 0) {
    const Kinds both = node(x).kinds;
    const Clause before = *this;
    edit(x).kinds = edit(y).kinds = kDirectory;  // what is equal in them if they are directories
    const bool holds = similar(x, {}, y);
    if (!holds) *this = before;
    edit(x).kinds = edit(y).kinds = both;
    if (!holds && !kinds(x, static_cast<Kinds>(both & ~kDirectory))) return false;
  }
  const std::optional<std::string>& target = node(y).target;
  if (target && node(x).target && *target != *node(x).target) return false;
  if (target) edit(x).target = target;
  for (auto fact : {&Node::is_filled, &Node::is_executable}) {
    const Truth here = truth(node(x).*fact), other = truth(node(y).*fact);
    if (here == Truth::kUnknown)
      decide(node(x).*fact, other);
    else if (other != Truth::kUnknown && other != here)
      return false;
    if (other == Truth::kUnknown) decide(node(y).*fact, here);
  }
  node_parent_[index(y)] = x;
  return !has_cycle_from(x) && are_apart();
}

bool Clause::not_equal(NodeId x, NodeId y) {
  unequal_.emplace_back(x, y);
  return are_apart();
}

bool Clause::are_apart() const {
  constexpr int kMaxDepth = 64;
  return std::none_of(unequal_.begin(), unequal_.end(), [&](const auto& pair) {
    return must_be_equal(pair.first, pair.second, kMaxDepth);
  });
}

// Whether every model gives both the same tree. Two nodes that are not merged can differ where one
// of them has a choice: a kind, an open slot, an open row.
bool Clause::must_be_equal(NodeId x, NodeId y, int depth) const {
  x = find(x), y = find(y);
  if (x == y) return true;
  const Node &a = node(x), &b = node(y);
  const bool is_one_kind = a.kinds == b.kinds && (a.kinds & (a.kinds - 1)) == 0;
  if (!is_one_kind || depth == 0) return false;
  if (a.kinds != kDirectory) return false;  // contents may differ
  const Row &left = row(x), &right = row(y);
  const bool have_same_rest =
      find_row(a.row) == find_row(b.row) || (left.is_closed && right.is_closed);
  if (!have_same_rest) return false;
  std::set<std::string> all = names(x);
  all.merge(names(y));
  return std::all_of(all.begin(), all.end(), [&](const std::string& name) {
    const auto s = known_slot(x, name), t = known_slot(y, name);
    if (s && t && *s == *t) return true;
    const bool s_gone = s ? !slot(*s).may_be_there : left.is_closed;
    const bool t_gone = t ? !slot(*t).may_be_there : right.is_closed;
    if (s_gone && t_gone) return true;
    if (!s || !t || slot(*s).may_be_absent || slot(*t).may_be_absent) return false;
    return must_be_equal(slot(*s).nodes[0], slot(*t).nodes[0], depth - 1);
  });
}

// A tree is finite: no node is below itself.
bool Clause::has_cycle_from(NodeId start) const {
  start = find(start);
  if (node(start).own.empty() && row(start).known.empty()) return false;
  std::vector<NodeId> pending = {start};
  std::vector<bool> seen(nodes_.size());
  while (!pending.empty()) {
    const NodeId x = pending.back();
    pending.pop_back();
    for (const auto* map : {&node(x).own, &row(x).known}) {
      for (const auto& [name, s] : *map) {
        const bool is_hidden = map == &row(x).known && node(x).own.contains(name);
        if (is_hidden || slot(s).may_be_absent || slot(s).nodes.empty()) continue;
        const NodeId below = find(slot(s).nodes[0]);
        if (below == start) return true;
        if (!seen[index(below)]) pending.push_back(below);
        seen[index(below)] = true;
      }
    }
  }
  return false;
}

// --- updates

NodeId Clause::copy(NodeId x) {
  Node node_copy = node(x);
  nodes_.push_back(std::move(node_copy));
  const NodeId id{static_cast<uint32_t>(nodes_.size() - 1)};
  node_parent_.push_back(id);
  return id;
}

NodeId Clause::updated(NodeId x, std::string_view name, std::optional<NodeId> entry) {
  const NodeId result = copy(x);
  const SlotId s = new_slot();
  Slot& it = slots_[index(s)];
  it.may_be_there = entry.has_value();
  it.may_be_absent = !entry.has_value();
  if (entry) it.nodes.push_back(*entry);
  edit(result).own.insert_or_assign(std::string(name), s);
  return result;
}

}  // namespace nacre::colis
