#include "python/scope.h"

#include <algorithm>

#include "python/walk.h"

namespace nacre::python {
namespace {

void add(SlotSet& into, const SlotSet& other) {
  for (size_t i = 0; i < into.size(); ++i) into[i] = into[i] || other[i];
}

}  // namespace

Scope::Scope(const Tree& tree, const FunctionDef& function, bool is_module)
    : tree_(tree), function_(&function) {
  const Parameters& parameters = function.parameters;
  for (const auto* list :
       {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
    for (const Parameter& parameter : *list) declare(parameter.name);
  }
  if (parameters.rest) declare(parameters.rest->name);
  if (parameters.keyword_rest) declare(parameters.keyword_rest->name);
  for_own_statements(tree_, function.body, [&](StmtId stmt) {
    if (const auto* global = tree_.get<Global>(stmt))
      elsewhere_.insert(global->names.begin(), global->names.end());
    if (const auto* nonlocal = tree_.get<Nonlocal>(stmt))
      elsewhere_.insert(nonlocal->names.begin(), nonlocal->names.end());
  });
  declare_all(function.body, is_module);
  find_captured(function.body);
  for (uint32_t i = 0; i < size(); ++i) parents_.push_back(i);
  relate_block(function.body);
  SlotSet nothing(size());
  live_before(function.body, nothing, {nothing, nothing, nothing});
  for_own_statements(tree_, function.body, [&](StmtId stmt) {
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

void Scope::declare_all(const Block& block, bool is_module) {
  for_own_statements(tree_, block, [&](StmtId stmt) {
    const bool is_definition =
        tree_.get<FunctionDef>(stmt) != nullptr || tree_.get<ClassDef>(stmt) != nullptr ||
        tree_.get<Import>(stmt) != nullptr || tree_.get<ImportFrom>(stmt) != nullptr ||
        tree_.get<TypeAlias>(stmt) != nullptr;
    if (!is_module || !is_definition) {
      for_each_bound_name(tree_, stmt, [&](const std::string& name) {
        if (elsewhere_.count(name) == 0) declare(name);
      });
    }
    if (tree_.get<For>(stmt) != nullptr) {
      loops_[stmt].hidden = size();
      for (uint32_t i = 0; i < kHiddenSlots; ++i) names_.emplace_back();
    } else if (tree_.get<While>(stmt) != nullptr) {
      loops_[stmt];
    }
    for_each_expression(tree_, stmt, [&](ExprId expr) {
      for_all_expressions(tree_, expr, [&](ExprId id) {
        if (const auto* comprehension = tree_.get<ComprehensionExpr>(id)) {
          for (const Comprehension& part : comprehension->generators) declare_targets(part.target);
        }
        if (const auto* comprehension = tree_.get<DictComprehension>(id)) {
          for (const Comprehension& part : comprehension->generators) declare_targets(part.target);
        }
      });
    });
  });
}

// What functions, classes and lambdas inside mention is read when they are called.
void Scope::find_captured(const Block& block) {
  captured_.assign(size(), false);
  shared_.assign(size(), false);
  auto capture = [&](ExprId expr) {
    for_all_expressions(tree_, expr, [&](ExprId id) {
      const auto* name = tree_.get<Name>(id);
      if (auto found = name != nullptr ? slot(name->id) : std::nullopt) captured_[*found] = true;
    });
  };
  for_own_statements(tree_, block, [&](StmtId stmt) {
    for_each_expression(tree_, stmt, [&](ExprId expr) {
      for_all_expressions(tree_, expr, [&](ExprId id) {
        if (const auto* lambda = tree_.get<Lambda>(id)) capture(lambda->body);
      });
    });
    if (tree_.get<FunctionDef>(stmt) == nullptr && tree_.get<ClassDef>(stmt) == nullptr) return;
    for_each_block(tree_, stmt, [&](const Block& body) {
      for_all_statements(tree_, body, [&](StmtId inner) {
        for_each_expression(tree_, inner, capture);
        std::vector<std::string> names;
        if (const auto* global = tree_.get<Global>(inner)) names = global->names;
        if (const auto* nonlocal = tree_.get<Nonlocal>(inner)) names = nonlocal->names;
        for (const std::string& name : names) {
          if (auto found = slot(name)) captured_[*found] = shared_[*found] = true;
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
  for_own_statements(tree_, block, [&](StmtId stmt) {
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
  facts.modified = shared_;
  auto mark = [&](ExprId target) {
    for_all_expressions(tree_, target, [&](ExprId id) {
      const auto* name = tree_.get<Name>(id);
      if (name == nullptr) return;
      if (auto found = slot(name->id)) facts.modified[*found] = true;
    });
  };
  auto mark_statement = [&](StmtId inner) {
    for_each_bound_name(tree_, inner, [&](const std::string& name) {
      if (auto found = slot(name)) facts.modified[*found] = true;
    });
    if (const auto* removal = tree_.get<Delete>(inner)) {
      for (ExprId target : removal->targets) mark(target);
    } else if (tree_.get<For>(inner) != nullptr) {
      for (uint32_t i = 0; i < kHiddenSlots; ++i) facts.modified[loops_[inner].hidden + i] = true;
    }
  };
  mark_statement(stmt);
  for_own_statements(tree_, body, mark_statement);
  // What a `for` runs over stays as it is; only its cursor and its count move.
  if (tree_.get<For>(stmt) != nullptr) facts.modified[facts.hidden] = false;
}

// ---- liveness

void Scope::use(ExprId expr, SlotSet& live) const {
  std::vector<uint32_t> slots;
  collect(expr, slots);
  for (uint32_t slot : slots) live[slot] = true;
}

// What an assignment reads of its target: `a` and `i` in `a[i] = x`, nothing in `a = x`.
void Scope::use_target(ExprId target, SlotSet& live) const {
  if (tree_.get<Name>(target) != nullptr) return;
  if (const auto* star = tree_.get<Starred>(target)) return use_target(star->value, live);
  const Exprs* items = nullptr;
  if (const auto* tuple = tree_.get<TupleExpr>(target)) items = &tuple->items;
  if (const auto* list = tree_.get<ListExpr>(target)) items = &list->items;
  if (items == nullptr) return use(target, live);
  for (ExprId item : *items) use_target(item, live);
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
  add(live, captured_);
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
  } else if (const auto* with = tree_.get<With>(stmt)) {
    SlotSet result = live_before(with->body, live, exits);
    add(result, live);  // a context manager may swallow what its body raises
    for (const WithItem& item : with->items) use(item.context, result);
    return result;
  } else if (const auto* match = tree_.get<Match>(stmt)) {
    SlotSet result = live;
    for (const MatchCase& part : match->cases) {
      add(result, live_before(part.body, live, exits));
      if (part.guard) use(*part.guard, result);
    }
    use(match->subject, result);
    return result;
  } else if (tree_.get<Return>(stmt) != nullptr || tree_.get<Raise>(stmt) != nullptr) {
    live = exits.on_exception;  // `finally` included
  } else if (tree_.get<Break>(stmt) != nullptr) {
    live = exits.on_break;
  } else if (tree_.get<Continue>(stmt) != nullptr) {
    live = exits.on_continue;
  } else {
    // Functions and classes: everything they hold counts as used.
    for_each_block(tree_, stmt, [&](const Block& block) {
      for_all_statements(tree_, block, [&](StmtId inner) {
        for_each_expression(tree_, inner, [&](ExprId expr) { use(expr, live); });
      });
    });
  }
  const auto* assign = tree_.get<Assign>(stmt);
  for_each_expression(tree_, stmt, [&](ExprId expr) {
    if (assign != nullptr && expr != assign->value)
      use_target(expr, live);
    else
      use(expr, live);
  });
  return live;
}

SlotSet Scope::loop_live(StmtId stmt, const Block& body, const Block& orelse, Optional test,
                         Optional target, const SlotSet& after, const Exits& exits) {
  SlotSet head = live_before(orelse, after, exits);
  add(head, captured_);
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
