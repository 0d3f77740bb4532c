// X111: code for another shell reads a variable that this shell has not exported.
//
//   X111: name=world\nsh -c 'echo "$name"'
//   quiet: export name=world\nsh -c 'echo "$name"'
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/path.h"
#include "flow/assigned.h"
#include "flow/rules/publish.h"
#include "flow/rules/variable_names.h"
#include "regular/decide.h"
#include "shell/embedded.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// The text of a file, if each of its lines is known.
std::optional<std::string> known_text(const Stream& lines) {
  if (lines.count.least != lines.count.most || lines.first.size() != lines.count.most)
    return std::nullopt;
  std::string result;
  for (const Lang line : lines.first) {
    const auto only = regular::shortest(line);
    if (!only || !(line.context().literal(*only) == line)) return std::nullopt;
    (result += *only) += '\n';
  }
  return result;
}

void check_code(const Call& call, const shell::Tree& code, RuleContext& in) {
  std::set<std::string_view> own;
  for (const Assigned& assigned : assigned_in(code.program())) own.insert(assigned.name);
  for (const shell::Assignment& given : call.simple.assignments) own.insert(given.name);
  const auto is_given = [&](std::string_view name) {
    return own.contains(name) || in.survey.exported.contains(name) ||
           in.survey.exported.contains("*") || is_well_known(name) || is_inherited(name) ||
           std::any_of(call.fields.begin(), call.fields.end(), [&](const Field& field) {
             return field.argument.prefix.starts_with(std::string(name) + "=");
           });
  };
  walk(code.program(), shell::Visitor{[&](const shell::Part& part) {
         if (part.kind != shell::PartKind::kParameter) return;
         const shell::Parameter& node = part.parameter();
         if (node.kind != shell::ParameterKind::kVariable || has_own_default(node)) return;
         const Value& value = in.value(node.name, call.environment);
         if (value.may_be_foreign || is_surely_unset(value) || is_given(node.name)) return;
         const auto name = in.names.find(node.name);
         if (name && in.script.kept.contains(*name)) return;  // every shell has its own
         Diagnostic result = in.finding(
             "X111", part.span,
             fmt::format("{} is not exported, so it is empty in the shell that runs this",
                         node.name));
         if (!value.origin.empty())
           result.path.push_back(in.note(value.origin, "it is set only in this shell"));
         in.report(std::move(result));
       }});
}

// `printf '...' > script; sh script`: the code, if all of it is known.
void check_written_script(const Call& call, RuleContext& in) {
  const auto dialect = shell::dialect_named(base_name(*call.fields[0].argument.text));
  if (!dialect || call.fields.size() < 2 || !call.fields[1].argument.text) return;
  const auto file = call.environment.files->find(*call.fields[1].argument.text);
  if (file == call.environment.files->end()) return;
  const auto text = known_text(file->second);
  if (!text) return;
  const auto parsed =
      shell::parse_elsewhere(in.file(), call.fields[1].argument.span, *text, {.dialect = *dialect});
  if (parsed.is_valid()) check_code(call, parsed.tree, in);
}

}  // namespace

void unexported_variable(const CallEvent& event, RuleContext& in) {
  const Call& call = event.call;
  if (!call.fields[0].argument.text) return;
  if (const auto* code = in.evaluator.embedded_in(call.node, shell::EmbeddedKind::kShell))
    return check_code(call, *code, in);
  check_written_script(call, in);
}

}  // namespace nacre::flow::rules
