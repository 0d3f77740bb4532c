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
  // What a function raises itself is one of its results, unless it has nothing else to do than to
  // accept its argument. An AssertionError says that this place is never reached.
  auto reach = [&](State here, const std::string& exception) {
    raise(std::move(here), exception, "this raise is reached", span);
    raised_->back().is_declared =
        (frame_.function->declares_raise && exception != "AssertionError") ||
        exception == "NotImplementedError" || exception == "SystemExit";
  };
  if (!stmt.exception) return reach(std::move(state), handled_.exception);
  const auto* call = tree_.get<Call>(*stmt.exception);
  const ExprId callee = call != nullptr ? call->function : *stmt.exception;
  const auto* name = tree_.get<Name>(callee);
  const auto* attribute = tree_.get<Attribute>(callee);
  std::string exception = name != nullptr ? name->id : attribute != nullptr ? attribute->name : "";
  if (call == nullptr && !exception.empty() && exception == handled_.variable) {
    exception = handled_.exception;
  } else if ((name == nullptr && attribute == nullptr) || (name != nullptr && slot_of(name->id))) {
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
        const auto* attribute = tree_.get<Attribute>(type);
        const std::string wanted = name != nullptr        ? name->id
                                   : attribute != nullptr ? attribute->name
                                                          : "";
        if (wanted.empty()) {
          may_catch = true;
        } else if (is_subclass(raised.exception, wanted)) {
          catches = true;
        } else if (std::optional<uint32_t> cls = program_.definitions().cls(raised.exception)) {
          // A class of the file is caught by its bases; one from elsewhere may derive from
          // anything.
          std::optional<uint32_t> base = program_.definitions().cls(wanted);
          if (base && program_.definitions().is_subclass(*cls, *base)) catches = true;
          for (ExprId parent : program_.classes()[*cls].definition->bases) {
            const auto* parent_name = tree_.get<Name>(parent);
            if (parent_name != nullptr && is_subclass(parent_name->id, wanted)) catches = true;
          }
          may_catch = may_catch || !base;
        } else if (program_.definitions().imported(raised.exception)) {
          may_catch = true;
        }
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
  auto cut = [&, slots = state.slots.size(), stack = state.stack.size(),
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
      raised_->push_back({raised.exception, raised.reason, raised.kind, raised.span,
                          std::move(state), raised.is_declared, raised.doubt, raised.is_given});
  }
}

}  // namespace nacre::python
