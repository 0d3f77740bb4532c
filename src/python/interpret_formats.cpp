// Values as strings: f-strings with their conversions and formats, str(), zfill().
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

constexpr int64_t kWidest = 64;  // a field is told apart by the length of its content

// [[fill]align][sign][#][0][width][.precision][type]; nothing if it has more than that.
std::optional<FormatSpec> parse_format(std::span<const uint32_t> text) {
  FormatSpec spec;
  size_t at = 0;
  auto is_align = [&](size_t i) {
    return i < text.size() &&
           (text[i] == '<' || text[i] == '>' || text[i] == '^' || text[i] == '=');
  };
  auto number = [&]() -> std::optional<int64_t> {
    if (at == text.size() || text[at] < '0' || text[at] > '9') return std::nullopt;
    int64_t value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && value < 10'000; ++at)
      value = value * 10 + (text[at] - '0');
    return value;
  };
  if (is_align(1)) spec.fill = text[at++];
  if (is_align(at)) spec.align = static_cast<char>(text[at++]);
  if (at < text.size() && (text[at] == '+' || text[at] == '-' || text[at] == ' '))
    spec.sign = static_cast<char>(text[at++]);
  if (at < text.size() && text[at] == '0') {
    ++at;
    spec.has_zero = true;
  }
  spec.width = number().value_or(0);
  if (at < text.size() && text[at] == '.') {
    ++at;
    spec.precision = number();
    if (!spec.precision) return std::nullopt;
  }
  if (at + 1 == text.size() && text[at] < 128) spec.type = static_cast<char>(text[at++]);
  if (at != text.size()) return std::nullopt;
  return spec;
}

}  // namespace

Evaluations Interpreter::evaluate_fstring(const JoinedStr& joined, State state) {
  Evaluations open;
  open.push_back({std::move(state), {Text{}}});
  for (ExprId part : joined.parts) {
    Evaluations next;
    for (Evaluated& so_far : open) {
      size_t base = so_far.state.stack.size();
      so_far.state.stack.push_back(std::move(so_far.value));
      const auto* field = tree_.get<FormattedValue>(part);
      Evaluations values = field == nullptr
                               ? evaluate(part, std::move(so_far.state))
                               : evaluate_field(*field, tree_[part].span, std::move(so_far.state));
      for (Evaluated& value : values) {
        Text text = std::get<Text>(value.state.stack[base].data);
        value.state.stack.resize(base);
        const Text& more = std::get<Text>(value.value.data);
        text.insert(text.end(), more.begin(), more.end());
        next.push_back({std::move(value.state), {std::move(text)}});
      }
    }
    open.swap(next);
  }
  return open;
}

// `{value!conversion:format}`; the format may have fields of its own.
Evaluations Interpreter::evaluate_field(const FormattedValue& field, Span span, State state) {
  Evaluations out;
  for (Evaluated& value : evaluate(field.value, std::move(state))) {
    Evaluations converted;
    if (field.conversion == 0)
      converted.push_back(std::move(value));
    else if (field.conversion == 's')
      to_string(std::move(value.state), value.value, span, converted);
    else
      to_literal(std::move(value.state), value.value, span, converted);
    for (Evaluated& one : converted) {
      const auto* spec = field.format ? tree_.get<JoinedStr>(*field.format) : nullptr;
      if (spec == nullptr) {
        to_string(std::move(one.state), one.value, span, out);
        continue;
      }
      size_t base = one.state.stack.size();
      one.state.stack.push_back(std::move(one.value));
      for (Evaluated& format : evaluate_fstring(*spec, std::move(one.state))) {
        Value formatted = std::move(format.state.stack[base]);
        format.state.stack.resize(base);
        apply_format(std::move(format.state), formatted, *format.value.as<Text>(), span, out);
      }
    }
  }
  return out;
}

// repr(): exact for strings of plain ASCII without quotes, and for what str() gives, too.
void Interpreter::to_literal(State state, const Value& value, Span span, Evaluations& out) {
  const auto* text = value.as<Text>();
  if (text == nullptr) return to_string(std::move(state), value, span, out);
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  Words plain = words.star(words.one_of(letters.inside(Program::plain_characters())));
  Split split = domain_.member(std::move(state), *text, plain);
  for (State& quoted : split.yes) {
    Text literal = domain_.constant_text(quoted, letters.word("'"));
    Text end = literal;
    literal.insert(literal.end(), text->begin(), text->end());
    literal.insert(literal.end(), end.begin(), end.end());
    out.push_back({std::move(quoted), {std::move(literal)}});
  }
  for (State& other : split.no) {
    unknown(span, "the quotation of this string");
    Text any = any_text(other);
    out.push_back({std::move(other), {std::move(any)}});
  }
}

void Interpreter::apply_format(State state, const Value& value, const Text& format, Span span,
                               Evaluations& out) {
  std::optional<Word> letters = domain_.constant(state, format);
  std::optional<FormatSpec> spec;
  if (letters && domain_.is_exact(*letters)) {
    std::vector<uint32_t> characters;
    for (Letter letter : *letters) characters.push_back(program_.letters()[letter].min());
    spec = parse_format(characters);
  }
  std::optional<Linear> number = as_number(value);
  if (letters && letters->empty()) return to_string(std::move(state), value, span, out);
  if (!spec || spec->width > kWidest || (value.as<Text>() == nullptr && !number)) {
    unknown(span, "this format of a " + type_name(value));
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  if (number)
    format_number(std::move(state), *number, *spec, span, out);
  else
    format_text(std::move(state), *value.as<Text>(), *spec, span, out);
}

void Interpreter::format_text(State state, const Text& text, const FormatSpec& spec, Span span,
                              Evaluations& out) {
  if ((spec.type != 0 && spec.type != 's') || spec.sign != 0 || spec.align == '=') {
    return raise(std::move(state), "ValueError", "this format is not for strings", span);
  }
  if (spec.has_zero) {  // it depends on the version of Python
    unknown(span, "a format of a string with zeros");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  Evaluations cut;
  if (spec.precision)
    slice_text(std::move(state), text, {NoneValue{}}, {Linear(*spec.precision)}, cut);
  else
    cut.push_back({std::move(state), {text}});
  for (Evaluated& one : cut) {
    pad(std::move(one.state), *one.value.as<Text>(),
        {spec.width, program_.letters().letter(spec.fill), spec.align != 0 ? spec.align : '<', ""},
        out);
  }
}

void Interpreter::format_number(State state, const Linear& number, const FormatSpec& spec,
                                Span span, Evaluations& out) {
  if (spec.precision || spec.type == 's')
    return raise(std::move(state), "ValueError", "this format is not for integers", span);
  if (spec.type != 0 && spec.type != 'd') {
    unknown(span, fmt::format("the format '{}' of an integer", spec.type));
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  const char align = spec.align != 0 ? spec.align : spec.has_zero ? '=' : '>';
  const uint32_t fill = spec.has_zero && spec.align == 0 ? '0' : spec.fill;
  Padding padding{spec.width, program_.letters().letter(fill), align, "+- "};
  Split sign = domain_.compare(std::move(state), number);
  for (bool is_negative : {false, true}) {
    for (State& one : is_negative ? sign.no : sign.yes) {
      Text prefix;
      if (!is_negative && (spec.sign == '+' || spec.sign == ' '))
        prefix =
            domain_.constant_text(one, program_.letters().word(std::string_view(&spec.sign, 1)));
      Evaluations digits;
      to_string(std::move(one), {number}, span, digits);
      for (Evaluated& result : digits) {
        Text text = prefix;
        const Text& more = *result.value.as<Text>();
        text.insert(text.end(), more.begin(), more.end());
        pad(std::move(result.state), text, padding, out);
      }
    }
  }
}

// Widens a text to `width` letters, case by case of its length.
void Interpreter::pad(State state, const Text& text, const Padding& padding, Evaluations& out) {
  Linear room = domain_.length(state, text) - padding.width;
  Split wide = domain_.compare(std::move(state), room);
  for (State& unchanged : wide.yes) out.push_back({std::move(unchanged), {text}});
  for (State& narrow : wide.no) {
    for (int64_t size = 0; size < padding.width; ++size) {
      State fixed = narrow;
      Linear exact = domain_.length(fixed, text) - size;
      if (domain_.assume_zero(fixed, exact))
        pad_by(std::move(fixed), text, padding.width - size, padding, out);
    }
  }
}

void Interpreter::pad_by(State state, const Text& text, int64_t missing, const Padding& padding,
                         Evaluations& out) {
  auto fill = [&](State& here, int64_t count) {
    return domain_.constant_text(here, Word(static_cast<size_t>(count), padding.fill));
  };
  auto give = [&](State here, std::initializer_list<Text> parts) {
    Text whole;
    for (const Text& part : parts) whole.insert(whole.end(), part.begin(), part.end());
    out.push_back({std::move(here), {std::move(whole)}});
  };
  if (padding.align != '=') {
    int64_t before = padding.align == '<' ? 0 : padding.align == '>' ? missing : missing / 2;
    Text left = fill(state, before), right = fill(state, missing - before);
    return give(std::move(state), {left, text, right});
  }
  WordStore& words = domain_.words();
  LetterSet signs = program_.letters().inside(regular::CharSet::of(padding.signs));
  Words with_sign = words.concat(words.one_of(signs), words.all());
  Split split = domain_.member(std::move(state), text, with_sign);
  for (State& plain : split.no) {
    Text left = fill(plain, missing);
    give(std::move(plain), {left, text});
  }
  for (State& with : split.yes) {
    for (Divided& cut : domain_.cut(std::move(with), text, Linear(1))) {
      Text middle = fill(cut.state, missing);
      give(std::move(cut.state), {cut.before, middle, cut.after});
    }
  }
}

void Interpreter::method_zfill(State state, const MethodCall& call, Evaluations& out) {
  std::optional<int64_t> width =
      call.arguments.size() == 1 ? as_constant(state, call.arguments[0]) : std::nullopt;
  if (!width || *width > kWidest) {
    unknown(call.span, "this zfill()");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  pad(std::move(state), call.subject, {*width, program_.letters().letter('0'), '=', "+-"}, out);
}

void Interpreter::to_string(State state, const Value& value, Span span, Evaluations& out) {
  auto give = [&](Text text) { out.push_back({std::move(state), {std::move(text)}}); };
  auto constant = [&](std::string_view text) {
    return domain_.constant_text(state, program_.letters().word(text));
  };
  if (const auto* text = value.as<Text>()) return give(*text);
  if (const auto* truth = value.as<bool>()) return give(constant(*truth ? "True" : "False"));
  if (value.as<NoneValue>() != nullptr) return give(constant("None"));
  if (const auto* number = value.as<Linear>()) {
    Range range = domain_.range(state, *number);
    if (range.is_single() && range.high < kUnlimited && range.low > -kUnlimited)
      return give(constant(std::to_string(range.low)));
    return give({state.add_word(decimals(range))});
  }
  unknown(span, "the string form of a " + type_name(value));
  give(any_text(state));
}

// The decimal spellings of the numbers in the range, and of others with as many digits.
Words Interpreter::decimals(Range range) {
  WordStore& words = domain_.words();
  LetterSet digits = program_.letters().inside(regular::CharSet::range('0', '9'));
  LetterSet first = program_.letters().inside(regular::CharSet::range('1', '9'));
  Words positive = words.concat(words.one_of(first), words.star(words.one_of(digits)));
  Words result = words.none();
  if (range.high > 0) result = positive;
  if (range.low <= 0 && range.high >= 0)
    result = words.unite(result, words.word(program_.letters().word("0")));
  if (range.low < 0)
    result = words.unite(result, words.concat(words.word(program_.letters().word("-")), positive));
  if (range.low > -1'000'000 && range.high < 1'000'000) {
    auto longest = std::max(std::to_string(range.low).size(), std::to_string(range.high).size());
    result = words.intersect(result, words.lengths(1, static_cast<int64_t>(longest)));
  }
  return result;
}

}  // namespace nacre::python
