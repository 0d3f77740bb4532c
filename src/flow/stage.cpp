#include "flow/stage.h"

#include <fmt/core.h>

#include "base/codes.h"
#include "regular/decide.h"

namespace nacre::flow {

namespace {

using commands::Behaviour;
using commands::Check;
using commands::Choice;
using commands::Order;
using regular::Lang;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\t')
      out += "\\t";
    else if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

// Follows a line that the last stage reads back through the stages, as far as each printed line has
// one origin; says what the line was on the way.
void trace_back(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> stages,
                std::string line) {
  std::vector<Note> path;
  for (size_t i = stages.size() - 1; i > 0; i--) {
    const Stage& writer = stages[i - 1];
    path.push_back({file, writer.span, fmt::format("{} prints {}", writer.name, quoted(line))});
    if (!writer.behaviour.trace || !writer.is_piped) break;
    const auto& trace = *writer.behaviour.trace;
    Lang origin =
        regular::preimage(trace.map, writer.input.rest.context().literal(line)) & trace.keeps;
    origin = origin & commands::any_line(writer.input);
    auto earlier = regular::shortest(origin);
    if (!earlier) break;
    line = std::move(*earlier);
  }
  diagnostic.path.assign(path.rbegin(), path.rend());
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
  if (stage.input.choice == Choice::kOpaque && !none_fits.yes()) return std::nullopt;
  const auto all_fit = regular::included(lines, check.lines);
  if (!all_fit.no()) return std::nullopt;
  Diagnostic result = about(file, stage, check.code, check.message);
  const bool is_certain = none_fits.yes() && none_fits.is_certain &&
                          commands::is_exact(stage.input) && stage.input.count.least > 0;
  result.confidence = is_certain           ? Confidence::kCertain
                      : all_fit.is_certain ? Confidence::kLikely
                                           : Confidence::kPossible;
  result.counterexample = all_fit.witness;
  trace_back(result, file, stages, all_fit.witness);
  return result;
}

std::optional<Diagnostic> not_all(const SourceFile& file, std::span<const Stage> stages,
                                  const Check& check, const Stage* next) {
  if (check.only_if_order_matters && next && next->behaviour.ignores_order) return std::nullopt;
  const Stage& stage = stages.back();
  const auto all = regular::included(commands::any_line(stage.input), check.lines);
  if (!all.yes()) return std::nullopt;
  Diagnostic result = about(file, stage, check.code, check.message);
  result.confidence = all.is_certain ? Confidence::kLikely : Confidence::kPossible;
  if (auto example = regular::shortest(commands::any_line(stage.input))) {
    result.counterexample = *example;
    trace_back(result, file, stages, *example);
  }
  return result;
}

}  // namespace

std::vector<Diagnostic> judge(const SourceFile& file, std::span<const Stage> stages,
                              const Stage* next) {
  std::vector<Diagnostic> result;
  const Stage& stage = stages.back();
  const Behaviour& behaviour = stage.behaviour;
  for (const auto& problem : behaviour.problems) {
    Diagnostic diagnostic = finding(problem.code, file, problem.span, problem.message);
    diagnostic.confidence = Confidence::kCertain;
    if (!problem.help.empty()) diagnostic.notes.push_back({file, problem.span, problem.help});
    result.push_back(std::move(diagnostic));
  }
  if (stage.is_piped && !behaviour.reads_input) {
    result.push_back(about(file, stage, "T103",
                           fmt::format("{} does not read what is piped into it", stage.name)));
    return result;
  }
  // What comes after a stage without output is not to blame for it.
  if (stage.is_piped && commands::is_silent(stage.input)) return result;
  if (stage.is_piped) {
    for (const Check& check : behaviour.checks) {
      auto found = check.kind == Check::Kind::kEvery ? every(file, stages, check)
                                                     : not_all(file, stages, check, next);
      if (found) result.push_back(std::move(*found));
    }
    if (behaviour.needs_grouped && stage.input.order == Order::kScattered) {
      Diagnostic unsorted = about(
          file, stage, "T106",
          fmt::format("{} sees only neighbours, and equal lines may stand apart here", stage.name));
      if (!stage.input.scattered_by.empty()) {
        unsorted.notes.push_back({file, stage.input.scattered_by, "the order is lost here"});
      }
      result.push_back(std::move(unsorted));
    }
    if (behaviour.never_selects || (behaviour.is_filter && commands::is_silent(behaviour.output))) {
      result.push_back(
          about(file, stage, "T102", fmt::format("{} can never print anything here", stage.name)));
    }
  }
  return result;
}

}  // namespace nacre::flow
