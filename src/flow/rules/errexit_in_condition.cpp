// T309: within a condition set -e is ignored, also in the functions that are called there: one that
// fails halfway goes on.
//
//   T309: set -e\nbuild() { cp a b; echo done; }\nif build; then echo ok; fi
//   quiet: set -e\nbuild() { cp a b; echo done; }\nbuild\necho ok
//   quiet: set -e\nbuild() { cp a b && echo done; }\nif build; then echo ok; fi
#include <algorithm>
#include <fmt/format.h>

#include "flow/call_words.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// A command whose failure was meant to end the script.
bool is_step(const shell::Item& item, const Environment& environment, const RuleContext& in) {
  const auto* simple =
      item.command ? std::get_if<shell::SimpleCommand>(&item.command->node) : nullptr;
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return false;
  if (test_condition(*simple)) return true;  // `[ -f list ]` as a command: what it is there for
  const std::string_view name = simple->words[0].literal();
  if (name == "false" || name == "cd") return true;
  const commands::Card* card = in.cards.find(name);
  // A command that is not known is run for what it does.
  if (!card) {
    return !environment.has_unknown_code && !is_shell_builtin(name) &&
           !in.function_named(name, environment) && !in.survey.functions.contains(name);
  }
  return std::any_of(card->operands.begin(), card->operands.end(), [](const auto& spec) {
    return spec.kind == commands::OperandKind::kPathRemoved ||
           spec.kind == commands::OperandKind::kPathWritten;
  });
}

}  // namespace

void errexit_in_condition(const TestedCallEvent& event, RuleContext& in) {
  const Environment& environment = event.call.environment;
  if (environment.options.errexit != Known::kYes) return;
  const auto* group = event.body ? std::get_if<shell::BraceGroup>(&event.body->node) : nullptr;
  if (!group || group->body.items.size() < 2) return;
  const auto front = group->body.items.first(group->body.items.size() - 1);
  const auto step = std::find_if(front.begin(), front.end(), [&](const shell::Item& item) {
    return is_step(item, environment, in);
  });
  if (step == front.end()) return;
  Diagnostic result =
      in.finding("T309", event.call.node.span,
                 fmt::format("set -e is ignored inside {}, because it is called as a condition",
                             event.function.name->text));
  result.path.push_back(in.note(step->command->span, "if this fails, the function goes on"));
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
