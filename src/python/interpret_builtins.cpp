// Builtin functions: lengths, numbers and characters.
#include <algorithm>
#include <fmt/core.h>

#include "python/canonical.h"
#include "python/interpreter.h"

namespace nacre::python {
namespace {

// Those that take values, look at them, and give a value.
bool is_builtin(std::string_view name) {
  return is_one_of(name,
                   {"len",      "int",     "str",       "bool",  "ord",       "chr",    "abs",
                    "min",      "max",     "sum",       "print", "tuple",     "list",   "repr",
                    "hex",      "oct",     "bin",       "float", "round",     "divmod", "sorted",
                    "reversed", "set",     "frozenset", "dict",  "enumerate", "zip",    "range",
                    "iter",     "input",   "id",        "hash",  "format",    "bytes",  "next",
                    "callable", "hasattr", "exit",      "quit",  "open",      "type"});
}

}  // namespace

bool Interpreter::is_builtin_name(const std::string& name) const {
  if (program_.definitions().bindings(name) > 0) return false;
  return is_builtin(name) || is_one_of(name, {"isinstance", "all", "any", "show_type", "inv", "map",
                                              "filter", "super", "lang", "pow", "getattr"});
}

Evaluations Interpreter::call_builtin(const std::string& name, const Call& call, Span span,
                                      State state, bool& is_known) {
  Evaluations out;
  if (name == "isinstance" && call.args.size() == 2)
    return call_isinstance(call, span, std::move(state));
  if ((name == "all" || name == "any") && call.args.size() == 1) {
    const auto* generator = tree_.get<ComprehensionExpr>(call.args[0]);
    if (generator != nullptr && generator->generators.size() == 1)
      return all_or_any(*generator, name == "all", std::move(state), span);
    for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
      const Value content = value.state.deref(value.value);
      if (content.as<Sequence>() == nullptr || !domain_.is_concrete()) {
        if (content.as<Unknown>() != nullptr || domain_.is_concrete()) unknown(span, name + "()");
        out.push_back({value.state, {true}});
        out.push_back({std::move(value.state), {false}});
        continue;
      }
      States open;
      open.push_back(std::move(value.state));
      for (const Value& item : content.as<Sequence>()->items) {
        States next;
        for (State& one : open) {
          Split split = truth(std::move(one), item);
          for (State& decided : name == "all" ? split.no : split.yes)
            out.push_back({std::move(decided), {name == "any"}});
          append(next, std::move(name == "all" ? split.yes : split.no));
        }
        open.swap(next);
      }
      for (State& end : open) out.push_back({std::move(end), {name == "all"}});
    }
    return out;
  }
  if (name == "show_type" || name == "inv") {
    out.push_back({std::move(state), {NoneValue{}}});
    return out;
  }
  if ((name == "map" || name == "filter") && call.args.size() == 2 && call.keywords.empty()) {
    evaluate_all(call.args, std::move(state), [&](State after, const Arguments& values) {
      map_values(name == "filter", values[0], values[1], span, std::move(after), out);
    });
    return out;
  }
  is_known = is_builtin(name);
  if (!is_known) return out;
  evaluate_actuals(call, std::move(state), [&](State after, const Actuals& actuals) {
    if (actuals.is_open)
      return out.push_back({std::move(after), unknown(span, "a star in this call")});
    call_iteration(name, actuals, span, std::move(after), out);
  });
  return out;
}

// map() and filter(), taken as lists: where one is kept instead of read at once, is_iterator()
// makes it unknown.
void Interpreter::map_values(bool is_filter, const Value& function, const Value& given, Span span,
                             State state, Evaluations& out) {
  const Value iterable = state.deref(given);
  if (iterable.as<Unknown>() != nullptr)
    return out.push_back({std::move(state), unknown(span, "map() over an unknown value")});
  std::optional<Type> item = item_type(state, iterable);
  if (!item)
    return raise(std::move(state), "TypeError",
                 "a " + type_name(iterable) + " cannot be iterated over", span);
  States more;
  auto apply = [&](State here, const Value& one, Evaluations& results) {
    Actuals actuals;
    actuals.positional = {one};
    call_value(function, std::move(actuals), span, std::move(here), results);
  };
  auto each = [&](State here, const std::vector<Value>& items) {
    const size_t base = here.stack.size();
    here.stack.push_back({Sequence{{}, true}});
    here.stack.insert(here.stack.end(), items.rbegin(), items.rend());
    here.stack.push_back(function);
    States open;
    open.push_back(std::move(here));
    for (size_t i = 0; i < items.size(); ++i) {
      States next;
      for (State& one : open) {
        const size_t top = one.stack.size() - 2;
        Value argument = one.stack[top];
        one.stack.erase(one.stack.begin() + static_cast<std::ptrdiff_t>(top));
        Evaluations results;
        Actuals actuals;
        actuals.positional = {argument};
        one.stack.push_back(argument);
        const Value callee = one.stack[top];
        call_value(callee, std::move(actuals), span, std::move(one), results);
        for (Evaluated& result : results) {
          Value kept = result.state.stack.back();
          result.state.stack.pop_back();
          if (!is_filter) {
            std::get<Sequence>(result.state.stack[base].data).items.push_back(result.value);
            next.push_back(std::move(result.state));
            continue;
          }
          Split split = truth(std::move(result.state), result.value);
          append(next, std::move(split.no));
          for (State& yes : split.yes) {
            std::get<Sequence>(yes.stack[base].data).items.push_back(yes.resolve(kept));
            next.push_back(std::move(yes));
          }
        }
      }
      if (!domain_.is_concrete()) reduce(domain_, next, limits_.states);
      open.swap(next);
    }
    for (State& one : open) {
      Value list = std::move(one.stack[base]);
      one.stack.resize(base);
      out.push_back({std::move(one), std::move(list)});
    }
  };
  if (is_iterable(iterable))
    items_of(std::move(state), iterable, most_items(), each, more);
  else
    more.push_back(std::move(state));
  for (State& many : more) {
    // Any item on its own.
    Evaluations items, results;
    State kept = many;
    instantiate_item(std::move(many), *item, items);
    for (Evaluated& one : items) apply(std::move(one.state), one.value, results);
    Type all = type_of_parts(Type::Kind::kUnion, {});
    for (Evaluated& result : results)
      all = join(domain_.words(), all, type_of(result.state, result.value));
    if (is_filter) all = *item;
    Value list = typed(type_of_parts(Type::Kind::kIterable, {std::move(all)}));
    out.push_back({std::move(kept), std::move(list)});
  }
}

void Interpreter::builtin(const std::string& name, Span span, State state, const Arguments& given,
                          Evaluations& out) {
  Arguments arguments;
  for (const Value& value : given) {
    const Value& content = state.deref(value);
    arguments.push_back(content.as<Instance>() != nullptr ? value : content);
  }
  auto wrong = [&](const char* why) {
    raise(std::move(state), "TypeError", fmt::format("{}() {}", name, why), span);
  };
  auto give = [&](Value value) { out.push_back({std::move(state), std::move(value)}); };
  if (name == "print") return give({NoneValue{}});
  if (arguments.empty()) {
    if (name == "str") return give({Text{}});
    if (name == "int") return give({Linear(0)});
    if (name == "bool") return give({false});
    if (name == "list" || name == "tuple") return give({Sequence{{}, name == "list"}});
    return wrong("needs an argument");
  }
  const Value& value = arguments[0];
  const auto* text = value.as<Text>();
  std::optional<Linear> number = as_number(value);
  if (value.as<Unknown>() != nullptr && name != "bool")
    return give(unknown(span, name + "() of an unknown value"));
  if (name == "len") return length_of(span, std::move(state), value, out);
  if (name == "str") return to_string(std::move(state), value, span, out);
  if (name == "bool") {
    Split split = truth(std::move(state), value);
    for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
    for (State& no : split.no) out.push_back({std::move(no), {false}});
    return;
  }
  if (name == "int" && arguments.size() == 2 && text != nullptr) {
    const std::optional<int64_t> base = as_constant(state, arguments[1]);
    return parse_base(span, std::move(state), *text, base, out);
  }
  if (name == "int" && arguments.size() == 1) {
    const auto* kept = value.as<Typed>();
    if (kept != nullptr && kept->type->kind == Type::Kind::kFloat) {
      assume(span, "the float is finite");
      SymbolId integer = state.add_number({});
      return give({Linear::of(integer)});
    }
    if (number) return give({*number});
    if (text != nullptr) return parse_int(span, std::move(state), *text, out);
    return wrong("needs a string or a number");
  }
  if (name == "ord")
    return text != nullptr ? ordinal(span, std::move(state), *text, out) : wrong("needs a string");
  if (name == "chr")
    return number ? character(span, std::move(state), *number, out) : wrong("needs an integer");
  if (name == "hex" || name == "oct" || name == "bin")
    return number ? prefixed(name, std::move(state), *number, out) : wrong("needs an integer");
  if (name == "repr") return to_literal(std::move(state), value, span, out);
  if (name == "float") {
    if (text != nullptr) return parse_float(span, std::move(state), *text, out);
    if (value.as<NoneValue>() != nullptr) return wrong("needs a string or a number");
    return give(typed(type_of_kind(Type::Kind::kFloat)));
  }
  if (name == "round" && arguments.size() == 1 && number) return give({*number});
  if (name == "round" && arguments.size() == 1) {
    SymbolId integer = state.add_number({});
    return give({Linear::of(integer)});
  }
  if (name == "round") return give(typed(type_of_kind(Type::Kind::kFloat)));
  if (name == "list" || name == "tuple") {
    if (const auto* sequence = value.as<Sequence>())
      return give({Sequence{sequence->items, name == "list"}});
    if (name == "list" && value.as<SplitList>() != nullptr) return give(value);
    if (name == "list" && text != nullptr) return give({SplitList{*text, {}, true}});
  }
  calculate(name, span, std::move(state), arguments, out);
}

// abs(), min(), max() and sum() of integers.
void Interpreter::calculate(const std::string& name, Span span, State state,
                            const Arguments& arguments, Evaluations& out) {
  const auto* sequence = arguments.size() == 1 ? arguments[0].as<Sequence>() : nullptr;
  std::vector<Linear> numbers;
  // Lists of any length, and strings: one of the items, or a sum of them.
  const auto* kept = arguments.size() == 1 ? arguments[0].as<Typed>() : nullptr;
  std::optional<Type> item = arguments.size() == 1 ? item_type(state, arguments[0]) : std::nullopt;
  if (kept != nullptr && kept->type->kind == Type::Kind::kFloat) {
    out.push_back({std::move(state), arguments[0]});
    return;
  }
  if (name == "sum" && item && sequence == nullptr) {
    const bool is_positive =
        item->kind == Type::Kind::kBool || (item->kind == Type::Kind::kInt && item->range.low >= 0);
    Value total = typed(type_of_kind(Type::Kind::kFloat));
    if (item->kind == Type::Kind::kInt || item->kind == Type::Kind::kBool)
      total = {Linear::of(state.add_number({is_positive ? 0 : -kUnlimited, kUnlimited}))};
    else if (item->kind != Type::Kind::kFloat)
      total = unknown(span, "sum() of these values");
    return out.push_back({std::move(state), std::move(total)});
  }
  if ((name == "min" || name == "max") && item && sequence == nullptr) {
    const bool is_given = kept != nullptr && kept->is_given;
    if (kept == nullptr || !kept->is_filled)
      doubt(state, kept != nullptr ? Value{*kept} : Value{}, "ValueError", span,
            "there is an item to choose");
    compare_items(state, kept != nullptr ? Value{*kept} : Value{}, *item, span);
    return instantiate_item(std::move(state), *item, out, is_given);
  }
  const Arguments& values = sequence != nullptr ? sequence->items : arguments;
  if ((name == "min" || name == "max") && values.size() > 1) {
    const Value list{Sequence{values, true}};
    compare_items(state, list, type_of(state, list).parts[0], span);
  }
  for (const Value& value : values) {
    if (std::optional<Linear> number = as_number(value)) numbers.push_back(*number);
  }
  const bool are_numbers = numbers.size() == values.size();
  if (name == "abs" && are_numbers && sequence == nullptr && numbers.size() == 1) {
    Linear negated;
    negated.add(numbers[0], -1);
    return extreme(std::move(state), numbers[0], negated, true, out);
  }
  if (name == "sum" && are_numbers && sequence != nullptr) {
    Linear total;
    for (const Linear& number : numbers) total.add(state.linear(number), 1);
    return out.push_back({std::move(state), {std::move(total)}});
  }
  if ((name == "min" || name == "max") && are_numbers &&
      numbers.size() >= (sequence != nullptr ? 1u : 2u)) {
    Evaluations open;
    open.push_back({std::move(state), {numbers[0]}});
    for (size_t i = 1; i < numbers.size(); ++i) {
      Evaluations next;
      for (Evaluated& so_far : open)
        extreme(std::move(so_far.state), *as_number(so_far.value), numbers[i], name == "max", next);
      open.swap(next);
    }
    for (Evaluated& result : open) out.push_back(std::move(result));
    return;
  }
  // One of several values, whichever it is.
  const bool has_unknown = std::any_of(values.begin(), values.end(), [](const Value& value) {
    return value.as<Unknown>() != nullptr;
  });
  if ((name == "min" || name == "max") && !values.empty() && !has_unknown &&
      !domain_.is_concrete()) {
    for (const Value& value : values) out.push_back({state, value});
    return;
  }
  if ((name == "min" || name == "max") && values.empty())
    return raise(std::move(state), "ValueError", name + "() arg is an empty sequence", span);
  out.push_back({std::move(state), unknown(span, name + "() of these values")});
}

// int(text, base): digits of the base, with its prefix or without.
void Interpreter::parse_base(Span span, State state, const Text& text, std::optional<int64_t> base,
                             Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  if (base == 10) return parse_int(span, std::move(state), text, out);
  if (!base || *base < 2 || *base > 36)
    return out.push_back({std::move(state), unknown(span, "int() with this base")});
  regular::CharSet digits =
      regular::CharSet::range('0', '0' + static_cast<uint32_t>(std::min<int64_t>(*base, 10)) - 1);
  if (*base > 10) {
    const auto more = static_cast<uint32_t>(*base - 11);
    digits = digits | regular::CharSet::range('a', 'a' + more) |
             regular::CharSet::range('A', 'A' + more);
  }
  const Words language = domain_.language(state, text);
  const Words digit = words.one_of(letters.inside(digits));
  const Words plain = words.concat(digit, words.star(digit));
  if (!words.is_empty(words.minus(language, plain))) {
    // Other spellings exist: they may be right or not.
    const auto prefix = words.all();
    if (words.is_empty(words.intersect(language, plain)) && !domain_.is_concrete())
      unknown(span, "int() of this string");
    std::optional<Word> word = domain_.constant(state, text);
    const bool has_letters = word && !words.contains(plain, *word);
    if (has_letters || !word) {
      Split split = domain_.member(std::move(state), text, plain);
      for (State& other : split.no) {
        // A sign, a prefix, underscores and spaces are allowed, too; what has none of them is
        // wrong.
        regular::CharSet allowed = digits | regular::CharSet::of("+-_ xXoObB\t\n\r\f\v");
        const Words open = words.star(words.one_of(letters.inside(allowed)));
        Split maybe = domain_.member(std::move(other), text, words.minus(open, words.empty_word()));
        for (State& bad : maybe.no)
          raise(std::move(bad), "ValueError", "invalid literal for int()", span);
        for (State& any : maybe.yes) {
          unknown(span, "int() of this spelling");
          SymbolId number = any.add_number({});
          out.push_back({std::move(any), {Linear::of(number)}});
        }
      }
      (void)prefix;
      for (State& good : split.yes) parse_base(span, std::move(good), text, base, out);
      return;
    }
  }
  Range range{0, kUnlimited};
  const int64_t longest = words[language].max_length;
  if (longest <= 7) {
    range.high = 1;
    for (int64_t i = 0; i < longest; ++i) range.high *= *base;
    --range.high;
  }
  if (std::optional<Word> word = domain_.constant(state, text); word && word->size() <= 7) {
    int64_t value = 0;
    for (Letter letter : *word) {
      const uint32_t c = letters[letter].min() | 0x20;
      value = value * *base + (c >= 'a' ? c - 'a' + 10 : (letters[letter].min() - '0'));
    }
    range = {value, value};
  }
  SymbolId number = state.add_number(range);
  out.push_back({std::move(state), {range.is_single() ? Linear(range.low) : Linear::of(number)}});
}

// "0x1f", "-0b1".
void Interpreter::prefixed(const std::string& name, State state, const Linear& number,
                           Evaluations& out) {
  const int base = name == "hex" ? 16 : name == "oct" ? 8 : 2;
  const std::string prefix = name == "hex" ? "0x" : name == "oct" ? "0o" : "0b";
  WordStore& words = domain_.words();
  Split sign = domain_.compare(std::move(state), number);
  for (bool is_negative : {false, true}) {
    for (State& one : is_negative ? sign.no : sign.yes) {
      Range range = domain_.range(one, one.linear(number));
      if (is_negative)
        range = {range.high <= -kUnlimited ? kUnlimited : -range.high,
                 range.low <= -kUnlimited ? kUnlimited : -range.low};
      Words all =
          words.concat(words.word(program_.letters().word((is_negative ? "-" : "") + prefix)),
                       magnitudes(range, base, false));
      SymbolId word = one.add_word(all);
      out.push_back({std::move(one), {Text{word}}});
    }
  }
}

// What float() surely takes: digits with a point and an exponent. Other strings may be right, too.
void Interpreter::parse_float(Span span, State state, const Text& text, Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const Words digit = words.one_of(letters.inside(regular::CharSet::range('0', '9')));
  const Words digits = words.concat(digit, words.star(digit));
  auto optional = [&](Words one) { return words.unite(words.empty_word(), one); };
  auto of = [&](std::string_view set) {
    return words.one_of(letters.inside(regular::CharSet::of(set)));
  };
  const Words plain = words.concat(
      optional(of("+-")),
      words.concat(words.concat(digits, optional(words.concat(of("."), words.star(digit)))),
                   optional(words.concat(words.concat(of("eE"), optional(of("+-"))), digits))));
  Split split = domain_.member(std::move(state), text, plain);
  for (State& good : split.yes)
    out.push_back({std::move(good), typed(type_of_kind(Type::Kind::kFloat))});
  // No float is spelled without a digit, but for "inf", "nan" and "infinity".
  const LetterSet decimal = program_.letters_of("isdecimal");
  const Words with_digit =
      words.concat(words.concat(words.all(), words.one_of(decimal)), words.all());
  const Words with_name = words.concat(words.concat(words.all(), of("nN")), words.all());
  for (State& other : split.no) {
    Split open = domain_.member(std::move(other), text, words.unite(with_digit, with_name));
    for (State& bad : open.no)
      raise(std::move(bad), "ValueError", "could not convert string to float", span);
    for (State& any : open.yes) {
      raise(any, "ValueError", "could not convert string to float", span);
      if (domain_.is_concrete()) unknown(span, "float() of this spelling");
      out.push_back({std::move(any), typed(type_of_kind(Type::Kind::kFloat))});
    }
  }
}

void Interpreter::extreme(State state, const Linear& a, const Linear& b, bool is_max,
                          Evaluations& out) {
  Split split = domain_.compare(std::move(state), is_max ? a - b : b - a);
  for (State& yes : split.yes) out.push_back({std::move(yes), {a}});
  for (State& no : split.no) out.push_back({std::move(no), {b}});
}

void Interpreter::length_of(Span span, State state, const Value& value, Evaluations& out) {
  if (const auto* text = value.as<Text>()) {
    Linear length = domain_.length(state, *text);
    return out.push_back({std::move(state), {std::move(length)}});
  }
  if (const auto* sequence = value.as<Sequence>()) {
    return out.push_back(
        {std::move(state), {Linear(static_cast<int64_t>(sequence->items.size()))}});
  }
  if (const auto* split = value.as<SplitList>()) {
    if (split->is_letters) {
      Linear length = domain_.length(state, split->subject);
      return out.push_back({std::move(state), {std::move(length)}});
    }
    const size_t counted = std::min<size_t>(most_items(), 5);
    States more;
    items_of(
        std::move(state), value, counted,
        [&](State here, const std::vector<Value>& items) {
          out.push_back({std::move(here), {Linear(static_cast<int64_t>(items.size()))}});
        },
        more);
    for (State& many : more) {
      SymbolId count = many.add_number({static_cast<int64_t>(counted) + 1, kUnlimited});
      if (!domain_.assume(many, domain_.length(many, split->subject) + 1 - Linear::of(count)))
        continue;
      out.push_back({std::move(many), {Linear::of(count)}});
    }
    return;
  }
  if (const auto* dict = value.as<Dict>())
    return out.push_back({std::move(state), {Linear(static_cast<int64_t>(dict->keys.size()))}});
  if (const auto* kept = value.as<Typed>()) {
    const bool has_length = kept->type->is_container() ||
                            kept->type->kind == Type::Kind::kTupleOf ||
                            kept->type->kind == Type::Kind::kBytes;
    if (has_length && kept->type->kind != Type::Kind::kIterable) {
      SymbolId count = state.add_number({kept->is_filled ? 1 : 0, kUnlimited});
      return out.push_back({std::move(state), {Linear::of(count)}});
    }
    return out.push_back({std::move(state), unknown(span, "the length of this value")});
  }
  if (const auto* instance = state.deref(value).as<Instance>()) {
    const Function* method = program_.method(instance->cls, "__len__");
    if (method != nullptr) {
      Actuals actuals;
      actuals.positional = {value};
      return call_function(*method, std::move(actuals), span, std::move(state), out);
    }
    return out.push_back({std::move(state), unknown(span, "the length of this value")});
  }
  if (value.as<Callable>() != nullptr || value.as<EnumMember>() != nullptr ||
      value.as<ClassObject>() != nullptr)
    return out.push_back({std::move(state), unknown(span, "the length of this value")});
  raise(std::move(state), "TypeError", "this value has no len()", span);
}

// White space, a sign, digits with single underscores between them, white space. U+001C to U+001F
// are white space to strip(), but not to int().
void Interpreter::parse_int(Span span, State state, const Text& text, Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  constexpr int64_t kMaxDigits = 4300;
  if (words[domain_.language(state, text)].max_length > kMaxDigits)
    assume(span, "int() gets no more than 4,300 digits");
  LetterSet spaces = program_.white_space();
  const LetterSet separators = letters.inside(regular::CharSet::range(0x1c, 0x1f));
  for (size_t i = 0; i < spaces.size(); ++i) spaces[i] = spaces[i] && !separators[i];
  Words space = words.star(words.one_of(spaces));
  Words digit = words.one_of(program_.letters_of("isdecimal"));
  Words more = words.star(words.unite(digit, words.concat(words.word(letters.word("_")), digit)));
  LetterSet sign_set = letters.inside(regular::CharSet::of("+-"));
  Words sign = words.unite(words.empty_word(), words.one_of(sign_set));
  Words numbers =
      words.concat(words.concat(space, words.concat(sign, words.concat(digit, more))), space);
  Split split = domain_.member(std::move(state), text, numbers);
  for (State& bad : split.no)
    raise(std::move(bad), "ValueError", "invalid literal for int()", span);
  Words minus = words.concat(words.concat(words.all(), words.word(letters.word("-"))), words.all());
  for (State& good : split.yes) {
    bool is_small = by_constant(good, text, [&](State fixed, const Word& word) {
      std::optional<int64_t> value = number_of(word);
      Linear result = value ? Linear(*value) : Linear::of(fixed.add_number({}));
      out.push_back({std::move(fixed), {std::move(result)}});
    });
    if (is_small) continue;
    Split by_sign = domain_.member(std::move(good), text, minus);
    for (bool is_negative : {false, true}) {
      for (State& one : is_negative ? by_sign.yes : by_sign.no) {
        Range range = magnitude(without_sign(domain_.language(one, text)));
        if (is_negative) range = {-range.high, -range.low};
        SymbolId number = one.add_number(range);
        out.push_back({std::move(one), {Linear::of(number)}});
      }
    }
  }
}

// The value of a word that int() takes; nothing if it is long or has digits that are not ASCII.
std::optional<int64_t> Interpreter::number_of(const Word& word) const {
  std::string digits;
  for (Letter letter : word) {
    uint32_t c = program_.letters()[letter].min();
    if (c >= 128 || !program_.letters().is_single(letter)) return std::nullopt;
    if (c == '-' || (c >= '0' && c <= '9')) digits += static_cast<char>(c);
  }
  if (digits.size() > 11) return std::nullopt;
  return std::strtoll(digits.c_str(), nullptr, 10);
}

Words Interpreter::without_sign(Words language) const {
  WordStore& words = domain_.words();
  LetterSet signs = program_.letters().inside(regular::CharSet::of("+-"));
  Words result = words.minus(language, words.concat(words.one_of(signs), words.all()));
  for (uint32_t c = 0; c < words.letters(); ++c) {
    uint32_t target = words.is_empty(language) ? kNoState : words[language].next[c];
    if (signs[c] && target != kNoState)
      result = words.unite(result, words.residual(language, target));
  }
  return result;
}

// The least and the greatest number that is spelled by a word of the language.
// Exact where the words are plain digits: among words of one length the order of the numbers is the
// order of the words.
Range Interpreter::magnitude(Words language) const {
  WordStore& words = domain_.words();
  Range range{0, kUnlimited};
  const int64_t longest = words[language].max_length;
  if (longest > 11) return range;
  std::vector<int64_t> rising, falling;
  bool is_plain = true;
  const LetterSet occurring = words.letters_in(language);
  for (uint32_t c = 0; c < words.letters(); ++c) {
    const auto& set = program_.letters()[static_cast<Letter>(c)];
    rising.push_back(set.min());
    falling.push_back(-static_cast<int64_t>(set.min()));
    bool is_digit = set.size() == 1 && set.min() >= '0' && set.min() <= '9';
    is_plain = is_plain && (!occurring[c] || is_digit);
  }
  if (!is_plain) {
    range.high = 1;
    for (int64_t i = 0; i < longest; ++i) range.high *= 10;
    return range;
  }
  range = {kUnlimited, 0};
  for (int64_t length = words[language].min_length; length <= longest; ++length) {
    std::optional<Word> least = words.least_word(language, length, rising);
    std::optional<Word> greatest = words.least_word(language, length, falling);
    if (!least || !greatest) continue;
    range.low = std::min(range.low, number_of(*least).value_or(0));
    range.high = std::max(range.high, number_of(*greatest).value_or(kUnlimited));
  }
  return range;
}

void Interpreter::ordinal(Span span, State state, const Text& text, Evaluations& out) {
  Linear difference = domain_.length(state, text) - 1;
  Split size = domain_.equals_zero(std::move(state), difference);
  for (State& bad : size.no) raise(std::move(bad), "TypeError", "ord() expected a character", span);
  for (State& good : size.yes) {
    bool is_small = by_constant(good, text, [&](State fixed, const Word& word) {
      out.push_back({std::move(fixed), {Linear(program_.letters()[word[0]].min())}});
    });
    if (is_small) continue;
    LetterSet first = domain_.words().first_letters(domain_.language(good, text));
    Range range{kUnlimited, 0};
    for (uint32_t c = 0; c < first.size(); ++c) {
      if (!first[c]) continue;
      auto ranges = program_.letters()[static_cast<Letter>(c)].ranges();
      range.low = std::min<int64_t>(range.low, ranges.front().first);
      range.high = std::max<int64_t>(range.high, ranges.back().last);
    }
    SymbolId number = good.add_number(range);
    out.push_back({std::move(good), {Linear::of(number)}});
  }
}

void Interpreter::character(Span span, State state, const Linear& code, Evaluations& out) {
  Split low = domain_.compare(std::move(state), code);
  for (State& bad : low.no) raise(std::move(bad), "ValueError", "chr() arg not in range", span);
  for (State& positive : low.yes) {
    Linear room = Linear(0x10FFFF) - code;
    Split high = domain_.compare(std::move(positive), room);
    for (State& bad : high.no) raise(std::move(bad), "ValueError", "chr() arg not in range", span);
    for (State& good : high.yes) {
      Range range = domain_.range(good, code);
      LetterSet set =
          program_.letters().inside(regular::CharSet::all(regular::Alphabet::kCodePoints));
      for (uint32_t c = 0; c < set.size(); ++c) {
        auto window = regular::CharSet::range(static_cast<uint32_t>(range.low),
                                              static_cast<uint32_t>(range.high));
        set[c] = program_.letters()[static_cast<Letter>(c)].intersects(window);
      }
      SymbolId letter = good.add_word(domain_.words().one_of(set));
      out.push_back({std::move(good), {Text{letter}}});
    }
  }
}

}  // namespace nacre::python
