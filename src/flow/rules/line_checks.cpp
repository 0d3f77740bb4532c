// T101, T102, T104, T105, T108: what a command demands of the lines that it reads. Its model says
// what they must be like (commands::Check); here it is decided whether a stage that breaks the
// demand is a mistake, and shown by an example.
//
//   T101: find . | sort -n
//   quiet: find . -printf '%s\t%p' | sort -n
//   T104: ls | wc -l | tr a-z A-Z
//   quiet: ls | tr a-z A-Z
//   T105: du * | sort
//   quiet: du * | sort -n
//   T108: find . | xargs rm
//   quiet: find . -print0 | xargs -0 rm
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/line_fixes.h"
#include "flow/rules/publish.h"
#include "flow/trace.h"
#include "regular/decide.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

using commands::Asks;
using commands::Check;
using commands::Choice;

std::string_view code_of(Asks asks) {
  switch (asks) {
    case Asks::kForm: return "T101";
    case Asks::kOutput: return "T102";
    case Asks::kEffect: return "T104";
    case Asks::kOrder: return "T105";
    case Asks::kWholeNames: return "T108";
  }
  return "T101";
}

// Shows some line of `wanted`, which the stage reads, and how it gets there.
void show(Diagnostic& diagnostic, const StageEvent& event, Lang wanted, std::string_view otherwise,
          const RuleContext& in) {
  const auto writers = event.until.first(event.until.size() - 1);
  const Trace found = trace(writers, wanted);
  diagnostic.counterexample = found.lines.empty() ? std::string(otherwise) : found.lines.back();
  add_path(diagnostic, in.file(), writers, found.lines);
}

// What is wrong with an order takes two lines to see.
void show_together(Diagnostic& diagnostic, const StageEvent& event, Lang lines,
                   std::span<const Lang> kinds, const RuleContext& in) {
  std::string text;
  for (const Lang kind : kinds) {
    const auto line = regular::shortest(lines & kind);
    if (!line) return diagnostic.counterexample.clear();
    diagnostic.path.clear();
    show(diagnostic, event, lines & kind, *line, in);
    text += (text.empty() ? "" : "\n") + diagnostic.counterexample;
  }
  diagnostic.counterexample = text;
}

// Some line breaks the demand: of a known format any one, of an opaque source all of them.
std::optional<Diagnostic> check_every(const StageEvent& event, const Check& check,
                                      const RuleContext& in) {
  const Stage& stage = event.stage();
  const Lang lines = commands::any_line(stage.input);
  const auto none_fits = regular::disjoint(lines, check.lines);
  const bool is_angelic = stage.input.choice == Choice::kOpaque ||
                          (check.spares_names && event.until.front().behaviour.prints_names);
  if (is_angelic && !none_fits.yes()) return std::nullopt;
  const Lang fitting = check.spared && !none_fits.yes() ? check.lines | *check.spared : check.lines;
  const auto all_fit = regular::included(lines, fitting);
  if (!all_fit.no()) return std::nullopt;
  if (check.spares_heading && !stage.input.first.empty() &&
      regular::included(commands::below_heading(stage.input), fitting).yes())
    return std::nullopt;
  Diagnostic result = in.finding(code_of(check.asks), stage.span, check.message);
  const bool is_certain = none_fits.yes() && none_fits.is_certain &&
                          commands::is_exact(stage.input) && stage.input.count.least > 0;
  result.confidence = is_certain           ? Confidence::kCertain
                      : all_fit.is_certain ? Confidence::kLikely
                                           : Confidence::kPossible;
  show(result, event, lines - fitting, all_fit.witness, in);
  return result;
}

// After `sort | uniq` it does not matter in which order the lines are, unless some are then chosen
// by their places; nor for comm and md5sum, if it is always the same.
bool is_order_used(std::span<const Stage> following) {
  if (!following.empty() && following[0].behaviour.compares) return false;
  if (following.empty() || !following[0].behaviour.ignores_order) return true;
  const bool keeps_lines = following[0].behaviour.trace && !following[0].behaviour.discards_order;
  return keeps_lines && following.size() > 1 && following[1].behaviour.picks_by_place;
}

// `wc -l | tr -d ' '`: on other systems there is something to do.
bool is_useful_elsewhere(const StageEvent& event, const Check& check) {
  const size_t count = event.until.size();
  const auto* writer = count > 1 ? &event.until[count - 2].behaviour : nullptr;
  if (!writer || !writer->elsewhere) return false;
  const Lang vain = check.vain_elsewhere ? check.lines | *check.vain_elsewhere : check.lines;
  return !regular::included(*writer->elsewhere, vain).yes();
}

// Every line is one that makes the stage a mistake.
std::optional<Diagnostic> check_not_all(const StageEvent& event, const Check& check,
                                        const RuleContext& in) {
  if (check.only_if_order_matters && !is_order_used(event.after)) return std::nullopt;
  const bool is_picked = event.next() && event.next()->behaviour.picks_by_place &&
                         event.next()->behaviour.output.count.most == 1;
  if (check.only_if_picked && !is_picked) return std::nullopt;
  const Stage& stage = event.stage();
  const Lang lines =
      check.spares_heading ? commands::below_heading(stage.input) : commands::any_line(stage.input);
  const auto all = regular::included(lines, check.lines);
  if (!all.yes() || is_useful_elsewhere(event, check)) return std::nullopt;
  Diagnostic result = in.finding(code_of(check.asks), stage.span, check.message);
  result.confidence = all.is_certain ? Confidence::kLikely : Confidence::kPossible;
  show(result, event, lines, regular::shortest(lines).value_or(""), in);
  if (check.only_if_order_matters) show_together(result, event, lines, check.together, in);
  return result;
}

// `comm <(... | sort) b`, `... | sort > a; comm a b`: the order is one for comm, not for people.
bool is_sorted_for_comparison(Span stage, const RuleContext& in) {
  bool is_written = false, is_within = false, has_comparison = false;
  const auto compares = [&](const shell::SimpleCommand& simple) {
    const commands::Card* card = simple.words.empty() || !simple.words[0].is_literal()
                                     ? nullptr
                                     : in.cards.find(simple.words[0].literal());
    return card && card->has_property(commands::CardKey::kOrder, "compared");
  };
  walk(in.tree.program(), shell::Visitor{[&](const Command& command) {
         is_written |= command.span == stage && !prints_at_hand(command);
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         if (!simple || !compares(*simple)) return;
         has_comparison = true;
         is_within |= command.span.begin < stage.begin && stage.end < command.span.end;
       }});
  return is_within || (is_written && has_comparison);
}

// A stage that does nothing may be there for another reason.
bool has_other_use(const StageEvent& event) {
  const Stage& stage = event.stage();
  // `| grep . >/dev/null`, `if ls | grep .`: the question is whether there are lines.
  const bool is_question = stage.drops_output || (stage.is_tested && stage.behaviour.selects);
  // `tail -n +1 | head`: reading all keeps the writer from being killed by SIGPIPE.
  const bool is_buffer =
      stage.behaviour.picks_by_place && event.next() && event.next()->stops_early;
  return is_question || is_buffer;
}

}  // namespace

void line_checks(const StageEvent& event, RuleContext& in) {
  if (!event.is_checked()) return;
  for (const Check& check : event.stage().behaviour.checks) {
    if (check.asks == Asks::kEffect && has_other_use(event)) continue;
    auto found = check.kind == Check::Kind::kEvery ? check_every(event, check, in)
                                                   : check_not_all(event, check, in);
    if (!found) continue;
    const Stage& last = event.after.empty() ? event.stage() : event.after.back();
    if (check.asks == Asks::kOrder && is_sorted_for_comparison(last.span, in)) continue;
    add_fix(*found, check, in.file(), event.until);
    in.report_of_stage(std::move(*found));
  }
}

}  // namespace nacre::flow::rules
