// Builtin functions: lengths, numbers and characters.
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

bool is_builtin(std::string_view name) {
  constexpr std::string_view kKnown[] = {"len", "int", "str", "bool",  "ord",   "chr", "abs",
                                         "min", "max", "sum", "print", "tuple", "list"};
  return std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
}

}  // namespace

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
  if (name == "map" && call.args.size() == 2 && call.keywords.empty()) {
    const auto* callee = tree_.get<Name>(call.args[0]);
    is_known =
        callee != nullptr && is_builtin(callee->id) && program_.function(callee->id) == nullptr;
    if (!is_known) return out;
    for (Evaluated& iterable : evaluate(call.args[1], std::move(state)))
      map_builtin(callee->id, std::move(iterable), span, out);
    return out;
  }
  is_known = is_builtin(name) && (call.keywords.empty() || name == "print");
  if (!is_known) return out;
  evaluate_all(call.args, std::move(state), [&](State after, const Arguments& values) {
    builtin(name, span, std::move(after), values, out);
  });
  return out;
}

void Interpreter::map_builtin(const std::string& name, Evaluated iterable, Span span,
                              Evaluations& out) {
  if (!is_iterable(iterable.value)) return not_iterable(std::move(iterable), span, out);
  States more;
  items_of(
      std::move(iterable.state), iterable.value, most_items(),
      [&](State here, const std::vector<Value>& items) {
        Evaluations open;
        open.push_back({std::move(here), {Sequence{{}, true}}});
        for (const Value& item : items) {
          Evaluations next;
          for (Evaluated& so_far : open) {
            Evaluations results;
            builtin(name, span, std::move(so_far.state), {item}, results);
            for (Evaluated& result : results) {
              Sequence list = *so_far.value.as<Sequence>();
              list.items.push_back(std::move(result.value));
              next.push_back({std::move(result.state), {std::move(list)}});
            }
          }
          open.swap(next);
        }
        for (Evaluated& result : open) out.push_back(std::move(result));
      },
      more);
  for (State& many : more)
    out.push_back({std::move(many), unknown(span, "map() over so many items")});
}

void Interpreter::builtin(const std::string& name, Span span, State state,
                          const Arguments& arguments, Evaluations& out) {
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
  if (name == "int" && arguments.size() == 1) {
    if (number) return give({*number});
    if (text != nullptr) return parse_int(span, std::move(state), *text, out);
    return wrong("needs a string or a number");
  }
  if (name == "ord")
    return text != nullptr ? ordinal(span, std::move(state), *text, out) : wrong("needs a string");
  if (name == "chr")
    return number ? character(span, std::move(state), *number, out) : wrong("needs an integer");
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
  const Arguments& values = sequence != nullptr ? sequence->items : arguments;
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
