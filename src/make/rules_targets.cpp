// Rules about targets and whether their recipes make them.
#include <algorithm>
#include <fmt/format.h>

#include "make/rules.h"

namespace nacre::make {

namespace {

// The standard targets of the GNU coding standards and their like: what they do is no file. A name
// that begins with one and a dash is of the same kind (clean-all, test-unit).
constexpr std::string_view kActions[] = {
    "all",         "bench",        "check",  "clean",
    "cleanall",    "coverage",     "debug",  "deploy",
    "distclean",   "fmt",          "format", "help",
    "install",     "installcheck", "lint",   "maintainer-clean",
    "mostlyclean", "publish",      "push",   "realclean",
    "release",     "run",          "serve",  "start",
    "stop",        "test",         "tests",  "uninstall",
    "upload",      "veryclean",    "watch"};

// A plain word: neither a path nor a file with an extension.
bool is_plain_word(std::string_view name) {
  return !name.empty() && name.find_first_of("./%$() ") == std::string_view::npos;
}

bool writes(const RecipeFacts& facts, std::string_view path) {
  for (const LineFacts& line : facts.lines) {
    for (const PathUse& use : line.uses) {
      if (use.kind != PathUse::kRemoved && (use.path == path || !is_known(use.path))) return true;
    }
  }
  return false;
}

bool writes_exactly(const RecipeFacts& facts, std::string_view path) {
  return std::any_of(facts.lines.begin(), facts.lines.end(), [&](const LineFacts& line) {
    return std::any_of(line.uses.begin(), line.uses.end(), [&](const PathUse& use) {
      return use.kind == PathUse::kWritten && use.path == path;
    });
  });
}

// Something is put into a directory, under a name that only the files there tell.
bool writes_into_directory(const RecipeFacts& facts) {
  return std::any_of(facts.lines.begin(), facts.lines.end(), [](const LineFacts& line) {
    return std::any_of(line.uses.begin(), line.uses.end(), [](const PathUse& use) {
      const bool has_extension = file_part(use.path).find('.') != std::string_view::npos;
      return (use.may_be_directory && !has_extension) || use.path == "." || use.path.ends_with('/');
    });
  });
}

// The target is surely not made: every command is understood, or the name says that it is not a
// file.
bool makes_nothing(const RecipeFacts& facts, const std::string& target) {
  if (facts.recipe->lines.empty() || facts.mentions(target) || writes(facts, target)) return false;
  if (is_action_name(target)) return true;
  return facts.is_understood();
}

// prog: src/prog.c. A file is made of one with its name, not an action done.
bool is_named_after_source(const Rule& rule, std::string_view target) {
  return !is_action_name(target) &&
         std::any_of(rule.prerequisites.begin(), rule.prerequisites.end(),
                     [&](std::string_view each) {
                       const std::string_view name = file_part(each);
                       return name.size() > target.size() + 1 && name.starts_with(target) &&
                              name.find('.') == target.size();
                     });
}

// The first file that a recipe makes; null unless it is plain that it makes that one only.
const PathUse* made_by(const RecipeFacts& facts) {
  const PathUse* made = nullptr;
  for (const LineFacts& line : facts.lines) {
    for (const Call& call : line.calls)
      if (call.words[0] == "cd" || call.words[0] == "exit") return nullptr;
    for (const PathUse& use : line.uses) {
      if (use.kind == PathUse::kWritten && made == nullptr) made = &use;
    }
  }
  return made;
}

// prog: prog.c            (the recipe writes program and nothing else)
// Who makes doc.html for doc means an action.
const PathUse* made_instead(const Rule& rule, const RecipeFacts& facts, std::string_view target) {
  if (!is_named_after_source(rule, target) || !facts.is_understood()) return nullptr;
  const PathUse* made = writes_into_directory(facts) ? nullptr : made_by(facts);
  return made == nullptr || file_part(made->path).starts_with(fmt::format("{}.", target)) ? nullptr
                                                                                          : made;
}

Fix phony_fix(const Facts& facts, const Rule& rule, const std::string& target) {
  const SourceFile& file = facts.file;
  const uint32_t line = file.line_span(file.line_of(rule.place.span.begin)).begin;
  return {fmt::format("declare '{}' phony", target),
          {{{line, line}, fmt::format(".PHONY: {}\n", target)}},
          false};
}

}  // namespace

bool is_action_name(std::string_view name) {
  return std::any_of(std::begin(kActions), std::end(kActions), [&](std::string_view each) {
    return name == each ||
           (name.starts_with(each) && (name[each.size()] == '-' || name[each.size()] == '_'));
  });
}

// clean:            -> M101         prog: main.c                -> nothing
//     rm -f *.o                         cc -o $@ main.c
void report_not_phony(const Facts& facts, const Demands&, Findings& findings) {
  if (facts.phony_is_unknown) return;
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    const std::string& target = each.recipe->target;
    if (!is_plain_word(target) || facts.is_phony(target) || !facts.is_here(rule.place)) continue;
    if (!rule.is_own || rule.is_assumed || !makes_nothing(each, target)) continue;
    if (made_instead(rule, each, target) != nullptr) continue;  // M107
    Diagnostic& found = findings.add(
        "M101", facts.target_span(rule, target),
        fmt::format("'{}' is an action, not a file: with a file of that name make does nothing; "
                    "declare it in .PHONY",
                    target));
    if (rule.arm == kAlways) found.fixes.push_back(phony_fix(facts, rule, target));
  }
}

// a: ; echo 1       -> M106         a:: ; echo 1                -> nothing
// a: ; echo 2                       a:: ; echo 2
void report_two_recipes(const Facts& facts, const Demands&, Findings& findings) {
  const Database& database = *facts.database;
  for (const auto& [name, target] : database.targets) {
    if (name.starts_with('.')) continue;
    for (size_t i = 0; i < target.rules.size(); i++) {
      const Rule& rule = database.rules[target.rules[i]];
      if (!rule.has_recipe || rule.is_double_colon || rule.is_assumed || !facts.is_here(rule.place))
        continue;
      const auto earlier =
          std::find_if(target.rules.begin(), target.rules.begin() + static_cast<ptrdiff_t>(i),
                       [&](size_t index) {
                         const Rule& other = database.rules[index];
                         return other.has_recipe && !other.is_double_colon && !other.is_assumed &&
                                !database.excludes(other.arm, rule.arm);
                       });
      if (earlier == target.rules.begin() + static_cast<ptrdiff_t>(i)) continue;
      const Rule& first = database.rules[*earlier];
      const bool is_sure = first.arm == kAlways && rule.arm == kAlways;
      // An arm that replaces what holds otherwise may be meant to.
      if (!is_sure) continue;
      Diagnostic& found =
          findings.add("M106", facts.target_span(rule, name),
                       fmt::format("'{}' has a recipe already: make ignores the first one", name),
                       Confidence::kCertain);
      found.notes.push_back(
          {first.place.file,
           facts.is_here(first.place) ? facts.target_span(first, name) : first.place.span,
           "the first one is here"});
    }
  }
}

// a.txt: b.txt      -> M107         a.txt: b.txt                -> nothing
//     cp b.txt c.txt                    cp b.txt a.txt
void report_recipe_without_target(const Facts& facts, const Demands&, Findings& findings) {
  if (facts.phony_is_unknown) return;
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    const std::string& target = each.recipe->target;
    if (target.empty() || target.starts_with('.') || facts.is_phony(target)) continue;
    if (!facts.is_here(rule.place) || rule.is_assumed || rule.arm != kAlways) continue;
    if (!each.is_understood() || each.mentions(target) || writes(each, target)) continue;
    if (writes_into_directory(each)) continue;
    if (is_plain_word(target) ? made_instead(rule, each, target) == nullptr
                              : each.contains(file_part(target)))
      continue;
    const PathUse* made = made_by(each);
    if (made == nullptr) continue;
    findings.add("M107", facts.target_span(rule, target),
                 fmt::format("the recipe makes '{}', not '{}': make runs it every time", made->path,
                             target));
  }
}

// prog: deps        -> M120         prog: | deps                -> nothing
//     cc -o $@ main.c
// .PHONY: deps
// deps: ; ./fetch
void report_always_remade(const Facts& facts, const Demands&, Findings& findings) {
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    const std::string& target = each.recipe->target;
    if (target.empty() || facts.is_phony(target) || facts.phony_is_unknown) continue;
    if (!facts.is_here(rule.place) || rule.is_assumed || rule.prerequisites_span.empty()) continue;
    if (!writes_exactly(each, target)) continue;
    for (const std::string& name : rule.prerequisites) {
      if (!facts.is_phony(name)) continue;
      const RecipeFacts* needed = facts.recipe_of(name);
      if (needed == nullptr || needed->recipe->lines.empty()) continue;
      // `prog: clean`: to be remade every time is what it is there for.
      if (std::all_of(needed->lines.begin(), needed->lines.end(),
                      [](const LineFacts& line) { return line.only_removes(); }))
        continue;
      findings.add("M120", rule.prerequisites_span,
                   fmt::format("'{}' is phony, so '{}' is remade every time; if only the order "
                               "matters, write `| {}`",
                               name, target, name));
      break;
    }
  }
}

// a.c a.h: a.y      -> M121         a.c a.h &: a.y              -> nothing
//     gen a.y -o a.c -h a.h
void report_repeated_recipe(const Facts& facts, const Demands&, Findings& findings) {
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    if (rule.targets.size() < 2 || rule.is_grouped || rule.is_pattern || rule.is_double_colon)
      continue;
    if (!facts.is_here(rule.place) || rule.is_assumed || !rule.is_own ||
        !rule.target_pattern.empty())
      continue;
    const auto is_file = [&](const std::string& name) {
      return !facts.is_phony(name) && !is_plain_word(name) && each.contains(name);
    };
    if (each.uses_target_variable() ||
        !std::all_of(rule.targets.begin(), rule.targets.end(), is_file))
      continue;
    findings.add(
        "M121", rule.targets_span,
        fmt::format("this recipe makes {} targets but runs once for each of them, with -j at "
                    "the same time; write `&:` (make 4.3) or a stamp file",
                    rule.targets.size()));
  }
}

// A Makefile with `prog: main.c` and no `clean` -> M113
void report_missing_clean(const Facts& facts, const Demands&, Findings& findings) {
  const Database& database = *facts.database;
  const std::string_view name = file_part(facts.file.name());
  const bool is_main = name == "Makefile" || name == "makefile" || name == "GNUmakefile";
  if (!is_main || database.has_unknown_parts) return;
  const RecipeFacts* maker = nullptr;
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    for (const std::string& target : rule.targets) {
      if (target.find("clean") != std::string::npos || target == "%") return;
      const bool is_file =
          !facts.is_phony(target) && !rule.is_pattern && writes_exactly(each, target);
      if (maker == nullptr && is_file) maker = &each;
    }
  }
  for (const auto& [target, rules] : database.targets) {
    if (target.find("clean") != std::string::npos) return;
  }
  if (maker == nullptr || !facts.is_here(maker->recipe->rule->place)) return;
  const Rule& rule = *maker->recipe->rule;
  findings.add("M113", facts.target_span(rule, rule.targets[0]),
               "files are made here, and no `clean` target removes them");
}

// Only if the user demands targets (checkmake's minphony).
void report_missing_targets(const Facts& facts, const Demands& demands, Findings& findings) {
  for (const std::string& name : demands.required_targets) {
    const auto found = facts.database->targets.find(name);
    const bool is_there = found != facts.database->targets.end() &&
                          (found->second.is_phony || facts.phony_is_unknown);
    if (is_there) continue;
    findings.add("M118", {0, 0}, fmt::format("Missing required phony target \"{}\"", name),
                 Confidence::kCertain);
  }
}

}  // namespace nacre::make
