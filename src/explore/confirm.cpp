#include "explore/confirm.h"

#include <fmt/format.h>

#include "explore/open_scene.h"
#include "explore/outcome.h"
#include "explore/prepare.h"

namespace nacre::explore {

namespace {

std::string needs_of(const Run& run) {
  constexpr size_t kMaxFacts = 6;
  std::vector<std::string> facts;
  for (const Decision& each : run.decisions) {
    if (each.chosen > 0 && facts.size() < kMaxFacts)
      facts.push_back(Fact{each.kind, each.subject, each.answer().text}.text());
  }
  return fmt::format("{}", fmt::join(facts, ", "));
}

std::string shown(const Reached& reached, uint32_t line, bool& is_reached) {
  is_reached = false;
  if (!reached.refusal.empty()) return "not confirmed: " + reached.refusal;
  const auto found = reached.lines.find(line);
  if (found == reached.lines.end()) {
    return reached.is_exhaustive ? "no run over any file system reaches this place"
                                 : "not confirmed: no run that was tried reaches this place";
  }
  is_reached = true;
  return found->second.empty() ? "a run reaches this place in an ordinary file system"
                               : "a run reaches this place if: " + found->second;
}

}  // namespace

Reached lines_reached(const SourceFile& file, const Budget& budget) {
  Reached result;
  World start = open_world();
  auto script = prepare(file, Given(), start);
  if (!script) {
    result.refusal = script.error().message;
    return result;
  }
  const Exploration all = explore(*script, start, budget, Merge::kYes, [&](Run&& run) {
    for (const uint32_t line : run.lines) {
      if (!result.lines.contains(line)) result.lines.emplace(line, needs_of(run));
    }
  });
  result.is_exhaustive = all.is_exhaustive;
  return result;
}

void confirm(std::vector<Diagnostic>& findings, const Budget& budget) {
  std::map<std::string, Reached> by_file;
  for (Diagnostic& finding : findings) {
    if (!finding.code.starts_with("F1")) continue;
    const std::string name(finding.file.name());
    auto known = by_file.find(name);
    if (known == by_file.end())
      known = by_file.emplace(name, lines_reached(finding.file, budget)).first;
    bool is_reached = false;
    const std::string text = shown(
        known->second, static_cast<uint32_t>(finding.file.line_of(finding.span.begin)), is_reached);
    finding.notes.push_back({finding.file, finding.span, text});
    if (is_reached) finding.confidence = Confidence::kCertain;
  }
}

}  // namespace nacre::explore
