// Rules about the lines of recipes.
#include <algorithm>
#include <fmt/format.h>

#include "make/rules.h"
#include "make/text.h"
#include "shell/visitor.h"

namespace nacre::make {

namespace {

// The command whose effect a line ends with: `cd x`, or the last of `a && cd x`.
const shell::Command* last_command(const shell::Sequence& program) {
  if (program.items.empty()) return nullptr;
  const shell::Command* command = program.items.back().command;
  while (command != nullptr) {
    const auto* list = std::get_if<shell::AndOr>(&command->node);
    if (list == nullptr || list->items.back().op != shell::AndOrOp::kAnd) break;
    command = list->items.back().command;
  }
  return command;
}

std::string_view name_of_command(const shell::Command* command) {
  const auto* simple =
      command == nullptr ? nullptr : std::get_if<shell::SimpleCommand>(&command->node);
  const bool is_named =
      simple != nullptr && !simple->words.empty() && simple->words[0].is_literal();
  return is_named ? simple->words[0].literal() : std::string_view();
}

// Names that make, $(call) or $(foreach) may give a value: one letter each.
std::set<char> letters_in_use(const Facts& facts) {
  std::set<char> letters;
  for (const AssignedAt& each : facts.database->assignments) {
    if (each.name.size() == 1) letters.insert(each.name[0]);
  }
  for (const auto& [name, variable] : facts.database->variables) {
    if (name.size() == 1) letters.insert(name[0]);
  }
  const std::string_view text = facts.file.bytes();
  for (size_t at = text.find("foreach "); at != std::string_view::npos;
       at = text.find("foreach ", at + 1)) {
    if (at + 9 < text.size() && text[at + 9] == ',') letters.insert(text[at + 8]);
  }
  return letters;
}

// What a loop or an assignment of the shell names in this text: `for f in`, `f=`, `read f`.
bool is_shell_variable(std::string_view text, char name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !(is_name_character(text[at - 1]) || text[at - 1] == '$');
    if (!begins || at + 1 >= text.size()) continue;
    if (text[at + 1] == '=') return true;
    const std::string_view before = text.substr(0, at);
    if (text[at + 1] == ' ' && (before.ends_with("for ") || before.ends_with("read "))) return true;
    if (before.ends_with("read ")) return true;
  }
  return false;
}

struct Slip {
  Span span;
  std::string name;  // what was probably meant
};

// The references of one recipe line that were meant for the shell.
std::vector<Slip> find_slips(std::string_view text, Span place, const std::set<char>& letters) {
  constexpr std::string_view kAutomatic = "@<^+?*|%";
  std::vector<Slip> slips;
  for (const Span& each : references_in(text)) {
    const char c = text[each.begin + 1];
    if (each.size() != 2 || kAutomatic.find(c) != std::string_view::npos || letters.contains(c))
      continue;
    uint32_t end = each.end;
    while (is_name_start(c) && end < text.size() && is_name_character(text[end])) end++;
    const bool is_longer = end > each.end;
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_quote =
        c == '\'' || c == '"' || c == '/' || c == '|' || c == '#' || c == '!' || c == '?';
    if (!is_longer && !is_digit && !is_quote && !is_shell_variable(text, c)) continue;
    slips.push_back({{place.begin + each.begin, place.begin + end},
                     std::string(text.substr(each.begin + 1, end - each.begin - 1))});
  }
  return slips;
}

bool can_fail(const LineFacts& line, const PathUse& use) {
  if (use.call == std::string::npos) return true;
  return line.calls[use.call].needs_input;
}

}  // namespace

// a:                -> M109         a:                          -> nothing
//     cd sub                            cd sub && ls
//     ls
void report_lost_directory(const Facts& facts, const Demands&, Findings& findings) {
  if (facts.shell.is_one_shell) return;
  for (const Recipe& recipe : facts.recipes) {
    for (size_t i = 0; i + 1 < recipe.lines.size(); i++) {
      const ShellLine& line = recipe.lines[i];
      if (!line.is_own || line.program == nullptr || !facts.is_here(line.place)) continue;
      const shell::Command* last = last_command(line.program->tree.program());
      if (name_of_command(last) != "cd" && name_of_command(last) != "pushd") continue;
      // A line that has gone elsewhere before only goes back.
      const auto& changes =
          facts.recipe_facts[static_cast<size_t>(&recipe - facts.recipes.data())].lines[i].calls;
      if (std::count_if(changes.begin(), changes.end(), [](const Call& call) {
            return call.words[0] == "cd" || call.words[0] == "pushd";
          }) > 1) {
        continue;
      }
      // Paths of Windows: its makes have one shell for all lines.
      if (facts.of(last->span).find('\\') != std::string_view::npos) continue;
      const ShellLine& next = recipe.lines[i + 1];
      if (next.program == nullptr || next.program->tree.program().items.empty()) continue;
      findings.add(
          "M109", last->span,
          "each recipe line has a shell of its own: the next line runs in the old directory "
          "again; join them with `&& \\`",
          Confidence::kCertain);
    }
  }
}

// a: ; echo $HOME   -> M110         a: ; echo $$HOME            -> nothing
void report_single_dollar(const Facts& facts, const Demands&, Findings& findings) {
  const std::set<char> letters = letters_in_use(facts);
  std::set<uint32_t> told;
  for (const Recipe& recipe : facts.recipes) {
    for (const RecipeLine& line : recipe.rule->recipe) {
      if (!line.is_own || !facts.is_here(line.place) || !told.insert(line.place.span.begin).second)
        continue;
      if (std::string_view(skip_space(line.text)).starts_with('#')) continue;
      for (const Slip& slip : find_slips(line.text, line.place.span, letters)) {
        Diagnostic& found = findings.add("M110", slip.span,
                                         fmt::format("make expands `${}` here, which is empty, and "
                                                     "the shell never sees it; write `$${}`",
                                                     slip.name.substr(0, 1), slip.name));
        found.fixes.push_back(
            {"give the `$` to the shell", {{{slip.span.begin, slip.span.begin}, "$"}}, false});
      }
    }
  }
}

// out: in           -> M111         .DELETE_ON_ERROR:           -> nothing
//     sort in > $@                  out: in ; sort in > $@
void report_half_written(const Facts& facts, const Demands&, Findings& findings) {
  const Database& database = *facts.database;
  if (database.has_special(".DELETE_ON_ERROR") || database.has_unknown_parts) return;
  for (const RecipeFacts& each : facts.recipe_facts) {
    const Rule& rule = *each.recipe->rule;
    if (!facts.is_here(rule.place) || rule.is_assumed || facts.is_phony(each.recipe->target))
      continue;
    for (size_t i = 0; i < each.lines.size(); i++) {
      const ShellLine& line = each.recipe->lines[i];
      if (!line.is_own || line.ignores_errors) continue;
      for (const PathUse& use : each.lines[i].uses) {
        const bool is_target = !each.recipe->target.empty() ? use.path == each.recipe->target
                                                            : facts.of(use.span).ends_with("$@");
        const bool is_redirection = facts.of(use.span).starts_with('>');
        if (use.kind != PathUse::kWritten || !is_target || !is_redirection) continue;
        if (!can_fail(each.lines[i], use)) continue;
        Diagnostic& found = findings.add(
            "M111", use.span,
            "if this command fails, a half-written target stays and make takes it for done; add "
            "`.DELETE_ON_ERROR:`");
        const uint32_t end = facts.file.whole().end;
        const bool is_closed = end == 0 || facts.file.bytes().back() == '\n';
        found.fixes.push_back(
            {"add `.DELETE_ON_ERROR:`",
             {{{end, end}, std::string(is_closed ? "" : "\n") + ".DELETE_ON_ERROR:\n"}},
             true});
        return;  // once is enough: one line cures all
      }
    }
  }
}

// a: ; make -C sub  -> M112         a: ; $(MAKE) -C sub         -> nothing
void report_plain_make(const Facts& facts, const Demands&, Findings& findings) {
  std::set<uint32_t> told;
  for (const RecipeFacts& each : facts.recipe_facts) {
    for (size_t i = 0; i < each.lines.size(); i++) {
      if (!each.recipe->lines[i].is_own || !facts.is_here(each.recipe->lines[i].place)) continue;
      for (const Call& call : each.lines[i].calls) {
        const std::string_view text = facts.of(call.spans[0]);
        if ((text != "make" && text != "gmake") || !told.insert(call.spans[0].begin).second)
          continue;
        Diagnostic& found = findings.add(
            "M112", call.spans[0],
            "a plain `make` does not get -j, -n and the other options of this one; use $(MAKE)");
        found.fixes.push_back({"use $(MAKE)", {{call.spans[0], "$(MAKE)"}}, false});
      }
    }
  }
}

// Only if the user demands short recipes (checkmake's maxbodylength).
void report_long_recipe(const Facts& facts, const Demands& demands, Findings& findings) {
  if (demands.max_recipe_lines == 0) return;
  for (const Recipe& recipe : facts.recipes) {
    const Rule& rule = *recipe.rule;
    if (rule.recipe.size() <= demands.max_recipe_lines || !facts.is_here(rule.place)) continue;
    findings.add(
        "M117", rule.targets_span.empty() ? rule.place.span : rule.targets_span,
        fmt::format("Target body for \"{}\" exceeds allowed length of {} ({}).",
                    make::join_words(rule.targets), demands.max_recipe_lines, rule.recipe.size()),
        Confidence::kCertain);
  }
}

}  // namespace nacre::make
