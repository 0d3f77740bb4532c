#include "make/facts.h"

#include <algorithm>

#include "make/text.h"

namespace nacre::make {

namespace {

// As a whole name: not within a longer one.
bool contains_name(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const size_t end = at + name.size();
    if (begins && (end == text.size() || !is_name_character(text[end]))) return true;
  }
  return false;
}

// As a whole word, or the last part of a path: `deploy.sh` does not name `deploy`.
bool names_file(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !(is_name_character(text[at - 1]) || text[at - 1] == '-');
    const bool goes_on =
        end < text.size() && (is_name_character(text[end]) ||
                              ((text[end] == '.' || text[end] == '-') && end + 1 < text.size() &&
                               is_name_character(text[end + 1])));
    if (begins && !goes_on) return true;
  }
  return false;
}

constexpr uint32_t kMaxName = 1000;  // what is longer is no name of a variable

void add_uses(const Facts& facts, Span span, bool in_recipe, std::vector<VariableUse>& uses) {
  const std::string_view text = facts.of(span);
  for (const Span& each : references_in(text)) {
    std::string_view inside = text.substr(each.begin + 1, each.size() - 1);
    if (inside.size() > 1) inside = inside.substr(1, inside.size() - 2);
    if (called_function(inside) != nullptr) {
      // $(call NAME,...) and $(origin NAME) use a variable by its name.
      constexpr std::string_view kByName[] = {"call ", "origin ", "flavor ", "value "};
      for (std::string_view function : kByName) {
        if (!inside.starts_with(function)) continue;
        const std::string_view rest = skip_space(inside.substr(function.size()));
        uses.push_back({strip(rest.substr(0, rest.find(','))),
                        {span.begin + each.begin, span.begin + each.end},
                        in_recipe});
      }
      continue;
    }
    if (each.size() > kMaxName) continue;
    const std::string_view name = inside.substr(0, inside.find(':'));
    if (name.find('$') != std::string_view::npos) continue;
    uses.push_back({name, {span.begin + each.begin, span.begin + each.end}, in_recipe});
  }
}

}  // namespace

// One pass with a stack of those that are open; one that is never closed goes to the end.
std::vector<Span> references_in(std::string_view text) {
  struct Open {
    size_t begin;
    char open, close;
    size_t depth;
  };
  std::vector<Span> found;
  std::vector<Open> stack;
  for (size_t at = 0; at < text.size(); at++) {
    const char c = text[at];
    if (c == '$' && at + 1 < text.size()) {
      const char next = text[++at];
      if (next == '(' || next == '{') {
        stack.push_back({at - 1, next, next == '(' ? ')' : '}', 1});
      } else if (next != '$' && !is_space(next)) {
        found.push_back({as_offset(at - 1), as_offset(at + 1)});
      }
      continue;
    }
    if (stack.empty()) continue;
    if (c == stack.back().open) stack.back().depth++;
    if (c != stack.back().close || --stack.back().depth > 0) continue;
    found.push_back({as_offset(stack.back().begin), as_offset(at + 1)});
    stack.pop_back();
  }
  for (const Open& open : stack) found.push_back({as_offset(open.begin), as_offset(text.size())});
  std::sort(found.begin(), found.end(), [](Span a, Span b) { return a.begin < b.begin; });
  return found;
}

bool RecipeFacts::is_understood() const {
  return std::all_of(lines.begin(), lines.end(),
                     [](const LineFacts& line) { return line.is_understood; });
}

bool RecipeFacts::uses_target_variable() const {
  const auto has = [](const RecipeLine& line) {
    return line.text.find("$@") != std::string::npos ||
           line.text.find("$(@") != std::string::npos || line.text.find("${@") != std::string::npos;
  };
  return std::any_of(recipe->rule->recipe.begin(), recipe->rule->recipe.end(), has);
}

bool RecipeFacts::contains(std::string_view name) const {
  return std::any_of(recipe->lines.begin(), recipe->lines.end(),
                     [&](const ShellLine& line) { return contains_name(line.text, name); });
}

bool RecipeFacts::mentions(std::string_view name) const {
  if (uses_target_variable() && !is_understood()) return true;
  for (size_t i = 0; i < lines.size(); i++) {
    if (!lines[i].is_understood && names_file(recipe->lines[i].text, name)) return true;
  }
  return false;
}

bool Facts::is_phony(std::string_view target) const {
  const auto found = database->targets.find(target);
  return found != database->targets.end() && found->second.is_phony;
}

const RecipeFacts* Facts::recipe_of(std::string_view target) const {
  const auto found = recipe_by_target.find(target);
  const bool is_single = found != recipe_by_target.end() && found->second != std::string::npos;
  return is_single ? &recipe_facts[found->second] : nullptr;
}

Span Facts::target_span(const Rule& rule, std::string_view target) const {
  if (rule.targets_span.empty()) return rule.place.span;
  const std::string_view text = rule.place.file.bytes();
  for (const Span& word : word_spans(text, rule.targets_span)) {
    const auto names = file_names(text.substr(word.begin, word.size()));
    if (names.size() == 1 && names[0] == target) return word;
  }
  return rule.targets_span;
}

Facts gather_facts(const SourceFile& file, const Database& database, const ReadOptions& options,
                   const commands::CardLibrary& cards, std::vector<Diagnostic>& findings) {
  Facts facts;
  facts.file = file;
  facts.statements = parse(file.bytes());
  facts.database = &database;
  facts.recipes = read_recipes(database, options, findings);
  facts.shell = recipe_shell(database, options);
  for (const Recipe& recipe : facts.recipes) {
    RecipeFacts each{&recipe, {}};
    for (const ShellLine& line : recipe.lines) each.lines.push_back(facts_of(line, cards));
    for (const std::string& target : recipe.rule->targets) {
      const auto [at, is_new] = facts.recipe_by_target.emplace(target, facts.recipe_facts.size());
      if (!is_new) at->second = std::string::npos;
    }
    facts.recipe_facts.push_back(std::move(each));
  }
  for (const Statement& statement : facts.statements) {
    add_uses(facts, statement.span, statement.kind == Kind::kRecipe, facts.uses);
  }
  for (const VariableUse& use : facts.uses) facts.use_counts[use.name]++;
  if (const auto phony = database.targets.find(".PHONY"); phony != database.targets.end()) {
    for (size_t index : phony->second.rules) {
      facts.phony_is_unknown |= database.rules[index].has_unknown_prerequisites;
    }
  }
  return facts;
}

}  // namespace nacre::make
