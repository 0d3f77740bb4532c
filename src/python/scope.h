// What is known of a function before it is interpreted: a slot for each variable, which variables
// are live where, which ones each loop changes, and which integers may index which strings.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "python/ast.h"

namespace nacre::python {

using SlotSet = std::vector<bool>;

struct LoopFacts {
  SlotSet live;         // at the head
  SlotSet modified;     // in the body or by the loop itself
  uint32_t hidden = 0;  // the first of kHiddenSlots slots for the loop's own use (`for`)
};
inline constexpr uint32_t kHiddenSlots = 4;

class Scope {
 public:
  // The names of a module that its functions, classes and imports bind have no slots.
  Scope(const Tree& tree, const FunctionDef& function, bool is_module);

  [[nodiscard]] const FunctionDef& function() const { return *function_; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  [[nodiscard]] const std::string& name(uint32_t slot) const { return names_[slot]; }
  [[nodiscard]] std::optional<uint32_t> slot(const std::string& name) const;
  [[nodiscard]] const SlotSet* live_after(StmtId stmt) const;
  [[nodiscard]] const LoopFacts& loop(StmtId stmt) const { return loops_.at(stmt); }
  // Slots that occur together in some expression of the function, directly or through others.
  [[nodiscard]] bool is_elsewhere(const std::string& name) const {
    return elsewhere_.count(name) > 0;
  }
  [[nodiscard]] bool are_related(uint32_t a, uint32_t b) const { return group(a) == group(b); }

 private:
  struct Exits {  // what is live where control may jump to
    SlotSet on_break, on_continue, on_exception;
  };

  uint32_t declare(const std::string& name);
  void declare_all(const Block& block, bool is_module);
  void find_captured(const Block& block);
  void declare_targets(ExprId target);
  void relate_block(const Block& block);
  void relate_expression(ExprId expr);
  void collect(ExprId expr, std::vector<uint32_t>& slots) const;
  void collect_related(ExprId expr, std::vector<uint32_t>& slots) const;
  [[nodiscard]] uint32_t group(uint32_t slot) const;
  void unite(const std::vector<uint32_t>& slots);

  SlotSet live_before(const Block& block, SlotSet live, const Exits& exits);
  SlotSet live_before(StmtId stmt, SlotSet live, const Exits& exits);
  SlotSet loop_live(StmtId stmt, const Block& body, const Block& orelse, Optional test,
                    Optional target, const SlotSet& after, const Exits& exits);
  SlotSet try_live(const Try& stmt, const SlotSet& after, const Exits& exits);
  void use(ExprId expr, SlotSet& live) const;
  void use_target(ExprId target, SlotSet& live) const;
  void kill(ExprId target, SlotSet& live) const;
  void find_modified(StmtId stmt, const Block& body);

  const Tree& tree_;
  const FunctionDef* function_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> slots_;
  std::unordered_map<StmtId, SlotSet> live_after_;
  std::unordered_map<StmtId, LoopFacts> loops_;
  std::vector<uint32_t> parents_;
  std::set<std::string> elsewhere_;  // declared global or nonlocal here
  SlotSet captured_;                 // functions inside may read them at any time
  SlotSet shared_;                   // and change them
};

}  // namespace nacre::python
