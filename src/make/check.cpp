#include "make/check.h"

#include <algorithm>

#include "flow/check.h"

namespace nacre::make {

namespace {

// An edit is one of the Makefile's own bytes: `$` of the shell is `$$` here, and nothing that comes
// from a reference is touched.
bool adapt_fix(const ShellLine& line, Fix& fix) {
  for (Edit& edit : fix.edits) {
    if (!line.place.span.contains(edit.span)) return false;
    const std::string_view old = line.place.file.text(edit.span);
    if (old.find('$') != std::string_view::npos || !line.is_own) return false;
    for (const Span& reference : line.references) {
      if (reference.begin < edit.span.end && edit.span.begin < reference.end) return false;
      if (edit.span.empty() && reference.begin < edit.span.begin && edit.span.begin < reference.end)
        return false;
    }
    if (edit.text.find('\n') != std::string::npos) return false;
    std::string doubled;
    for (char c : edit.text) doubled.append(c == '$' ? "$$" : std::string(1, c));
    edit.text = doubled;
  }
  return true;
}

// What is said of a hole is said of something that nobody knows.
bool touches_hole(const ShellLine& line, Span span) {
  return std::any_of(line.holes.begin(), line.holes.end(),
                     [&](Span hole) { return hole.begin <= span.end && span.begin <= hole.end; });
}

class RecipeChecker {
 public:
  RecipeChecker(const Facts& facts, const commands::CardLibrary& cards, CheckResult& result)
      : facts_(facts), cards_(cards), result_(result) {}

  void check(const ShellLine& line) {
    if (line.program == nullptr || !line.is_own || !facts_.is_here(line.place)) return;
    // An unknown value may hold quotes and operators: what it leaves open is no mistake.
    for (Diagnostic& each : line.program->diagnostics) {
      if (line.holes.empty() || each.code != "S010") add(line, each);
    }
    if (!line.program->is_valid()) return;
    flow::CheckResult checked = flow::check(line.program->tree, cards_);
    result_.is_exhausted |= checked.is_exhausted;
    for (Diagnostic& each : checked.findings) add(line, each);
  }

 private:
  void add(const ShellLine& line, Diagnostic& each) {
    if (touches_hole(line, each.span)) return;
    if (!line.holes.empty() && each.confidence == Confidence::kCertain) {
      each.confidence = Confidence::kLikely;
    }
    std::erase_if(each.fixes, [&](Fix& fix) { return !adapt_fix(line, fix); });
    result_.findings.push_back(std::move(each));
  }

  const Facts& facts_;
  const commands::CardLibrary& cards_;
  CheckResult& result_;
};

Layout layout_of(const Facts& facts) {
  Layout layout;
  for (const Statement& statement : facts.statements) {
    if (!statement.comment.empty()) layout.comments.push_back(statement.comment);
    if (statement.kind != Kind::kBlank) layout.statements.push_back(statement.span);
    // A whole line of a recipe that is a comment of the shell.
    if (statement.kind == Kind::kRecipe && skip_space(facts.of(statement.body)).starts_with('#')) {
      layout.comments.push_back(statement.body);
    }
  }
  return layout;
}

}  // namespace

CheckResult check(const SourceFile& file, const commands::CardLibrary& cards,
                  const CheckOptions& options) {
  CheckResult result;
  Database database = read_makefile(file, options.reading);
  result.findings = std::move(database.findings);
  result.is_accepted = database.is_accepted;
  const Facts facts = gather_facts(file, database, options.reading, cards, result.findings);
  result.layout = layout_of(facts);
  Findings findings(file);
  for (RuleFunction rule : rules()) rule(facts, options.demands, findings);
  for (Diagnostic& each : findings.take()) result.findings.push_back(std::move(each));
  result.is_exhausted = database.is_exhausted;
  RecipeChecker checker(facts, cards, result);
  size_t left = options.checks_recipes ? options.max_recipe_checks : 0;
  for (const Recipe& recipe : facts.recipes) {
    for (const ShellLine& line : recipe.lines) {
      if (left == 0) {
        result.is_exhausted |= options.checks_recipes;
        break;
      }
      left--;
      checker.check(line);
    }
  }
  return result;
}

}  // namespace nacre::make
