// Comprehensions and generators: over the items of a list one by one, as far as there are few; over
// the letters of a string also by the image of each letter, however long the string is.
#include <algorithm>

#include "python/canonical.h"
#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {

// ---- item by item

// Binds the items in turn and gives each state that passes the conditions to `body`, which hands
// on those that go on to the next item. A comprehension has variables of its own: what their names
// meant outside waits on the stack, below the items that are left.
void Interpreter::each_item(const Comprehension& part, State state, const std::vector<Value>& items,
                            const ItemBody& body, const std::function<void(State)>& done) {
  Shadowed shadowed{state.stack.size(), {}};
  for_all_expressions(tree_, part.target, [&](ExprId id) {
    const auto* name = tree_.get<Name>(id);
    auto slot = name != nullptr ? frame_.function->scope->slot(name->id) : std::nullopt;
    if (!slot) return;
    shadowed.slots.push_back(frame_.base + *slot);
    state.stack.push_back(state.slots[frame_.base + *slot]);
  });
  state.stack.insert(state.stack.end(), items.rbegin(), items.rend());
  States open;
  open.push_back(std::move(state));
  for (size_t i = 0; i < items.size(); ++i) {
    States next;
    for (State& one : open) {
      Value item = std::move(one.stack.back());
      one.stack.pop_back();
      States passing = assign_one(part.target, std::move(one), item);
      for (ExprId condition : part.conditions) {
        States kept;
        for (State& bound : passing) {
          Split split = test(condition, std::move(bound));
          append(kept, std::move(split.yes));
          append(next, std::move(split.no));
        }
        passing.swap(kept);
      }
      for (State& bound : passing) body(std::move(bound), shadowed, next);
    }
    if (!domain_.is_concrete()) reduce(domain_, next, limits_.states);
    open.swap(next);
  }
  for (State& one : open) {
    unshadow(one, shadowed);
    done(std::move(one));
  }
}

void Interpreter::unshadow(State& state, const Shadowed& shadowed) {
  for (size_t i = 0; i < shadowed.slots.size(); ++i)
    state.slots[shadowed.slots[i]] = std::move(state.stack[shadowed.base + i]);
  state.stack.resize(shadowed.base);
}

Evaluations Interpreter::evaluate_comprehension(const ComprehensionExpr& expr, Span span,
                                                State state) {
  Evaluations out;
  const Comprehension& part = expr.generators[0];
  if (expr.generators.size() != 1 || part.is_async || expr.kind == ComprehensionKind::kSet) {
    const Type::Kind kind = expr.kind == ComprehensionKind::kSet    ? Type::Kind::kSet
                            : expr.kind == ComprehensionKind::kList ? Type::Kind::kList
                                                                    : Type::Kind::kIterable;
    return evaluate_general({expr.element}, expr.generators, kind, span, std::move(state));
  }
  for (Evaluated& iterable : evaluate(part.iterable, std::move(state))) {
    iterable.value = readable(iterable.state, iterable.value);
    if (iterable.value.as<Typed>() != nullptr) {
      list_typed(expr, std::move(iterable), span, out);
      continue;
    }
    if (!is_iterable(iterable.value)) {
      not_iterable(std::move(iterable), span, out);
      continue;
    }
    if (std::optional<Text> image = letter_image(expr, iterable)) {
      out.push_back({std::move(iterable.state), {SplitList{std::move(*image), {}, true}}});
      continue;
    }
    States more;
    items_of(
        std::move(iterable.state), iterable.value, most_items(),
        [&](State here, const std::vector<Value>& items) {
          list_items(expr, std::move(here), items, out);
        },
        more);
    for (State& many : more) {
      std::optional<Type> item = item_type(many, iterable.value);
      list_typed(
          expr,
          {std::move(many), typed(type_of_parts(Type::Kind::kIterable,
                                                {item.value_or(type_of_kind(Type::Kind::kOther))}),
                                  true)},
          span, out);
    }
  }
  return out;
}

// What a loop runs over, by its items.
Value Interpreter::readable(const State& state, const Value& value) const {
  const Value& content = state.deref(value);
  if (const auto* dict = content.as<Dict>()) return {Sequence{dict->keys, true}};
  const auto* cls = content.as<ClassObject>();
  if (cls != nullptr && program_.classes()[cls->cls].kind == ClassFacts::Kind::kEnum) {
    Sequence all{{}, true};
    for (uint32_t i = 0; i < members(cls->cls).size(); ++i)
      all.items.push_back({EnumMember{cls->cls, i}});
    return {std::move(all)};
  }
  const auto* instance = content.as<Instance>();
  if (instance != nullptr &&
      program_.classes()[instance->cls].kind == ClassFacts::Kind::kNamedTuple)
    return {Sequence{instance->fields, false}};
  return content;
}

// Items known by their type: one of them, whichever it is, gives the type of the results.
void Interpreter::list_typed(const ComprehensionExpr& expr, Evaluated iterable, Span span,
                             Evaluations& out) {
  Type result = type_of_parts(Type::Kind::kUnion, {});
  std::optional<Type> item = item_type(iterable.state, iterable.value);
  if (!item) return not_iterable(std::move(iterable), span, out);
  const bool is_filled =
      iterable.value.as<Typed>()->is_filled && expr.generators[0].conditions.empty();
  State after = iterable.state;
  Evaluations items;
  instantiate_item(std::move(iterable.state), *item, items, iterable.value.as<Typed>()->is_given);
  for (Evaluated& one : items) {
    auto body = [&](State bound, const Shadowed&, States&) {
      for (Evaluated& element : evaluate(expr.element, std::move(bound)))
        result = join(domain_.words(), result, stored_type(element.state, element.value));
    };
    each_item(expr.generators[0], std::move(one.state), {one.value}, body, [](const State&) {});
  }
  const Type::Kind kind =
      expr.kind == ComprehensionKind::kList ? Type::Kind::kList : Type::Kind::kIterable;
  Value list = typed(type_of_parts(kind, {std::move(result)}), is_filled);
  out.push_back({std::move(after), std::move(list)});
}

// Several loops, sets and dictionaries. Exact where every loop runs over items known one by one.
void Interpreter::loop_over(const std::vector<Comprehension>& parts, size_t at, State state,
                            const Element& element, bool& is_exact,
                            const std::function<void(State)>& done) {
  if (at == parts.size()) return element(std::move(state), done);
  const Comprehension& part = parts[at];
  for (Evaluated& iterable : evaluate(part.iterable, std::move(state))) {
    const Value content = readable(iterable.state, iterable.value);
    auto body = [&](State bound, const Shadowed&, States& next) {
      loop_over(parts, at + 1, std::move(bound), element, is_exact,
                [&](State after) { next.push_back(std::move(after)); });
    };
    if (const auto* sequence = content.as<Sequence>()) {
      each_item(part, std::move(iterable.state), sequence->items, body, done);
      continue;
    }
    std::optional<Type> item = item_type(iterable.state, content);
    if (!item) {
      if (content.as<Unknown>() == nullptr && content.as<Instance>() == nullptr &&
          content.as<Callable>() == nullptr) {
        raise(std::move(iterable.state), "TypeError",
              "a " + type_name(content) + " cannot be iterated over", tree_[part.iterable].span);
        continue;
      }
      unknown(tree_[part.iterable].span, "a loop over an unknown value");
      item = type_of_kind(Type::Kind::kOther);
    }
    States more;
    const auto* split = content.as<SplitList>();
    const Text* subject = split != nullptr ? &split->subject : content.as<Text>();
    const bool is_short = domain_.is_concrete() ||
                          (subject != nullptr &&
                           domain_.words().is_finite(domain_.language(iterable.state, *subject)));
    if (is_iterable(content) && is_short) {
      items_of(
          std::move(iterable.state), content, most_items(),
          [&](State here, const std::vector<Value>& items) {
            each_item(part, std::move(here), items, body, done);
          },
          more);
    } else {
      more.push_back(std::move(iterable.state));
    }
    for (State& many : more) {
      is_exact = false;
      State after = many;
      Evaluations items;
      instantiate_item(std::move(many), *item, items);
      for (Evaluated& one : items)
        each_item(part, std::move(one.state), {one.value}, body, [](const State&) {});
      done(std::move(after));
    }
  }
}

Evaluations Interpreter::evaluate_general(const Exprs& elements,
                                          const std::vector<Comprehension>& parts, Type::Kind kind,
                                          Span span, State state) {
  Evaluations out;
  const bool is_dict = kind == Type::Kind::kDict;
  const size_t base = state.stack.size();
  // The elements so far lie on the stack, one by one; their types are kept beside.
  std::vector<Type> types(elements.size(), type_of_parts(Type::Kind::kUnion, {}));
  bool is_exact = std::none_of(parts.begin(), parts.end(),
                               [](const Comprehension& part) { return part.is_async; });
  if (!is_exact) {
    out.push_back({std::move(state), unknown(span, "an asynchronous comprehension")});
    return out;
  }
  state.stack.push_back({Sequence{{}, true}});
  auto element = [&](State here, const std::function<void(State)>& next) {
    evaluate_all(elements, std::move(here), [&](State after, const Arguments& values) {
      for (size_t i = 0; i < values.size(); ++i)
        types[i] = join(domain_.words(), types[i], stored_type(after, values[i]));
      auto& list = std::get<Sequence>(after.stack[base].data).items;
      list.insert(list.end(), values.begin(), values.end());
      next(std::move(after));
    });
  };
  Evaluations ends;
  loop_over(parts, 0, std::move(state), element, is_exact, [&](State end) {
    Value list = std::move(end.stack[base]);
    end.stack.resize(base);
    ends.push_back({std::move(end), std::move(list)});
  });
  for (Evaluated& end : ends) {
    const std::vector<Value> items = end.value.as<Sequence>()->items;
    if (is_exact && is_dict) {
      Value made = end.state.allocate({Dict{}});
      const uint32_t cell = made.as<Ref>()->cell;
      States open;
      open.push_back(std::move(end.state));
      for (size_t i = 0; i + 1 < items.size(); i += 2) {
        States next;
        for (State& one : open)
          store_item(std::move(one), {Ref{cell}}, items[i], items[i + 1], span, next);
        open.swap(next);
      }
      for (State& one : open) out.push_back({std::move(one), made});
      continue;
    }
    if (is_exact && kind != Type::Kind::kSet) {
      out.push_back({std::move(end.state), {Sequence{items, true}}});
      continue;
    }
    if (is_exact && kind == Type::Kind::kSet) {
      convert_container("set", {Sequence{items, true}}, span, std::move(end.state), out);
      continue;
    }
    Value made = end.state.allocate(typed(type_of_parts(kind, types)));
    out.push_back({std::move(end.state), std::move(made)});
  }
  return out;
}

void Interpreter::list_items(const ComprehensionExpr& expr, State state,
                             const std::vector<Value>& items, Evaluations& out) {
  const size_t result = state.stack.size();
  state.stack.push_back({Sequence{{}, true}});
  auto body = [&](State bound, const Shadowed&, States& next) {
    for (Evaluated& element : evaluate(expr.element, std::move(bound))) {
      std::get<Sequence>(element.state.stack[result].data).items.push_back(element.value);
      next.push_back(std::move(element.state));
    }
  };
  each_item(expr.generators[0], std::move(state), items, body, [&](State here) {
    Value list = std::move(here.stack[result]);
    here.stack.resize(result);
    out.push_back({std::move(here), std::move(list)});
  });
}

void Interpreter::not_iterable(Evaluated iterable, Span span, Evaluations& out) {
  const bool is_open = iterable.value.as<Unknown>() != nullptr ||
                       iterable.value.as<Instance>() != nullptr ||
                       iterable.value.as<Callable>() != nullptr;
  if (!is_open) {
    return raise(std::move(iterable.state), "TypeError",
                 "a " + type_name(iterable.value) + " cannot be iterated over", span);
  }
  out.push_back({std::move(iterable.state), unknown(span, "a generator over an unknown value")});
}

// ---- all() and any()

Evaluations Interpreter::all_or_any(const ComprehensionExpr& generator, bool is_all, State state,
                                    Span span) {
  Evaluations out;
  const Comprehension& part = generator.generators[0];
  for (Evaluated& iterable : evaluate(part.iterable, std::move(state))) {
    iterable.value = readable(iterable.state, iterable.value);
    // One item may decide, whichever it is; or none does.
    const auto decide_by_any = [&](State here, const Type& item) {
      State after = here;
      Evaluations items;
      instantiate_item(std::move(here), item, items);
      bool decides = false;
      for (Evaluated& one : items) {
        auto body = [&](State bound, const Shadowed&, States&) {
          Split split = test(generator.element, std::move(bound));
          decides = decides || !(is_all ? split.no : split.yes).empty();
        };
        each_item(part, std::move(one.state), {one.value}, body, [](const State&) {});
      }
      if (decides) out.push_back({after, {!is_all}});
      out.push_back({std::move(after), {is_all}});
    };
    if (iterable.value.as<Typed>() != nullptr) {
      std::optional<Type> item = item_type(iterable.state, iterable.value);
      if (item)
        decide_by_any(std::move(iterable.state), *item);
      else
        not_iterable(std::move(iterable), span, out);
      continue;
    }
    if (!is_iterable(iterable.value)) {
      not_iterable(std::move(iterable), span, out);
      continue;
    }
    if (std::optional<LetterSet> stops = stopping_letters(generator, is_all, iterable)) {
      WordStore& words = domain_.words();
      Words with_stop = words.concat(words.concat(words.all(), words.one_of(*stops)), words.all());
      const Text text = *letters_of(iterable.value);
      Split split = domain_.member(std::move(iterable.state), text, with_stop);
      for (State& stopped : split.yes) out.push_back({std::move(stopped), {!is_all}});
      for (State& passed : split.no) out.push_back({std::move(passed), {is_all}});
      continue;
    }
    // As the loop that it is: the first item that decides ends it.
    auto body = [&](State bound, const Shadowed& shadowed, States& next) {
      Split split = test(generator.element, std::move(bound));
      for (State& decided : is_all ? split.no : split.yes) {
        unshadow(decided, shadowed);
        out.push_back({std::move(decided), {!is_all}});
      }
      append(next, std::move(is_all ? split.yes : split.no));
    };
    States more;
    items_of(
        std::move(iterable.state), iterable.value, most_items(),
        [&](State here, const std::vector<Value>& items) {
          each_item(part, std::move(here), items, body, [&](State end) {
            out.push_back({std::move(end), {is_all}});
          });
        },
        more);
    for (State& many : more) {
      std::optional<Type> item = item_type(many, iterable.value);
      if (item && !domain_.is_concrete()) {
        decide_by_any(std::move(many), *item);
        continue;
      }
      unknown(span, "a generator over too many items");
      out.push_back({many, {true}});
      out.push_back({std::move(many), {false}});
    }
  }
  return out;
}

// ---- letter by letter

const Text* Interpreter::letters_of(const Value& value) {
  if (const auto* split = value.as<SplitList>(); split != nullptr && split->is_letters)
    return &split->subject;
  return value.as<Text>();
}

// What happens for one letter on its own: it is tried in a state that knows nothing else of it, so
// that what holds there holds wherever the letter stands. False if something is raised.
bool Interpreter::try_letter(const ComprehensionExpr& expr, const State& state, Letter letter,
                             bool& may_skip, const std::function<void(State)>& then) {
  const auto* name = tree_.get<Name>(expr.generators[0].target);
  auto slot = name != nullptr ? frame_.function->scope->slot(name->id) : std::nullopt;
  if (!slot || expr.generators[0].is_async) return false;
  State trial = state;
  trial.constraints.clear();
  LetterSet single(domain_.words().letters());
  single[letter] = true;
  trial.slots[frame_.base + *slot] = {Text{trial.add_word(domain_.words().one_of(single))}};
  std::vector<Raised> raised;
  std::vector<Raised>* outer = std::exchange(raised_, &raised);
  States open;
  open.push_back(std::move(trial));
  for (ExprId condition : expr.generators[0].conditions) {
    States kept;
    for (State& one : open) {
      Split split = test(condition, std::move(one));
      may_skip = may_skip || !split.no.empty();
      append(kept, std::move(split.yes));
    }
    open.swap(kept);
  }
  for (State& one : open) then(std::move(one));
  raised_ = outer;
  return raised.empty();
}

// The letters that decide all() or any() wherever they stand; nothing if that depends on more.
std::optional<LetterSet> Interpreter::stopping_letters(const ComprehensionExpr& expr, bool is_all,
                                                       const Evaluated& iterable) {
  if (letters_of(iterable.value) == nullptr || domain_.is_concrete()) return std::nullopt;
  LetterSet stops(domain_.words().letters());
  const LetterSet occurring =
      domain_.words().letters_in(domain_.language(iterable.state, *letters_of(iterable.value)));
  for (uint32_t c = 0; c < stops.size(); ++c) {
    if (!occurring[c]) continue;
    bool passes = false, decides = false;
    auto element = [&](State bound) {
      Split split = test(expr.element, std::move(bound));
      decides = decides || !(is_all ? split.no : split.yes).empty();
      passes = passes || !(is_all ? split.yes : split.no).empty();
    };
    if (!try_letter(expr, iterable.state, static_cast<Letter>(c), passes, element) ||
        passes == decides)
      return std::nullopt;
    stops[c] = decides;
  }
  return stops;
}

// The letters that a comprehension makes of the letters of a string, as one new word; nothing if
// some element is no letter. Short strings are better taken letter by letter.
std::optional<Text> Interpreter::letter_image(const ComprehensionExpr& expr, Evaluated& iterable) {
  const Text* text = letters_of(iterable.value);
  WordStore& words = domain_.words();
  if (text == nullptr || domain_.is_concrete()) return std::nullopt;
  const Words language = domain_.language(iterable.state, *text);
  if (words[language].max_length <= static_cast<int64_t>(most_items())) return std::nullopt;
  const Automaton& source = words[language];
  const LetterSet occurring = words.letters_in(language);
  std::vector<WordStore::WordArc> arcs;
  for (uint32_t c = 0; c < words.letters(); ++c) {
    if (!occurring[c]) continue;
    bool may_skip = false, are_letters = true;
    LetterSet images(words.letters());
    auto element = [&](State bound) {
      for (Evaluated& value : evaluate(expr.element, std::move(bound))) {
        const auto* piece = value.value.as<Text>();
        Words image = piece != nullptr ? domain_.language(value.state, *piece) : words.all();
        are_letters = are_letters && words[image].min_length == 1 && words[image].max_length == 1;
        LetterSet first = words.first_letters(image);
        for (size_t i = 0; i < images.size(); ++i) images[i] = images[i] || first[i];
      }
    };
    if (!try_letter(expr, iterable.state, static_cast<Letter>(c), may_skip, element) ||
        !are_letters)
      return std::nullopt;
    for (uint32_t q = 0; q < source.size(); ++q) {
      uint32_t target = source.next[q * words.letters() + c];
      if (target == kNoState) continue;
      if (may_skip) arcs.push_back({q, {}, target});
      for (size_t i = 0; i < images.size(); ++i) {
        if (images[i]) arcs.push_back({q, {static_cast<Letter>(i)}, target});
      }
    }
  }
  SymbolId image = iterable.state.add_word(words.from_arcs(arcs, source.accepting));
  Linear room = domain_.length(iterable.state, *text) - Linear::of(image);
  if (!domain_.assume(iterable.state, room)) return std::nullopt;
  return Text{image};
}

}  // namespace nacre::python
