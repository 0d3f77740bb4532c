// Statements: assignments, branches, exceptions, and the checks of declared types.
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

void append(States& into, States from) {
  for (State& state : from) into.push_back(std::move(state));
}

// The classes that `except NAME` catches, of those that the fragment raises.
bool is_subclass(const std::string& exception, const std::string& name) {
  if (exception == name || name == "Exception" || name == "BaseException") return true;
  if (name == "LookupError") return exception == "IndexError" || exception == "KeyError";
  if (name == "ArithmeticError")
    return exception == "ZeroDivisionError" || exception == "OverflowError";
  if (name == "NameError") return exception == "UnboundLocalError";
  if (name == "ValueError") return exception == "UnicodeError";
  return false;
}

}  // namespace

Outcome Interpreter::run(const Function& function, const std::vector<Value>* arguments,
                         State state) {
  std::vector<Raised> raised;
  raised_ = &raised;
  frame_ = {&function, 0};
  callers_ = {&function};
  state.slots.assign(function.scope->size(), {});
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Type& type = function.parameters[i];
    Value value{Unknown{}};
    if (arguments != nullptr) {
      value = (*arguments)[i];
    } else if (type.kind == Type::Kind::kStr) {
      value = {Text{state.add_word(domain_.words().all())}};
    } else if (type.kind == Type::Kind::kLanguage) {
      value = {Text{state.add_word(type.words)}};
    } else if (type.kind == Type::Kind::kInt) {
      value = {Linear::of(state.add_number({}))};
    } else if (type.kind == Type::Kind::kNone) {
      value = {NoneValue{}};
    }
    state.inputs.push_back(value);
    state.slots[i] = std::move(value);
  }
  States start;
  bool is_impossible = false;
  for (const Symbol& symbol : state.symbols)
    is_impossible |= symbol.kind == Symbol::Kind::kWord && domain_.words().is_empty(symbol.words);
  if (!is_impossible) start.push_back(std::move(state));
  // A Boolean argument is both.
  for (size_t i = 0; arguments == nullptr && i < function.parameters.size(); ++i) {
    if (function.parameters[i].kind != Type::Kind::kBool) continue;
    States both;
    for (State& one : start) {
      State other = one;
      one.inputs[i] = one.slots[i] = {true};
      other.inputs[i] = other.slots[i] = {false};
      both.push_back(std::move(one));
      both.push_back(std::move(other));
    }
    start.swap(both);
  }
  Flow flow = execute(function.definition->body, std::move(start));
  auto record = [&](const State& here, const Value& value) {
    outcome_.returns_anything = true;
    if (const auto* text = value.as<Text>()) {
      outcome_.returned = domain_.words().unite(outcome_.returned, domain_.language(here, *text));
    } else {
      outcome_.returns_only_strings = false;
    }
  };
  for (Returned& result : flow.returns) record(result.state, result.value);
  for (State& end : flow.next) {
    record(end, {NoneValue{}});
    check_type(std::move(end), {NoneValue{}}, function.returns, FailureKind::kReturn,
               function.definition->name_span);
  }
  for (Raised& one : raised) fail(std::move(one));
  outcome_.endings = flow.returns.size() + flow.next.size() + outcome_.failures.size();
  if (program_.words().exhausted()) outcome_.is_exhausted = true;
  return std::move(outcome_);
}

void Interpreter::fail(Raised raised) {
  constexpr size_t kPerPlace = 16;
  auto same = [&](const Failure& known) {
    return known.span == raised.span && known.kind == raised.kind;
  };
  if (std::count_if(outcome_.failures.begin(), outcome_.failures.end(), same) >=
      static_cast<std::ptrdiff_t>(kPerPlace))
    return;
  outcome_.failures.push_back({raised.kind, raised.span, std::move(raised.exception),
                               std::move(raised.reason), std::move(raised.state)});
}

void Interpreter::raise(State state, std::string exception, std::string reason, Span span,
                        FailureKind kind) {
  raised_->push_back({std::move(exception), std::move(reason), kind, span, std::move(state)});
}

// ---- blocks

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
    for (Evaluated& value : evaluate(assignment->value, std::move(state))) {
      States open;
      Value kept = value.value;
      open.push_back(std::move(value.state));
      for (ExprId target : assignment->targets) {
        States next;
        for (State& one : open) append(next, assign_one(target, std::move(one), kept));
        open.swap(next);
      }
      append(flow.next, std::move(open));
    }
  } else if (const auto* augmented = std::get_if<AugAssign>(&stmt.node)) {
    if (tree_.get<Name>(augmented->target) == nullptr) {
      unknown(stmt.span, "an assignment to a part of a value");
      return flow.next.push_back(std::move(state));
    }
    Evaluations values;
    evaluate_all({augmented->target, augmented->value}, std::move(state),
                 [&](State after, Arguments operands) {
                   binary(augmented->op, stmt.span, std::move(after), operands[0], operands[1],
                          values);
                 });
    append(flow.next, assign(augmented->target, std::move(values)));
  } else if (const auto* annotated = std::get_if<AnnAssign>(&stmt.node)) {
    if (!annotated->value) return flow.next.push_back(std::move(state));
    Type type = program_.type(annotated->annotation);
    for (Evaluated& value : evaluate(*annotated->value, std::move(state))) {
      Value kept = value.value;
      for (State& checked :
           check_type(std::move(value.state), kept, type, FailureKind::kVariable, stmt.span)) {
        append(flow.next, assign_one(annotated->target, std::move(checked), kept));
      }
    }
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
    unknown(stmt.span, "this kind of statement");
    // Whatever it assigns is unknown from here on.
    for (size_t i = 0; i < frame_.function->scope->size(); ++i)
      state.slots[frame_.base + i] = {Unknown{}};
    flow.next.push_back(std::move(state));
  }
}

// ---- assignment

States Interpreter::assign(ExprId target, Evaluations values) {
  States out;
  for (Evaluated& value : values) {
    Value kept = std::move(value.value);
    append(out, assign_one(target, std::move(value.state), kept));
  }
  return out;
}

States Interpreter::assign_one(ExprId target, State state, const Value& value) {
  States out;
  if (const auto* name = tree_.get<Name>(target)) {
    auto slot = frame_.function->scope->slot(name->id);
    if (slot) state.slots[frame_.base + *slot] = value;
    out.push_back(std::move(state));
    return out;
  }
  const Span span = tree_[target].span;
  if (const auto* tuple = tree_.get<TupleExpr>(target))
    return unpack(tuple->items, span, std::move(state), value);
  if (const auto* list = tree_.get<ListExpr>(target))
    return unpack(list->items, span, std::move(state), value);
  unknown(span, "an assignment to a part of a value");
  out.push_back(std::move(state));
  return out;
}

States Interpreter::unpack(const Exprs& targets, Span span, State state, const Value& value) {
  States out;
  const auto wanted = static_cast<int64_t>(targets.size());
  bool has_star = std::any_of(targets.begin(), targets.end(),
                              [&](ExprId target) { return tree_.get<Starred>(target) != nullptr; });
  auto wrong = [&](State bad) {
    raise(std::move(bad), "ValueError", fmt::format("expected {} values to unpack", wanted), span);
  };
  auto give = [&](State good, const std::vector<Value>& items) {
    States open;
    open.push_back(std::move(good));
    for (size_t i = 0; i < targets.size(); ++i) {
      States next;
      for (State& one : open) append(next, assign_one(targets[i], std::move(one), items[i]));
      open.swap(next);
    }
    append(out, std::move(open));
  };
  auto forget = [&](State any) {
    for (ExprId target : targets) {
      const auto* starred = tree_.get<Starred>(target);
      States one =
          assign_one(starred != nullptr ? starred->value : target, std::move(any), {Unknown{}});
      any = std::move(one[0]);
    }
    out.push_back(std::move(any));
  };
  if (has_star) {
    unknown(span, "unpacking with a star");
    forget(std::move(state));
  } else if (const auto* sequence = value.as<Sequence>()) {
    if (sequence->items.size() != targets.size())
      wrong(std::move(state));
    else
      give(std::move(state), sequence->items);
  } else if (const auto* text = value.as<Text>()) {
    Linear difference = domain_.length(state, *text) - wanted;
    Split size = domain_.equals_zero(std::move(state), difference);
    for (State& bad : size.no) wrong(std::move(bad));
    for (State& good : size.yes) {
      std::function<void(State, Text, std::vector<Value>)> letters = [&](State here, Text rest,
                                                                         std::vector<Value> items) {
        if (items.size() + 1 == targets.size()) {
          items.push_back({std::move(rest)});
          return give(std::move(here), items);
        }
        for (Divided& cut : domain_.cut(std::move(here), rest, Linear(1))) {
          std::vector<Value> more = items;
          more.push_back({cut.before});
          letters(std::move(cut.state), cut.after, std::move(more));
        }
      };
      letters(std::move(good), *text, {});
    }
  } else if (const auto* split = value.as<SplitList>()) {
    States more;
    expand(
        std::move(state), *split, targets.size(),
        [&](State here, const std::vector<Text>& items) {
          if (items.size() != targets.size()) return wrong(std::move(here));
          std::vector<Value> values;
          for (const Text& item : items) values.push_back({item});
          give(std::move(here), values);
        },
        more);
    for (State& bad : more) wrong(std::move(bad));
  } else if (value.as<Unknown>() != nullptr) {
    unknown(span, "unpacking an unknown value");
    forget(std::move(state));
  } else {
    raise(std::move(state), "TypeError", "cannot unpack this value", span);
  }
  return out;
}

// ---- branches and failures

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

void Interpreter::execute_raise(const Raise& stmt, Span span, State state) {
  auto reach = [&](State here, const std::string& exception) {
    raise(std::move(here), exception, "this raise is reached", span);
  };
  if (!stmt.exception) return reach(std::move(state), handled_.exception);
  const auto* call = tree_.get<Call>(*stmt.exception);
  const auto* name = tree_.get<Name>(call != nullptr ? call->function : *stmt.exception);
  std::string exception = name != nullptr ? name->id : "";
  if (call == nullptr && !exception.empty() && exception == handled_.variable) {
    exception = handled_.exception;
  } else if (name == nullptr || frame_.function->scope->slot(name->id)) {
    // A handler may catch it or not: the class is not known.
    unknown(span, "the class of this exception");
    exception = "BaseException";
  }
  if (call == nullptr) return reach(std::move(state), exception);
  // The arguments may fail on their own.
  evaluate_all(call->args, std::move(state),
               [&](State after, const Arguments&) { reach(std::move(after), exception); });
}

void Interpreter::handle(const Try& stmt, Raised raised, Flow& flow) {
  for (const ExceptHandler& handler : stmt.handlers) {
    bool catches = !handler.type;
    bool may_catch = false;
    if (handler.type) {
      Exprs types = {*handler.type};
      if (const auto* tuple = tree_.get<TupleExpr>(*handler.type)) types = tuple->items;
      for (ExprId type : types) {
        const auto* name = tree_.get<Name>(type);
        if (name == nullptr)
          may_catch = true;
        else if (is_subclass(raised.exception, name->id))
          catches = true;
        // A class of the file may derive from anything.
        else if (program_.defines_class(raised.exception))
          may_catch = true;
      }
    }
    if (!catches && !may_catch) continue;
    State state = raised.state;
    if (!handler.name.empty()) {
      if (auto slot = frame_.function->scope->slot(handler.name))
        state.slots[frame_.base + *slot] = {Unknown{}};
    }
    States caught;
    caught.push_back(std::move(state));
    Handled outer = std::exchange(handled_, {raised.exception, handler.name});
    merge(flow, execute(handler.body, std::move(caught)));
    handled_ = std::move(outer);
    if (catches) return;
  }
  raised_->push_back(std::move(raised));
}

void Interpreter::execute_try(const Try& stmt, State state, Flow& flow) {
  const size_t slots = frame_.base + frame_.function->scope->size();
  const size_t stack = state.stack.size();
  const size_t pins = state.pins.size();
  std::vector<Raised>* outer = raised_;
  std::vector<Raised> inner, escaped;
  raised_ = &inner;
  States start;
  start.push_back(std::move(state));
  Flow body = execute(stmt.body, std::move(start));
  raised_ = &escaped;
  Flow all;
  merge(all, execute(stmt.orelse, std::move(body.next)));
  body.next.clear();
  merge(all, std::move(body));
  // One state per kind of failure and shape is enough: join before handling.
  for (Raised& raised : inner) {
    raised.state.slots.resize(slots);
    raised.state.stack.resize(stack);
    raised.state.pins.resize(pins);
    handle(stmt, std::move(raised), all);
  }
  raised_ = outer;
  if (stmt.finally.empty()) {
    for (Raised& raised : escaped) raised_->push_back(std::move(raised));
    return merge(flow, std::move(all));
  }
  merge(flow, execute(stmt.finally, std::move(all.next)));
  auto pass_through = [&](States states, States Flow::*exit) {
    Flow after = execute(stmt.finally, std::move(states));
    States through = std::move(after.next);
    after.next.clear();
    merge(flow, std::move(after));
    append(flow.*exit, std::move(through));
  };
  pass_through(std::move(all.breaks), &Flow::breaks);
  pass_through(std::move(all.continues), &Flow::continues);
  for (Returned& result : all.returns) {
    result.state.stack.push_back(std::move(result.value));
    States one;
    one.push_back(std::move(result.state));
    Flow after = execute(stmt.finally, std::move(one));
    for (State& through : after.next) {
      Value value = std::move(through.stack.back());
      through.stack.pop_back();
      flow.returns.push_back({std::move(through), std::move(value)});
    }
    after.next.clear();
    merge(flow, std::move(after));
  }
  for (Raised& raised : escaped) {
    raised.state.slots.resize(slots);
    raised.state.stack.resize(stack);
    raised.state.pins.resize(pins);
    States one;
    one.push_back(std::move(raised.state));
    Flow after = execute(stmt.finally, std::move(one));
    for (State& through : after.next) {
      Raised again = raised;
      again.state = std::move(through);
      raised_->push_back(std::move(again));
    }
    after.next.clear();
    merge(flow, std::move(after));
  }
}

// ---- types

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
