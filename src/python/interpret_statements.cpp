// Statements: blocks, branches, and the checks of declared types.
#include <algorithm>
#include <fmt/core.h>

#include "python/canonical.h"
#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {

Interpreter::Flow Interpreter::execute(const Block& block, States states) {
  Flow flow;
  ++depth_;
  flow.next = std::move(states);
  for (StmtId stmt : block) {
    if (flow.next.empty()) break;
    Flow step = execute(stmt, std::move(flow.next));
    flow.next.clear();
    merge(flow, std::move(step));
  }
  --depth_;
  return flow;
}

void Interpreter::merge(Flow& into, Flow part) {
  append(into.next, std::move(part.next));
  append(into.breaks, std::move(part.breaks));
  append(into.continues, std::move(part.continues));
  for (Returned& result : part.returns) into.returns.push_back(std::move(result));
}

Interpreter::Flow Interpreter::execute(StmtId stmt, States states) {
  Flow flow;
  for (State& state : states) {
    if (!spend()) break;
    execute_one(stmt, std::move(state), flow);
  }
  settle(stmt, flow.next);
  return flow;
}

// Variables that are never read again are forgotten; alternatives that agree become one.
void Interpreter::settle(StmtId stmt, States& states) {
  if (domain_.is_concrete()) return;
  const SlotSet* live = frame_.function->scope->live_after(stmt);
  for (State& state : states) {
    for (size_t i = 0; live != nullptr && i < live->size(); ++i) {
      if (!(*live)[i]) state.slots[frame_.base + i] = {};
    }
  }
  steps_ += states.size() / 4;
  reduce(domain_, states, limits_.states);
}

const Call* Interpreter::special_call(StmtId stmt, std::string_view name) const {
  const auto* statement = tree_.get<ExprStmt>(stmt);
  const auto* call = statement != nullptr ? tree_.get<Call>(statement->value) : nullptr;
  const auto* function = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
  return function != nullptr && function->id == name ? call : nullptr;
}

void Interpreter::execute_one(StmtId id, State state, Flow& flow) {
  const Stmt& stmt = tree_[id];
  // What a step costs depends on how much the state holds.
  steps_ += (state.symbols.size() + state.constraints.size() * state.constraints.size()) / 32;
  if (state.symbols.size() > limits_.symbols || depth_ > limits_.depth) {
    outcome_.is_exhausted = true;
    return;
  }
  if (const auto* assignment = std::get_if<Assign>(&stmt.node)) {
    execute_assign(*assignment, std::move(state), flow);
  } else if (const auto* augmented = std::get_if<AugAssign>(&stmt.node)) {
    execute_augmented(*augmented, stmt.span, std::move(state), flow);
  } else if (const auto* annotated = std::get_if<AnnAssign>(&stmt.node)) {
    execute_annotated(*annotated, std::move(state), flow);
  } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
    execute_if(*branch, std::move(state), flow);
  } else if (const auto* loop = std::get_if<While>(&stmt.node)) {
    execute_while(id, *loop, std::move(state), flow);
  } else if (const auto* each = std::get_if<For>(&stmt.node)) {
    execute_for(id, *each, std::move(state), flow);
  } else if (const auto* claim = std::get_if<Assert>(&stmt.node)) {
    execute_assert(*claim, std::move(state), flow);
  } else if (const auto* failure = std::get_if<Raise>(&stmt.node)) {
    execute_raise(*failure, stmt.span, std::move(state));
  } else if (const auto* attempt = std::get_if<Try>(&stmt.node)) {
    execute_try(*attempt, std::move(state), flow);
  } else if (const auto* result = std::get_if<Return>(&stmt.node)) {
    execute_return(*result, stmt.span, std::move(state), flow);
  } else if (std::holds_alternative<Break>(stmt.node)) {
    flow.breaks.push_back(std::move(state));
  } else if (std::holds_alternative<Continue>(stmt.node)) {
    flow.continues.push_back(std::move(state));
  } else if (const Call* shown = special_call(id, "show_type")) {
    show_type(*shown, stmt.span, state);
    flow.next.push_back(std::move(state));
  } else if (special_call(id, "inv") != nullptr) {
    flow.next.push_back(std::move(state));  // checked at the loop head
  } else if (const auto* expression = std::get_if<ExprStmt>(&stmt.node)) {
    for (Evaluated& value : evaluate(expression->value, std::move(state)))
      flow.next.push_back(std::move(value.state));
  } else if (const auto* function = std::get_if<FunctionDef>(&stmt.node)) {
    execute_definition(*function, std::move(state), flow);
  } else if (const auto* cls = std::get_if<ClassDef>(&stmt.node)) {
    execute_class(*cls, std::move(state), flow);
  } else if (const auto* with = std::get_if<With>(&stmt.node)) {
    execute_with(*with, std::move(state), flow);
  } else if (const auto* match = std::get_if<Match>(&stmt.node)) {
    execute_match(*match, std::move(state), flow);
  } else if (const auto* removal = std::get_if<Delete>(&stmt.node)) {
    execute_delete(*removal, std::move(state), flow);
  } else if (std::holds_alternative<Import>(stmt.node) ||
             std::holds_alternative<ImportFrom>(stmt.node)) {
    forget_names(id, state);
    flow.next.push_back(std::move(state));
  } else {  // pass, global, nonlocal, type aliases
    flow.next.push_back(std::move(state));
  }
}

// Names that a statement binds to something that is not known.
void Interpreter::forget_names(StmtId stmt, State& state) const {
  for_each_bound_name(tree_, stmt, [&](const std::string& name) {
    if (auto slot = frame_.function->scope->slot(name))
      state.slots[frame_.base + *slot] = {Unknown{}};
  });
}

void Interpreter::execute_if(const If& stmt, State state, Flow& flow) {
  Split split = test(stmt.test, std::move(state));
  if (!domain_.is_concrete()) {
    reduce(domain_, split.yes, limits_.states);
    reduce(domain_, split.no, limits_.states);
  }
  merge(flow, execute(stmt.body, std::move(split.yes)));
  merge(flow, execute(stmt.orelse, std::move(split.no)));
}

void Interpreter::execute_assert(const Assert& stmt, State state, Flow& flow) {
  Split split = test(stmt.test, std::move(state));
  // An assertion about what the caller may choose freely says what he has to choose.
  bool is_precondition = false;
  for_all_expressions(tree_, stmt.test, [&](ExprId id) {
    const auto* name = tree_.get<Name>(id);
    is_precondition =
        is_precondition || (name != nullptr && frame_.function->plain_names.count(name->id) > 0);
  });
  for (State& bad : split.no) {
    raise(std::move(bad), "AssertionError", "the assertion fails", tree_[stmt.test].span,
          FailureKind::kAssert);
    raised_->back().is_declared = is_precondition;
  }
  append(flow.next, std::move(split.yes));
}

void Interpreter::execute_return(const Return& stmt, Span span, State state, Flow& flow) {
  for (Evaluated& value : evaluate_optional(stmt.value, std::move(state))) {
    Value kept = value.value;
    Span place = stmt.value ? tree_[*stmt.value].span : span;
    const Type declared = frame_.function->facts->is_generator ? Type{} : frame_.function->returns;
    for (State& checked : check_type(std::move(value.state), kept, declared, FailureKind::kReturn,
                                     place, stmt.value)) {
      Value result = checked.resolve(kept);
      flow.returns.push_back({std::move(checked), std::move(result)});
    }
  }
}

void Interpreter::show_type(const Call& call, Span span, State state) {
  if (call.args.size() != 1) return;
  auto known = std::find_if(outcome_.shown.begin(), outcome_.shown.end(),
                            [&](const Shown& shown) { return shown.span == span; });
  if (known == outcome_.shown.end()) {
    outcome_.shown.push_back({span, domain_.words().none()});
    known = outcome_.shown.end() - 1;
  }
  const auto place = known - outcome_.shown.begin();
  for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
    Shown& shown = outcome_.shown[static_cast<size_t>(place)];
    if (const auto* text = value.value.as<Text>()) {
      shown.words = domain_.words().unite(shown.words, domain_.language(value.state, *text));
    } else {
      shown.is_string = false;
      shown.type = join(domain_.words(), shown.type, type_of(value.state, value.value));
    }
  }
}

// ---- definitions

// A default must be of the type of its parameter.
void Interpreter::execute_definition(const FunctionDef& function, State state, Flow& flow) {
  std::optional<uint32_t> index = program_.definitions().function_of(&function);
  if (!index) return flow.next.push_back(std::move(state));
  const Function& known = program_.functions()[*index];
  const Parameters& parameters = function.parameters;
  auto check_default = [&](ExprId value, const Type& type) {
    const auto* none = tree_.get<NoneLiteral>(value);
    if (none != nullptr || !has_language(type)) return;
    for (Evaluated& result : evaluate(value, state)) {
      const Value kept = result.value;
      check_type(std::move(result.state), kept, type, FailureKind::kArgument, tree_[value].span,
                 value);
    }
  };
  const size_t positional = parameters.positional_only.size() + parameters.positional.size();
  for (size_t i = 0; i < parameters.defaults.size(); ++i) {
    check_default(parameters.defaults[i],
                  known.parameters[positional - parameters.defaults.size() + i]);
  }
  for (size_t i = 0; i < parameters.keyword_defaults.size(); ++i) {
    if (parameters.keyword_defaults[i])
      check_default(*parameters.keyword_defaults[i], known.parameters[positional + i]);
  }
  if (auto slot = frame_.function->scope->slot(function.name)) {
    Value value{Unknown{}};
    if (!known.facts->has_unknown_decorator) value = {Callable{*index, {}, ""}};
    state.slots[frame_.base + *slot] = std::move(value);
  }
  flow.next.push_back(std::move(state));
}

// The values of class variables are checked; methods are checked on their own.
void Interpreter::execute_class(const ClassDef& cls, State state, Flow& flow) {
  std::optional<uint32_t> index = program_.definitions().class_of(&cls);
  for (StmtId id : cls.body) {
    if (const auto* annotated = tree_.get<AnnAssign>(id)) {
      if (!annotated->value) continue;
      const Type type = program_.type(annotated->annotation);
      const auto* call = tree_.get<Call>(*annotated->value);
      const auto* callee = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
      if (!has_language(type) || (callee != nullptr && callee->id == "field")) continue;
      for (Evaluated& value : evaluate(*annotated->value, state)) {
        const Value kept = value.value;
        check_type(std::move(value.state), kept, type, FailureKind::kVariable,
                   tree_[*annotated->value].span, annotated->value);
      }
    } else if (const auto* function = tree_.get<FunctionDef>(id)) {
      Flow ignored;
      execute_definition(*function, state, ignored);
    }
  }
  if (auto slot = frame_.function->scope->slot(cls.name))
    state.slots[frame_.base + *slot] =
        index && cls.decorators.empty() ? Value{ClassObject{*index}} : Value{Unknown{}};
  flow.next.push_back(std::move(state));
}

// What a context manager gives is not known, nor whether it swallows an exception.
void Interpreter::execute_with(const With& stmt, State state, Flow& flow) {
  Exprs contexts;
  for (const WithItem& item : stmt.items) contexts.push_back(item.context);
  evaluate_all(contexts, std::move(state), [&](State here, const Arguments& values) {
    States open;
    open.push_back(std::move(here));
    for (size_t i = 0; i < stmt.items.size(); ++i) {
      if (!stmt.items[i].target) continue;
      States next;
      for (State& one : open)
        append(next, assign_one(*stmt.items[i].target, std::move(one), values[i]));
      open.swap(next);
    }
    merge(flow, execute(stmt.body, std::move(open)));
  });
}

void Interpreter::execute_delete(const Delete& stmt, State state, Flow& flow) {
  for (ExprId target : stmt.targets) {
    if (const auto* name = tree_.get<Name>(target)) {
      if (auto slot = frame_.function->scope->slot(name->id))
        state.slots[frame_.base + *slot] = {Unbound{}};
      continue;
    }
    const auto* subscript = tree_.get<Subscript>(target);
    if (subscript == nullptr) {
      unknown(tree_[target].span, "this del statement");
      continue;
    }
    Evaluations subject = evaluate(subscript->value, std::move(state));
    if (subject.empty()) return;
    state = std::move(subject[0].state);
    const auto* ref = subject[0].value.as<Ref>();
    if (ref == nullptr || subject.size() > 1) {
      unknown(tree_[target].span, "this del statement");
      continue;
    }
    generalise(state, ref->cell);
    if (auto* content = std::get_if<Typed>(&state.heap[ref->cell].value.data))
      content->is_filled = false;
    doubt(state, subject[0].value, "LookupError", tree_[target].span, "the deleted value exists");
  }
  flow.next.push_back(std::move(state));
}

// ---- match

void Interpreter::execute_match(const Match& stmt, State state, Flow& flow) {
  for (Evaluated& subject : evaluate(stmt.subject, std::move(state))) {
    States open;
    const size_t base = subject.state.stack.size();
    subject.state.stack.push_back(std::move(subject.value));
    open.push_back(std::move(subject.state));
    for (const MatchCase& part : stmt.cases) {
      States next, entered;
      for (State& one : open) {
        const Value value = one.stack[base];
        Split split = match_pattern(part.pattern, std::move(one), value, tree_[part.pattern].span);
        append(next, std::move(split.no));
        for (State& yes : split.yes) {
          if (!part.guard) {
            entered.push_back(std::move(yes));
            continue;
          }
          Split guard = test(*part.guard, std::move(yes));
          append(entered, std::move(guard.yes));
          append(next, std::move(guard.no));
        }
      }
      for (State& one : entered) one.stack.resize(base);
      if (!domain_.is_concrete()) reduce(domain_, entered, limits_.states);
      merge(flow, execute(part.body, std::move(entered)));
      open.swap(next);
    }
    for (State& one : open) {
      one.stack.resize(base);
      flow.next.push_back(std::move(one));
    }
  }
}

Split Interpreter::match_pattern(PatternId id, State state, const Value& subject, Span span) {
  Split out;
  const auto& node = tree_[id].node;
  auto both = [&](const char* what) {
    unknown(span, what);
    for_each_captured_name(tree_, id, [&](const std::string& name) {
      if (auto slot = frame_.function->scope->slot(name))
        state.slots[frame_.base + *slot] = {Unknown{}};
    });
    out.yes.push_back(state);
    out.no.push_back(std::move(state));
  };
  if (const auto* literal = std::get_if<MatchValue>(&node)) {
    state.stack.push_back(subject);
    for (Evaluated& value : evaluate(literal->value, std::move(state))) {
      Value kept = std::move(value.state.stack.back());
      value.state.stack.pop_back();
      Split split = equal(std::move(value.state), kept, value.value);
      append(out.yes, std::move(split.yes));
      append(out.no, std::move(split.no));
    }
  } else if (const auto* as = std::get_if<MatchAs>(&node)) {
    if (as->pattern)
      out = match_pattern(*as->pattern, std::move(state), subject, span);
    else
      out.yes.push_back(std::move(state));
    for (State& yes : out.yes) {
      auto slot = as->name.empty() ? std::nullopt : frame_.function->scope->slot(as->name);
      if (slot) yes.slots[frame_.base + *slot] = yes.resolve(subject);
    }
  } else if (const auto* either = std::get_if<MatchOr>(&node)) {
    out.no.push_back(std::move(state));
    for (PatternId part : either->patterns) {
      States open;
      open.swap(out.no);
      for (State& one : open) {
        Split split = match_pattern(part, std::move(one), subject, span);
        append(out.yes, std::move(split.yes));
        append(out.no, std::move(split.no));
      }
    }
  } else if (const auto* items = std::get_if<MatchSequence>(&node)) {
    const Value content = state.deref(subject);
    const auto* sequence = content.as<Sequence>();
    const bool has_star = std::any_of(
        items->patterns.begin(), items->patterns.end(),
        [&](PatternId part) { return std::holds_alternative<MatchStar>(tree_[part].node); });
    if (content.as<Text>() != nullptr || content.as<NoneValue>() != nullptr ||
        content.as<Linear>() != nullptr) {
      out.no.push_back(std::move(state));
    } else if ((sequence == nullptr && content.as<SplitList>() == nullptr) || has_star) {
      both("this pattern");
    } else {
      States more;
      items_of(
          std::move(state), content, items->patterns.size(),
          [&](State here, const std::vector<Value>& values) {
            if (values.size() != items->patterns.size()) return out.no.push_back(std::move(here));
            Split all;
            all.yes.push_back(std::move(here));
            for (size_t i = 0; i < values.size(); ++i) {
              States open;
              open.swap(all.yes);
              for (State& one : open) {
                Split split = match_pattern(items->patterns[i], std::move(one), values[i], span);
                append(all.yes, std::move(split.yes));
                append(all.no, std::move(split.no));
              }
            }
            append(out.yes, std::move(all.yes));
            append(out.no, std::move(all.no));
          },
          more);
      append(out.no, std::move(more));
    }
  } else if (const auto* cls = std::get_if<MatchClass>(&node);
             cls != nullptr && cls->patterns.empty() && cls->keyword_patterns.empty()) {
    out = is_instance(std::move(state), subject, cls->cls, span);
  } else {
    both("this pattern");
  }
  return out;
}

}  // namespace nacre::python
