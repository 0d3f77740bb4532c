// X113: a wildcard may match a file whose name begins with a dash.
//
//   X113: rm *
//   quiet: rm -- *
//   quiet: rm ./*
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void option_like_names(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !words[0].argument.text) return;
  const commands::Card* card = in.cards.find(*words[0].argument.text);
  if (!card || card->style != commands::OptionStyle::kGnu) return;
  const bool changes = std::any_of(card->operands.begin(), card->operands.end(),
                                   [](const auto& spec) { return commands::is_path(spec.kind); });
  if (!changes) return;
  for (const Field& field : words.subspan(1)) {
    if (field.argument.text == "--") return;
    if (field.fragments.empty() || field.fragments[0].kind != FragmentKind::kGlob) continue;
    const Span span = field.argument.span;
    Diagnostic result = in.finding(
        "X113", span,
        fmt::format("{} takes a file whose name begins with - for an option; write -- or ./ first",
                    *words[0].argument.text));
    result.counterexample = "-r";
    result.fixes.push_back({"end the options with --", {{{span.begin, span.begin}, "-- "}}, true});
    return in.report(std::move(result));
  }
}

}  // namespace nacre::flow::rules
