// raise and try.
#include <algorithm>
#include <utility>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

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
  // What was raised deeper down is handled here: only what is active here stays.
  auto cut = [&, slots = frame_.base + frame_.function->scope->size(), stack = state.stack.size(),
              pins = state.pins.size()](State& raised) {
    raised.slots.resize(slots);
    raised.stack.resize(stack);
    raised.pins.resize(pins);
  };
  std::vector<Raised>* outer = raised_;
  std::vector<Raised> inner, escaped;
  raised_ = &inner;
  States start;
  start.push_back(std::move(state));
  Flow body = execute(stmt.body, std::move(start));
  raised_ = &escaped;
  Flow all;
  merge(all, execute(stmt.orelse, std::exchange(body.next, {})));
  merge(all, std::move(body));
  for (Raised& raised : inner) {
    cut(raised.state);
    handle(stmt, std::move(raised), all);
  }
  raised_ = outer;
  for (Raised& raised : escaped) cut(raised.state);
  if (!stmt.finally.empty()) return finish_try(stmt, std::move(all), std::move(escaped), flow);
  for (Raised& raised : escaped) raised_->push_back(std::move(raised));
  merge(flow, std::move(all));
}

// Every way out of the statement leads through `finally`, and goes on as it would have, unless
// `finally` itself leaves by another.
void Interpreter::finish_try(const Try& stmt, Flow all, std::vector<Raised> escaped, Flow& flow) {
  auto through = [&](States states) {
    Flow after = execute(stmt.finally, std::move(states));
    States next = std::exchange(after.next, {});
    merge(flow, std::move(after));
    return next;
  };
  auto one = [](State state) {
    States states;
    states.push_back(std::move(state));
    return states;
  };
  append(flow.next, through(std::move(all.next)));
  append(flow.breaks, through(std::move(all.breaks)));
  append(flow.continues, through(std::move(all.continues)));
  for (Returned& result : all.returns) {
    result.state.stack.push_back(std::move(result.value));
    for (State& state : through(one(std::move(result.state)))) {
      Value value = std::move(state.stack.back());
      state.stack.pop_back();
      flow.returns.push_back({std::move(state), std::move(value)});
    }
  }
  for (Raised& raised : escaped) {
    for (State& state : through(one(std::move(raised.state))))
      raised_->push_back(
          {raised.exception, raised.reason, raised.kind, raised.span, std::move(state)});
  }
}

}  // namespace nacre::python
