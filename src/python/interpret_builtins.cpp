// Builtin functions: lengths, numbers and characters.
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {

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
