// datetime and uuid: of an instance only its class is known, but what it is written as has a
// language, by the format.
#include <array>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

// What a directive of strftime() writes, and what strptime() reads for it: the numbers from low to
// high, in `width` digits.
struct Directive {
  char letter;
  int low, high, width;
};

constexpr Directive kDirectives[] = {
    {'m', 1, 12, 2}, {'d', 1, 31, 2},  {'H', 0, 23, 2}, {'M', 0, 59, 2}, {'S', 0, 61, 2},
    {'y', 0, 99, 2}, {'j', 1, 366, 3}, {'I', 1, 12, 2}, {'u', 1, 7, 1},  {'w', 0, 6, 1},
    {'U', 0, 53, 2}, {'W', 0, 53, 2},  {'V', 1, 53, 2},
};

const Directive* find_directive(char letter) {
  for (const Directive& each : kDirectives) {
    if (each.letter == letter) return &each;
  }
  return nullptr;
}

// Directives that stand for others.
std::string_view expansion(char letter) {
  switch (letter) {
    case 'F': return "%Y-%m-%d";
    case 'T': return "%H:%M:%S";
    case 'R': return "%H:%M";
    case 'D': return "%m/%d/%y";
    default: return "";
  }
}

// Goes through a format: plain text, then a directive's letter; false from either ends it.
template <typename Plain, typename Field>
bool for_each_directive(std::string_view format, const Plain& plain, const Field& field) {
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      size_t end = format.find('%', i);
      if (end == std::string_view::npos) end = format.size();
      plain(format.substr(i, end - i));
      i = end - 1;
    } else if (++i >= format.size()) {
      return false;
    } else if (format[i] == '%') {
      plain("%");
    } else if (!expansion(format[i]).empty()) {
      if (!for_each_directive(expansion(format[i]), plain, field)) return false;
    } else if (!field(format[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> Interpreter::constant_string(const State& state,
                                                        const Value& value) const {
  const auto* text = value.as<Text>();
  const std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
  if (!word || !domain_.is_exact(*word)) return std::nullopt;
  return program_.letters().text(*word);
}

// What strftime() gives; nothing if a directive depends on the locale or is not known. Years have
// four digits (the caller says that this is assumed).
std::optional<Words> Interpreter::written_date(std::string_view format) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const auto digit = [&](char from) {
    return words.one_of(letters.inside(regular::CharSet::range(static_cast<uint32_t>(from), '9')));
  };
  Words all = words.empty_word();
  const auto add = [&](Words more) { all = words.concat(all, more); };
  const bool is_known = for_each_directive(
      format, [&](std::string_view plain) { add(words.word(letters.word(plain))); },
      [&](char letter) {
        if (letter == 'Y') {
          add(digit('1'));
          for (int i = 0; i < 3; ++i) add(digit('0'));
          return true;
        }
        if (letter == 'f') {
          for (int i = 0; i < 6; ++i) add(digit('0'));
          return true;
        }
        const Directive* directive = find_directive(letter);
        if (directive == nullptr) return false;
        Words numbers = words.none();
        const int high = letter == 'S' ? 59 : directive->high;
        for (int n = directive->low; n <= high; ++n)
          numbers = words.unite(
              numbers, words.word(letters.word(fmt::format("{:0{}d}", n, directive->width))));
        add(numbers);
        return true;
      });
  return is_known ? std::optional(all) : std::nullopt;
}

// What strptime() can read with this format, and more: every word outside of it raises.
std::optional<Words> Interpreter::readable_date(std::string_view format) const {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const Words digit = words.one_of(program_.letters_of("isdecimal"));
  const Words space = words.one_of(program_.white_space());
  const auto digits = [&](int least, int most) {
    Words some = words.empty_word();
    for (int i = 0; i < most; ++i) {
      const Words longer = words.concat(digit, some);
      some = i < most - least ? words.unite(words.empty_word(), longer) : longer;
    }
    return some;
  };
  Words all = words.empty_word();
  const auto add = [&](Words more) { all = words.concat(all, more); };
  const bool is_known = for_each_directive(
      format,
      [&](std::string_view plain) {
        for (const Letter letter : letters.word(plain)) {
          const uint32_t c = letters[letter].min();
          const bool is_letter = c > 127 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
          if (program_.white_space()[letter])
            add(words.concat(space, words.star(space)));
          else
            add(is_letter ? words.lengths(1, 1) : words.word({letter}));
        }
      },
      [&](char letter) {
        const Directive* directive = find_directive(letter);
        if (letter == 'Y') return add(digits(4, 4)), true;
        if (letter == 'f') return add(digits(1, 6)), true;
        if (directive == nullptr || letter == 'u' || letter == 'V') return false;
        // A day may be written with a blank.
        const Words number = digits(letter == 'y' ? 2 : 1, directive->width);
        add(letter == 'd' ? words.unite(number, words.concat(space, digit)) : number);
        return true;
      });
  return is_known ? std::optional(all) : std::nullopt;
}

// datetime.strptime(text, format)
void Interpreter::parse_date(Span span, State state, const Actuals& actuals, Evaluations& out) {
  const Value made = typed(type_of_library(LibraryClass::kDateTime));
  const auto* text = actuals.positional.size() == 2 ? actuals.positional[0].as<Text>() : nullptr;
  const auto format =
      text != nullptr ? constant_string(state, actuals.positional[1]) : std::nullopt;
  const std::optional<Words> readable = format ? readable_date(*format) : std::nullopt;
  if (!readable) {
    unknown(span, "strptime() with this format");
    return out.push_back({std::move(state), made});
  }
  Split split = domain_.member(std::move(state), *text, *readable);
  for (State& bad : split.no)
    raise(std::move(bad), "ValueError", "the text does not match the format", span);
  for (State& good : split.yes) {
    if (domain_.is_concrete())
      unknown(span, "a date");
    else
      assume(span, "the date exists");
    out.push_back({std::move(good), made});
  }
}

bool Interpreter::make_date(const std::string& name, const Actuals& actuals, Span span, State state,
                            Evaluations& out) {
  const auto give = [&](LibraryClass cls) {
    out.push_back({std::move(state), typed(type_of_library(cls))});
    return true;
  };
  if (is_one_of(name, {"uuid.uuid1", "uuid.uuid4"})) return give(LibraryClass::kUuid);
  if (is_one_of(name, {"datetime.date.today"})) return give(LibraryClass::kDate);
  if (is_one_of(name,
                {"datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today",
                 "datetime.datetime.combine", "datetime.datetime.fromtimestamp"}))
    return give(LibraryClass::kDateTime);
  if (name == "datetime.timedelta") return give(LibraryClass::kDuration);
  if (name == "datetime.datetime.strptime") {
    parse_date(span, std::move(state), actuals, out);
    return true;
  }
  const bool is_date = is_one_of(name, {"datetime.date", "datetime.date.fromisoformat"});
  const bool is_time = is_one_of(name, {"datetime.time", "datetime.time.fromisoformat"});
  if (is_date || is_time || name == "datetime.datetime" ||
      name == "datetime.datetime.fromisoformat" || name == "uuid.UUID") {
    assume(span, name == "uuid.UUID" ? "the text is a UUID" : "the date exists");
    if (domain_.is_concrete()) unknown(span, "a date");
    return give(name == "uuid.UUID" ? LibraryClass::kUuid
                : is_date           ? LibraryClass::kDate
                : is_time           ? LibraryClass::kTime
                                    : LibraryClass::kDateTime);
  }
  return false;
}

// str() and isoformat().
Words Interpreter::library_text(const Type& type, std::string_view separator) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const auto text = [&](std::string_view utf8) { return words.word(letters.word(utf8)); };
  const auto maybe = [&](Words set) { return words.unite(set, words.empty_word()); };
  if (is_library(type, LibraryClass::kPath)) return type.words;
  const auto digits = [&](int count) {
    const Words one = words.one_of(letters.inside(regular::CharSet::range('0', '9')));
    Words all = words.empty_word();
    for (int i = 0; i < count; ++i) all = words.concat(all, one);
    return all;
  };
  const Words date = words.concat(digits(4), written_date("-%m-%d").value_or(words.all()));
  if (is_library(type, LibraryClass::kDate)) return date;
  const Words sign = words.unite(text("+"), text("-"));
  const Words zone = words.concat(sign, written_date("%H:%M").value_or(words.all()));
  const Words part = words.concat(text("."), digits(6));
  const Words time = words.concat(written_date("%H:%M:%S").value_or(words.all()),
                                  words.concat(maybe(part), maybe(zone)));
  if (is_library(type, LibraryClass::kTime)) return time;
  if (is_library(type, LibraryClass::kDateTime))
    return words.concat(words.concat(date, text(separator)), time);
  return words.all();
}

void Interpreter::date_method(const std::string& name, Span span, State state, const Type& type,
                              const Actuals& actuals, Evaluations& out) {
  const auto give_words = [&](Words set) {
    const SymbolId word = state.add_word(set);
    out.push_back({std::move(state), {Text{word}}});
  };
  const bool is_plain = actuals.positional.empty() && actuals.named.empty();
  if (name == "strftime" && actuals.positional.size() == 1) {
    const auto format = constant_string(state, actuals.positional[0]);
    const std::optional<Words> written = format ? written_date(*format) : std::nullopt;
    if (!written) return any_string(std::move(state), span, "strftime() with this format", out);
    if (format->find("%Y") != std::string::npos || format->find("%F") != std::string::npos)
      assume(span, "the year has four digits");
    return give_words(*written);
  }
  if (name == "isoformat" && (is_plain || is_library(type, LibraryClass::kDate))) {
    if (is_library(type, LibraryClass::kDate)) assume(span, "the date is no datetime");
    return give_words(library_text(type, "T"));
  }
  if (name == "isoformat" && is_library(type, LibraryClass::kDateTime) &&
      actuals.positional.size() == 1 && actuals.named.empty()) {
    if (const auto separator = constant_string(state, actuals.positional[0]))
      return give_words(library_text(type, *separator));
  }
  if (name == "isoformat") return any_string(std::move(state), span, "this isoformat()", out);
  const Value same = typed(type);
  if (is_one_of(name, {"replace", "astimezone"})) {
    if (name == "replace") assume(span, "the date exists");
    return out.push_back({std::move(state), same});
  }
  if (name == "date")
    return out.push_back({std::move(state), typed(type_of_library(LibraryClass::kDate))});
  if (name == "time")
    return out.push_back({std::move(state), typed(type_of_library(LibraryClass::kTime))});
  if (is_one_of(name, {"timestamp", "total_seconds"}))
    return out.push_back({std::move(state), typed(type_of_kind(Kind::kFloat))});
  if (is_one_of(name, {"weekday", "isoweekday", "toordinal"})) {
    const SymbolId number = state.add_number(name == "weekday"      ? Range{0, 6}
                                             : name == "isoweekday" ? Range{1, 7}
                                                                    : Range{1, 3'652'059});
    return out.push_back({std::move(state), {Linear::of(number)}});
  }
  out.push_back(
      {std::move(state), unknown(span, "the method '" + name + "' of a " + type_name(type))});
}

bool Interpreter::date_attribute(const std::string& name, State state, const Type& type,
                                 Evaluations& out) {
  struct Known {
    std::string_view name;
    Range range;
  };
  static const std::array<Known, 9> kAttributes = {{{"year", {1, 9999}},
                                                    {"month", {1, 12}},
                                                    {"day", {1, 31}},
                                                    {"hour", {0, 23}},
                                                    {"minute", {0, 59}},
                                                    {"second", {0, 59}},
                                                    {"microsecond", {0, 999'999}},
                                                    {"days", {-999'999'999, 999'999'999}},
                                                    {"seconds", {0, 86'399}}}};
  if (is_library(type, LibraryClass::kUuid)) {
    const auto hex = regular::CharSet::range('0', '9') | regular::CharSet::range('a', 'f');
    if (name != "hex") return false;
    Text text = patterned(state, {32}, "", hex);
    out.push_back({std::move(state), {std::move(text)}});
    return true;
  }
  for (const Known& each : kAttributes) {
    if (each.name != name) continue;
    const SymbolId number = state.add_number(each.range);
    out.push_back({std::move(state), {Linear::of(number)}});
    return true;
  }
  return false;
}

// Paths with a slash between them; dates and durations with plus and minus.
bool Interpreter::library_operator(BinaryOp op, State& state, const Value& left, const Value& right,
                                   Evaluations& out) {
  const auto is_any = [](const Value& value, LibraryClass cls) {
    const auto* kept = value.as<Typed>();
    return kept != nullptr && is_library(*kept->type, cls);
  };
  const auto give = [&](Value value) {
    out.push_back({std::move(state), std::move(value)});
    return true;
  };
  if (op == BinaryOp::kDiv &&
      (is_any(left, LibraryClass::kPath) || is_any(right, LibraryClass::kPath))) {
    const std::optional<Words> first = path_words(state, left), second = path_words(state, right);
    if (!first || !second) return false;
    return give(path_of(joined_path(*first, *second)));
  }
  const bool is_sum = op == BinaryOp::kAdd || op == BinaryOp::kSub;
  for (LibraryClass cls : {LibraryClass::kDate, LibraryClass::kDateTime, LibraryClass::kDuration}) {
    if (!is_sum || !is_any(left, cls)) continue;
    if (is_any(right, LibraryClass::kDuration)) return give(left);
    if (is_any(right, cls)) return give(typed(type_of_library(LibraryClass::kDuration)));
  }
  return false;
}

}  // namespace nacre::python
