// Builtins that make iterables, or take them: range, zip, enumerate, sorted, set, dict.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

}  // namespace

void Interpreter::make_range(const Arguments& arguments, Span span, State state, Evaluations& out) {
  std::vector<Range> bounds;
  for (const Value& value : arguments) {
    std::optional<Linear> number = as_number(value);
    if (!number) {
      if (value.as<Unknown>() == nullptr)
        return raise(std::move(state), "TypeError", "range() needs integers", span);
      return out.push_back({std::move(state), unknown(span, "a range of unknown bounds")});
    }
    bounds.push_back(domain_.range(state, *number));
  }
  if (bounds.empty() || bounds.size() > 3)
    return raise(std::move(state), "TypeError", "range() takes 1 to 3 arguments", span);
  const Range low = bounds.size() == 1 ? Range{0, 0} : bounds[0];
  const Range high = bounds.size() == 1 ? bounds[0] : bounds[1];
  const Range step = bounds.size() == 3 ? bounds[2] : Range{1, 1};
  const auto most = static_cast<int64_t>(most_items());
  const bool is_constant = low.is_single() && high.is_single() && step.is_single();
  if (is_constant && step.low == 0)
    return raise(std::move(state), "ValueError", "range() arg 3 must not be zero", span);
  if (is_constant && std::abs(high.low - low.low) / std::abs(step.low) <= most &&
      std::abs(high.low) < kUnlimited && std::abs(low.low) < kUnlimited) {
    Sequence list{{}, true};
    for (int64_t i = low.low; step.low > 0 ? i < high.low : i > high.low; i += step.low)
      list.items.push_back({Linear(i)});
    return out.push_back({std::move(state), {std::move(list)}});
  }
  if (domain_.is_concrete())
    return out.push_back({std::move(state), unknown(span, "a range of too many numbers")});
  Range all = step.low > 0 ? Range{low.low, high.high == kUnlimited ? kUnlimited : high.high - 1}
                           : Range{-kUnlimited, kUnlimited};
  const bool is_filled = step.low > 0 && high.low > low.high;
  if (all.is_empty()) return out.push_back({std::move(state), {Sequence{{}, true}}});
  Value list = typed(type_of_parts(Kind::kIterable, {type_of_range(all)}), is_filled);
  out.push_back({std::move(state), std::move(list)});
}

// Tuples of the items of several iterables, side by side.
void Interpreter::zip_values(const Arguments& iterables, Span span, State state, Evaluations& out) {
  std::vector<std::vector<Value>> columns;
  std::vector<Type> types;
  bool is_exact = true;
  for (const Value& value : iterables) {
    const Value content = state.deref(value);
    std::optional<Type> item = item_type(state, content);
    if (!item) {
      if (content.as<Unknown>() == nullptr && content.as<Instance>() == nullptr)
        return raise(std::move(state), "TypeError", "this value cannot be iterated over", span);
      unknown(span, "an iteration over an unknown value");
      item = type_of_kind(Kind::kOther);
    }
    types.push_back(std::move(*item));
    if (const auto* sequence = content.as<Sequence>()) {
      columns.push_back(sequence->items);
    } else if (const auto* text = content.as<Text>()) {
      const std::optional<Word> word = domain_.constant(state, *text);
      is_exact = is_exact && word;
      std::vector<Value> letters;
      for (Letter letter : word.value_or(Word{}))
        letters.push_back({domain_.constant_text(state, {letter})});
      columns.push_back(std::move(letters));
    } else {
      is_exact = false;
    }
  }
  if (!is_exact) {
    if (domain_.is_concrete()) unknown(span, "these iterables together");
    Value list =
        typed(type_of_parts(Kind::kIterable, {type_of_parts(Kind::kTuple, std::move(types))}));
    return out.push_back({std::move(state), std::move(list)});
  }
  size_t shortest = columns.empty() ? 0 : ~size_t{0};
  for (const auto& column : columns) shortest = std::min(shortest, column.size());
  Sequence list{{}, true};
  for (size_t i = 0; i < shortest; ++i) {
    Sequence row{{}, false};
    for (const auto& column : columns) row.items.push_back(column[i]);
    list.items.push_back({std::move(row)});
  }
  out.push_back({std::move(state), {std::move(list)}});
}

// The same items in the order of their values; where that is not known, in some order.
void Interpreter::sort_values(const Actuals& actuals, Span span, State state, Evaluations& out) {
  const Value content = state.deref(actuals.positional[0]);
  std::optional<Type> item = item_type(state, content);
  if (!item) {
    if (content.as<Unknown>() == nullptr && content.as<Instance>() == nullptr)
      return raise(std::move(state), "TypeError", "this value cannot be iterated over", span);
    return out.push_back({std::move(state), unknown(span, "sorted() of an unknown value")});
  }
  std::vector<Value> items;
  const auto* sequence = content.as<Sequence>();
  const auto* dict = content.as<Dict>();
  if (sequence != nullptr) items = sequence->items;
  if (dict != nullptr) items = dict->keys;
  std::vector<std::pair<std::string, Value>> keyed;
  for (const Value& value : items) {
    const auto* text = value.as<Text>();
    std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
    if (word) keyed.emplace_back(program_.letters().text(*word), value);
  }
  const bool is_known = (sequence != nullptr || dict != nullptr) && keyed.size() == items.size();
  const bool is_short = (sequence != nullptr || dict != nullptr) && items.size() < 2;
  const bool has_key = std::any_of(actuals.named.begin(), actuals.named.end(),
                                   [](const auto& named) { return named.first == "key"; });
  if (!is_short && !has_key) compare_items(state, content, *item, span);
  if ((is_known && actuals.named.empty()) || is_short) {
    // UTF-8 keeps the order of code points.
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < keyed.size(); ++i) items[i] = keyed[i].second;
    Value list = new_list(state, {Sequence{std::move(items), true}});
    return out.push_back({std::move(state), std::move(list)});
  }
  if (domain_.is_concrete()) unknown(span, "this order");
  const auto* kept = content.as<Typed>();
  const bool is_filled = !items.empty() || (kept != nullptr && kept->is_filled);
  Value list = new_list(state, typed(type_of_parts(Kind::kList, {std::move(*item)}), is_filled,
                                     kept != nullptr && kept->is_given));
  out.push_back({std::move(state), std::move(list)});
}

// list(), set(), tuple() and dict() of another container.
void Interpreter::convert_container(const std::string& name, const Value& given, Span span,
                                    State state, Evaluations& out) {
  const Value content = state.deref(given);
  std::optional<Type> item = item_type(state, content);
  if (const auto* instance = content.as<Instance>();
      instance != nullptr &&
      program_.classes()[instance->cls].kind == ClassFacts::Kind::kNamedTuple)
    item = type_of(state, {Sequence{instance->fields, true}}).parts[0];
  if (!item) {
    const auto* cls = content.as<ClassObject>();
    if (cls != nullptr && program_.classes()[cls->cls].kind == ClassFacts::Kind::kEnum) {
      Sequence all{{}, true};
      for (uint32_t i = 0; i < members(cls->cls).size(); ++i)
        all.items.push_back({EnumMember{cls->cls, i}});
      Value list = new_list(state, {std::move(all)});
      return out.push_back({std::move(state), std::move(list)});
    }
    if (content.as<Unknown>() == nullptr && content.as<Instance>() == nullptr && cls == nullptr)
      return raise(std::move(state), "TypeError", "this value cannot be iterated over", span);
    return out.push_back({std::move(state), unknown(span, name + "() of an unknown value")});
  }
  const auto* sequence = content.as<Sequence>();
  const auto* dict = content.as<Dict>();
  const auto* kept = content.as<Typed>();
  if (name == "list" || name == "tuple") {
    std::vector<Value> items;
    if (sequence != nullptr) items = sequence->items;
    if (dict != nullptr) items = dict->keys;
    if (sequence != nullptr || dict != nullptr) {
      Value list = new_list(state, {Sequence{std::move(items), name == "list"}});
      return out.push_back({std::move(state), std::move(list)});
    }
    if (const auto* split = content.as<SplitList>(); split != nullptr && name == "list") {
      Value list = new_list(state, content);
      return out.push_back({std::move(state), std::move(list)});
    }
    if (const auto* text = content.as<Text>(); text != nullptr && name == "list") {
      Value list = new_list(state, {SplitList{*text, {}, true}});
      return out.push_back({std::move(state), std::move(list)});
    }
    if (is_iterable(content)) {
      States more;
      items_of(
          std::move(state), content, most_items(),
          [&](State here, const std::vector<Value>& all) {
            out.push_back({std::move(here), {Sequence{all, false}}});
          },
          more);
      for (State& many : more) {
        if (domain_.is_concrete()) unknown(span, "too many items");
        out.push_back({std::move(many), typed(type_of_parts(Kind::kTupleOf, {*item}), true)});
      }
      return;
    }
    Value list = new_list(
        state,
        typed(type_of_parts(name == "list" ? Kind::kList : Kind::kTupleOf, {std::move(*item)}),
              kept != nullptr && kept->is_filled, kept != nullptr && kept->is_given));
    return out.push_back({std::move(state), std::move(list)});
  }
  if (name == "dict") {
    if (content.as<Dict>() != nullptr) {
      Value copy = state.allocate(content);
      return out.push_back({std::move(state), std::move(copy)});
    }
    Type type = type_of(state, content);
    if (type.kind != Kind::kDict) {
      const bool is_pairs = item->kind == Kind::kTuple && item->parts.size() == 2;
      if (!is_pairs || domain_.is_concrete())
        return out.push_back({std::move(state), unknown(span, "dict() of this value")});
      type = type_of_parts(Kind::kDict, item->parts);
    }
    Value made = state.allocate(typed(std::move(type)));
    return out.push_back({std::move(state), std::move(made)});
  }
  // A set: constants that are all different stay known.
  Sequence set{{}, true, true};
  std::vector<Value> items;
  bool is_known = sequence != nullptr;
  if (sequence != nullptr) items = sequence->items;
  if (const auto* text = content.as<Text>()) {
    if (std::optional<Word> word = domain_.constant(state, *text)) {
      is_known = true;
      for (Letter letter : *word) items.push_back({domain_.constant_text(state, {letter})});
    }
  }
  std::vector<std::string> seen;
  for (const Value& value : items) {
    if (is_unhashable(state, value, span)) return;
  }
  for (const Value& value : items) {
    const auto* text = value.as<Text>();
    std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
    is_known = is_known && word;
    if (!is_known) break;
    const std::string spelling = program_.letters().text(*word);
    if (std::find(seen.begin(), seen.end(), spelling) != seen.end()) continue;
    seen.push_back(spelling);
    set.items.push_back(value);
  }
  Value made;
  if (is_known)
    made = state.allocate({std::move(set)});
  else if (domain_.is_concrete())
    made = unknown(span, "a set of these values");
  else
    made = state.allocate(
        typed(type_of_parts(Kind::kSet, {std::move(*item)}),
              (sequence != nullptr && !items.empty()) || (kept != nullptr && kept->is_filled)));
  out.push_back({std::move(state), std::move(made)});
}

void Interpreter::call_iteration(const std::string& name, const Actuals& actuals, Span span,
                                 State state, Evaluations& out) {
  const Arguments& arguments = actuals.positional;
  auto give = [&](Value value) { out.push_back({std::move(state), std::move(value)}); };
  const bool is_plain = actuals.named.empty();
  if (name == "print") {
    for (const Value& value : arguments) {
      const auto* text = value.as<Text>();
      if (text != nullptr && may_be_surrogate(state, *text))
        assume(span, "the printed text has no lone surrogates");
    }
    return give({NoneValue{}});
  }
  if (name == "range" && is_plain) return make_range(arguments, span, std::move(state), out);
  if (name == "zip") return zip_values(arguments, span, std::move(state), out);
  if (name == "enumerate" && !arguments.empty()) {
    std::optional<int64_t> first = 0;
    if (arguments.size() == 2) first = as_constant(state, arguments[1]);
    if (actuals.named.size() == 1) first = as_constant(state, actuals.named[0].second);
    // A copy: the state moves on.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const Value content = state.deref(arguments[0]);
    const auto* sequence = content.as<Sequence>();
    std::optional<Type> item = item_type(state, content);
    if (!item || !first) return give(unknown(span, "this enumerate()"));
    if (sequence != nullptr) {
      Sequence list{{}, true};
      for (size_t i = 0; i < sequence->items.size(); ++i)
        list.items.push_back({Sequence{
            {Value{Linear(*first + static_cast<int64_t>(i))}, sequence->items[i]}, false}});
      return give({std::move(list)});
    }
    if (domain_.is_concrete()) unknown(span, "this enumerate()");
    return give(typed(type_of_parts(
        Kind::kIterable,
        {type_of_parts(Kind::kTuple, {type_of_range({*first, kUnlimited}), std::move(*item)})})));
  }
  if (name == "sorted" && !arguments.empty())
    return sort_values(actuals, span, std::move(state), out);
  if (name == "reversed" && arguments.size() == 1) {
    // A copy: the state moves on.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const Value content = state.deref(arguments[0]);
    std::optional<Type> item = item_type(state, content);
    if (!item) return give(unknown(span, "this reversed()"));
    States more;
    auto each = [&](State here, std::vector<Value> items) {
      std::reverse(items.begin(), items.end());
      out.push_back({std::move(here), {Sequence{std::move(items), true}}});
    };
    if (is_iterable(content))
      items_of(std::move(state), content, most_items(), each, more);
    else
      more.push_back(std::move(state));
    for (State& many : more) {
      if (domain_.is_concrete()) unknown(span, "this reversed()");
      out.push_back({std::move(many), typed(type_of_parts(Kind::kIterable, {*item}))});
    }
    return;
  }
  const bool is_container =
      name == "list" || name == "tuple" || name == "set" || name == "frozenset" || name == "dict";
  if (is_container && arguments.empty() && is_plain) {
    if (name == "tuple") return give({Sequence{{}, false}});
    if (name == "dict") return give(state.allocate({Dict{}}));
    if (name == "list") return give(new_list(state, {Sequence{{}, true}}));
    return give(state.allocate({Sequence{{}, true, true}}));
  }
  if (name == "dict" && arguments.empty()) {
    Dict dict;
    for (const auto& [key, value] : actuals.named) {
      dict.keys.push_back({domain_.constant_text(state, program_.letters().word(key))});
      dict.values.push_back(value);
    }
    return give(state.allocate({std::move(dict)}));
  }
  if (is_container && arguments.size() == 1 && is_plain)
    return convert_container(name, arguments[0], span, std::move(state), out);
  if (name == "input") return give({any_text(state)});
  if (name == "open") {
    assume(span, "the file can be opened");
    return give({Callable{0, {}, "io.TextIO"}});
  }
  if (name == "id" || name == "hash") return give({Linear::of(state.add_number({}))});
  if (name == "callable" || name == "hasattr") {
    out.push_back({state, {true}});
    return give({false});
  }
  if (name == "exit" || name == "quit") {
    raise(std::move(state), "SystemExit", "the program ends here", span);
    raised_->back().is_declared = true;
    return;
  }
  if (name == "divmod" && arguments.size() == 2 && as_number(arguments[0]) &&
      as_number(arguments[1])) {
    // One after the other, on the same numbers.
    state.stack.push_back(arguments[0]);
    state.stack.push_back(arguments[1]);
    Evaluations quotients;
    const Linear a = *as_number(arguments[0]), b = *as_number(arguments[1]);
    arithmetic(BinaryOp::kFloorDiv, span, std::move(state), a, b, quotients);
    for (Evaluated& quotient : quotients) {
      State& here = quotient.state;
      const Value left = here.stack[here.stack.size() - 2], right = here.stack.back();
      here.stack.resize(here.stack.size() - 2);
      const auto* number = quotient.value.as<Linear>();
      Linear rest = here.linear(*as_number(left));
      Evaluations products;
      if (number == nullptr) continue;
      arithmetic(BinaryOp::kMult, span, here, *number, here.linear(*as_number(right)), products);
      std::optional<int64_t> by = as_constant(here, right);
      for (Evaluated& product : products) {
        Linear remainder = rest - product.state.linear(*product.value.as<Linear>());
        // Also known by its bounds.
        if (by && *by > 0) {
          SymbolId bounded = product.state.add_number({0, *by - 1});
          Linear difference = remainder - Linear::of(bounded);
          Linear opposite;
          opposite.add(difference, -1);
          if (!domain_.assume(product.state, difference) ||
              !domain_.assume(product.state, opposite))
            continue;
          remainder = Linear::of(bounded);
        }
        out.push_back(
            {std::move(product.state), {Sequence{{Value{*number}, Value{remainder}}, false}}});
      }
    }
    return;
  }
  if (name == "format" && arguments.size() == 2 && arguments[1].as<Text>() != nullptr)
    return apply_format(std::move(state), arguments[0], *arguments[1].as<Text>(), span, out);
  if ((name == "min" || name == "max") && !is_plain) {
    std::optional<Type> item =
        arguments.size() == 1 ? item_type(state, arguments[0]) : std::nullopt;
    for (const auto& [key, value] : actuals.named) {
      if (key == "default" && item) out.push_back({state, value});
    }
    if (item && !domain_.is_concrete()) {
      if (out.empty()) doubt(state, arguments[0], "ValueError", span, "there is an item to choose");
      return instantiate_item(std::move(state), *item, out);
    }
    if (!item && !domain_.is_concrete() && arguments.size() > 1)
      return builtin(name, span, std::move(state), arguments, out);
    return give(unknown(span, name + "() with a key"));
  }
  if (!is_plain && !(name == "int" && actuals.named[0].first == "base"))
    return give(unknown(span, "keyword arguments"));
  Arguments all = arguments;
  for (const auto& [key, value] : actuals.named) all.push_back(value);
  if (name == "iter" && all.size() == 1) return give(all[0]);
  const bool is_known = name == "len" || name == "int" || name == "str" || name == "bool" ||
                        name == "ord" || name == "chr" || name == "abs" || name == "min" ||
                        name == "max" || name == "sum" || name == "repr" || name == "hex" ||
                        name == "oct" || name == "bin" || name == "float" || name == "round";
  if (!is_known) return give(unknown(span, "the call of '" + name + "'"));
  builtin(name, span, std::move(state), all, out);
}

bool Interpreter::may_be_surrogate(const State& state, const Text& text) const {
  const LetterSet letters = domain_.words().letters_in(domain_.language(state, text));
  const auto surrogates = regular::CharSet::range(0xD800, 0xDFFF);
  for (uint32_t c = 0; c < letters.size(); ++c) {
    if (letters[c] && program_.letters()[static_cast<Letter>(c)].intersects(surrogates))
      return true;
  }
  return false;
}

}  // namespace nacre::python
