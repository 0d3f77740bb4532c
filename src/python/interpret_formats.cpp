// Values as strings: f-strings, str(), zfill().
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

Evaluations Interpreter::evaluate_fstring(const JoinedStr& joined, State state) {
  Evaluations open;
  open.push_back({std::move(state), {Text{}}});
  for (ExprId part : joined.parts) {
    Evaluations next;
    for (Evaluated& so_far : open) {
      size_t base = so_far.state.stack.size();
      so_far.state.stack.push_back(std::move(so_far.value));
      Evaluations values;
      const auto* field = tree_.get<FormattedValue>(part);
      if (field == nullptr) {
        values = evaluate(part, std::move(so_far.state));
      } else {
        for (Evaluated& value : evaluate(field->value, std::move(so_far.state))) {
          bool is_plain = (field->conversion == 0 || field->conversion == 's') && !field->format;
          if (is_plain) {
            to_string(std::move(value.state), value.value, tree_[part].span, values);
          } else {
            unknown(tree_[part].span, "a conversion or a format in an f-string");
            Text any = any_text(value.state);
            values.push_back({std::move(value.state), {std::move(any)}});
          }
        }
      }
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

void Interpreter::to_string(State state, const Value& value, Span span, Evaluations& out) {
  WordStore& words = domain_.words();
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
    LetterSet digits = program_.letters().inside(regular::CharSet::range('0', '9'));
    LetterSet first = program_.letters().inside(regular::CharSet::range('1', '9'));
    Words zero = words.word(program_.letters().word("0"));
    Words positive = words.concat(words.one_of(first), words.star(words.one_of(digits)));
    Words language = words.none();
    if (range.high > 0) language = positive;
    if (range.low <= 0 && range.high >= 0) language = words.unite(language, zero);
    if (range.low < 0)
      language =
          words.unite(language, words.concat(words.word(program_.letters().word("-")), positive));
    if (range.low >= 0 && range.high < 1000000) {
      language = words.intersect(
          language, words.lengths(1, static_cast<int64_t>(std::to_string(range.high).size())));
    }
    return give({state.add_word(language)});
  }
  unknown(span, "the string form of a " + type_name(value));
  give(any_text(state));
}

void Interpreter::method_zfill(State state, const MethodCall& call, Evaluations& out) {
  WordStore& words = domain_.words();
  std::optional<int64_t> width =
      call.arguments.size() == 1 ? as_constant(state, call.arguments[0]) : std::nullopt;
  if (!width || *width > 64) {
    unknown(call.span, "this zfill()");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  Linear room = domain_.length(state, call.subject) - *width;
  Split wide = domain_.compare(std::move(state), room);
  for (State& unchanged : wide.yes) out.push_back({std::move(unchanged), {call.subject}});
  LetterSet signs = program_.letters().inside(regular::CharSet::of("+-"));
  Words with_sign = words.concat(words.one_of(signs), words.all());
  for (State& narrow : wide.no) {
    // By length: how many zeros are put in, and whether behind a sign.
    for (int64_t size = 0; size < *width; ++size) {
      State fixed = narrow;
      Linear exact = domain_.length(fixed, call.subject) - size;
      if (!domain_.assume_zero(fixed, exact)) continue;
      Word zeros(static_cast<size_t>(*width - size), program_.letters().letter('0'));
      Split sign = domain_.member(std::move(fixed), call.subject, with_sign);
      for (State& plain : sign.no) {
        Text text = domain_.constant_text(plain, zeros);
        text.insert(text.end(), call.subject.begin(), call.subject.end());
        out.push_back({std::move(plain), {std::move(text)}});
      }
      for (State& with : sign.yes) {
        for (Divided& cut : domain_.cut(std::move(with), call.subject, Linear(1))) {
          Text text = cut.before;
          Text fill = domain_.constant_text(cut.state, zeros);
          text.insert(text.end(), fill.begin(), fill.end());
          text.insert(text.end(), cut.after.begin(), cut.after.end());
          out.push_back({std::move(cut.state), {std::move(text)}});
        }
      }
    }
  }
}

}  // namespace nacre::python
