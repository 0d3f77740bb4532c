#include "python/scope.h"

#include <algorithm>

#include "python/walk.h"

namespace nacre::python {
namespace {

void add(SlotSet& into, const SlotSet& other) {
  for (size_t i = 0; i < into.size(); ++i) into[i] = into[i] || other[i];
}

}  // namespace

Scope::Scope(const Tree& tree, const FunctionDef& function) : tree_(tree), function_(&function) {
  const Parameters& parameters = function.parameters;
  for (const auto* list :
       {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
    for (const Parameter& parameter : *list) declare(parameter.name);
  }
  declare_all(function.body);
  for (uint32_t i = 0; i < size(); ++i) parents_.push_back(i);
  relate_block(function.body);
  SlotSet nothing(size());
  live_before(function.body, nothing, {nothing, nothing, nothing});
  for_all_statements(tree_, function.body, [&](StmtId stmt) {
    if (const auto* loop = tree_.get<While>(stmt)) find_modified(stmt, loop->body);
    if (const auto* loop = tree_.get<For>(stmt)) find_modified(stmt, loop->body);
  });
}

std::optional<uint32_t> Scope::slot(const std::string& name) const {
  auto found = slots_.find(name);
  if (found == slots_.end()) return std::nullopt;
  return found->second;
}

const SlotSet* Scope::live_after(StmtId stmt) const {
  auto found = live_after_.find(stmt);
  return found == live_after_.end() ? nullptr : &found->second;
}

// ---- names

uint32_t Scope::declare(const std::string& name) {
  auto [it, is_new] = slots_.try_emplace(name, size());
  if (is_new) names_.push_back(name);
  return it->second;
}

void Scope::declare_targets(ExprId target) {
  for_all_expressions(tree_, target, [&](ExprId id) {
    if (const auto* name = tree_.get<Name>(id)) declare(name->id);
  });
}

void Scope::declare_all(const Block& block) {
  for_all_statements(tree_, block, [&](StmtId stmt) {
    if (const auto* assign = tree_.get<Assign>(stmt)) {
      for (ExprId target : assign->targets) {
        if (tree_.get<Subscript>(target) == nullptr && tree_.get<Attribute>(target) == nullptr)
          declare_targets(target);
      }
    } else if (const auto* augmented = tree_.get<AugAssign>(stmt)) {
      if (tree_.get<Name>(augmented->target) != nullptr) declare_targets(augmented->target);
    } else if (const auto* annotated = tree_.get<AnnAssign>(stmt)) {
      if (tree_.get<Name>(annotated->target) != nullptr) declare_targets(annotated->target);
    } else if (const auto* loop = tree_.get<For>(stmt)) {
      declare_targets(loop->target);
      loops_[stmt].hidden = size();
      for (uint32_t i = 0; i < kHiddenSlots; ++i) names_.emplace_back();
    } else if (tree_.get<While>(stmt) != nullptr) {
      loops_[stmt];
    } else if (const auto* attempt = tree_.get<Try>(stmt)) {
      for (const ExceptHandler& handler : attempt->handlers) {
        if (!handler.name.empty()) declare(handler.name);
      }
    }
    for_each_expression(tree_, stmt, [&](ExprId expr) {
      for_all_expressions(tree_, expr, [&](ExprId id) {
        if (const auto* walrus = tree_.get<NamedExpr>(id)) declare_targets(walrus->target);
        if (const auto* comprehension = tree_.get<ComprehensionExpr>(id)) {
          for (const Comprehension& part : comprehension->generators) declare_targets(part.target);
        }
      });
    });
  });
}

// ---- relations

uint32_t Scope::group(uint32_t slot) const {
  while (parents_[slot] != slot) slot = parents_[slot];
  return slot;
}

void Scope::unite(const std::vector<uint32_t>& slots) {
  for (uint32_t other : slots) parents_[group(other)] = group(slots[0]);
}

void Scope::collect(ExprId expr, std::vector<uint32_t>& slots) const {
  for_all_expressions(tree_, expr, [&](ExprId id) {
    const auto* name = tree_.get<Name>(id);
    if (name == nullptr) return;
    if (auto found = slot(name->id)) slots.push_back(*found);
  });
}

// What int(), ord() and count() give is a number and no position in their argument.
void Scope::collect_related(ExprId expr, std::vector<uint32_t>& slots) const {
  if (const auto* call = tree_.get<Call>(expr)) {
    const auto* function = tree_.get<Name>(call->function);
    const auto* method = tree_.get<Attribute>(call->function);
    if ((function != nullptr && (function->id == "int" || function->id == "ord")) ||
        (method != nullptr && method->name == "count"))
      return;
  }
  const auto* name = tree_.get<Name>(expr);
  if (auto found = name != nullptr ? slot(name->id) : std::nullopt) slots.push_back(*found);
  for_each_child(tree_, expr, [&](ExprId child) { collect_related(child, slots); });
}

// The names of one comparison, subscript, call or assignment belong together; those of `and` and
// `or` do not.
void Scope::relate_expression(ExprId expr) {
  if (tree_.get<BoolOperation>(expr) != nullptr || tree_.get<IfExp>(expr) != nullptr) {
    for_each_child(tree_, expr, [&](ExprId child) { relate_expression(child); });
    return;
  }
  std::vector<uint32_t> slots;
  collect_related(expr, slots);
  if (!slots.empty()) unite(slots);
}

void Scope::relate_block(const Block& block) {
  for_all_statements(tree_, block, [&](StmtId stmt) {
    std::vector<uint32_t> slots;
    if (const auto* assign = tree_.get<Assign>(stmt)) {
      collect_related(assign->value, slots);
      for (ExprId target : assign->targets) collect_related(target, slots);
    } else if (const auto* augmented = tree_.get<AugAssign>(stmt)) {
      collect_related(augmented->value, slots);
      collect_related(augmented->target, slots);
    } else if (const auto* loop = tree_.get<For>(stmt)) {
      uint32_t hidden = loops_[stmt].hidden;
      for (uint32_t i = 0; i < kHiddenSlots; ++i) slots.push_back(hidden + i);
      collect_related(loop->iterable, slots);
      collect_related(loop->target, slots);
    } else {
      for_each_expression(tree_, stmt, [&](ExprId expr) { relate_expression(expr); });
    }
    if (!slots.empty()) unite(slots);
  });
}

void Scope::find_modified(StmtId stmt, const Block& body) {
  LoopFacts& facts = loops_[stmt];
  facts.modified.assign(size(), false);
  auto mark = [&](ExprId target) {
    for_all_expressions(tree_, target, [&](ExprId id) {
      const auto* name = tree_.get<Name>(id);
      if (name == nullptr) return;
      if (auto found = slot(name->id)) facts.modified[*found] = true;
    });
  };
  auto mark_statement = [&](StmtId inner) {
    if (const auto* assign = tree_.get<Assign>(inner)) {
      for (ExprId target : assign->targets) mark(target);
    } else if (const auto* augmented = tree_.get<AugAssign>(inner)) {
      mark(augmented->target);
    } else if (const auto* annotated = tree_.get<AnnAssign>(inner)) {
      mark(annotated->target);
    } else if (const auto* loop = tree_.get<For>(inner)) {
      mark(loop->target);
      for (uint32_t i = 0; i < kHiddenSlots; ++i) facts.modified[loops_[inner].hidden + i] = true;
    } else if (const auto* attempt = tree_.get<Try>(inner)) {
      for (const ExceptHandler& handler : attempt->handlers) {
        if (auto found = slot(handler.name)) facts.modified[*found] = true;
      }
    }
    for_each_expression(tree_, inner, [&](ExprId expr) {
      for_all_expressions(tree_, expr, [&](ExprId id) {
        if (const auto* walrus = tree_.get<NamedExpr>(id)) mark(walrus->target);
      });
    });
  };
  mark_statement(stmt);
  for_all_statements(tree_, body, mark_statement);
  // What a `for` runs over stays as it is; only its cursor and its count move.
  if (tree_.get<For>(stmt) != nullptr) facts.modified[facts.hidden] = false;
}

// ---- liveness

void Scope::use(ExprId expr, SlotSet& live) const {
  std::vector<uint32_t> slots;
  collect(expr, slots);
  for (uint32_t slot : slots) live[slot] = true;
}

void Scope::kill(ExprId target, SlotSet& live) const {
  if (const auto* name = tree_.get<Name>(target)) {
    if (auto found = slot(name->id)) live[*found] = false;
  } else if (const auto* tuple = tree_.get<TupleExpr>(target)) {
    for (ExprId item : tuple->items) kill(item, live);
  } else if (const auto* list = tree_.get<ListExpr>(target)) {
    for (ExprId item : list->items) kill(item, live);
  }
}

SlotSet Scope::live_before(const Block& block, SlotSet live, const Exits& exits) {
  for (size_t i = block.size(); i-- > 0;) live = live_before(block[i], std::move(live), exits);
  return live;
}

SlotSet Scope::live_before(StmtId stmt, SlotSet live, const Exits& exits) {
  add(live, exits.on_exception);
  SlotSet& recorded = live_after_[stmt];
  recorded.resize(size());
  add(recorded, live);
  if (const auto* assign = tree_.get<Assign>(stmt)) {
    for (ExprId target : assign->targets) kill(target, live);
  } else if (const auto* annotated = tree_.get<AnnAssign>(stmt)) {
    if (annotated->value) kill(annotated->target, live);
    if (!annotated->value) return live;
  } else if (const auto* branch = tree_.get<If>(stmt)) {
    SlotSet result = live_before(branch->body, live, exits);
    add(result, live_before(branch->orelse, live, exits));
    use(branch->test, result);
    return result;
  } else if (const auto* loop = tree_.get<While>(stmt)) {
    return loop_live(stmt, loop->body, loop->orelse, loop->test, std::nullopt, live, exits);
  } else if (const auto* each = tree_.get<For>(stmt)) {
    SlotSet result =
        loop_live(stmt, each->body, each->orelse, std::nullopt, each->target, live, exits);
    for (uint32_t i = 0; i < kHiddenSlots; ++i) result[loops_[stmt].hidden + i] = false;
    use(each->iterable, result);
    return result;
  } else if (const auto* attempt = tree_.get<Try>(stmt)) {
    return try_live(*attempt, live, exits);
  } else if (tree_.get<Return>(stmt) != nullptr || tree_.get<Raise>(stmt) != nullptr) {
    live = exits.on_exception;  // `finally` included
  } else if (tree_.get<Break>(stmt) != nullptr) {
    live = exits.on_break;
  } else if (tree_.get<Continue>(stmt) != nullptr) {
    live = exits.on_continue;
  } else {
    // With, match and other compound statements: everything they hold counts as used.
    for_each_block(tree_, stmt, [&](const Block& block) {
      for_all_statements(tree_, block, [&](StmtId inner) {
        for_each_expression(tree_, inner, [&](ExprId expr) { use(expr, live); });
      });
    });
  }
  for_each_expression(tree_, stmt, [&](ExprId expr) {
    const auto* assign = tree_.get<Assign>(stmt);
    bool is_target =
        assign != nullptr && expr != assign->value && tree_.get<Subscript>(expr) == nullptr;
    if (!is_target) use(expr, live);
  });
  return live;
}

SlotSet Scope::loop_live(StmtId stmt, const Block& body, const Block& orelse, Optional test,
                         Optional target, const SlotSet& after, const Exits& exits) {
  SlotSet head = live_before(orelse, after, exits);
  auto at_head = [&] {
    if (test) use(*test, head);
    if (target) {
      for (uint32_t i = 0; i < kHiddenSlots; ++i) head[loops_[stmt].hidden + i] = true;
    }
  };
  at_head();
  for (int round = 0; round < 3;
       ++round) {  // two rounds reach the fixpoint; the third is the record
    SlotSet inside = live_before(body, head, {after, head, exits.on_exception});
    if (target) kill(*target, inside);
    add(head, inside);
    at_head();
  }
  loops_[stmt].live = head;
  return head;
}

SlotSet Scope::try_live(const Try& stmt, const SlotSet& after, const Exits& exits) {
  SlotSet finally = live_before(stmt.finally, after, exits);
  Exits inner = exits;
  if (!stmt.finally.empty()) {
    for (SlotSet* set : {&inner.on_break, &inner.on_continue, &inner.on_exception})
      add(*set, finally);
  }
  SlotSet handlers(size());
  for (const ExceptHandler& handler : stmt.handlers) {
    add(handlers, live_before(handler.body, finally, inner));
    if (handler.type) use(*handler.type, handlers);
  }
  SlotSet otherwise = live_before(stmt.orelse, finally, inner);
  Exits guarded = inner;
  add(guarded.on_exception, handlers);
  SlotSet result = live_before(stmt.body, otherwise, guarded);
  add(result, handlers);
  return result;
}

}  // namespace nacre::python
