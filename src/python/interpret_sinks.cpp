// Strings that reach a call which reads them as a text of another language (sinks.h): may a value
// in the text break out of its place? A constant text is never reported here, nor one that is a
// single value as a whole: the language of that is the business of who makes it, except for code.
#include <fmt/core.h>

#include "python/interpreter.h"
#include "python/show.h"

namespace nacre::python {
namespace {

FailureKind failure_of(Sink sink) {
  switch (sink) {
    case Sink::kSql: return FailureKind::kSql;
    case Sink::kShell: return FailureKind::kShell;
    case Sink::kFileName: return FailureKind::kFileName;
    case Sink::kCode: break;
  }
  return FailureKind::kCode;
}

constexpr size_t kFewValues = 12;  // as good as constants: a Literal, a choice between constants

std::string explain(Sink sink, const std::string& text) {
  switch (sink) {
    case Sink::kSql:
      return fmt::format("a value can change the SQL statement: {}; pass it as a parameter", text);
    case Sink::kShell:
      return fmt::format("a value can add to the shell command: {}; use shlex.quote()", text);
    case Sink::kFileName: return fmt::format("the file can lie outside of the directory: {}", text);
    case Sink::kCode: break;
  }
  return fmt::format("any code can be evaluated: {}", text);
}

}  // namespace

std::optional<SinkCall> Interpreter::sink_of(const Call& call) const {
  if (const auto* name = tree_.get<Name>(call.function)) {
    if (slot_of(name->id)) return std::nullopt;
    if (std::optional<std::string> imported = program_.definitions().imported(name->id))
      return sink_of_function(*imported);
    if (program_.definitions().bindings(name->id) > 0) return std::nullopt;
    return sink_of_function(name->id);
  }
  const auto* attribute = tree_.get<Attribute>(call.function);
  if (attribute == nullptr || !is_sink_name(attribute->name)) return std::nullopt;
  if (std::optional<std::string> module = dotted_name(attribute->value))
    return sink_of_function(*module + "." + attribute->name);
  return sink_of_method(attribute->name);
}

bool Interpreter::passes_sink(const Call& call, const Actuals& actuals, const State& state) {
  if (domain_.is_concrete() && expected_ == nullptr) return true;
  const std::optional<SinkCall> sink = sink_of(call);
  if (!sink) return true;
  const Value* given = nullptr;
  Span span = tree_[call.function].span;
  const auto take = [&](const Value& value, size_t place) {
    given = &value;
    if (place < actuals.places.size()) span = tree_[actuals.places[place]].span;
  };
  bool has_shell = !sink->needs_shell_true;
  for (size_t i = 0; i < actuals.named.size(); ++i) {
    const auto& [name, value] = actuals.named[i];
    if (name == sink->keyword) take(value, actuals.positional.size() + i);
    if (name == "shell") has_shell = value.as<bool>() != nullptr && *value.as<bool>();
  }
  if (!actuals.positional.empty()) take(actuals.positional[0], 0);
  const auto* text = given != nullptr ? given->as<Text>() : nullptr;
  if (text == nullptr || !has_shell) return true;
  if (!domain_.is_concrete()) {
    check_values(sink->sink, *text, span, state);
    return true;
  }
  // The run that shows the failure ends where it happens.
  std::optional<Word> word = domain_.constant(state, *text);
  if (!word || expected_->span != span || !expected_->texts ||
      !domain_.words().contains(*expected_->texts, *word))
    return true;
  fail({"", "", failure_of(sink->sink), span, state});
  return false;
}

// Each value in the text, between the constants around it.
void Interpreter::check_values(Sink sink, const Text& stale, Span span, const State& state) {
  WordStore& words = domain_.words();
  const Text text = state.text(stale);
  std::vector<std::string> constants;  // empty where there is a value
  std::vector<bool> is_constant;
  for (SymbolId id : text) {
    const std::optional<std::vector<Word>> few = words.enumerate(state[id].words, kFewValues);
    const bool is_single = few && few->size() == 1;
    constants.push_back(is_single ? program_.letters().text((*few)[0]) : "");
    is_constant.push_back(few.has_value());
  }
  std::string before;
  for (const std::string& each : constants) before += each;
  const bool is_whole = before.find_first_not_of(" \t\n") == std::string::npos;
  if (is_whole && sink != Sink::kCode) return;
  if (sink == Sink::kSql && (constants.empty() || !is_sql(constants[0]))) return;
  if (sink == Sink::kFileName && (constants.empty() || constants[0].find('/') == std::string::npos))
    return;
  char quote = '\0';
  bool is_start = true;
  before.clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_constant[i]) {
      quote = open_quote(sink, constants[i], quote);
      before += constants[i];
      is_start = is_start && constants[i].find_first_not_of(" \t\n") == std::string::npos;
      continue;
    }
    // A value that a shell command begins with is the command: `f'{pager} "{file}"'`.
    if (sink == Sink::kShell && is_start) continue;
    const std::string after = i + 1 < text.size() ? constants[i + 1] : "";
    const SinkPlace place{sink, before, after, quote, i + 1 == text.size()};
    if (report_value(place, text, i, span, state)) return;
    before.clear();
  }
}

// The state in which the value at `at` breaks out of its place in a telling way, if it can.
bool Interpreter::report_value(const SinkPlace& place, const Text& text, size_t at, Span span,
                               const State& state) {
  WordStore& words = domain_.words();
  const Words bad =
      words.minus(state[text[at]].words, harmless_values(words, program_.letters(), place));
  if (words.exhausted() || words.is_empty(bad)) return false;
  for (Words telling : telling_values(words, program_.letters(), place.sink)) {
    const Words shown = words.intersect(bad, telling);
    if (words.is_empty(shown)) continue;
    for (State& broken : domain_.member(state, {text[at]}, shown).yes) {
      const Words texts = domain_.language(broken, text);
      const std::vector<Word> first = words.first_words(texts, 1);
      if (first.empty()) continue;
      const std::string example = python_literal(program_.letters().text(first[0]));
      fail({"", explain(place.sink, example), failure_of(place.sink), span, std::move(broken)}, "",
           texts);
      return true;
    }
  }
  return false;
}

}  // namespace nacre::python
