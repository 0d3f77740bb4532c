// Where annotations meet what is inferred.
#include "flow/assumptions.h"

#include <charconv>
#include <utility>

#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/variables.h"

namespace nacre::flow {

namespace {

void assert_all(Run& run, std::span<const Assertion> assertions, const Stream& lines,
                const Command& node, std::span<const Stage> writers) {
  for (const Assertion& assertion : assertions)
    publish(AssertionEvent{assertion, lines, node.span, writers}, run.rules);
}

std::optional<uint32_t> position_of(std::string_view name) {
  uint32_t position = 0;
  const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), position);
  const bool is_number = status == std::errc() && end == name.data() + name.size();
  return is_number ? std::optional(position) : std::nullopt;
}

}  // namespace

void assume_variables(Run& run, const Command& statement, Environment& environment) {
  for (const VariableNote& note : run.annotations.variables_before(statement)) {
    Value value(note.type);
    value.source = Source::kEnvironment;
    value.origin = note.span;
    shell::Parameter parameter;
    parameter.name = note.name;
    if (const auto position = position_of(note.name)) {
      parameter.kind = shell::ParameterKind::kPositional;
      parameter.position = *position;
    }
    refine_parameter(run, parameter, std::move(value), environment);
  }
}

void assume_input(Run& run, const CommandNotes& notes, const Command& node, Io& io,
                  std::vector<Stage>& stages) {
  if (notes.input) {
    io.input = *notes.input;
    io.is_piped = true;  // it matters what is read
    stages.clear();
  }
  io.is_captured |= notes.output || !notes.output_assertions.empty();
  if (!notes.is_blind) assert_all(run, notes.input_assertions, io.input, node, stages);
}

Stream assume_output(Run& run, const CommandNotes& notes, const Command& node, Stream output,
                     std::vector<Stage>& stages) {
  const bool is_simple = !stages.empty() && stages.back().span == node.span;
  if (notes.output) {
    output = *notes.output;
    if (is_simple) {
      stages.back().behaviour.trace.reset();  // it need not come from what was read
      stages.back().described = notes.described;
    }
  }
  if (notes.is_blind) return output;
  const bool is_quiet = is_simple && !notes.output && stages.back().behaviour.found;
  assert_all(run, notes.output_assertions, is_quiet ? *stages.back().behaviour.found : output, node,
             is_simple ? std::span<const Stage>(stages) : std::span<const Stage>());
  return output;
}

}  // namespace nacre::flow
