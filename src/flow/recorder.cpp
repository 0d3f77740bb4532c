#include "flow/recorder.h"

#include <algorithm>

#include "commands/describe_stream.h"
#include "regular/decide.h"

namespace nacre::flow {

namespace {

std::pair<uint32_t, uint32_t> place_of(Span span) { return {span.begin, ~span.end}; }
Span span_of(std::pair<uint32_t, uint32_t> place) { return {place.first, ~place.second}; }

}  // namespace

void Recorder::command(Span span, std::string name, const Stream& input, const Stream& output,
                       const commands::Behaviour* behaviour) {
  CommandType type{std::move(name), input, output, true, std::nullopt, std::nullopt};
  if (behaviour) {
    type.reads_input = behaviour->reads_input;
    if (behaviour->trace && behaviour->trace->map.steps().empty())
      type.passes = behaviour->trace->keeps;
    for (const commands::Check& check : behaviour->checks) {
      if (check.kind == commands::Check::Kind::kEvery)
        type.demands = type.demands ? *type.demands & check.lines : check.lines;
    }
  }
  const auto [known, is_new] = commands_.try_emplace(place_of(span), std::move(type));
  if (is_new) return;
  known->second.input = either(known->second.input, input);
  known->second.output = either(known->second.output, output);
}

void Recorder::variable(Span span, std::string_view name, Lang value) {
  const auto [known, is_new] =
      variables_.try_emplace(place_of(span), VariableType{std::string(name), value});
  if (!is_new) known->second.value = known->second.value | value;
}

std::string Recorder::polymorphic(const CommandType& type, const regular::PrintOptions& options) {
  if (!type.passes || !type.reads_input) return "";
  std::string result = "A -> " + commands::describe_count(type.output.count) + "A";
  if (!regular::equivalent(*type.passes, commands::any_text(type.passes->context())).yes())
    result += " & " + regular::describe(*type.passes, options);
  if (type.demands) result += ", A in " + regular::describe(*type.demands, options);
  return result;
}

std::vector<TypeAt> Recorder::types(regular::Context& context) const {
  const std::vector<regular::NamedLang> names = regular::known_names(context);
  regular::PrintOptions options;
  options.longest = 300;  // a row of `ls -l` is long
  options.names = names;
  std::vector<TypeAt> result;
  for (const auto& [place, type] : commands_) {
    const std::string input = type.reads_input ? commands::describe(type.input, options) : "";
    result.push_back({span_of(place), false, type.name, input,
                      commands::describe(type.output, options), polymorphic(type, options)});
  }
  for (const auto& [place, type] : variables_)
    result.push_back(
        {span_of(place), true, type.name, "", regular::describe(type.value, options), ""});
  std::stable_sort(result.begin(), result.end(), [](const TypeAt& a, const TypeAt& b) {
    return place_of(a.span) < place_of(b.span);
  });
  return result;
}

}  // namespace nacre::flow
