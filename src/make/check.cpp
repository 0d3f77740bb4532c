#include "make/check.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "flow/check.h"
#include "shell/visitor.h"

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

bool touches(const std::vector<Span>& spans, Span span) {
  return std::any_of(spans.begin(), spans.end(),
                     [&](Span each) { return each.begin <= span.end && span.begin <= each.end; });
}

// Findings of shell code that are none in a recipe.
bool is_beside_the_point(const ShellLine& line, std::string_view code) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), code) != list.end();
  };
  // Names with blanks are beyond make itself, and `rm *.o` is in a directory that make fills.
  if (is_one_of({"X103", "X113", "T108"})) return true;
  // make gives the shell an environment that is not in the line.
  if (is_one_of({"X102", "X110"})) return true;
  // A condition on a variable of make is the same every time: that is what it is for.
  if (is_one_of({"T301", "T302", "T104"})) return !line.references.empty();
  // Types of streams count on words that are known: a hole may be several, or an option.
  return code.starts_with("T1") && !line.holes.empty();
}

class RecipeChecker {
 public:
  RecipeChecker(const Facts& facts, const commands::CardLibrary& cards, Stop stop,
                CheckResult& result)
      : facts_(facts), cards_(cards), stop_(stop), result_(result) {}

  void check(const ShellLine& line) {
    if (line.program == nullptr || !line.is_own || !facts_.is_here(line.place)) return;
    // An unknown value may hold quotes and operators: what it leaves open is no mistake.
    for (Diagnostic& each : line.program->diagnostics) {
      if (each.code == "S013" && !facts_.shell.is_one_shell) continue;
      if (line.holes.empty() && !touches(line.references, each.span)) add(line, each);
    }
    if (!line.program->is_valid()) return;
    if (!facts_.shell.is_one_shell) report_open_documents(line);
    flow::CheckOptions options;
    options.budget.stop = stop_;
    flow::CheckResult checked = flow::check(line.program->tree, cards_, options);
    result_.is_exhausted |= checked.is_exhausted;
    for (Diagnostic& each : checked.findings) add(line, each);
  }

 private:
  // A line of a recipe is all that its shell gets: no document can follow.
  void report_open_documents(const ShellLine& line) {
    shell::walk(
        line.program->tree.program(), shell::Visitor{[&](const shell::Redirection& redirection) {
          if (redirection.here_document == nullptr || !redirection.here_document->end_span.empty())
            return;
          Diagnostic found =
              finding("S013", facts_.file, redirection.span,
                      "the here-document is empty: each recipe line has a shell of its "
                      "own, and the next lines are run as commands; use printf, or "
                      ".ONESHELL");
          add(line, found);
        }});
  }

  void add(const ShellLine& line, Diagnostic& each) {
    // What is said of a hole is said of something that is not known.
    if (touches(line.holes, each.span) || is_beside_the_point(line, each.code)) return;
    if (!line.holes.empty() && each.confidence == Confidence::kCertain) {
      each.confidence = Confidence::kLikely;
    }
    std::erase_if(each.fixes, [&](Fix& fix) { return !adapt_fix(line, fix); });
    result_.findings.push_back(std::move(each));
  }

  const Facts& facts_;
  const commands::CardLibrary& cards_;
  Stop stop_;
  CheckResult& result_;
};

// Which other program a line is written for; empty if it may be for GNU make.
std::string_view written_for(std::string_view line) {
  line = strip(line);
  const auto begins = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return line.starts_with(word) && (line.size() == word.size() || is_space(line[word.size()]));
    });
  };
  if (begins({".if", ".ifdef", ".ifndef", ".include", ".for", ".endif", ".else", ".elif"}))
    return "BSD make";
  if (line.starts_with('!') && line.size() > 1 && line[1] != '=') return "nmake";
  // The end of a file that stands in the recipe.
  if (begins({"<<", "<<KEEP", "<<NOKEEP"})) return "nmake";
  // Only automake's conditionals have a bare name.
  if (begins({"if"}) && words_of(line).size() == 2) return "automake";
  return "";
}

// A Makefile for another program gets one finding instead of one for each of its directives.
bool unite_foreign(const SourceFile& file, std::vector<Diagnostic>& findings) {
  const auto first = std::find_if(findings.begin(), findings.end(), [&](const Diagnostic& each) {
    return each.code == "M001" && each.file.name() == file.name() &&
           !written_for(file.text(each.span)).empty();
  });
  if (first == findings.end()) return false;
  const Diagnostic united = finding(
      "M010", file, first->span,
      fmt::format(
          "this line is for {}: GNU make cannot read this file, and the rest is not checked",
          written_for(file.text(first->span))));
  std::erase_if(findings, [](const Diagnostic& each) {
    return each.code.starts_with("M0") || each.code == "M102";
  });
  findings.push_back(united);
  return true;
}

// A page of this family has one name that checkmake has for it, if any.
void add_aliases(Diagnostic& diagnostic) {
  const Code* code = find_code(diagnostic.code);
  if (code == nullptr) return;
  for (const std::string_view alias : code->aliases) diagnostic.aliases.emplace_back(alias);
}

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
  if (unite_foreign(file, result.findings)) return result;
  Findings findings(file);
  for (RuleFunction rule : rules()) rule(facts, options.demands, findings);
  for (Diagnostic& each : findings.take()) {
    add_aliases(each);
    result.findings.push_back(std::move(each));
  }
  result.is_exhausted = database.is_exhausted;
  RecipeChecker checker(facts, cards, options.stop, result);
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
