// T123: a search that finds more than it is meant to: `ps | grep NAME` lists the grep itself, and
// `grep -q active` is true for the word inactive.
//
//   T123: n=$(ps -ef | grep -c celery)\n[ "$n" -gt 0 ] && echo up
//   quiet: n=$(ps -ef | grep -c '[c]elery')\n[ "$n" -gt 0 ] && echo up
//   T123: if systemctl is-active cron | grep -q active; then echo up; fi
//   quiet: if systemctl is-active cron | grep -qx active; then echo up; fi
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"
#include "regular/words.h"

namespace nacre::flow::rules {

namespace {

std::string without_quotes(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != '\'' && c != '"' && c != '\\') result += c;
  }
  return result;
}

// Its lines are counted, or whether there are any is the question.
bool is_asked(const StageEvent& event) {
  const Stage& stage = event.stage();
  const bool counts = stage.name.ends_with("grep") && stage.behaviour.output.count.most == 1 &&
                      stage.behaviour.output.count.least == 1;
  return counts || stage.drops_output || stage.is_tested || stage.behaviour.found ||
         (event.next() && event.next()->behaviour.counts_lines);
}

// `ps aux`, `ps -ef`: all processes, with their arguments. `ps -p PID` lists chosen ones, and `ps
// -e` only the names of programs.
bool lists_all_arguments(const Stage& stage, std::string_view text) {
  if (stage.name != "ps" || !stage.behaviour.output.producer) return false;
  const auto& columns = stage.behaviour.output.producer->columns;
  if (columns.size() < 2) return false;
  const bool is_full = columns.front().heading == "UID" || columns.front().heading == "USER" ||
                       text.find("args") != text.npos || text.find("cmd") != text.npos ||
                       text.find("command") != text.npos;
  const bool is_all = text.find(" -e") != text.npos || text.find(" -A") != text.npos ||
                      text.find("ax") != text.npos || text.find("aux") != text.npos;
  const bool is_chosen = text.find(" -p") != text.npos || text.find(" -C") != text.npos ||
                         text.find("--p") != text.npos;
  return is_full && is_all && !is_chosen;
}

}  // namespace

void own_process(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  if (event.until.size() < 2 || !stage.is_piped || !stage.behaviour.selects || !is_asked(event))
    return;
  const Stage& writer = event.until[event.until.size() - 2];
  const std::string own = without_quotes(in.text(stage.span));
  if (!lists_all_arguments(writer, in.text(writer.span)) ||
      !regular::contains(*stage.behaviour.selects, "root 1 0 0 00:00 ? 00:00:00 " + own))
    return;
  in.report_of_stage(
      in.finding("T123", stage.span,
                 fmt::format("{} finds itself: its own command line is among the processes; use "
                             "pgrep, or a pattern such as '[n]ame'",
                             stage.name)));
}

void prose_match(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  const auto& producer = stage.input.producer;
  if (event.until.size() < 2 || !stage.is_piped || !stage.behaviour.selects || !is_asked(event) ||
      !producer || producer->columns.size() < 2 ||
      producer->columns.back().heading != "Description")
    return;
  // A row whose other columns cannot hold what is sought.
  const auto word = regular::shortest(*stage.behaviour.selects, in.budget);
  if (!word || word->size() < 3) return;
  const Lang row = commands::any_line(stage.input);
  const std::string by_name = "ii  " + *word + " 1 all q", by_text = "ii  qq 1 all " + *word;
  const Lang wanted = *stage.behaviour.selects;
  if (!regular::contains(row, by_name) || !regular::contains(wanted, by_name) ||
      !regular::contains(wanted, by_text))
    return;
  Diagnostic result = in.finding(
      "T123", stage.span,
      fmt::format("{} also finds {} in the names and descriptions of other packages of {}",
                  stage.name, *word, producer->command));
  result.counterexample = by_text;
  in.report_of_stage(std::move(result));
}

void other_words(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  if (!stage.is_piped || !stage.behaviour.selects || !is_asked(event) ||
      stage.input.choice == commands::Choice::kOpaque)
    return;
  const Lang words = commands::any_line(stage.input);
  if (!regular::is_finite(words, in.budget).value_or(false)) return;
  const Lang found = words & *stage.behaviour.selects;
  const auto meant = regular::shortest(found, in.budget);
  if (!meant || meant->size() < 3) return;
  const auto other = regular::shortest(found - in.languages.literal(*meant), in.budget);
  if (!other || other->find(*meant) == std::string::npos) return;
  Diagnostic result =
      in.finding("T123", stage.span,
                 fmt::format("{} also finds '{}', which holds '{}'; -x asks for the whole line",
                             stage.name, *other, *meant));
  result.counterexample = *other;
  in.report_of_stage(std::move(result));
}

}  // namespace nacre::flow::rules
