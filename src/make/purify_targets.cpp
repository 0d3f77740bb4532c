// Rewrites that add rules: .PHONY, clean, .NOTPARALLEL.
#include <algorithm>
#include <fmt/format.h>

#include "make/purify.h"
#include "make/rules.h"

namespace nacre::make {

namespace {

std::vector<Diagnostic> findings_of(const Facts& facts, RuleFunction rule) {
  Findings findings(facts.file);
  rule(facts, {}, findings);
  return findings.take();
}

// `all` and its like have no recipe and are no files; other names may be made by built-in rules.
std::vector<std::string> aggregates(const Facts& facts) {
  std::vector<std::string> names;
  for (const auto& [name, target] : facts.database->targets) {
    if (target.is_phony || !is_action_name(name) || target.rules.empty()) continue;
    const auto has_recipe = [&](size_t index) { return facts.database->rules[index].has_recipe; };
    if (std::none_of(target.rules.begin(), target.rules.end(), has_recipe)) names.push_back(name);
  }
  return names;
}

// Above the comments that belong to a rule.
uint32_t line_above(const Facts& facts, const Rule& rule) {
  uint32_t line = facts.file.line_of(rule.place.span.begin);
  while (line > 1 && facts.of(facts.file.line_span(line - 1)).starts_with('#')) line--;
  return facts.file.line_span(line).begin;
}

std::string at_end(const Facts& facts, std::string_view text) {
  const bool is_closed = facts.file.bytes().empty() || facts.file.bytes().back() == '\n';
  return (is_closed ? "" : "\n") + std::string(text);
}

Edit append(const Facts& facts, std::string_view text) {
  const uint32_t end = facts.file.whole().end;
  return {{end, end}, at_end(facts, text)};
}

// Files that recipes make under a name that is known: not what they read.
std::set<std::string> known_outputs(const Facts& facts) {
  std::set<std::string> outputs;
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    if (rule.is_assumed || rule.arm != kAlways) continue;
    for (const LineFacts& line : each.lines) {
      for (const PathUse& use : line.uses) {
        const bool is_target = use.path == each.recipe->target;
        const bool is_named =
            use.call != std::string::npos && facts.of(use.span) == use.path;  // -o NAME
        if (use.kind != PathUse::kWritten || use.may_be_directory || (!is_target && !is_named))
          continue;
        const bool is_plain =
            use.path.find_first_of(" \t'\"$*?[]\\;&|<>()#~") == std::string::npos &&
            (is_target || use.path.find_first_of("./") != std::string::npos) &&
            !use.path.ends_with('/') && !use.path.starts_with('/') && !use.path.starts_with('-') &&
            use.path.find("..") == std::string::npos;
        if (is_known(use.path) && is_plain && !use.path.empty() && !facts.is_phony(use.path))
          outputs.insert(use.path);
      }
    }
  }
  // A prerequisite that nothing makes is a source.
  for (const Rule& rule : facts.database->rules) {
    for (const std::string& name : rule.prerequisites) {
      if (facts.recipe_of(name) == nullptr) outputs.erase(name);
    }
  }
  return outputs;
}

}  // namespace

void offer_phony(const Facts& facts, std::vector<Rewrite>& rewrites) {
  if (facts.phony_is_unknown) return;
  std::set<std::string> names;
  for (const Diagnostic& each : findings_of(facts, report_not_phony)) {
    for (const std::string& name : file_names(facts.of(each.span))) names.insert(name);
  }
  for (std::string& name : aggregates(facts)) names.insert(std::move(name));
  const Rule* first = nullptr;
  std::vector<std::string> listed;  // in the order of the text
  for (const Rule& rule : facts.database->rules) {
    if (!rule.is_own || !facts.is_here(rule.place) || rule.is_pattern) continue;
    for (const std::string& target : rule.targets) {
      if (!names.contains(target) ||
          std::find(listed.begin(), listed.end(), target) != listed.end())
        continue;
      listed.push_back(target);
      if (first == nullptr && rule.arm == kAlways) first = &rule;
    }
  }
  if (listed.empty()) return;
  Rewrite rewrite{.name = "phony", .place = first != nullptr ? first->targets_span : Span{0, 0}};
  rewrite.message = ".PHONY: " + join_words(listed);
  rewrite.differs_when = "a file has the name of one of these targets";
  rewrite.needs.push_back(
      {ObligationKind::kNoFile, rewrite.place, true, "no recipe makes these files"});
  const std::string line = rewrite.message + "\n";
  if (first != nullptr) {
    const uint32_t at = line_above(facts, *first);
    rewrite.edits = {{{at, at}, line}};
  } else {
    rewrite.edits = {append(facts, line)};
  }
  rewrites.push_back(std::move(rewrite));
}

void offer_clean(const Facts& facts, std::vector<Rewrite>& rewrites) {
  const Database& database = *facts.database;
  if (database.default_goal.empty() || database.has_unknown_parts || facts.shell.is_one_shell)
    return;
  for (const auto& [name, target] : database.targets) {
    if (name.find("clean") != std::string::npos) return;
  }
  for (const Rule& rule : database.rules) {
    if (rule.has_unknown_targets) return;
  }
  const auto outputs = known_outputs(facts);
  if (outputs.empty() || database.recipe_prefix != '\t') return;
  Rewrite rewrite{.name = "clean", .place = {facts.file.whole().end, facts.file.whole().end}};
  const std::string list = join_words({outputs.begin(), outputs.end()});
  rewrite.message = "clean: rm -f " + list;
  rewrite.differs_when = "`make clean` is asked for";
  rewrite.needs.push_back(
      {ObligationKind::kOutputs, rewrite.place, true, "recipes make these files: " + list});
  rewrite.edits = {append(facts, fmt::format("\n.PHONY: clean\nclean:\n\trm -f {}\n", list))};
  rewrites.push_back(std::move(rewrite));
}

void offer_order(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const Diagnostic& each : findings_of(facts, report_unordered_writers)) {
    // A second `mkdir` is cured by -p.
    if (facts.of(each.span).find("mkdir") != std::string_view::npos) continue;
    Rewrite rewrite{.name = "not-parallel", .kind = RewriteClass::kRepair, .place = each.span};
    rewrite.message = ".NOTPARALLEL:";
    rewrite.differs_when = "make runs with -j";
    rewrite.needs.push_back({ObligationKind::kUnordered, each.span, true, each.message});
    rewrite.edits = {append(facts, ".NOTPARALLEL:\n")};
    rewrites.push_back(std::move(rewrite));
    return;
  }
}

}  // namespace nacre::make
