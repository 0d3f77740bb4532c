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

}  // namespace nacre::python
