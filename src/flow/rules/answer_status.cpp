// T127: a pipeline as a condition whose first command was told to say by its status whether it
// worked (`curl -f`), and whose last one succeeds on no input; and the other way round: with
// pipefail and -e a command whose status is an answer, not a failure, ends the script:
// `npm outdated` exits with 1 when there is something to report.
//
//   T127 bash: set -eo pipefail\nnpm outdated --json | jq -r 'keys[]' > names
//   T127 bash: set -eo pipefail\nn=$(ps aux | grep '[c]elery' | wc -l)\necho "$n"
//   quiet bash: set -eo pipefail\nn=$(ps aux | grep '[c]elery' | wc -l || true)\necho "$n"
//   quiet bash: f() { local n=$(ps aux | grep '[c]elery' | wc -l); echo "$n"; }\nset -eo
//   pipefail\nf quiet bash: set -eo pipefail\nif n=$(ps aux | grep '[c]elery' | wc -l); then echo
//   "$n"; fi quiet bash: set -eo pipefail\ngrep -h '^name' *.conf | sort > names quiet bash: set
//   -eo pipefail\n{ npm outdated --json || true; } | jq -r 'keys[]' > names
#include <fmt/format.h>

#include "flow/call_words.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

std::optional<commands::Invocation> invocation_of(const shell::PipelineItem& item,
                                                  const RuleContext& in) {
  const auto* simple =
      item.command ? std::get_if<shell::SimpleCommand>(&item.command->node) : nullptr;
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return std::nullopt;
  const commands::Card* card = in.cards.find(simple->words[0].literal());
  if (!card || !card->means.empty()) return std::nullopt;
  return literal_invocation(in.languages, *card, *simple);
}

// The status is that of a command of its own, or of the assignment that takes what is printed.
bool ends_script(const RuleContext& in) {
  return in.where.ignored == 0 && (in.where.capture == nullptr || in.where.keeps_status);
}

}  // namespace

void asked_failure(const PipelineEvent& event, RuleContext& in) {
  const auto& items = event.node.items;
  if (in.where.asked_pipeline != &event.node || items.size() < 2 || event.stages.empty() ||
      event.environment.options.pipefail != Known::kNo)
    return;
  const auto last = invocation_of(items.back(), in);
  if (!last || event.stages.back().behaviour.selects || last->has("-e")) return;
  const bool takes_nothing =
      !last->card->model.empty() || last->property(commands::CardKey::kKeeps);
  const auto first = invocation_of(items.front(), in);
  if (!takes_nothing || !first || !first->property(commands::CardKey::kFails)) return;
  in.report(in.finding(
      "T127", items.front().command->span,
      fmt::format("the condition does not see a failure of {}: the status is that of {}, which "
                  "succeeds on empty input",
                  first->card->name, last->card->name)));
}

void answer_status(const PipelineEvent& event, RuleContext& in) {
  const Options& options = event.environment.options;
  if (options.pipefail != Known::kYes || options.errexit != Known::kYes || in.where.tested > 0)
    return;
  const auto& items = event.node.items;
  for (size_t i = 0; i + 1 < items.size(); i++) {
    const auto invocation = invocation_of(items[i], in);
    const commands::Property* answers =
        invocation ? invocation->property(commands::CardKey::kAnswers) : nullptr;
    if (!answers) continue;
    if (answers->value.ends_with(" nothing")) {
      // That nothing was found may well be a failure, but not to a command that counts.
      if (!event.stages.empty() && event.stages.back().behaviour.counts_lines && ends_script(in))
        in.report(in.finding(
            "T127", items[i].command->span,
            fmt::format("{} exits with status 1 when it finds nothing; with pipefail and set -e "
                        "that ends the script before 0 is counted",
                        invocation->card->name)));
      continue;
    }
    in.report(in.finding(
        "T127", items[i].command->span,
        fmt::format("{} exits with status {} when it has something to report; with pipefail and "
                    "set -e that ends the script",
                    invocation->card->name, answers->value)));
  }
}

}  // namespace nacre::flow::rules
