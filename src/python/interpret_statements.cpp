// Statements: blocks, branches, and the checks of declared types.
#include <algorithm>
#include <fmt/core.h>

#include "python/canonical.h"
#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {

Interpreter::Flow Interpreter::execute(const Block& block, States states) {
  Flow flow;
  flow.next = std::move(states);
  for (StmtId stmt : block) {
    if (flow.next.empty()) break;
    Flow step = execute(stmt, std::move(flow.next));
    flow.next.clear();
    merge(flow, std::move(step));
  }
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

// Variables that nobody reads any more are forgotten; alternatives that agree become one.
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
  if (const auto* assignment = std::get_if<Assign>(&stmt.node)) {
    execute_assign(*assignment, std::move(state), flow);
  } else if (const auto* augmented = std::get_if<AugAssign>(&stmt.node)) {
    execute_augmented(*augmented, stmt.span, std::move(state), flow);
  } else if (const auto* annotated = std::get_if<AnnAssign>(&stmt.node)) {
    execute_annotated(*annotated, stmt.span, std::move(state), flow);
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
  } else if (std::holds_alternative<Pass>(stmt.node) || std::holds_alternative<Import>(stmt.node) ||
             std::holds_alternative<ImportFrom>(stmt.node)) {
    flow.next.push_back(std::move(state));
  } else {
    unknown(stmt.span, std::string(kind_name(stmt)));
    // Whatever it assigns is unknown from here on.
    for (size_t i = 0; i < frame_.function->scope->size(); ++i)
      state.slots[frame_.base + i] = {Unknown{}};
    flow.next.push_back(std::move(state));
  }
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
  for (State& bad : split.no) {
    raise(std::move(bad), "AssertionError", "the assertion fails", tree_[stmt.test].span,
          FailureKind::kAssert);
  }
  append(flow.next, std::move(split.yes));
}

void Interpreter::execute_return(const Return& stmt, Span span, State state, Flow& flow) {
  for (Evaluated& value : evaluate_optional(stmt.value, std::move(state))) {
    Value kept = value.value;
    Span place = stmt.value ? tree_[*stmt.value].span : span;
    for (State& checked : check_type(std::move(value.state), kept, frame_.function->returns,
                                     FailureKind::kReturn, place)) {
      Value result = checked.resolve(kept);
      flow.returns.push_back({std::move(checked), std::move(result)});
    }
  }
}

// Reports the states in which the value is not of the type; gives back the others.
States Interpreter::check_type(State state, const Value& value, const Type& type, FailureKind kind,
                               Span span) {
  States good;
  auto broken = [&](State bad, std::string reason) {
    fail({"TypeError", std::move(reason), kind, span, std::move(bad)});
  };
  const bool is_text = value.as<Text>() != nullptr;
  const bool is_unknown = value.as<Unknown>() != nullptr;
  bool fits = true;
  switch (type.kind) {
    case Type::Kind::kMissing:
    case Type::Kind::kOther: break;
    case Type::Kind::kLanguage:
      if (is_text) {
        Split split = domain_.member(std::move(state), *value.as<Text>(), type.words);
        for (State& bad : split.no)
          broken(std::move(bad), "the value is not in the declared language");
        return std::move(split.yes);
      }
      fits = is_unknown;
      break;
    case Type::Kind::kStr: fits = is_text || is_unknown; break;
    case Type::Kind::kInt: fits = as_number(value).has_value() || is_unknown; break;
    case Type::Kind::kBool: fits = value.as<bool>() != nullptr || is_unknown; break;
    case Type::Kind::kNone: fits = value.as<NoneValue>() != nullptr || is_unknown; break;
  }
  if (is_unknown && type.kind != Type::Kind::kMissing && type.kind != Type::Kind::kOther)
    unknown(span, "the type of this value");
  if (fits)
    good.push_back(std::move(state));
  else
    broken(std::move(state), "the value has another type than declared");
  return good;
}

void Interpreter::show_type(const Call& call, Span span, State state) {
  if (call.args.size() != 1) return;
  auto known = std::find_if(outcome_.shown.begin(), outcome_.shown.end(),
                            [&](const Shown& shown) { return shown.span == span; });
  if (known == outcome_.shown.end()) {
    outcome_.shown.push_back({span, domain_.words().none(), true, ""});
    known = outcome_.shown.end() - 1;
  }
  const auto place = known - outcome_.shown.begin();
  for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
    Shown& shown = outcome_.shown[static_cast<size_t>(place)];
    if (const auto* text = value.value.as<Text>()) {
      shown.words = domain_.words().unite(shown.words, domain_.language(value.state, *text));
    } else {
      shown.is_string = false;
      std::optional<Linear> number = as_number(value.value);
      if (!number) {
        shown.other = "a value that is not a string";
        continue;
      }
      Range range = domain_.range(value.state, *number);
      shown.other = range.is_single() ? fmt::format("int, {}", range.low) : "int";
    }
  }
}

}  // namespace nacre::python
