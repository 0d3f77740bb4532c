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
    out.push_back({std::move(state), unknown(span, "this comprehension")});
    return out;
  }
  for (Evaluated& iterable : evaluate(part.iterable, std::move(state))) {
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
    for (State& many : more)
      out.push_back({std::move(many), unknown(span, "a comprehension over so many items")});
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
  if (iterable.value.as<Unknown>() == nullptr) {
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
      unknown(span, "a generator over so many items");
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
