// Calls: functions of the file, builtins, regexes.
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {

Evaluations Interpreter::evaluate_call(ExprId id, const Call& call, Span span, State state) {
  (void)id;
  Evaluations out;
  if (const auto* name = tree_.get<Name>(call.function)) {
    if (!frame_.function->scope->slot(name->id)) {
      if (const Function* function = program_.function(name->id))
        return call_function(*function, call, span, std::move(state));
      bool is_known = true;
      out = call_builtin(name->id, call, span, state, is_known);
      if (is_known) return out;
    }
    out.clear();
    out.push_back({std::move(state), unknown(span, "the call of '" + name->id + "'")});
    return out;
  }
  const auto* attribute = tree_.get<Attribute>(call.function);
  if (attribute == nullptr) {
    out.push_back({std::move(state), unknown(span, "this call")});
    return out;
  }
  // re.match(pattern, subject), or PATTERN.match(subject) for a compiled one.
  if (attribute->name == "match" || attribute->name == "fullmatch" || attribute->name == "search") {
    Search search = attribute->name == "match"    ? Search::kMatch
                    : attribute->name == "search" ? Search::kSearch
                                                  : Search::kFullMatch;
    const auto* module = tree_.get<Name>(attribute->value);
    bool is_module = module != nullptr && module->id == "re";
    ExprId pattern = is_module && !call.args.empty() ? call.args[0] : attribute->value;
    size_t subject = is_module ? 1 : 0;
    if (call.args.size() > subject && program_.pattern(pattern, search)) {
      return call_pattern(search, pattern, call.args[subject], std::move(state));
    }
  }
  Exprs operands = {attribute->value};
  operands.insert(operands.end(), call.args.begin(), call.args.end());
  bool is_plain = call.keywords.empty();
  for (const Keyword& keyword : call.keywords) {
    // The one keyword that string methods of the fragment know.
    bool is_limit =
        keyword.name == "maxsplit" && (attribute->name == "split" || attribute->name == "rsplit");
    if (is_limit && call.args.size() == 1) operands.push_back(keyword.value), is_plain = true;
  }
  evaluate_all(operands, std::move(state), [&](State after, Arguments values) {
    if (!is_plain) return out.push_back({std::move(after), unknown(span, "keyword arguments")});
    Value subject = values[0];
    values.erase(values.begin());
    method(attribute->name, span, std::move(after), subject, values, out);
  });
  return out;
}

// ---- functions of the file

Evaluations Interpreter::call_function(const Function& function, const Call& call, Span span,
                                       State state) {
  Evaluations out;
  const Parameters& parameters = function.definition->parameters;
  // Arguments in the order of the parameters.
  Exprs arguments = call.args;
  bool is_plain = !parameters.rest && !parameters.keyword_rest && parameters.keyword_only.empty() &&
                  !function.definition->is_async && function.definition->decorators.empty();
  std::vector<const Parameter*> names;
  for (const auto* list : {&parameters.positional_only, &parameters.positional}) {
    for (const Parameter& parameter : *list) names.push_back(&parameter);
  }
  for (ExprId argument : arguments) is_plain = is_plain && tree_.get<Starred>(argument) == nullptr;
  for (size_t i = arguments.size(); is_plain && i < names.size(); ++i) {
    auto named = std::find_if(call.keywords.begin(), call.keywords.end(),
                              [&](const Keyword& k) { return k.name == names[i]->name; });
    size_t missing = names.size() - i;
    if (named != call.keywords.end())
      arguments.push_back(named->value);
    else if (missing <= parameters.defaults.size())
      arguments.push_back(parameters.defaults[parameters.defaults.size() - missing]);
    else
      break;
  }
  if (is_plain && arguments.size() != names.size()) {
    raise(std::move(state), "TypeError",
          "wrong number of arguments for " + function.definition->name + "()", span);
    return out;
  }
  if (!is_plain) {
    out.push_back(
        {std::move(state), unknown(span, "this way to call '" + function.definition->name + "'")});
    return out;
  }
  const bool is_recursive =
      std::find(callers_.begin(), callers_.end(), &function) != callers_.end();
  // A concrete run follows recursion; otherwise the declared types stand for it.
  const bool is_inlined = domain_.is_concrete()
                              ? callers_.size() < 100
                              : !is_recursive && callers_.size() < limits_.call_depth;
  evaluate_all(arguments, std::move(state), [&](State after, Arguments values) {
    States checked;
    checked.push_back(std::move(after));
    for (size_t i = 0; i < values.size(); ++i) {
      States next;
      for (State& one : checked) {
        for (State& good : check_type(std::move(one), values[i], function.parameters[i],
                                      FailureKind::kArgument, tree_[arguments[i]].span)) {
          next.push_back(std::move(good));
        }
      }
      checked.swap(next);
    }
    for (State& one : checked) {
      if (is_inlined) {
        call_inlined(function, std::move(one), values, out);
        continue;
      }
      const Type& type = function.returns;
      Value result{Unknown{}};
      if (type.kind == Type::Kind::kLanguage)
        result = {Text{one.add_word(type.words)}};
      else if (type.kind == Type::Kind::kStr)
        result = {any_text(one)};
      else if (type.kind == Type::Kind::kInt)
        result = {Linear::of(one.add_number({}))};
      else if (type.kind == Type::Kind::kNone)
        result = {NoneValue{}};
      else if (type.kind == Type::Kind::kBool) {
        out.push_back({one, {true}});
        result = {false};
      } else {
        unknown(span, "a recursive function without a declared result");
      }
      // What a recursive call raises is found where its own body is checked, if it is.
      if (!function.is_checked) unknown(span, "a recursive function without language types");
      out.push_back({std::move(one), std::move(result)});
    }
  });
  return out;
}

void Interpreter::call_inlined(const Function& function, State state, Arguments arguments,
                               Evaluations& out) {
  const Frame caller = frame_;
  const size_t pins = state.pins.size();
  const size_t stack = state.stack.size();
  frame_ = {&function, state.slots.size()};
  callers_.push_back(&function);
  for (Value& argument : arguments) state.slots.push_back(std::move(argument));
  state.slots.resize(frame_.base + function.scope->size());
  States start;
  start.push_back(std::move(state));
  Flow flow = execute(function.definition->body, std::move(start));
  for (State& end : flow.next) {
    for (State& good : check_type(std::move(end), {NoneValue{}}, function.returns,
                                  FailureKind::kReturn, function.definition->name_span)) {
      flow.returns.push_back({std::move(good), {NoneValue{}}});
    }
  }
  callers_.pop_back();
  States results;
  for (Returned& result : flow.returns) {
    result.state.slots.resize(frame_.base);
    result.state.pins.resize(pins);
    result.state.stack.resize(stack);
    result.state.stack.push_back(std::move(result.value));
    results.push_back(std::move(result.state));
  }
  frame_ = caller;
  if (!domain_.is_concrete()) reduce(domain_, results, limits_.states);
  for (State& result : results) {
    Value value = std::move(result.stack.back());
    result.stack.pop_back();
    out.push_back({std::move(result), std::move(value)});
  }
}

// ---- builtins

Evaluations Interpreter::call_builtin(const std::string& name, const Call& call, Span span,
                                      State state, bool& is_known) {
  Evaluations out;
  if (name == "isinstance" && call.args.size() == 2)
    return call_isinstance(call, span, std::move(state));
  if ((name == "all" || name == "any") && call.args.size() == 1) {
    if (const auto* generator = tree_.get<ComprehensionExpr>(call.args[0])) {
      is_known = generator->generators.size() == 1;
      if (is_known) return all_or_any(*generator, name == "all", std::move(state), span);
      return out;
    }
  }
  if (name == "show_type" || name == "inv") {
    out.push_back({std::move(state), {NoneValue{}}});
    return out;
  }
  constexpr std::string_view kKnown[] = {"len", "int", "str", "bool",  "ord",   "chr",
                                         "abs", "min", "max", "print", "tuple", "list"};
  is_known = std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown) &&
             (call.keywords.empty() || name == "print");
  if (!is_known) return out;
  evaluate_all(call.args, std::move(state), [&](State after, const Arguments& values) {
    builtin(name, span, std::move(after), values, out, is_known);
  });
  return out;
}

void Interpreter::builtin(const std::string& name, Span span, State state,
                          const Arguments& arguments, Evaluations& out, bool& is_known) {
  (void)is_known;
  auto wrong = [&](const char* why) {
    raise(std::move(state), "TypeError", fmt::format("{}() {}", name, why), span);
  };
  if (name == "print") return out.push_back({std::move(state), {NoneValue{}}});
  if (arguments.empty()) {
    if (name == "str") return out.push_back({std::move(state), {Text{}}});
    if (name == "int") return out.push_back({std::move(state), {Linear(0)}});
    if (name == "bool") return out.push_back({std::move(state), {false}});
    if (name == "list" || name == "tuple")
      return out.push_back({std::move(state), {Sequence{{}, name == "list"}}});
    return wrong("needs an argument");
  }
  const Value& value = arguments[0];
  const auto* text = value.as<Text>();
  std::optional<Linear> number = as_number(value);
  if (value.as<Unknown>() != nullptr && name != "bool") {
    return out.push_back({std::move(state), unknown(span, name + "() of an unknown value")});
  }
  if (name == "len") return length_of(span, std::move(state), value, out);
  if (name == "str") return to_string(std::move(state), value, span, out);
  if (name == "bool") {
    Split split = truth(std::move(state), value);
    for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
    for (State& no : split.no) out.push_back({std::move(no), {false}});
    return;
  }
  if (name == "int" && arguments.size() == 1) {
    if (number) return out.push_back({std::move(state), {*number}});
    if (text != nullptr) return parse_int(span, std::move(state), *text, out);
    return wrong("needs a string or a number");
  }
  if (name == "ord")
    return text != nullptr ? ordinal(span, std::move(state), *text, out) : wrong("needs a string");
  if (name == "chr")
    return number ? character(span, std::move(state), *number, out) : wrong("needs an integer");
  if (name == "abs" && number) {
    Split sign = domain_.compare(std::move(state), *number);
    Linear negated;
    negated.add(*number, -1);
    for (State& positive : sign.yes) out.push_back({std::move(positive), {*number}});
    for (State& negative : sign.no) out.push_back({std::move(negative), {negated}});
    return;
  }
  bool are_numbers = std::all_of(arguments.begin(), arguments.end(),
                                 [&](const Value& v) { return as_number(v).has_value(); });
  if ((name == "min" || name == "max") && arguments.size() >= 2 && are_numbers) {
    Evaluations open;
    open.push_back({std::move(state), value});
    for (size_t i = 1; i < arguments.size(); ++i) {
      Evaluations next;
      for (Evaluated& so_far : open)
        extreme(std::move(so_far.state), *as_number(so_far.value), *as_number(arguments[i]),
                name == "max", next);
      open.swap(next);
    }
    for (Evaluated& result : open) out.push_back(std::move(result));
    return;
  }
  if ((name == "list" || name == "tuple") && value.as<Sequence>() != nullptr) {
    return out.push_back(
        {std::move(state), {Sequence{value.as<Sequence>()->items, name == "list"}}});
  }
  if (name == "list" && value.as<SplitList>() != nullptr)
    return out.push_back({std::move(state), value});
  out.push_back({std::move(state), unknown(span, name + "() of these values")});
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
    constexpr size_t kCounted = 5;
    States more;
    expand(
        std::move(state), *split, kCounted,
        [&](State here, const std::vector<Text>& items) {
          out.push_back({std::move(here), {Linear(static_cast<int64_t>(items.size()))}});
        },
        more);
    for (State& many : more) {
      SymbolId count = many.add_number({static_cast<int64_t>(kCounted) + 1, kUnlimited});
      if (!domain_.assume(many, domain_.length(many, split->subject) + 1 - Linear::of(count)))
        continue;
      out.push_back({std::move(many), {Linear::of(count)}});
    }
    return;
  }
  raise(std::move(state), "TypeError", "this value has no len()", span);
}

Evaluations Interpreter::call_isinstance(const Call& call, Span span, State state) {
  Evaluations out;
  Type type = program_.type(call.args[1]);
  for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
    const auto* text = value.value.as<Text>();
    auto give = [&](bool answer) { out.push_back({std::move(value.state), {answer}}); };
    if (value.value.as<Unknown>() != nullptr || type.kind == Type::Kind::kOther ||
        type.kind == Type::Kind::kMissing) {
      unknown(span, "this isinstance()");
      out.push_back({value.state, {true}});
      give(false);
    } else if (type.kind == Type::Kind::kLanguage && text != nullptr) {
      Split split = domain_.member(std::move(value.state), *text, type.words);
      for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
      for (State& no : split.no) out.push_back({std::move(no), {false}});
    } else if (type.kind == Type::Kind::kStr) {
      give(text != nullptr);
    } else if (type.kind == Type::Kind::kInt) {
      give(as_number(value.value).has_value());
    } else if (type.kind == Type::Kind::kBool) {
      give(value.value.as<bool>() != nullptr);
    } else {
      give(false);
    }
  }
  return out;
}

// A match is a tuple of the matched text, as far as it is known; no match is None.
Evaluations Interpreter::call_pattern(Search search, ExprId pattern, ExprId subject, State state) {
  Evaluations out;
  Words language = *program_.pattern(pattern, search);
  for (Evaluated& value : evaluate(subject, std::move(state))) {
    const auto* text = value.value.as<Text>();
    if (text == nullptr) {
      const Span span = tree_[subject].span;
      if (value.value.as<Unknown>() == nullptr)
        raise(std::move(value.state), "TypeError", "expected a string", span);
      else
        out.push_back({std::move(value.state), unknown(span, "a match of an unknown value")});
      continue;
    }
    Split split = domain_.member(std::move(value.state), *text, language);
    for (State& no : split.no) out.push_back({std::move(no), {NoneValue{}}});
    for (State& yes : split.yes) {
      Value whole = search == Search::kFullMatch ? Value{*text} : Value{Unknown{}};
      out.push_back({std::move(yes), {Sequence{{std::move(whole)}, false}}});
    }
  }
  return out;
}

// `all(test for target in iterable if ...)` as the loop that it is.
Evaluations Interpreter::all_or_any(const ComprehensionExpr& generator, bool is_all, State state,
                                    Span span) {
  Evaluations out;
  const Comprehension& part = generator.generators[0];
  const auto* name = tree_.get<Name>(part.target);
  for (Evaluated& iterable : evaluate(part.iterable, std::move(state))) {
    const auto* text = iterable.value.as<Text>();
    if (text == nullptr || name == nullptr || part.is_async) {
      unknown(span, "this generator");
      out.push_back({iterable.state, {true}});
      out.push_back({std::move(iterable.state), {false}});
      continue;
    }
    // Which letters satisfy the test: each one is tried on its own, in a state that knows nothing
    // else of it. That is exact as long as the test reads only the letter and values that stay.
    LetterSet stops(domain_.words().letters());
    bool is_simple = true;
    for (uint32_t c = 0; c < domain_.words().letters() && is_simple; ++c) {
      LetterSet single(domain_.words().letters());
      single[c] = true;
      State trial = iterable.state;
      trial.constraints.clear();
      SymbolId letter = trial.add_word(domain_.words().one_of(single));
      std::vector<Raised> raised;
      std::vector<Raised>* outer = raised_;
      raised_ = &raised;
      States open;
      auto bound = frame_.function->scope->slot(name->id);
      if (!bound) {
        is_simple = false;
        raised_ = outer;
        break;
      }
      trial.slots[frame_.base + *bound] = {Text{letter}};
      open.push_back(std::move(trial));
      bool stop = false, pass = false;
      for (ExprId condition : part.conditions) {
        States kept;
        for (State& one : open) {
          Split split = test(condition, std::move(one));
          pass = pass || !split.no.empty();
          for (State& yes : split.yes) kept.push_back(std::move(yes));
        }
        open.swap(kept);
      }
      for (State& one : open) {
        Split split = test(generator.element, std::move(one));
        stop = stop || !(is_all ? split.no : split.yes).empty();
        pass = pass || !(is_all ? split.yes : split.no).empty();
      }
      raised_ = outer;
      is_simple = raised.empty() && stop != pass;
      stops[c] = stop;
    }
    if (!is_simple) {
      unknown(span, "this generator");
      out.push_back({iterable.state, {true}});
      out.push_back({std::move(iterable.state), {false}});
      continue;
    }
    WordStore& words = domain_.words();
    Words with_stop = words.concat(words.concat(words.all(), words.one_of(stops)), words.all());
    Split split = domain_.member(std::move(iterable.state), *text, with_stop);
    for (State& stopped : split.yes) out.push_back({std::move(stopped), {!is_all}});
    for (State& passed : split.no) out.push_back({std::move(passed), {is_all}});
  }
  return out;
}

// ---- numbers and characters

// White space, a sign, digits with single underscores between them, white space.
void Interpreter::parse_int(Span span, State state, const Text& text, Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  Words space = words.star(words.one_of(program_.white_space()));
  Words digit = words.one_of(program_.letters_of("isdecimal"));
  Words more = words.star(words.unite(digit, words.concat(words.word(letters.word("_")), digit)));
  LetterSet sign_set = letters.inside(regular::CharSet::of("+-"));
  Words sign = words.unite(words.empty_word(), words.one_of(sign_set));
  Words numbers =
      words.concat(words.concat(space, words.concat(sign, words.concat(digit, more))), space);
  Split split = domain_.member(std::move(state), text, numbers);
  for (State& bad : split.no)
    raise(std::move(bad), "ValueError", "invalid literal for int()", span);
  Words negative =
      words.concat(words.concat(words.all(), words.word(letters.word("-"))), words.all());
  for (State& good : split.yes) {
    bool is_small = by_constant(good, text, [&](State fixed, const Word& word) {
      std::string digits;
      bool is_ascii = true;
      for (Letter letter : word) {
        uint32_t c = letters[letter].min();
        if (c == '-' || (c >= '0' && c <= '9')) digits += static_cast<char>(c);
        is_ascii = is_ascii && c < 128;
      }
      bool is_exact = is_ascii && digits.size() < 12;
      Linear value = is_exact ? Linear(std::strtoll(digits.c_str(), nullptr, 10))
                              : Linear::of(fixed.add_number({}));
      out.push_back({std::move(fixed), {std::move(value)}});
    });
    if (is_small) continue;
    Words language = domain_.language(good, text);
    Range range;
    if (words.is_empty(words.intersect(language, negative))) range.low = 0;
    int64_t longest = words[language].max_length;
    if (longest < 12) {
      range.high = 1;
      for (int64_t i = 0; i < longest; ++i) range.high *= 10;
      range.high -= 1;
      if (range.low < 0) range.low = -range.high;
    }
    SymbolId number = good.add_number(range);
    out.push_back({std::move(good), {Linear::of(number)}});
  }
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
