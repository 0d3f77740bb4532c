// T303: a substitution that is always empty.
//
//   T303: x=$(cp a b)\necho "$x"
//   quiet: x=$(ls a b)\necho "$x"
#include <algorithm>

#include "flow/call_words.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// A builtin that never prints anything.
bool is_silent_builtin(std::string_view name) {
  static constexpr std::string_view kPrinters[] = {"printf",  "eval",     ".",       "source",
                                                   "command", "exec",     "declare", "typeset",
                                                   "export",  "readonly", "set",     "trap"};
  return is_interpreted_builtin(name) &&
         std::find(std::begin(kPrinters), std::end(kPrinters), name) == std::end(kPrinters);
}

// A function that sets variables, and whose every message goes elsewhere: it could not have printed
// anything today either.
bool is_mute(const shell::Function& function, const commands::CardLibrary& cards) {
  bool result = true;
  walk(*function.body, shell::Visitor{[&](const Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (!simple || simple->words.empty()) return;
    const auto& first = simple->words[0];
    const std::string_view name = first.is_literal() ? first.literal() : "";
    const commands::Card* card = cards.find(name);
    result &= test_condition(*simple) || is_silent_builtin(name) ||
              (card && card->echoes && !command.redirections.empty());
  }});
  return result;
}

// Something runs in it that is known well enough to say that it prints nothing.
bool runs_known_command(const shell::Sequence& body, const RuleContext& in) {
  bool result = false;
  walk(body, shell::Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         if (!simple || simple->words.empty()) return;
         const auto& first = simple->words[0];
         if (!first.is_literal() || is_interpreted_builtin(first.literal())) return;
         const auto function = in.survey.functions.find(first.literal());
         result |= function == in.survey.functions.end() ? in.cards.find(first.literal()) != nullptr
                                                         : is_mute(*function->second, in.cards);
       }});
  return result;
}

}  // namespace

void empty_substitution(const SubstitutionEvent& event, RuleContext& in) {
  const shell::Sequence& body = event.body;
  if (event.printed.count.most != 0 || body.items.empty() || event.may_print_more) return;
  if (in.where.asking && prints_own_text(*body.items[0].command, in.cards)) return;
  // A variable that is never read: it is the status that was wanted.
  if (!in.where.assigning.empty() && !in.survey.reads.contains(in.where.assigning)) return;
  if (!runs_known_command(body, in)) return;
  Diagnostic result = in.finding(
      "T303", event.span, "always empty: the commands in it print nothing to standard output");
  if (in.where.command_word == event.span) {
    result.severity = Severity::kInfo;
    result.message =
        "the commands in this print nothing; without $() around them, their status is the same";
  }
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
