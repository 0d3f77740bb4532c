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

using commands::ColumnRole;
using commands::Producer;

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
  const commands::LineCount& printed = stage.behaviour.output.count;
  const bool counts = printed.least == 1 && printed.most == 1;
  return counts || stage.drops_output || stage.is_tested || stage.behaviour.found ||
         (event.next() && event.next()->behaviour.counts_lines);
}

bool searches_rows(const StageEvent& event) {
  const Stage& stage = event.stage();
  return event.until.size() > 1 && stage.is_piped && stage.behaviour.selects && is_asked(event);
}

std::optional<size_t> column_for(const Producer& producer, ColumnRole role) {
  const auto found = std::find_if(producer.columns.begin(), producer.columns.end(),
                                  [&](const auto& column) { return column.role == role; });
  if (found == producer.columns.end()) return std::nullopt;
  return static_cast<size_t>(found - producer.columns.begin());
}

}  // namespace

void own_process(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  if (!searches_rows(event)) return;
  const auto& producer = event.until[event.until.size() - 2].behaviour.output.producer;
  if (!producer || !producer->lists_reader) return;
  const auto column = column_for(*producer, ColumnRole::kArguments);
  if (!column) return;
  const auto row = row_with(*producer, *column, without_quotes(in.text(stage.span)));
  if (!row || !regular::contains(*stage.behaviour.selects, *row)) return;
  in.report_of_stage(
      in.finding("T123", stage.span,
                 fmt::format("{} finds itself: its own command line is among the processes; use "
                             "pgrep, or a pattern such as '[n]ame'",
                             stage.name)));
}

void prose_match(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  const auto& producer = stage.input.producer;
  if (!producer || !searches_rows(event)) return;
  const auto prose = column_for(*producer, ColumnRole::kProse);
  const auto word = prose ? regular::shortest(*stage.behaviour.selects, in.budget) : std::nullopt;
  if (!word || word->size() < 3) return;
  const auto is_selected = [&](const std::optional<std::string>& row) {
    return row && regular::contains(*stage.behaviour.selects, *row);
  };
  // The search finds the word in a column that holds such values, and in the text about others.
  const auto mention = row_with(*producer, *prose, *word);
  for (size_t i = 0; i < producer->columns.size(); i++) {
    const auto& column = producer->columns[i];
    if (column.role != ColumnRole::kValue || !regular::contains(column.cells, *word) ||
        !is_selected(row_with(*producer, i, *word)) || !is_selected(mention))
      continue;
    Diagnostic result = in.finding(
        "T123", stage.span,
        fmt::format(
            "{} searches whole lines of {}: it also finds {} in the {} column of other rows",
            stage.name, producer->command, *word, producer->columns[*prose].heading));
    result.counterexample = *mention;
    return in.report_of_stage(std::move(result));
  }
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
