// T311: the status of a pipeline is that of its last command, which succeeds whatever the first one
// does: `make | tee log` under set -e, `if make | tee log`.
//
//   T311: set -e\nmake | tee log
//   quiet: set -e\nmake > log
//   T311: if ! make | tee log; then exit 1; fi
//   quiet bash: set -o pipefail\nif ! make | tee log; then exit 1; fi
#include <fmt/format.h>

#include "flow/call_words.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

const shell::SimpleCommand* as_simple(const Command* command) {
  return command ? std::get_if<shell::SimpleCommand>(&command->node) : nullptr;
}

// Whether a command takes in whatever it is given: tee, gzip.
bool keeps_input(const shell::SimpleCommand& simple, const RuleContext& in) {
  if (simple.words.empty() || !simple.words[0].is_literal()) return false;
  const commands::Card* card = in.cards.find(simple.words[0].literal());
  if (!card || card->name != simple.words[0].literal()) return false;  // gunzip looks at its input
  return literal_invocation(in.languages, *card, simple).property(commands::CardKey::kKeeps) !=
         nullptr;
}

bool prints_words(const shell::SimpleCommand* simple, const RuleContext& in) {
  const commands::Card* card = simple && !simple->words.empty() && simple->words[0].is_literal()
                                   ? in.cards.find(simple->words[0].literal())
                                   : nullptr;
  return card && card->echoes;
}

}  // namespace

void masked_failure(const PipelineEvent& event, RuleContext& in) {
  const auto& items = event.node.items;
  const Options& options = event.environment.options;
  const bool is_asked = in.where.asked_pipeline == &event.node && in.where.ignored == 0;
  const bool matters = options.pipefail == Known::kNo &&
                       (is_asked || (options.errexit == Known::kYes && in.where.tested == 0));
  if (!matters || items.size() < 2 || event.statuses.size() < 2) return;
  const auto* last = as_simple(items.back().command);
  if (!last || !keeps_input(*last, in)) return;
  if (prints_words(as_simple(items.front().command), in)) return;
  if (!event.statuses.front().can_fail || event.statuses.front().is_excused) return;
  Diagnostic result = in.finding(
      "T311", items.front().command->span,
      fmt::format("{} ignores a failure of this: the status of the pipeline is that of {}",
                  is_asked ? "the condition" : "set -e", last->words[0].literal()));
  // A condition acts on the status at once, so a wrong status is a wrong decision.
  if (is_asked) result.severity = Severity::kWarning;
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
