#include "flow/stage.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/codes.h"
#include "commands/stream_text.h"
#include "flow/lost_work.h"
#include "flow/stage_fixes.h"
#include "flow/trace.h"
#include "regular/decide.h"

namespace nacre::flow {

namespace {

using commands::Behaviour;
using commands::Check;
using commands::Choice;
using commands::Order;
using regular::Context;
using regular::Lang;

// Shows some line of `wanted`, which the last of `stages` reads, and how it gets there.
void show(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> stages,
          Lang wanted, std::string_view otherwise) {
  const auto writers = stages.first(stages.size() - 1);
  const Trace found = trace(writers, wanted);
  diagnostic.counterexample = found.lines.empty() ? std::string(otherwise) : found.lines.back();
  add_path(diagnostic, file, writers, found.lines);
}

Diagnostic about(const SourceFile& file, const Stage& stage, std::string_view code,
                 std::string message) {
  return finding(code, file, stage.span, std::move(message));
}

// Some line breaks the demand: of a known format any one, of an opaque source all of them.
std::optional<Diagnostic> every(const SourceFile& file, std::span<const Stage> stages,
                                const Check& check) {
  const Stage& stage = stages.back();
  const Lang lines = commands::any_line(stage.input);
  const auto none_fits = regular::disjoint(lines, check.lines);
  const bool is_angelic = stage.input.choice == Choice::kOpaque ||
                          (check.spares_names && stages.front().behaviour.prints_names);
  if (is_angelic && !none_fits.yes()) return std::nullopt;
  const Lang fitting = check.spared && !none_fits.yes() ? check.lines | *check.spared : check.lines;
  const auto all_fit = regular::included(lines, fitting);
  if (!all_fit.no()) return std::nullopt;
  if (check.spares_heading && !stage.input.first.empty() &&
      regular::included(commands::below_heading(stage.input), fitting).yes())
    return std::nullopt;
  Diagnostic result = about(file, stage, check.code, check.message);
  const bool is_certain = none_fits.yes() && none_fits.is_certain &&
                          commands::is_exact(stage.input) && stage.input.count.least > 0;
  result.confidence = is_certain           ? Confidence::kCertain
                      : all_fit.is_certain ? Confidence::kLikely
                                           : Confidence::kPossible;
  show(result, file, stages, lines - fitting, all_fit.witness);
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

// What is wrong with an order takes two lines to see.
void show_together(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> stages,
                   Lang lines, std::span<const Lang> kinds) {
  std::string text;
  for (const Lang kind : kinds) {
    const auto line = regular::shortest(lines & kind);
    if (!line) return diagnostic.counterexample.clear();
    diagnostic.path.clear();
    show(diagnostic, file, stages, lines & kind, *line);
    text += (text.empty() ? "" : "\n") + diagnostic.counterexample;
  }
  diagnostic.counterexample = text;
}

std::optional<Diagnostic> not_all(const SourceFile& file, std::span<const Stage> stages,
                                  const Check& check, std::span<const Stage> following) {
  if (check.only_if_order_matters && !is_order_used(following)) return std::nullopt;
  const Stage& stage = stages.back();
  const Lang lines =
      check.spares_heading ? commands::below_heading(stage.input) : commands::any_line(stage.input);
  const auto all = regular::included(lines, check.lines);
  if (!all.yes()) return std::nullopt;
  // `wc -l | tr -d ' '`: on other systems there is something to do.
  const Stage* writer = stages.size() > 1 ? &stages[stages.size() - 2] : nullptr;
  if (writer && writer->behaviour.elsewhere &&
      !regular::included(*writer->behaviour.elsewhere,
                         check.vain_elsewhere ? check.lines | *check.vain_elsewhere : check.lines)
           .yes())
    return std::nullopt;
  Diagnostic result = about(file, stage, check.code, check.message);
  result.confidence = all.is_certain ? Confidence::kLikely : Confidence::kPossible;
  show(result, file, stages, lines, regular::shortest(lines).value_or(""));
  if (check.only_if_order_matters) show_together(result, file, stages, lines, check.together);
  return result;
}

// The characters that a type spells out, as opposed to its operators.
regular::CharSet written_in(std::string_view type) {
  regular::CharSet result = regular::CharSet::of('\n');
  for (size_t i = 0; i < type.size(); i++) {
    if (type[i] == '\\' && i + 1 < type.size()) {
      i++;
      result.add(static_cast<unsigned char>(type[i] == 't' ? '\t' : type[i]));
    } else if (std::string_view(".*+?()[]{}|^$&~!").find(type[i]) == std::string_view::npos) {
      result.add(static_cast<unsigned char>(type[i]));
    }
  }
  return result;
}

// `.` in a demand stands for what people write there: letters, digits, and what the type itself
// spells out.
Lang demanded(Lang type, std::string_view source) {
  using regular::CharSet;
  const CharSet usual = CharSet::range('a', 'z') | CharSet::range('A', 'Z') |
                        CharSet::range('0', '9') | written_in(source);
  const Lang plain = type & star(type.context().set(usual));
  return regular::is_empty(plain).yes() ? type : plain;
}

// Is the assertion true of the lines? If not, the witness shows it: a line, or a whole text.
regular::Verdict holds(const Assertion& assertion, const commands::Stream& lines) {
  Context& context = lines.rest.context();
  const Lang type = assertion.type.lang;
  if (!assertion.type.is_text) {
    const Lang actual = commands::any_line(lines);
    if (assertion.is_contained)
      return regular::included(demanded(type, assertion.type.source), actual);
    // Nor is an empty line of which nothing is known but that somebody may print it.
    const bool may_be_empty = lines.choice == Choice::kOpaque || lines.may_tell_of_nothing;
    return regular::included(actual, may_be_empty ? optional(type) : type);
  }
  // A stream without lines is no counterexample: every filter may have nothing to print.
  const Lang texts = commands::with_last_newline(type) | context.epsilon();
  const Lang actual = commands::text_of(lines);
  return assertion.is_contained
             ? regular::included(demanded(texts, assertion.type.source), actual | context.epsilon())
             : regular::included(actual, texts);
}

}  // namespace

std::optional<Lang> skeleton_printed(std::span<const Stage> stages) {
  if (stages.empty() || !stages[0].skeleton) return std::nullopt;
  Lang lines = *stages[0].skeleton;
  for (const Stage& stage : stages.subspan(1)) {
    if (!stage.behaviour.trace) return std::nullopt;
    lines = regular::image(stage.behaviour.trace->map, lines & stage.behaviour.trace->keeps);
  }
  // An unknown name may hold what a filter looks for.
  return regular::is_empty(lines).no() ? std::optional(lines) : std::nullopt;
}

std::optional<Diagnostic> judge_assertion(const SourceFile& file, const Assertion& assertion,
                                          const commands::Stream& lines, Span place,
                                          std::span<const Stage> writers) {
  const auto verdict = holds(assertion, lines);
  if (!verdict.no()) return std::nullopt;
  Trace found;
  if (!assertion.type.is_text && !assertion.is_contained)
    found = trace(writers, commands::any_line(lines) - assertion.type.lang);
  if (found.is_undescribed) return std::nullopt;
  Diagnostic result =
      assertion.is_contained
          ? finding("T204", file, place,
                    fmt::format("not all that {} demands can occur here", assertion.keyword))
          : finding("T203", file, place,
                    fmt::format("not all that flows here is of the type that {} gives",
                                assertion.keyword));
  if (!verdict.is_certain) result.confidence = Confidence::kPossible;
  result.notes.push_back({file, assertion.span, "the type is given here"});
  result.counterexample = found.lines.empty() ? verdict.witness : found.lines.back();
  add_path(result, file, writers, found.lines);
  return result;
}

namespace {

// What the lines that a stage reads do to it, beside its own demands.
void judge_order(const SourceFile& file, const Stage& stage, bool is_own_text,
                 std::vector<Diagnostic>& result) {
  const Behaviour& behaviour = stage.behaviour;
  // `head -n 1 | wc -l` asks whether there is one.
  const commands::LineCount count = stage.input.count;
  const bool is_one = count.most == 1 && (count.least == 1 || stage.input.may_lack_newline);
  if (behaviour.counts_lines && stage.is_piped && is_one && !is_own_text) {
    result.push_back(
        about(file, stage, "T107",
              fmt::format("{} counts lines, and there is never more than one here", stage.name)));
  }
  if (behaviour.needs_grouped && stage.input.order == Order::kScattered) {
    Diagnostic unsorted = about(
        file, stage, "T106",
        fmt::format(
            "{} compares only neighbours, and equal lines may stand apart here: sort them first",
            stage.name));
    if (!stage.input.scattered_by.empty()) {
      unsorted.notes.push_back({file, stage.input.scattered_by, "the order is lost here"});
    }
    result.push_back(std::move(unsorted));
  }
  if (behaviour.needs_many && stage.is_piped && stage.input.count.most == 1) {
    result.push_back(
        about(file, stage, "T107",
              fmt::format("{} compares lines, and there is never more than one here", stage.name)));
  }
}

// `date +%N | grep -q N`: on other systems there is something to find.
bool may_find_elsewhere(std::span<const Stage> stages) {
  const auto& selects = stages.back().behaviour.selects;
  const auto* writer = stages.size() > 1 ? &stages[stages.size() - 2].behaviour : nullptr;
  return selects && writer && writer->elsewhere &&
         !regular::disjoint(*writer->elsewhere, *selects).yes();
}

// Whether it prints nothing, or nothing but empty lines, whatever it reads. To count empty lines
// (`tr -cd '\n' | wc -c`) is a use of them.
void judge_output(const SourceFile& file, std::span<const Stage> stages, const Stage* next,
                  bool is_own_text, std::vector<Diagnostic>& result) {
  const Stage& stage = stages.back();
  const Behaviour& behaviour = stage.behaviour;
  // `echo abc | grep -q b`: whoever asks that asks what the commands of this system do.
  const bool asks_only = stage.drops_output || behaviour.never_selects;
  if (asks_only && (is_own_text || may_find_elsewhere(stages))) return;
  if (behaviour.never_selects || (behaviour.is_filter && commands::is_silent(behaviour.output))) {
    result.push_back(about(file, stage, "T102",
                           fmt::format("{} can never {} anything here", stage.name,
                                       behaviour.never_selects ? "find" : "print")));
    return;
  }
  const bool is_counted = next && next->behaviour.discards_order && !next->behaviour.needs_many;
  if (!behaviour.is_filter || !stage.is_piped || is_counted || stage.holds_setting) return;
  const Lang empty = stage.input.rest.context().epsilon();
  const auto all_empty = regular::included(commands::any_line(behaviour.output), empty);
  if (!all_empty.yes() || !regular::included(commands::any_line(stage.input), empty).no()) return;
  result.push_back(about(file, stage, "T102",
                         fmt::format("{} can print nothing but empty lines here", stage.name)));
}

// In a program between single quotes, which stands in the script as the command reads it, the place
// itself; else the whole word.
Span place_of(const SourceFile& file, const commands::Problem& problem) {
  const std::string_view word = file.text(problem.span);
  const bool is_verbatim =
      word.size() > 2 && word.front() == '\'' && word.find('\'', 1) == word.size() - 1;
  if (!problem.inside || !is_verbatim) return problem.span;
  const Span text{problem.span.begin + 1, problem.span.end - 1};
  const uint32_t begin = std::min(text.begin + problem.inside->begin, text.end - 1);
  return {begin, std::clamp(text.begin + problem.inside->end, begin + 1, text.end)};
}

}  // namespace

std::vector<Diagnostic> judge(const SourceFile& file, std::span<const Stage> stages,
                              std::span<const Stage> following) {
  const Stage* next = following.empty() ? nullptr : &following[0];
  std::vector<Diagnostic> result;
  const Stage& stage = stages.back();
  const Behaviour& behaviour = stage.behaviour;
  for (const auto& problem : behaviour.problems) {
    if (problem.code == "T110" && stage.drops_errors) continue;
    Diagnostic diagnostic = finding(problem.code, file, place_of(file, problem), problem.message);
    if (problem.is_certain) diagnostic.confidence = Confidence::kCertain;
    if (!problem.help.empty()) diagnostic.notes.push_back({file, problem.span, problem.help});
    result.push_back(std::move(diagnostic));
  }
  if (stage.is_piped && !behaviour.reads_input) {
    result.push_back(about(file, stage, "T103",
                           fmt::format("{} does not read what is piped into it", stage.name)));
    return result;
  }
  // A file or a here-document whose lines are known is as good as a pipe.
  const bool knows_input = stage.is_piped || stage.input.choice == Choice::kFormat;
  // What comes after a stage without output is not to blame for it.
  if (knows_input && commands::is_silent(stage.input)) return result;
  if (knows_input && behaviour.reads_input) {
    for (const Check& check : behaviour.checks) {
      // `| grep . >/dev/null`, `if ls | grep .`: whoever asks so asks whether there are lines.
      const bool is_question = stage.drops_output || (stage.is_tested && behaviour.selects);
      // `tail -n +1 | head`: whoever reads all keeps the writer from dying of SIGPIPE.
      const bool is_buffer = behaviour.picks_by_place && next && next->stops_early;
      if ((is_question || is_buffer) && check.code == "T104") continue;
      auto found = check.kind == Check::Kind::kEvery ? every(file, stages, check)
                                                     : not_all(file, stages, check, following);
      if (!found) continue;
      add_advice(*found, check, file, stages);
      result.push_back(std::move(*found));
    }
    judge_order(file, stage, stages.front().prints_words, result);
    judge_output(file, stages, next, stages.front().prints_words, result);
  } else if (stage.reads_known_file || (next && next->is_piped)) {
    judge_output(file, stages, next, false, result);  // `sed -n s/a/b/ FILE |`, whatever is in it
  }
  if (auto lost = lost_work(file, stage, following)) result.push_back(std::move(*lost));
  return result;
}

}  // namespace nacre::flow
