// Loops reach a fixpoint over states at their head. A state there is identified by its key
// (canonical.h): which variable sits at which boundary, and in which state of its automaton the
// word is at each boundary. States with one key are joined; there are finitely many keys, and from
// the third round on a key's state grows by leaps. No invariant is needed from the user; those that
// are given are checked at the head and then assumed.
#include <algorithm>
#include <deque>

#include "python/canonical.h"
#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {

LoopHead Interpreter::loop_head(StmtId id, const State& state) const {
  const Scope& scope = *frame_.function->scope;
  const LoopFacts& facts = scope.loop(id);
  LoopHead head;
  head.modified.assign(state.slots.size(), false);
  head.related.resize(state.slots.size());
  head.changes_containers = program_.definitions().changes_containers();
  head.is_changed_field = [this](uint32_t cls, size_t field) {
    return program_.definitions().is_changed_field(program_.classes()[cls].fields[field]);
  };
  head.type_of = [this](const State& one, const Value& value) { return type_of(one, value); };
  head.numbers = &program_.numbers();
  head.constants = &program_.constants();
  for (uint32_t i = 0; i < scope.size(); ++i) {
    if (!facts.modified[i]) continue;
    head.modified[frame_.base + i] = true;
    std::vector<uint32_t>& related = head.related[frame_.base + i];
    // A cursor belongs to what it runs over; other indices to strings that stay, before those that
    // change.
    if (scope.name(i).empty()) {
      if (i == facts.hidden + 1)
        related.push_back(static_cast<uint32_t>(frame_.base) + facts.hidden);
      if (i > facts.hidden && i < facts.hidden + kHiddenSlots) continue;
    }
    for (bool wants_modified : {false, true}) {
      for (uint32_t j = 0; j < scope.size(); ++j) {
        if (j != i && facts.modified[j] == wants_modified && scope.are_related(i, j)) {
          related.push_back(static_cast<uint32_t>(frame_.base) + j);
        }
      }
    }
  }
  return head;
}

void Interpreter::finish_loop(const Block& orelse, States leave, States breaks, Flow& flow) {
  if (!domain_.is_concrete()) reduce(domain_, leave, limits_.states);
  merge(flow, execute(orelse, std::move(leave)));
  append(flow.next, std::move(breaks));
}

void Interpreter::run_concrete_loop(const AtHead& advance, const Block& body, const Block& orelse,
                                    State state, Flow& flow) {
  States leave, breaks;
  States open;
  open.push_back(std::move(state));
  for (uint64_t round = 0; !open.empty(); ++round) {
    if (round > limits_.loop_rounds || !spend()) {
      outcome_.is_exhausted = true;
      return;
    }
    States next;
    for (State& one : open) {
      Advance step = advance(std::move(one));
      append(leave, std::move(step.leave));
      Flow inside = execute(body, std::move(step.enter));
      append(breaks, std::move(inside.breaks));
      append(next, std::move(inside.next));
      append(next, std::move(inside.continues));
      for (Returned& result : inside.returns) flow.returns.push_back(std::move(result));
    }
    for (State& one : next) compact(domain_, one);
    open.swap(next);
  }
  finish_loop(orelse, std::move(leave), std::move(breaks), flow);
}

// Each head state remembers what its last visit led to.
struct Interpreter::Head {
  HeadState at;
  int round = 0;
  bool is_waiting = false;
  States leave, breaks;
  std::vector<Returned> returns;
  std::vector<Raised> raised;
};

void Interpreter::run_loop(StmtId id, const AtHead& advance, const Block& body, const Block& orelse,
                           State state, Flow& flow) {
  if (domain_.is_concrete())
    return run_concrete_loop(advance, body, orelse, std::move(state), flow);
  const SlotSet& live = frame_.function->scope->loop(id).live;
  auto forget = [&](State& one) {
    for (size_t i = 0; i < live.size(); ++i) {
      if (!live[i]) one.slots[frame_.base + i] = {};
    }
  };
  LoopHead head = loop_head(id, state);
  forget(state);
  compact(domain_, state);
  head.first_pin = state.pins.size();
  for (size_t i = 0; i < state.symbols.size(); ++i) {
    const Symbol& symbol = state.symbols[i];
    if (symbol.kind == Symbol::Kind::kWord && domain_.words()[symbol.words].size() > 0)
      state.pins.push_back({{SymbolId{static_cast<uint32_t>(i)}}, symbol.words});
  }
  std::map<std::string, Head> heads;
  std::deque<std::string> work;
  auto arrive = [&](State one) {
    forget(one);
    for (HeadState& arrival : at_head(domain_, std::move(one), head)) {
      auto [it, is_new] = heads.try_emplace(arrival.key);
      Head& known = it->second;
      if (is_new) {
        known.at = std::move(arrival);
      } else if (!widen(domain_, known.at, arrival.state, head.first_pin, ++known.round)) {
        --known.round;
        continue;
      }
      if (!known.is_waiting) work.push_back(it->first);
      known.is_waiting = true;
    }
  };
  arrive(std::move(state));
  while (!work.empty()) {
    if (!spend() || heads.size() > limits_.heads) {
      outcome_.is_exhausted = true;
      break;
    }
    Head& current = heads.at(work.front());
    work.pop_front();
    for (State& again : visit_head(current, advance, body)) arrive(std::move(again));
  }
  leave_loop(heads, head.first_pin, orelse, flow);
}

// One round from a head state; gives the states that come back to the head.
States Interpreter::visit_head(Head& head, const AtHead& advance, const Block& body) {
  head.is_waiting = false;
  head.raised.clear();
  std::vector<Raised>* outer = std::exchange(raised_, &head.raised);
  Advance step = advance(head.at.state);
  reduce(domain_, step.enter, limits_.states);
  Flow inside = execute(body, std::move(step.enter));
  raised_ = outer;
  head.leave = std::move(step.leave);
  head.breaks = std::move(inside.breaks);
  head.returns = std::move(inside.returns);
  append(inside.next, std::move(inside.continues));
  return std::move(inside.next);
}

void Interpreter::leave_loop(std::map<std::string, Head>& heads, size_t outer_pins,
                             const Block& orelse, Flow& flow) {
  States leave, breaks;
  for (auto& [key, one] : heads) {
    append(leave, std::move(one.leave));
    append(breaks, std::move(one.breaks));
    for (Raised& raised : one.raised) raised_->push_back(std::move(raised));
    for (Returned& result : one.returns) {
      result.state.pins.resize(outer_pins);
      flow.returns.push_back(std::move(result));
    }
  }
  for (States* states : {&leave, &breaks}) {
    for (State& one : *states) one.pins.resize(outer_pins);
  }
  finish_loop(orelse, std::move(leave), std::move(breaks), flow);
}

void Interpreter::execute_while(StmtId id, const While& stmt, State state, Flow& flow) {
  Exprs invariants;
  for (StmtId inner : stmt.body) {
    const Call* call = special_call(inner, "inv");
    if (call == nullptr) break;
    invariants.insert(invariants.end(), call->args.begin(), call->args.end());
  }
  auto advance = [&](State here) {
    States open;
    open.push_back(std::move(here));
    for (ExprId invariant : invariants) {
      States next;
      for (State& one : open) {
        Split split = test(invariant, std::move(one));
        for (State& bad : split.no) {
          fail({"AssertionError", "the invariant does not hold", FailureKind::kInvariant,
                tree_[invariant].span, std::move(bad)});
        }
        append(next, std::move(split.yes));
      }
      open.swap(next);
    }
    Advance result;
    for (State& one : open) {
      Split split = test(stmt.test, std::move(one));
      append(result.enter, std::move(split.yes));
      append(result.leave, std::move(split.no));
    }
    return result;
  };
  run_loop(id, advance, stmt.body, stmt.orelse, std::move(state), flow);
}

// ---- for

// Hidden slots: what the loop runs over, the cursor (a position, or what is left of a split),
// whether a split is used up, and how many of its items were seen.
void Interpreter::execute_for(StmtId id, const For& stmt, State state, Flow& flow) {
  ExprId iterable = stmt.iterable;
  const auto* call = tree_.get<Call>(iterable);
  const auto* callee = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
  bool is_local = callee != nullptr && (slot_of(callee->id) || !is_builtin_name(callee->id));
  if (callee != nullptr && !is_local && callee->id == "range" && call->keywords.empty()) {
    return for_range(id, stmt, *call, std::move(state), flow);
  }
  bool is_counted = callee != nullptr && !is_local && callee->id == "enumerate" &&
                    call->args.size() == 1 && call->keywords.empty();
  if (is_counted) iterable = call->args[0];
  note_changes(stmt, state);
  for (Evaluated& value : evaluate(iterable, std::move(state))) {
    for_value(id, stmt, std::move(value), is_counted, flow);
  }
}

// The list, set or dictionary that an expression of names reads.
std::optional<uint32_t> Interpreter::cell_behind(ExprId expr, const State& state) const {
  if (const auto* call = tree_.get<Call>(expr)) {
    const auto* attribute = tree_.get<Attribute>(call->function);
    if (attribute != nullptr && is_one_of(attribute->name, {"items", "keys", "values"}))
      return cell_behind(attribute->value, state);
    const auto* callee = tree_.get<Name>(call->function);
    const bool reads = callee != nullptr && !call->args.empty() &&
                       is_one_of(callee->id, {"enumerate", "reversed", "iter", "zip"});
    return reads ? cell_behind(call->args[0], state) : std::nullopt;
  }
  const auto value_of = [&](const auto& self, ExprId part) -> const Value* {
    if (const auto* name = tree_.get<Name>(part)) {
      const auto slot = frame_.function->scope->slot(name->id);
      return slot ? &state.slots[frame_.base + *slot] : nullptr;
    }
    const auto* attribute = tree_.get<Attribute>(part);
    const Value* object = attribute != nullptr ? self(self, attribute->value) : nullptr;
    const auto* instance = object != nullptr ? state.deref(*object).as<Instance>() : nullptr;
    if (instance == nullptr) return nullptr;
    const auto field = program_.classes()[instance->cls].field(attribute->name);
    return field && *field < instance->fields.size() ? &instance->fields[*field] : nullptr;
  };
  const Value* value = value_of(value_of, expr);
  const auto* ref = value != nullptr ? value->as<Ref>() : nullptr;
  if (ref == nullptr || state.heap[ref->cell].value.as<Instance>() != nullptr) return std::nullopt;
  return ref->cell;
}

void Interpreter::note_changes(const For& stmt, const State& state) {
  const std::optional<uint32_t> read = cell_behind(stmt.iterable, state);
  if (!read) return;
  // The first name that the loop binds: the key or the index of the item that was read last.
  const auto* several = tree_.get<TupleExpr>(stmt.target);
  const auto* bound = tree_.get<Name>(
      several != nullptr && !several->items.empty() ? several->items[0] : stmt.target);
  const auto changes = [&](ExprId target) {
    const auto* subscript = tree_.get<Subscript>(target);
    if (subscript == nullptr) return false;
    const auto* at = tree_.get<Name>(subscript->index);
    const bool is_same_item = bound != nullptr && at != nullptr && at->id == bound->id;
    return !is_same_item && cell_behind(subscript->value, state) == read;
  };
  const auto changed_by = [&](StmtId id) {
    bool is_changed = false;
    if (const auto* assign = tree_.get<Assign>(id)) {
      is_changed = std::any_of(assign->targets.begin(), assign->targets.end(), changes);
    } else if (const auto* removal = tree_.get<Delete>(id)) {
      is_changed =
          std::any_of(removal->targets.begin(), removal->targets.end(), [&](ExprId target) {
            const auto* subscript = tree_.get<Subscript>(target);
            return subscript != nullptr && cell_behind(subscript->value, state) == read;
          });
    } else if (const auto* augmented = tree_.get<AugAssign>(id)) {
      is_changed = changes(augmented->target) || cell_behind(augmented->target, state) == read;
    }
    for_each_expression(tree_, id, [&](ExprId expr) {
      for_all_expressions(tree_, expr, [&](ExprId part) {
        const auto* call = tree_.get<Call>(part);
        const auto* method = call != nullptr ? tree_.get<Attribute>(call->function) : nullptr;
        if (method != nullptr && is_changing_method(method->name))
          is_changed = is_changed || cell_behind(method->value, state) == read;
      });
    });
    return is_changed;
  };
  // What is followed by the end of the loop does no harm.
  const auto look = [&](const auto& self, const Block& block) -> void {
    const bool leaves = !block.empty() && (tree_.get<Break>(block.back()) != nullptr ||
                                           tree_.get<Return>(block.back()) != nullptr ||
                                           tree_.get<Raise>(block.back()) != nullptr);
    for (StmtId id : block) {
      if (!leaves && changed_by(id)) unknown(tree_[id].span, "a change of what the loop reads");
      for_each_own_block(tree_, id, [&](const Block& inner) { self(self, inner); });
    }
  };
  look(look, stmt.body);
}

void Interpreter::for_value(StmtId id, const For& stmt, Evaluated iterable, bool is_counted,
                            Flow& flow) {
  const size_t hidden = frame_.base + frame_.function->scope->loop(id).hidden;
  State& state = iterable.state;
  const Value given = iterable.value;
  iterable.value = state.deref(given);
  if (const auto* dict = iterable.value.as<Dict>())
    iterable.value = {Sequence{std::vector<Value>(dict->keys), true}};
  if (const auto* cls = iterable.value.as<ClassObject>();
      cls != nullptr && program_.classes()[cls->cls].kind == ClassFacts::Kind::kEnum) {
    Sequence all{{}, true};
    for (uint32_t i = 0; i < members(cls->cls).size(); ++i)
      all.items.push_back({EnumMember{cls->cls, i}});
    iterable.value = {std::move(all)};
  }
  if (const auto* instance = iterable.value.as<Instance>();
      instance != nullptr &&
      program_.classes()[instance->cls].kind == ClassFacts::Kind::kNamedTuple)
    iterable.value = {Sequence{std::vector<Value>(instance->fields), false}};
  if (const auto* text = iterable.value.as<Text>(); text != nullptr && !domain_.is_concrete()) {
    std::optional<Word> word = domain_.constant(state, *text);
    if (word && word->size() <= limits_.items) {
      Sequence letters{{}, true};
      for (Letter letter : *word) letters.items.push_back({domain_.constant_text(state, {letter})});
      iterable.value = {std::move(letters)};
    }
  }
  if (const auto* sequence = iterable.value.as<Sequence>()) {
    std::vector<Value> items = sequence->items;
    for (size_t i = 0; is_counted && i < items.size(); ++i) {
      items[i] = {Sequence{{Value{Linear(static_cast<int64_t>(i))}, items[i]}, false}};
    }
    return for_items(stmt, std::move(items), std::move(state), flow);
  }
  if (const Text* letters = letters_of(iterable.value)) iterable.value = {Text(*letters)};
  if (const auto* split = iterable.value.as<SplitList>()) {
    state.slots[hidden] = iterable.value;
    state.slots[hidden + 1] = {split->subject};
    state.slots[hidden + 2] = {false};
    state.slots[hidden + 3] = {Linear(0)};
    return run_loop(
        id,
        [&](State here) { return next_of_split(std::move(here), hidden, stmt.target, is_counted); },
        stmt.body, stmt.orelse, std::move(state), flow);
  }
  if (iterable.value.as<Text>() != nullptr) {
    state.slots[hidden] = iterable.value;
    state.slots[hidden + 1] = {Linear(0)};
    return run_loop(
        id,
        [&](State here) { return next_of_text(std::move(here), hidden, stmt.target, is_counted); },
        stmt.body, stmt.orelse, std::move(state), flow);
  }
  if (iterable.value.as<Typed>() != nullptr && item_type(state, iterable.value)) {
    state.slots[hidden] = given;
    state.slots[hidden + 2] = {false};
    state.slots[hidden + 3] = {Linear(0)};
    return run_loop(
        id,
        [&](State here) { return next_of_typed(std::move(here), hidden, stmt.target, is_counted); },
        stmt.body, stmt.orelse, std::move(state), flow);
  }
  if (iterable.value.as<Unknown>() == nullptr && iterable.value.as<Instance>() == nullptr &&
      iterable.value.as<Callable>() == nullptr) {
    return raise(std::move(state), "TypeError", "this value cannot be iterated over",
                 tree_[stmt.iterable].span);
  }
  unknown(tree_[stmt.iterable].span, "a loop over this value");
  auto advance = [&](State here) {
    Advance result;
    result.leave.push_back(here);
    for (State& bound : assign_one(stmt.target, std::move(here), {Unknown{}}))
      result.enter.push_back(std::move(bound));
    return result;
  };
  run_loop(id, advance, stmt.body, stmt.orelse, std::move(state), flow);
}

void Interpreter::for_items(const For& stmt, std::vector<Value> items, State state, Flow& flow) {
  const size_t base = state.stack.size();
  for (size_t i = items.size(); i-- > 0;) state.stack.push_back(std::move(items[i]));
  States open, breaks;
  open.push_back(std::move(state));
  for (size_t i = 0; i < items.size() && !open.empty(); ++i) {
    States bound;
    for (State& one : open) {
      Value item = std::move(one.stack.back());
      one.stack.pop_back();
      append(bound, assign_one(stmt.target, std::move(one), item));
    }
    Flow inside = execute(stmt.body, std::move(bound));
    append(breaks, std::move(inside.breaks));
    open = std::move(inside.next);
    append(open, std::move(inside.continues));
    for (Returned& result : inside.returns) {
      result.state.stack.resize(base);
      flow.returns.push_back(std::move(result));
    }
  }
  for (State& one : breaks) one.stack.resize(base);
  finish_loop(stmt.orelse, std::move(open), std::move(breaks), flow);
}

void Interpreter::for_range(StmtId id, const For& stmt, const Call& range, State state,
                            Flow& flow) {
  const size_t hidden = frame_.base + frame_.function->scope->loop(id).hidden;
  const Span span = tree_[stmt.iterable].span;
  evaluate_all(range.args, std::move(state), [&](State here, const Arguments& values) {
    std::vector<Linear> numbers;
    for (const Value& value : values) {
      std::optional<Linear> number = as_number(value);
      if (!number) {
        if (value.as<Unknown>() == nullptr)
          return raise(std::move(here), "TypeError", "range() needs integers", span);
        unknown(span, "a range of unknown bounds");
        return;
      }
      numbers.push_back(*number);
    }
    if (numbers.empty() || numbers.size() > 3)
      return raise(std::move(here), "TypeError", "range() takes 1 to 3 arguments", span);
    std::optional<int64_t> step = numbers.size() == 3 ? as_constant(here, {numbers[2]}) : 1;
    if (!step) {
      unknown(span, "a range with a step that is not constant");
      step = 1;
    }
    if (*step == 0)
      return raise(std::move(here), "ValueError", "range() arg 3 must not be zero", span);
    here.slots[hidden] = {numbers.size() == 1 ? numbers[0] : numbers[1]};
    here.slots[hidden + 1] = {numbers.size() == 1 ? Linear(0) : numbers[0]};
    run_loop(
        id, [&](State one) { return next_of_range(std::move(one), hidden, stmt.target, *step); },
        stmt.body, stmt.orelse, std::move(here), flow);
  });
}

Interpreter::Advance Interpreter::next_of_range(State state, size_t hidden, ExprId target,
                                                int64_t step) {
  Advance result;
  Linear at = *state.slots[hidden + 1].as<Linear>();
  Linear end = *state.slots[hidden].as<Linear>();
  Split more = domain_.compare(std::move(state), step > 0 ? end - at - 1 : at - end - 1);
  result.leave = std::move(more.no);
  for (State& one : more.yes) {
    one.slots[hidden + 1] = {at + step};
    append(result.enter, assign_one(target, std::move(one), {at}));
  }
  return result;
}

Interpreter::Advance Interpreter::next_of_text(State state, size_t hidden, ExprId target,
                                               bool is_counted) {
  Advance result;
  Text text = *state.slots[hidden].as<Text>();
  Linear at = *state.slots[hidden + 1].as<Linear>();
  Linear room = domain_.length(state, text) - at - 1;
  Split more = domain_.compare(std::move(state), room);
  result.leave = std::move(more.no);
  Evaluations letters;
  for (State& one : more.yes) index_text({}, std::move(one), text, at, letters);
  for (Evaluated& letter : letters) {
    letter.state.slots[hidden + 1] = {at + 1};
    Value item = letter.value;
    if (is_counted) item = {Sequence{{Value{at}, letter.value}, false}};
    append(result.enter, assign_one(target, std::move(letter.state), item));
  }
  return result;
}

// One more item of its type, or no more; a container that is not empty has at least one.
Interpreter::Advance Interpreter::next_of_typed(State state, size_t hidden, ExprId target,
                                                bool is_counted) {
  Advance result;
  const Value content = state.deref(state.slots[hidden]);
  const auto* kept = content.as<Typed>();
  const bool was_entered = *state.slots[hidden + 2].as<bool>();
  std::optional<Type> item = item_type(state, content);
  if (!item) item = type_of_kind(Type::Kind::kOther);
  if (kept == nullptr || !kept->is_filled || was_entered) result.leave.push_back(state);
  const Linear count = *state.slots[hidden + 3].as<Linear>();
  state.slots[hidden + 2] = {true};
  if (is_counted) state.slots[hidden + 3] = {count + 1};
  Evaluations items;
  instantiate_item(std::move(state), *item, items, kept != nullptr && kept->is_given);
  for (Evaluated& one : items) {
    Value value = one.value;
    if (is_counted) value = {Sequence{{Value{count}, one.value}, false}};
    append(result.enter, assign_one(target, std::move(one.state), value));
  }
  return result;
}

Interpreter::Advance Interpreter::next_of_split(State state, size_t hidden, ExprId target,
                                                bool is_counted) {
  Advance result;
  if (*state.slots[hidden + 2].as<bool>()) {
    result.leave.push_back(std::move(state));
    return result;
  }
  const Linear count = *state.slots[hidden + 3].as<Linear>();
  Text rest = *state.slots[hidden + 1].as<Text>();
  SplitList list = *state.slots[hidden].as<SplitList>();
  for (Piece& piece : next_piece(std::move(state), rest, list, result.leave)) {
    piece.state.slots[hidden + 1] = {piece.rest};
    piece.state.slots[hidden + 2] = {piece.is_last};
    piece.state.slots[hidden + 3] = {is_counted ? count + 1 : count};
    Value item{piece.piece};
    if (is_counted) item = {Sequence{{Value{count}, Value{piece.piece}}, false}};
    append(result.enter, assign_one(target, std::move(piece.state), item));
  }
  return result;
}

}  // namespace nacre::python
