#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "make/makefile_reader.h"

namespace nacre::make {

void MakefileReader::add_recipe(const Source& source, Span body) {
  RecipeLine line{std::string(source.of(body)), source.place(body), !source.fixed, arm_};
  if (open_.rules.empty() && !open_.maybe && !no_targets_) return;
  for (size_t index : open_.rules) {
    database_.rules[index].recipe.push_back(line);
    database_.rules[index].has_recipe = true;
  }
}

RuleLine MakefileReader::cut_rule(const Source& source, Span span) {
  while (!span.empty() &&
         (source.text[span.end - 1] == '\n' || source.text[span.end - 1] == '\r')) {
    span.end--;
  }
  const std::string_view line = source.of(span);
  const size_t stop = find_unquoted(line, ";#", true);
  RuleLine result{collapse_lines(line.substr(0, stop)), std::nullopt};
  result.text = unquote(result.text, ";#", true);
  if (stop != std::string_view::npos && line[stop] == ';') {
    result.recipe = Span{span.begin + as_offset(stop) + 1, span.end};
  }
  return result;
}

Expanded MakefileReader::expand_targets(const std::string& line) {
  Expanded result;
  size_t at = 0;
  const Span whole{0, as_offset(line.size())};
  const auto words = word_spans(line, whole);
  for (const Span& word : words) {
    // A colon or `=` ends a word, so that `a:X=$(y)` is not expanded as a whole.
    std::string_view piece = std::string_view(line).substr(word.begin, word.size());
    const size_t colon = find_unquoted(piece, ":", true);
    const std::string_view first = piece.substr(0, colon);
    if (!result.text.bytes.empty()) result.text.bytes += ' ';
    const size_t before = result.text.bytes.size();
    result.text.append(expander_.expand(first));
    at = word.begin + first.size();
    const size_t brought =
        find_unquoted(std::string_view(result.text.bytes).substr(before), ":;", false);
    if (brought != std::string_view::npos) {
      if (result.text.bytes[before + brought] == ';') {
        // Everything after it is recipe, expanded now and once more when it runs.
        result.text.append(expander_.expand(std::string_view(line).substr(at)));
        result.recipe = result.text.bytes.substr(before + brought + 1);
        result.has_recipe = true;
        result.text.bytes.resize(before + brought);
        at = line.size();
      } else {
        result.colon = before + brought;
      }
      break;
    }
    if (colon != std::string_view::npos) {
      result.colon = result.text.bytes.size();
      break;
    }
  }
  result.rest = at < line.size() ? line.substr(at) : "";
  if (result.colon == std::string::npos && !result.has_recipe) result.rest.clear();
  return result;
}

void MakefileReader::read_rule(const Source& source, const Statement& statement) {
  const OpenRules before = open_;
  close_rules();
  const Place place = source.place(statement.span);
  const RuleLine line = cut_rule(source, statement.span);
  Expanded left = expand_targets(line.text);
  if (left.colon == std::string::npos && left.has_recipe) {
    left.colon = find_unquoted(left.text.bytes, ":", false);
  }
  if (left.colon == std::string::npos) {
    return no_colon(source, statement, line, left.text, before);
  }
  std::string targets = left.text.bytes.substr(0, left.colon);
  std::string rest = left.text.bytes.substr(left.colon) + left.rest;
  bool is_expanded = left.rest.empty();
  Rule rule;
  rule.is_grouped = targets.ends_with('&');
  if (rule.is_grouped) targets.pop_back();
  rest.erase(0, 1);
  rule.is_double_colon = rest.starts_with(':') && !rest.starts_with(":=");
  if (rule.is_double_colon) rest.erase(0, 1);
  rule.is_assumed = left.text.is_assumed;
  rule.arm = arm_;
  rule.place = place;
  rule.is_own = !source.fixed && statement.kind == Kind::kRule;
  if (rule.is_own) {
    rule.targets_span = statement.targets;
    rule.prerequisites_span = statement.prerequisites;
  }
  set_targets(rule, targets);
  if (rule.targets.empty() && !rule.has_unknown_targets) {
    no_targets_ = true;
    return;
  }
  if (read_target_variable(source, statement, rule, rest, line.recipe)) return;
  finish_rule(source, rule, rest, is_expanded, line.recipe, left);
}

void MakefileReader::no_colon(const Source& source, const Statement& statement,
                              const RuleLine& line, const Text& text, const OpenRules& before) {
  const Place place = source.place(statement.span);
  if (strip(text.bytes).empty()) {
    if (line.recipe && strip(line.text).empty())
      report("M001", place, "a recipe without a rule: there is no target before the `;`");
    return;
  }
  if (!is_known(text.bytes)) {  // it may be a rule
    open_.maybe = true;
    return;
  }
  if (text.is_assumed) {
    open_.maybe = true;
    return;
  }
  const std::string_view raw = source.of(statement.span);
  if (is_in_unclosed_) return;  // a line of the value
  if (raw.starts_with(database_.recipe_prefix)) {
    return report("M002", place,
                  "a recipe line before any rule: make stops with \"recipe commences before "
                  "first target\"");
  }
  if (raw.starts_with(' ') && !before.rules.empty()) {
    open_ = before;
    return report("M102", place,
                  "this recipe line begins with spaces: make needs a tab and stops with "
                  "\"missing separator\"");
  }
  report("M001", place,
         "this line is neither a rule nor an assignment: make stops with \"missing separator\"");
}

void MakefileReader::set_targets(Rule& rule, const std::string& targets) {
  for (std::string& name : file_names(unquote(targets, ":", false))) {
    if (is_known(name)) {
      rule.targets.push_back(std::move(name));
    } else {
      rule.has_unknown_targets = true;
    }
  }
  rule.is_pattern = !rule.targets.empty() && Pattern(rule.targets[0]).has_percent;
}

bool MakefileReader::read_target_variable(const Source& source, const Statement& statement,
                                          const Rule& rule, const std::string& rest,
                                          std::optional<Span> recipe) {
  std::string text = rest;
  if (recipe) text += ";" + collapse_lines(source.of(*recipe));
  std::string_view at = skip_space(text);
  Modifiers modifiers;
  std::optional<Assignment> found;
  while (!(found = find_assignment(at))) {
    const std::string_view word = at.substr(0, at.find_first_of(" \t"));
    if (word == "export") {
      modifiers.exports = true;
    } else if (word == "override") {
      modifiers.overrides = true;
    } else if (word == "private") {
      modifiers.is_private = true;
    } else {
      return false;
    }
    at = skip_space(at.substr(word.size()));
    if (at.empty()) return false;
  }
  const Text name = expander_.expand(at.substr(found->name.begin, found->name.size()));
  add_target_variable(source.place(statement.span), rule, name.bytes, *found, modifiers,
                      std::string(at.substr(found->value)));
  database_.assignments.push_back(
      {name.bytes, source.place(statement.span), statement, !source.fixed, arm_});
  return true;
}

void MakefileReader::add_target_variable(const Place& place, const Rule& rule,
                                         const std::string& name, const Assignment& found,
                                         const Modifiers& modifiers, const std::string& value) {
  Statement as;
  as.op = found.op;
  std::optional<Variable> made;
  if (found.op == AssignOp::kAppend || found.op == AssignOp::kConditional) {
    made = Variable{.value = value, .appends = found.op == AssignOp::kAppend};
    const Variable* global = variables_.find(name);
    if (found.op == AssignOp::kAppend && global != nullptr && !global->is_recursive) {
      Text text = expander_.expand(value);
      made->value = text.bytes;
      made->is_recursive = false;
      made->is_assumed = text.is_assumed;
    }
  } else {
    made = define(as, nullptr, value);
  }
  if (!made) return;
  made->place = place;
  made->is_private = modifiers.is_private;
  if (modifiers.exports) made->is_exported = true;
  made->origin = modifiers.overrides ? Origin::kOverride : Origin::kFile;
  made->is_assumed |= arm_ != kAlways;
  for (const std::string& target : rule.targets) {
    database_.target_variables.push_back({target, name, *made, found.op});
  }
}

void MakefileReader::finish_rule(const Source& source, Rule& rule, const std::string& rest,
                                 bool is_expanded, std::optional<Span> recipe,
                                 const Expanded& left) {
  Text list = is_expanded ? Text{rest, false} : expander_.expand(rest);
  std::string inner_recipe = left.recipe;
  bool has_inner = left.has_recipe;
  if (!recipe && !has_inner) {
    const size_t semicolon = find_unquoted(list.bytes, ";", false);
    if (semicolon != std::string::npos) {
      inner_recipe = list.bytes.substr(semicolon + 1);
      has_inner = true;
      list.bytes.resize(semicolon);
    }
  }
  rule.is_assumed |= list.is_assumed;
  if (!set_prerequisites(rule, list.bytes)) return;
  const Place place = rule.place;
  const bool is_silent = rule.targets.empty();
  database_.rules.push_back(std::move(rule));
  open_.rules = {database_.rules.size() - 1};
  open_.maybe = is_silent;
  if (recipe) {
    add_recipe(source, *recipe);
  } else if (has_inner) {
    Rule& added = database_.rules.back();
    added.recipe.push_back({inner_recipe, place, false, arm_});
    added.has_recipe = true;
  }
  note_special(database_.rules.back());
}

bool MakefileReader::set_prerequisites(Rule& rule, std::string_view list) {
  const size_t colon = find_unquoted(list, ":", true);
  if (colon != std::string_view::npos) {
    const auto patterns = file_names(unquote(list.substr(0, colon), ":", false));
    if (patterns.size() == 1) rule.target_pattern = patterns[0];
    const bool is_hole = std::any_of(patterns.begin(), patterns.end(),
                                     [](const std::string& each) { return !is_known(each); });
    if (!is_hole && (patterns.size() != 1 || !Pattern(patterns[0]).has_percent)) {
      if (!rule.is_assumed) {
        report("M006", rule.place,
               patterns.empty()
                   ? "there is no target pattern between the two colons: make stops here"
               : patterns.size() > 1
                   ? "two target patterns between the colons: make stops here"
                   : "the target pattern between the colons has no `%`: make stops here");
      }
      return false;
    }
    if (rule.is_pattern && !rule.is_assumed) {
      report("M006", rule.place,
             "a pattern rule cannot be a static pattern rule, too: make stops here");
      return false;
    }
    list.remove_prefix(colon + 1);
  }
  if (has_second_expansion_ && list.find('$') != std::string_view::npos) {
    rule.second_expansion = list;
    rule.has_unknown_prerequisites = true;
    return true;
  }
  const size_t bar = list.find('|');
  add_names(rule, list.substr(0, bar), rule.prerequisites);
  if (bar != std::string_view::npos) add_names(rule, list.substr(bar + 1), rule.order_only);
  return true;
}

void MakefileReader::add_names(Rule& rule, std::string_view list, std::vector<std::string>& names) {
  for (std::string& name : file_names(unquote(list, ":", false))) {
    if (is_known(name)) {
      names.push_back(std::move(name));
    } else {
      rule.has_unknown_prerequisites = true;
    }
  }
}

void MakefileReader::note_special(const Rule& rule) {
  for (const std::string& name : rule.targets) {
    if (name == ".SECONDEXPANSION") has_second_expansion_ = true;
    if (name == ".POSIX") {
      variables_.set(".SHELLFLAGS",
                     {.value = "-ec", .is_recursive = false, .origin = Origin::kDefault});
    }
    if (!database_.default_goal.empty() || rule.is_pattern || rule.is_assumed) continue;
    const bool is_hidden = name.starts_with('.') && name.find('/') == std::string::npos;
    if (!is_hidden) database_.default_goal = name;
  }
}

void MakefileReader::finish() {
  for (size_t i = 0; i < database_.rules.size(); i++) check_rule(i);
  std::set<std::string> suffixes;
  for (std::string_view each : words_of(variables_.find("SUFFIXES") != nullptr
                                            ? std::string_view(variables_.find("SUFFIXES")->value)
                                            : std::string_view())) {
    suffixes.emplace(each);
  }
  for (std::string& name : database_.listed(".SUFFIXES")) suffixes.insert(std::move(name));
  for (Rule& rule : database_.rules) rule.is_suffix = is_suffix_rule(rule, suffixes);
  database_.variables = variables_.all();
  if (const Variable* goal = variables_.find(".DEFAULT_GOAL");
      goal != nullptr && !goal->value.empty()) {
    database_.default_goal = strip(expander_.expand(goal->value).bytes);
  }
  for (const std::string& name : database_.listed(".PHONY"))
    database_.targets[name].is_phony = true;
  if (expander_.is_exhausted()) database_.is_exhausted = true;
  database_.is_exhausted |= includes_ > options_.max_includes;
}

bool MakefileReader::is_suffix_rule(const Rule& rule, const std::set<std::string>& suffixes) {
  if (rule.targets.size() != 1 || !rule.prerequisites.empty()) return false;
  const std::string& name = rule.targets[0];
  if (suffixes.contains(name)) return true;
  const size_t second = name.find('.', 1);
  return name.starts_with('.') && second != std::string::npos &&
         suffixes.contains(name.substr(0, second)) && suffixes.contains(name.substr(second));
}

void MakefileReader::check_rule(size_t index) {
  Rule& rule = database_.rules[index];
  arm_ = rule.arm;
  if (rule.is_grouped && !rule.has_recipe) {
    report("M006", rule.place, "grouped targets (`&:`) need a recipe: make stops here");
  }
  for (const std::string& name : rule.targets) {
    if (Pattern(name).has_percent != rule.is_pattern && rule.is_pattern && !rule.is_assumed) {
      report("M006", rule.place, "pattern and plain targets in one rule: make stops here");
      break;
    }
    if (rule.is_pattern) break;
    Target& target = database_.targets[name];
    for (size_t other : target.rules) {
      const Rule& first = database_.rules[other];
      if (first.is_double_colon != rule.is_double_colon &&
          !database_.excludes(first.arm, rule.arm)) {
        report("M006", rule.place,
               fmt::format("'{}' has rules with `:` and with `::`: make stops here", name));
        break;
      }
    }
    target.rules.push_back(index);
  }
}

}  // namespace nacre::make
