// jq: what its program makes of what it reads (jq_eval.h). What cannot be known of the values is on
// its card: JSON, or with -r anything.
#include <algorithm>

#include "commands/jq_eval.h"
#include "commands/models.h"
#include "commands/rows.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

// The one text that the stream can be; nothing if it can be several.
std::optional<std::string> only_text(const Stream& stream) {
  if (stream.count.least != stream.count.most || stream.first.size() != stream.count.most)
    return std::nullopt;
  std::string result;
  for (const Lang line : stream.first) {
    const auto text = regular::shortest(line);
    if (!text || !regular::included(line, line.context().literal(*text)).yes()) return std::nullopt;
    result += *text + "\n";
  }
  return result;
}

// The lines of a stream that are few and known may be given one by one or as alternatives.
jq::ShapePointer shape_read(Context& context, const Stream& input) {
  if (input.json) return input.json;
  const auto text = only_text(input);
  const jq::ShapePointer known = text ? jq::shape_of_json(context, *text) : nullptr;
  return known ? known : jq::any_shape();
}

bool is_path(const jq::Filter& filter) {
  using Kind = jq::Filter::Kind;
  switch (filter.kind) {
    case Kind::kIdentity: return true;
    case Kind::kMember:
    case Kind::kIndex: return is_path(*filter.left);
    case Kind::kPipe: return is_path(*filter.left) && is_path(*filter.right);
    default: return false;
  }
}

bool defines(const Invocation& invocation, std::string_view name) {
  if (name == "ENV" || name == "__loc__" || name == "__prog_args" || name == "ARGS" ||
      name == "named")
    return true;
  return std::any_of(invocation.options.begin(), invocation.options.end(),
                     [&](const GivenOption& given) {
                       return given.spec->more_arguments > 0 && given.argument &&
                              (!given.argument->text || *given.argument->text == name);
                     });
}

std::optional<std::string> undefined_variable(const jq::Filter& filter,
                                              const Invocation& invocation) {
  if (filter.kind == jq::Filter::Kind::kVariable && !defines(invocation, filter.name))
    return filter.name;
  std::vector<jq::FilterPointer> inside = filter.arguments;
  inside.push_back(filter.left);
  inside.push_back(filter.right);
  for (const auto& [text, part] : filter.parts) inside.push_back(part);
  for (const auto& [name, value] : filter.entries) inside.push_back(value);
  for (const jq::FilterPointer& each : inside) {
    if (!each) continue;
    if (auto name = undefined_variable(*each, invocation)) return name;
  }
  return std::nullopt;
}

}  // namespace

Behaviour model_jq(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result = behaviour_by_card(invocation, around);
  const auto& operands = invocation.operands;
  // With -n the program reads what it asks for: `input`, `inputs`. One in a file may.
  if (operands.empty() || !operands[0].text || operands[0].text->find("input") != std::string::npos)
    result.reads_input = true;
  const auto has_any = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(options.begin(), options.end(),
                       [&](std::string_view option) { return invocation.has(option); });
  };
  const bool is_plain =
      !operands.empty() && operands[0].text &&
      !has_any({"-f", "-j", "-C", "--seq", "--stream", "-R", "--args", "--jsonargs", "--tab"});
  auto producer = std::make_shared<Producer>();
  producer->command = "jq";
  producer->prints_json = true;
  result.output.producer = producer;
  if (!is_plain) return result;
  const jq::FilterPointer program = jq::parse(*operands[0].text);
  if (!program) return result;
  if (const auto name = undefined_variable(*program, invocation)) {
    result.problems.push_back(
        {Flaw::kProgram, operands[0].span,
         "jq: $" + *name + " is not defined; --arg " + *name + " VALUE defines it", "", true});
    return result;
  }
  const Source source = source_of(std::span(operands).subspan(1), around);
  jq::ShapePointer input = shape_read(context, source.lines);
  if (invocation.has("-n")) input = jq::null_shape();
  if (invocation.has("-s")) input = jq::array_shape(input);
  const jq::Outcome outcome = jq::evaluate(context, *program, input);
  if (outcome.compares_kinds)
    result.problems.push_back({Flaw::kJson, operands[0].span,
                               "jq: a string is never equal to a number, and always greater", "",
                               false});
  if (!outcome.refusal.empty())
    result.problems.push_back({Flaw::kJson, operands[0].span, "jq: " + outcome.refusal, "", false});
  const bool is_raw = invocation.has("-r");
  if (outcome.shape->is_any) {
    // A path that leads nowhere gives null, whatever the values are.
    if (is_path(*program) && program->kind != jq::Filter::Kind::kIdentity)
      add_missing(context.literal("null"), "jq", result.output);
    return result;
  }
  const auto text = jq::printed(context, *outcome.shape, is_raw, invocation.has("-c"));
  if (!text) return result;
  Lang lines = *text & any_text(context);
  const bool has_newlines = !regular::included(*text, any_text(context)).yes();
  if (has_newlines) lines = lines | any_text(context);
  result.output = Stream(lines);
  result.output.producer = producer;
  if (has_newlines) result.output.choice = Choice::kOpaque;
  if (!has_newlines && !outcome.may_be_many)
    result.output.count = {0, kManyLines};  // one for each value that is read
  if (outcome.shape->is_missing) add_missing(context.literal("null"), "jq", result.output);
  return result;
}

}  // namespace nacre::commands
