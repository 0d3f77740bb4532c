// Lists, sets and dictionaries. Those whose items are known one by one are changed item by item;
// others are known by the type of their items, and what is put into them joins that type, or must
// be of the declared one.
#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

}  // namespace

// Lists that nothing in the file changes need no place on the heap.
Value Interpreter::new_list(State& state, Value list) const {
  const auto* sequence = list.as<Sequence>();
  const bool is_list = list.as<SplitList>() != nullptr ||
                       (sequence != nullptr && (sequence->is_list || sequence->is_set));
  const auto* kept = list.as<Typed>();
  const bool is_kept = kept != nullptr && kept->type->is_container();
  if ((is_list && program_.definitions().changes_containers()) || is_kept)
    return state.allocate(std::move(list));
  return list;
}

void Interpreter::generalise(State& state, uint32_t cell) const {
  if (state.heap[cell].value.as<Typed>() != nullptr) return;
  const Value& value = state.heap[cell].value;
  const auto* sequence = value.as<Sequence>();
  const auto* dict = value.as<Dict>();
  const bool is_filled =
      (sequence != nullptr && !sequence->items.empty()) || (dict != nullptr && !dict->keys.empty());
  state.heap[cell].value = typed(type_of(state, value), is_filled);
}

bool Interpreter::put(State& state, uint32_t cell, const Type& key, const Type& value, Span span) {
  generalise(state, cell);
  Cell& place = state.heap[cell];
  const Type old = *place.value.as<Typed>()->type;
  const bool is_given = place.value.as<Typed>()->is_given;
  Type more = old;
  if (old.kind == Kind::kDict) {
    more.parts = {join(domain_.words(), old.parts[0], key),
                  join(domain_.words(), old.parts[1], value)};
  } else if (old.is_container()) {
    more.parts = {join(domain_.words(), old.parts[0], value)};
  } else {
    unknown(span, "a change of this value");
    return false;
  }
  place.value = typed(std::move(more), true, is_given);
  return true;
}

namespace {

// The declared types of keys and values of a cell; what is missing allows anything.
std::pair<Type, Type> declared_parts(const Cell& cell) {
  if (cell.declared == nullptr || !cell.declared->is_container()) return {};
  if (cell.declared->kind == Kind::kDict) return {cell.declared->parts[0], cell.declared->parts[1]};
  return {Type{}, cell.declared->parts[0]};
}

}  // namespace

bool Interpreter::is_unhashable(State& state, const Value& value, Span span) {
  const auto has_list = [&](const auto& self, const Value& stale) -> bool {
    const Value& one = state.deref(stale);
    if (const auto* sequence = one.as<Sequence>(); sequence != nullptr && !sequence->is_list)
      return std::any_of(sequence->items.begin(), sequence->items.end(),
                         [&](const Value& item) { return self(self, item); });
    const Kind kind = type_of(state, one).kind;
    return kind == Kind::kList || kind == Kind::kDict || kind == Kind::kSet;
  };
  if (!has_list(has_list, value)) return false;
  const std::string name = type_name(state.deref(value));
  raise(std::move(state), "TypeError", "a " + name + " cannot be hashed", span);
  return true;
}

void Interpreter::compare_items(const State& state, const Value& container, const Type& item,
                                Span span) {
  const auto compares = [&](const auto& self, const Type& type) -> bool {
    std::set<int> families;
    for (const Type& one : alternatives(type)) {
      switch (one.kind) {
        case Kind::kStr:
        case Kind::kLanguage: families.insert(0); break;
        case Kind::kInt:
        case Kind::kBool:
        case Kind::kFloat: families.insert(1); break;
        case Kind::kBytes: families.insert(2); break;
        case Kind::kTuple:
        case Kind::kTupleOf:
        case Kind::kList:
          families.insert(one.kind == Kind::kList ? 3 : 4);
          for (const Type& part : one.parts) {
            if (!self(self, part)) return false;
          }
          break;
        case Kind::kNone:
        case Kind::kDict:
        case Kind::kMatch: return false;
        default: break;  // a class may define an order; what is not known is named elsewhere
      }
    }
    return families.size() <= 1;
  };
  if (!compares(compares, item))
    doubt(state, container, "TypeError", span, "the items can be compared with each other");
}

// ---- dictionaries

void Interpreter::look_up(State state, const Value& stale, const Value& key, Span span,
                          const std::function<void(State, Value)>& found,
                          const std::function<void(State)>& missing) {
  const Value content = state.deref(stale);
  if (const auto* dict = content.as<Dict>()) {
    States open;
    open.push_back(std::move(state));
    for (size_t i = 0; i < dict->keys.size(); ++i) {
      States next;
      for (State& one : open) {
        if (!spend()) return;
        Split split = equal(std::move(one), key, dict->keys[i]);
        for (State& yes : split.yes) {
          Value value = yes.resolve(dict->values[i]);
          found(std::move(yes), std::move(value));
        }
        append(next, std::move(split.no));
      }
      open.swap(next);
    }
    for (State& none : open) missing(std::move(none));
    return;
  }
  const auto* kept = content.as<Typed>();
  if (kept == nullptr || kept->type->kind != Kind::kDict) {
    found(std::move(state), unknown(span, "a subscript of a " + type_name(content)));
    return;
  }
  missing(state);
  Evaluations values;
  instantiate_item(std::move(state), kept->type->parts[1], values, kept->is_given);
  for (Evaluated& value : values) found(std::move(value.state), std::move(value.value));
}

void Interpreter::store_item(State state, const Value& container, const Value& key,
                             const Value& value, Span span, States& out) {
  const auto* ref = container.as<Ref>();
  const Value content = state.deref(container);
  const auto* fixed = content.as<Sequence>();
  const auto* kept = content.as<Typed>();
  const bool is_kept_fixed =
      kept != nullptr && (kept->type->kind == Kind::kSet || kept->type->kind == Kind::kTupleOf);
  if (content.as<Text>() != nullptr || is_kept_fixed ||
      (fixed != nullptr && (!fixed->is_list || fixed->is_set)))
    return raise(std::move(state), "TypeError",
                 "a " + type_name(content) + " does not support item assignment", span);
  if (ref == nullptr || state.heap[ref->cell].value.as<Instance>() != nullptr) {
    unknown(span, "an assignment to a part of a value");
    return out.push_back(std::move(state));
  }
  const uint32_t cell = ref->cell;
  if (type_of(state, state.heap[cell].value).kind == Kind::kDict && is_unhashable(state, key, span))
    return;
  const auto [key_type, value_type] = declared_parts(state.heap[cell]);
  for (State& keyed : check_type(std::move(state), key, key_type, FailureKind::kVariable, span)) {
    for (State& good :
         check_type(std::move(keyed), value, value_type, FailureKind::kVariable, span)) {
      if (auto* dict = std::get_if<Dict>(&good.heap[cell].value.data)) {
        const Dict old = *dict;
        // The same key again, surely another one, or perhaps.
        bool is_decided = true;
        std::optional<size_t> same;
        for (size_t i = 0; i < old.keys.size() && is_decided && !same; ++i) {
          Split split = equal(good, key, old.keys[i]);
          if (split.no.empty())
            same = i;
          else
            is_decided = split.yes.empty();
        }
        if (is_decided) {
          auto& target = std::get<Dict>(good.heap[cell].value.data);
          if (same) {
            target.values[*same] = good.resolve(value);
          } else {
            target.keys.push_back(good.resolve(key));
            target.values.push_back(good.resolve(value));
          }
          out.push_back(std::move(good));
          continue;
        }
      }
      auto* list = std::get_if<Sequence>(&good.heap[cell].value.data);
      std::optional<int64_t> at = as_constant(good, key);
      if (list != nullptr && at) {
        const auto size = static_cast<int64_t>(list->items.size());
        if (*at >= size || *at < -size) {
          raise(std::move(good), "IndexError", "list assignment index out of range", span);
          continue;
        }
        list->items[static_cast<size_t>(*at < 0 ? *at + size : *at)] = good.resolve(value);
        out.push_back(std::move(good));
        continue;
      }
      const Type type = type_of(good, good.heap[cell].value);
      if (type.kind == Kind::kList)
        doubt(good, container, "IndexError", span, "the index is in the list");
      put(good, cell, stored_type(good, key), stored_type(good, value), span);
      out.push_back(std::move(good));
    }
  }
}

void Interpreter::dict_method(const std::string& name, Span span, State state, const Value& subject,
                              const Arguments& arguments, Evaluations& out) {
  const auto* ref = subject.as<Ref>();
  const Value content = state.deref(subject);
  auto give = [&](State here, Value value) { out.push_back({std::move(here), std::move(value)}); };
  const auto* dict = content.as<Dict>();
  const auto* kept = content.as<Typed>();
  if ((name == "get" || name == "setdefault" || name == "pop") && !arguments.empty()) {
    const Value fallback = arguments.size() > 1 ? arguments[1] : Value{NoneValue{}};
    const uint32_t cell = ref != nullptr ? ref->cell : 0;
    look_up(
        std::move(state), subject, arguments[0], span,
        [&](State here, Value value) {
          if (name == "pop" && ref != nullptr) {
            // Without this item: which one it was does not matter.
            here.stack.push_back(std::move(value));
            generalise(here, cell);
            if (auto* rest = std::get_if<Typed>(&here.heap[cell].value.data))
              rest->is_filled = false;
            value = std::move(here.stack.back());
            here.stack.pop_back();
          }
          give(std::move(here), std::move(value));
        },
        [&](State here) {
          if (name == "pop" && arguments.size() < 2) {
            if (dict != nullptr)
              return raise(std::move(here), "KeyError", "the key is not there", span);
            return doubt(std::move(here), subject, "KeyError", span,
                         "the key is in the dictionary");
          }
          if (name != "setdefault" || ref == nullptr) {
            Value given = here.resolve(fallback);
            return give(std::move(here), std::move(given));
          }
          States stored;
          store_item(std::move(here), subject, arguments[0], fallback, span, stored);
          for (State& one : stored) {
            // What was put in is what is given back: it can be changed through both.
            give(std::move(one), fallback);
          }
        });
    return;
  }
  if (name == "keys" || name == "values" || name == "items") {
    if (dict != nullptr) {
      Sequence list{{}, true};
      for (size_t i = 0; i < dict->keys.size(); ++i) {
        list.items.push_back(name == "keys" ? dict->keys[i]
                             : name == "values"
                                 ? dict->values[i]
                                 : Value{Sequence{{dict->keys[i], dict->values[i]}}});
      }
      return give(std::move(state), {std::move(list)});
    }
    const Type& type = *kept->type;
    Type item = name == "keys"     ? type.parts[0]
                : name == "values" ? type.parts[1]
                                   : type_of_parts(Kind::kTuple, type.parts);
    return give(std::move(state),
                typed(type_of_parts(Kind::kIterable, {std::move(item)}), kept->is_filled));
  }
  if (name == "copy") {
    Value copy = state.allocate(content, ref != nullptr ? state.heap[ref->cell].declared : nullptr);
    return give(std::move(state), std::move(copy));
  }
  if (name == "clear" && ref != nullptr) {
    state.heap[ref->cell].value = {Dict{}};
    return give(std::move(state), {NoneValue{}});
  }
  if (name == "update" && ref != nullptr && arguments.size() == 1) {
    const Type more = type_of(state, arguments[0]);
    const auto [key, value] = declared_parts(state.heap[ref->cell]);
    if (more.kind == Kind::kDict) {
      const uint32_t cell = ref->cell;
      const Type wanted = type_of_parts(Kind::kDict, {key, value});
      for (State& good : check_type(std::move(state), arguments[0], key.is_any() ? Type{} : wanted,
                                    FailureKind::kVariable, span)) {
        put(good, cell, more.parts[0], more.parts[1], span);
        give(std::move(good), {NoneValue{}});
      }
      return;
    }
  }
  if (ref != nullptr) {
    generalise(state, ref->cell);
    state.heap[ref->cell].value =
        typed(type_of_parts(Kind::kDict, {type_of_kind(Kind::kOther), type_of_kind(Kind::kOther)}));
  }
  give(std::move(state), unknown(span, "the method '" + name + "'"));
}

// ---- lists and sets

void Interpreter::list_method(const std::string& name, Span span, State state, uint32_t cell,
                              const Arguments& arguments, bool has_key, Evaluations& out) {
  auto give = [&](State here, Value value) { out.push_back({std::move(here), std::move(value)}); };
  const auto declared = declared_parts(state.heap[cell]).second;
  const bool is_set = type_of(state, state.heap[cell].value).kind == Kind::kSet;
  auto exact = [&](State& here) { return std::get_if<Sequence>(&here.heap[cell].value.data); };
  const bool is_added = name == "append" || name == "add" || name == "insert";
  if (is_added && arguments.size() == (name == "insert" ? 2u : 1u)) {
    const Value& item = arguments.back();
    if (is_set && is_unhashable(state, item, span)) return;
    for (State& good : check_type(std::move(state), item, declared, FailureKind::kVariable, span)) {
      Sequence* list = exact(good);
      bool is_same = false, is_decided = list != nullptr && (name == "append" || is_set);
      for (size_t i = 0; is_set && is_decided && i < list->items.size() && !is_same; ++i) {
        Split split = equal(good, item, list->items[i]);
        is_same = split.no.empty();
        is_decided = is_same || split.yes.empty();
        list = exact(good);
      }
      if (!is_decided || (!domain_.is_concrete() && list->items.size() >= most_items()))
        put(good, cell, {}, stored_type(good, item), span);
      else if (!is_same)
        exact(good)->items.push_back(good.resolve(item));
      give(std::move(good), {NoneValue{}});
    }
    return;
  }
  if ((name == "extend" || name == "update") && arguments.size() == 1) {
    const Type wanted = type_of_parts(Kind::kIterable, {declared});
    for (State& good :
         check_type(std::move(state), arguments[0], declared.is_any() ? Type{} : wanted,
                    FailureKind::kVariable, span)) {
      const Value more = good.deref(arguments[0]);
      Sequence* list = exact(good);
      const auto* items = more.as<Sequence>();
      std::optional<Type> item = item_type(good, more);
      if (list != nullptr && items != nullptr && !is_set &&
          (domain_.is_concrete() || list->items.size() + items->items.size() <= most_items())) {
        list->items.insert(list->items.end(), items->items.begin(), items->items.end());
      } else if (item) {
        const bool was_filled = list != nullptr && !list->items.empty();
        put(good, cell, {}, *item, span);
        if (auto* kept = std::get_if<Typed>(&good.heap[cell].value.data))
          kept->is_filled = was_filled;
      } else {
        unknown(span, "a list made longer by this value");
        put(good, cell, {}, type_of_kind(Kind::kOther), span);
      }
      give(std::move(good), {NoneValue{}});
    }
    return;
  }
  Sequence* list = exact(state);
  if (name == "pop" && !is_set) {
    std::optional<int64_t> at = arguments.empty() ? -1 : as_constant(state, arguments[0]);
    if (list != nullptr && at) {
      const auto size = static_cast<int64_t>(list->items.size());
      if (*at >= size || *at < -size)
        return raise(std::move(state), "IndexError",
                     size == 0 ? "pop from empty list" : "pop index out of range", span);
      auto place = list->items.begin() + static_cast<std::ptrdiff_t>(*at < 0 ? *at + size : *at);
      Value item = *place;
      list->items.erase(place);
      return give(std::move(state), std::move(item));
    }
  }
  if (name == "pop" || name == "popleft") {
    std::optional<Type> item = item_type(state, state.heap[cell].value);
    generalise(state, cell);
    const Typed kept = std::get<Typed>(state.heap[cell].value.data);
    if (!kept.is_filled || !arguments.empty())
      doubt(state, {Ref{cell}}, is_set ? "KeyError" : "IndexError", span,
            "there is an item to take out");
    std::get<Typed>(state.heap[cell].value.data).is_filled = false;
    return instantiate_item(std::move(state), item.value_or(type_of_kind(Kind::kOther)), out,
                            kept.is_given);
  }
  if (name == "clear") {
    state.heap[cell].value = {Sequence{{}, true, is_set}};
    return give(std::move(state), {NoneValue{}});
  }
  if (name == "remove" || name == "discard") {
    generalise(state, cell);
    if (name == "remove")
      doubt(state, {Ref{cell}}, is_set ? "KeyError" : "ValueError", span,
            "the item to remove is there");
    std::get<Typed>(state.heap[cell].value.data).is_filled = false;
    return give(std::move(state), {NoneValue{}});
  }
  if (name == "reverse" && list != nullptr) {
    std::reverse(list->items.begin(), list->items.end());
    return give(std::move(state), {NoneValue{}});
  }
  if (name == "sort" || name == "reverse") {
    generalise(state, cell);
    if (name == "sort" && !has_key) {
      const Value kept = state.heap[cell].value;
      compare_items(state, kept, kept.as<Typed>()->type->parts[0], span);
    }
    return give(std::move(state), {NoneValue{}});
  }
  if (name == "copy") {
    Value copy = state.allocate(state.heap[cell].value, state.heap[cell].declared);
    return give(std::move(state), std::move(copy));
  }
  if (name == "count" || name == "index") {
    if (name == "index") doubt(state, {Ref{cell}}, "ValueError", span, "the item is in the list");
    SymbolId number = state.add_number({0, kUnlimited});
    return give(std::move(state), {Linear::of(number)});
  }
  const bool keeps = name == "union" || name == "intersection" || name == "difference" ||
                     name == "symmetric_difference";
  if (keeps) {
    Type all = type_of(state, state.heap[cell].value);
    for (const Value& argument : arguments) {
      std::optional<Type> item = item_type(state, argument);
      if (name == "union" || name == "symmetric_difference")
        all.parts[0] =
            join(domain_.words(), all.parts[0], item.value_or(type_of_kind(Kind::kOther)));
    }
    Value made = state.allocate(typed(std::move(all)));
    return give(std::move(state), std::move(made));
  }
  if (name == "issubset" || name == "issuperset" || name == "isdisjoint") {
    give(state, {true});
    return give(std::move(state), {false});
  }
  state.heap[cell].value =
      typed(type_of_parts(is_set ? Kind::kSet : Kind::kList, {type_of_kind(Kind::kOther)}));
  give(std::move(state), unknown(span, "the method '" + name + "'"));
}

void Interpreter::container_method(const std::string& name, Span span, State state,
                                   const Value& subject, const Actuals& actuals, Evaluations& out) {
  const Value content = state.deref(subject);
  const auto* ref = subject.as<Ref>();
  const auto* kept = content.as<Typed>();
  const Kind kind = type_of(state, content).kind;
  if (kind == Kind::kDict)
    return dict_method(name, span, std::move(state), subject, actuals.positional, out);
  if ((kind == Kind::kList || kind == Kind::kSet) && ref != nullptr) {
    // sort(key=...) may do anything, but keeps the items.
    const bool has_key = std::any_of(actuals.named.begin(), actuals.named.end(),
                                     [](const auto& named) { return named.first == "key"; });
    return list_method(name, span, std::move(state), ref->cell, actuals.positional, has_key, out);
  }
  if ((kind == Kind::kList || kind == Kind::kTuple) && (name == "index" || name == "count")) {
    if (name == "index") doubt(state, subject, "ValueError", span, "the item is in the list");
    SymbolId number = state.add_number({0, kUnlimited});
    return out.push_back({std::move(state), {Linear::of(number)}});
  }
  if (kept != nullptr && is_library(*kept->type, LibraryClass::kPath))
    return path_method(name, span, std::move(state), kept->type->words, actuals, out);
  if (kept != nullptr && kind == Kind::kLibrary)
    return date_method(name, span, std::move(state), *kept->type, actuals, out);
  if (kept != nullptr && kind == Kind::kBytes && name == "decode") {
    Text any = any_text(state);
    assume(span, "the bytes are valid text");
    return out.push_back({std::move(state), {std::move(any)}});
  }
  if (kept != nullptr && kind == Kind::kBytes && name == "hex") {
    WordStore& words = domain_.words();
    LetterSet digits = program_.letters().inside(regular::CharSet::range('0', '9'));
    LetterSet letters = program_.letters().inside(regular::CharSet::range('a', 'f'));
    for (size_t i = 0; i < digits.size(); ++i) digits[i] = digits[i] || letters[i];
    SymbolId word = state.add_word(words.star(words.one_of(digits)));
    return out.push_back({std::move(state), {Text{word}}});
  }
  if (kept != nullptr && kind == Kind::kFloat && name == "is_integer") {
    out.push_back({state, {true}});
    return out.push_back({std::move(state), {false}});
  }
  out.push_back({std::move(state), unknown(span, "the method '" + name + "'")});
}

// An item of a list of any length, or a value of a dictionary.
void Interpreter::index_typed(Span span, State state, const Typed& kept, const Value& at,
                              Evaluations& out) {
  const Type& type = *kept.type;
  const Value container{kept};
  if (type.kind == Kind::kSet || type.kind == Kind::kIterable)
    return raise(std::move(state), "TypeError", "a " + type_name(container) + " has no subscripts",
                 span);
  if (type.kind == Kind::kDict) {
    // A record has a type for each key.
    const auto* text = at.as<Text>();
    std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
    if (word && type.cls < program_.classes().size() &&
        program_.classes()[type.cls].kind == ClassFacts::Kind::kTypedDict) {
      const std::string name = program_.letters().text(*word);
      for (const ClassVariable& field : program_.classes()[type.cls].variables) {
        if (!field.annotation || field.name != name) continue;
        if (kept.is_given)
          assume(span, "the key is in the dictionary");
        else
          doubt(state, container, "KeyError", span, "the key is in the dictionary");
        return instantiate_item(std::move(state), program_.type(*field.annotation), out,
                                kept.is_given);
      }
    }
    doubt(state, container, "KeyError", span, "the key is in the dictionary");
    return instantiate_item(std::move(state), type.parts[1], out, kept.is_given);
  }
  std::optional<int64_t> constant = as_constant(state, at);
  const bool is_first = kept.is_filled && constant && (*constant == 0 || *constant == -1);
  if (!is_first) doubt(state, container, "IndexError", span, "the index is in the list");
  instantiate_item(std::move(state), type.parts[0], out, kept.is_given);
}

}  // namespace nacre::python
