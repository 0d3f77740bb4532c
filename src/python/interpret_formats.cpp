// Values as strings: f-strings with their conversions and formats, str(), zfill().
#include <algorithm>
#include <fmt/core.h>
#include <functional>

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
  if (at < text.size() && text[at] == '#') {
    ++at;
    spec.has_prefix = true;
  }
  if (at < text.size() && text[at] == '0') {
    ++at;
    spec.has_zero = true;
  }
  spec.width = number().value_or(0);
  if (at < text.size() && (text[at] == ',' || text[at] == '_')) {
    spec.grouping = static_cast<char>(text[at]);
    ++at;
  }
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
    if (domain_.is_concrete()) unknown(span, "the quotation of this string");
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
  const auto* kept = value.as<Typed>();
  if (spec && kept != nullptr && kept->type->kind == Type::Kind::kFloat && spec->width <= kWidest &&
      spec->grouping == 0 && !spec->has_prefix)
    return format_float(std::move(state), *spec, out);
  if (number && spec &&
      (spec->type == 'f' || spec->type == 'F' || spec->type == 'e' || spec->type == 'g' ||
       spec->type == '%') &&
      spec->width <= kWidest && spec->grouping == 0)
    return format_float(std::move(state), *spec, out);
  if (!spec || spec->width > kWidest || (value.as<Text>() == nullptr && !number)) {
    unknown(span, "this format of a " + type_name(state.deref(value)));
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
  const int base = spec.type == 'x' || spec.type == 'X' ? 16
                   : spec.type == 'o'                   ? 8
                   : spec.type == 'b'                   ? 2
                                                        : 10;
  if (base == 10 && spec.type != 0 && spec.type != 'd') {
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
      std::string prefix;
      if (!is_negative && (spec.sign == '+' || spec.sign == ' ')) prefix = spec.sign;
      const Range range = domain_.range(one, one.linear(number));
      Words digits = numerals(range, base, spec.type == 'X');
      const bool is_grouped = spec.grouping != 0;
      if (is_grouped || spec.has_prefix) {
        // The separators and the prefix are inside the number: anything over its letters.
        unknown(span, "this format of an integer");
        digits = domain_.words().all();
      }
      Text text =
          prefix.empty() ? Text{} : domain_.constant_text(one, program_.letters().word(prefix));
      std::optional<Word> constant = domain_.words().single(digits);
      if (constant) {
        for (SymbolId id : domain_.constant_text(one, *constant)) text.push_back(id);
      } else {
        text.push_back(one.add_word(digits));
      }
      pad(std::move(one), text, padding, out);
    }
  }
}

// What format() makes of a float: a sign, digits with a point and an exponent, or "inf" and "nan".
void Interpreter::format_float(State state, const FormatSpec& spec, Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  auto word = [&](std::string_view text) { return words.word(letters.word(text)); };
  const Words digit = words.one_of(letters.inside(regular::CharSet::range('0', '9')));
  const Words digits = words.concat(digit, words.star(digit));
  Words sign = words.unite(words.empty_word(), word("-"));
  if (spec.sign == '+' || spec.sign == ' ')
    sign = words.unite(word("-"), word(std::string_view(&spec.sign, 1)));
  Words body{};
  if (spec.type == 'f' || spec.type == 'F' || spec.type == '%') {
    const int64_t places = spec.precision.value_or(6);
    Words fraction = words.empty_word();
    if (places > 0) fraction = word(".");
    for (int64_t i = 0; i < std::min<int64_t>(places, kWidest); ++i)
      fraction = words.concat(fraction, digit);
    body = words.concat(digits, fraction);
  } else {
    const Words fraction = words.unite(words.empty_word(), words.concat(word("."), digits));
    const Words exponent = words.unite(
        words.empty_word(),
        words.concat(words.concat(word("e"), words.unite(word("-"), word("+"))), digits));
    body = words.concat(words.concat(digits, fraction), exponent);
  }
  body = words.unite(body, words.unite(word("inf"), word("nan")));
  Words all = words.concat(sign, body);
  if (spec.type == '%') all = words.concat(all, word("%"));
  const char align = spec.align != 0 ? spec.align : spec.has_zero ? '=' : '>';
  const uint32_t fill = spec.has_zero && spec.align == 0 ? '0' : spec.fill;
  const SymbolId text = state.add_word(all);
  pad(std::move(state), {text}, {spec.width, letters.letter(fill), align, "+- "}, out);
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

void Interpreter::to_string(State state, const Value& given, Span span, Evaluations& out) {
  const Value value = state.deref(given);
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
    // The sign shows in the string: it is decided here.
    const Linear value_number = *number;
    Split sign = domain_.compare(std::move(state), value_number);
    for (States* states : {&sign.yes, &sign.no}) {
      for (State& one : *states) {
        const Range part = domain_.range(one, one.linear(value_number));
        const SymbolId word = one.add_word(
            decimals(states == &sign.yes ? Range{std::max<int64_t>(part.low, 0), part.high}
                                         : Range{part.low, std::min<int64_t>(part.high, -1)}));
        out.push_back({std::move(one), {Text{word}}});
      }
    }
    return;
  }
  const auto* kept = value.as<Typed>();
  if (kept != nullptr && kept->type->kind == Type::Kind::kFloat)
    return format_float(std::move(state), {}, out);
  if (kept != nullptr && is_library(*kept->type, LibraryClass::kUuid)) {
    const auto hex = regular::CharSet::range('0', '9') | regular::CharSet::range('a', 'f');
    return give(patterned(state, {8, 4, 4, 4, 12}, "-", hex));
  }
  if (kept != nullptr && kept->type->kind == Type::Kind::kLibrary) {
    if (is_library(*kept->type, LibraryClass::kDate)) assume(span, "the date is no datetime");
    const Words written = library_text(*kept->type, " ");
    return give({state.add_word(written)});
  }
  if (const auto* instance = value.as<Instance>()) {
    const Function* method = program_.method(instance->cls, "__str__");
    if (method == nullptr) method = program_.method(instance->cls, "__repr__");
    if (method != nullptr) {
      Actuals actuals;
      actuals.positional = {given};
      Evaluations results;
      call_function(*method, std::move(actuals), span, std::move(state), results);
      for (Evaluated& result : results) {
        if (result.value.as<Text>() == nullptr) {
          if (result.value.as<Unknown>() == nullptr) {
            raise(std::move(result.state), "TypeError", "__str__ gave no string", span);
            continue;
          }
          result.value = {any_text(result.state)};
        }
        out.push_back(std::move(result));
      }
      return;
    }
  }
  // Other values have some string form that says nothing here.
  if (value.as<Unknown>() != nullptr || domain_.is_concrete())
    unknown(span, "the string form of a " + type_name(value));
  give(any_text(state));
}

// The decimal spellings of the numbers in the range.
Words Interpreter::decimals(Range range) { return numerals(range, 10, false); }

// The digits of the numbers in the range, with a sign where they are negative.
Words Interpreter::numerals(Range range, int base, bool is_upper) {
  WordStore& words = domain_.words();
  Words result = words.none();
  const Words minus = words.word(program_.letters().word("-"));
  if (range.high >= 0) {
    const Range positive{std::max<int64_t>(range.low, 0), range.high};
    result = magnitudes(positive, base, is_upper);
  }
  if (range.low < 0) {
    const Range negative{std::max<int64_t>(-range.high, 1),
                         range.low <= -kUnlimited ? kUnlimited : -range.low};
    result = words.unite(result, words.concat(minus, magnitudes(negative, base, is_upper)));
  }
  return result;
}

namespace {

std::string spelled(int64_t value, int base) {
  if (value == 0) return "0";
  std::string out;
  for (; value > 0; value /= base) out += "0123456789abcdef"[value % base];
  return {out.rbegin(), out.rend()};
}

}  // namespace

// Numbers that are not negative: those between two bounds of as many digits are the words between
// their spellings; shorter and longer ones lie between powers of the base.
Words Interpreter::magnitudes(Range range, int base, bool is_upper) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  auto set = [&](int low, int high) {
    LetterSet out(letters.size());
    for (int d = low; d <= high; ++d) {
      char c = "0123456789abcdef"[d];
      if (is_upper && d > 9) c = static_cast<char>(c - 'a' + 'A');
      out[letters.letter(static_cast<uint32_t>(c))] = true;
    }
    return out;
  };
  auto digit = [&](int low, int high) {
    return low > high ? words.none() : words.one_of(set(low, high));
  };
  auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  const Words any = digit(0, base - 1);
  // All words from `low` to `high`, which have the same length.
  std::function<Words(const std::string&, const std::string&, size_t, bool, bool)> between =
      [&](const std::string& low, const std::string& high, size_t at, bool from_low,
          bool to_high) -> Words {
    if (at == low.size()) return words.empty_word();
    if (!from_low && !to_high) {
      Words rest = words.empty_word();
      for (size_t i = at; i < low.size(); ++i) rest = words.concat(rest, any);
      return rest;
    }
    const int first = from_low ? value(low[at]) : 0;
    const int last = to_high ? value(high[at]) : base - 1;
    Words result = words.none();
    auto add = [&](int a, int b, bool keep_low, bool keep_high) {
      if (a > b) return;
      result = words.unite(
          result, words.concat(digit(a, b), between(low, high, at + 1, keep_low, keep_high)));
    };
    if (first == last) {
      add(first, first, from_low, to_high);
      return result;
    }
    add(first, first, from_low, false);
    add(last, last, false, to_high);
    add(first + 1, last - 1, false, false);
    return result;
  };
  const bool is_open = range.high >= kUnlimited;
  const std::string low = spelled(range.low, base);
  const std::string high = is_open ? std::string() : spelled(range.high, base);
  const size_t longest = is_open ? low.size() : high.size();
  Words result = words.none();
  for (size_t length = low.size(); length <= longest; ++length) {
    const std::string least = length == low.size() ? low : "1" + std::string(length - 1, '0');
    const std::string most = !is_open && length == high.size()
                                 ? high
                                 : std::string(length, "0123456789abcdef"[base - 1]);
    result = words.unite(result, between(least, most, 0, true, true));
  }
  if (is_open) {
    Words longer = digit(1, base - 1);
    for (size_t i = 0; i < low.size(); ++i) longer = words.concat(longer, any);
    result = words.unite(result, words.concat(longer, words.star(any)));
  }
  return result;
}

// ---- format() and %

void Interpreter::format_pieces(Span span, State state, const std::vector<FormatPiece>& pieces,
                                Evaluations& out) {
  Evaluations open;
  const size_t base = state.stack.size();
  for (const FormatPiece& piece : pieces)
    state.stack.push_back(piece.value ? *piece.value : Value{NoneValue{}});
  open.push_back({std::move(state), {Text{}}});
  for (size_t i = 0; i < pieces.size(); ++i) {
    Evaluations next;
    for (Evaluated& so_far : open) {
      State& here = so_far.state;
      Text text = *so_far.value.as<Text>();
      for (SymbolId id : domain_.constant_text(here, program_.letters().word(pieces[i].text)))
        text.push_back(id);
      if (!pieces[i].value) {
        next.push_back({std::move(here), {std::move(text)}});
        continue;
      }
      const Value value = here.stack[base + i];
      Evaluations converted, formatted;
      here.stack.push_back({text});
      if (pieces[i].conversion == 's')
        to_string(std::move(here), value, span, converted);
      else if (pieces[i].conversion != 0)
        to_literal(std::move(here), value, span, converted);
      else
        converted.push_back({std::move(here), value});
      for (Evaluated& one : converted) {
        const Text format =
            domain_.constant_text(one.state, program_.letters().word(pieces[i].format));
        apply_format(std::move(one.state), one.value, format, span, formatted);
      }
      for (Evaluated& one : formatted) {
        Text whole = *one.state.stack.back().as<Text>();
        one.state.stack.pop_back();
        const Text& more = *one.value.as<Text>();
        whole.insert(whole.end(), more.begin(), more.end());
        next.push_back({std::move(one.state), {std::move(whole)}});
      }
    }
    open.swap(next);
  }
  for (Evaluated& one : open) {
    one.state.stack.resize(base);
    out.push_back(std::move(one));
  }
}

// '{}, {0:>3}, {name!r}'.format(...)
void Interpreter::format_call(Span span, State state, const Text& format, const Actuals& actuals,
                              Evaluations& out) {
  std::optional<Word> word = domain_.constant(state, format);
  auto give_up = [&](const char* what) {
    unknown(span, what);
    Text any = any_text(state);
    out.push_back({std::move(state), {std::move(any)}});
  };
  if (!word || actuals.is_open) return give_up("this format()");
  const std::string text = program_.letters().text(*word);
  std::vector<FormatPiece> pieces;
  FormatPiece piece;
  size_t automatic = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      piece.text += c;
      ++i;
      continue;
    }
    if (c == '}') return raise(std::move(state), "ValueError", "single '}' in format string", span);
    if (c != '{') {
      piece.text += c;
      continue;
    }
    const size_t close = text.find('}', i);
    if (close == std::string::npos)
      return raise(std::move(state), "ValueError", "expected '}' in format string", span);
    const std::string field = text.substr(i + 1, close - i - 1);
    const size_t colon = field.find(':');
    const size_t bang = field.substr(0, colon).find('!');
    const std::string name = field.substr(0, std::min(colon, bang));
    if (bang != std::string::npos && bang + 1 < field.size()) piece.conversion = field[bang + 1];
    piece.format = colon == std::string::npos ? "" : field.substr(colon + 1);
    if (piece.format.find('{') != std::string::npos) return give_up("a format inside a format");
    if (name.find_first_of(".[") != std::string::npos)
      return give_up("an attribute inside a format");
    const bool is_number = name.empty() || std::all_of(name.begin(), name.end(),
                                                       [](char d) { return d >= '0' && d <= '9'; });
    if (is_number) {
      const size_t at = name.empty() ? automatic++ : std::strtoul(name.c_str(), nullptr, 10);
      if (at >= actuals.positional.size())
        return raise(std::move(state), "IndexError", "replacement index out of range", span);
      piece.value = actuals.positional[at];
    } else {
      auto found = std::find_if(actuals.named.begin(), actuals.named.end(),
                                [&](const auto& one) { return one.first == name; });
      if (found == actuals.named.end())
        return raise(std::move(state), "KeyError", "'" + name + "' is not among the arguments",
                     span);
      piece.value = found->second;
    }
    pieces.push_back(std::move(piece));
    piece = {};
    i = close;
  }
  pieces.push_back(std::move(piece));
  format_pieces(span, std::move(state), pieces, out);
}

// '%s-%03d' % (a, b)
void Interpreter::percent(Span span, State state, const Text& format, const Value& values,
                          Evaluations& out) {
  std::optional<Word> word = domain_.constant(state, format);
  auto give_up = [&](const char* what) {
    unknown(span, what);
    Text any = any_text(state);
    out.push_back({std::move(state), {std::move(any)}});
  };
  if (!word) return give_up("this format");
  const std::string text = program_.letters().text(*word);
  const auto* tuple = values.as<Sequence>();
  const bool is_tuple = tuple != nullptr && !tuple->is_list;
  if (values.as<Unknown>() != nullptr || values.as<Dict>() != nullptr ||
      values.as<Typed>() != nullptr)
    return give_up("this format of unknown values");
  const std::vector<Value> items = is_tuple ? tuple->items : std::vector<Value>{values};
  std::vector<FormatPiece> pieces;
  FormatPiece piece;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      piece.text += text[i];
      continue;
    }
    std::string flags, width;
    for (++i; i < text.size() && std::string_view("-+ 0#").find(text[i]) != std::string_view::npos;
         ++i)
      flags += text[i];
    for (; i < text.size() && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.'); ++i)
      width += text[i];
    if (i >= text.size()) return raise(std::move(state), "ValueError", "incomplete format", span);
    const char type = text[i];
    if (type == '%') {
      piece.text += '%';
      continue;
    }
    if (type == '*' || type == '(') return give_up("this format");
    if (next >= items.size())
      return raise(std::move(state), "TypeError", "not enough arguments for format string", span);
    const Value& value = items[next++];
    auto has = [&](char flag) { return flags.find(flag) != std::string::npos; };
    const bool is_integer =
        type == 'd' || type == 'i' || type == 'u' || type == 'x' || type == 'X' || type == 'o';
    const bool is_float = type == 'f' || type == 'F' || type == 'e' || type == 'g';
    if ((is_integer || is_float) && value.as<Text>() != nullptr)
      return raise(std::move(state), "TypeError",
                   std::string("%") + type + " format: a number is required", span);
    if (!is_integer && !is_float && type != 's' && type != 'r') return give_up("this format");
    if (is_integer && width.find('.') != std::string::npos) return give_up("this format");
    piece.value = value;
    if (type == 's') piece.conversion = 's';
    if (type == 'r') piece.conversion = 'r';
    // Strings stand at the right by default here, and at the left in format().
    piece.format = has('-')                           ? "<"
                   : is_integer || is_float           ? ""
                   : width.empty() || width[0] == '.' ? ""
                                                      : ">";
    if (has('+'))
      piece.format += '+';
    else if (has(' ') && (is_integer || is_float))
      piece.format += ' ';
    if (has('0') && !has('-') && (is_integer || is_float)) piece.format += '0';
    piece.format += width;
    if (is_integer) piece.format += type == 'i' || type == 'u' ? 'd' : type;
    if (is_float) piece.format += type;
    pieces.push_back(std::move(piece));
    piece = {};
  }
  if (is_tuple && next < items.size())
    return raise(std::move(state), "TypeError",
                 "not all arguments converted during string formatting", span);
  if (!is_tuple && next == 0 && values.as<Dict>() == nullptr)
    return raise(std::move(state), "TypeError",
                 "not all arguments converted during string formatting", span);
  pieces.push_back(std::move(piece));
  format_pieces(span, std::move(state), pieces, out);
}

}  // namespace nacre::python
