#include "explore/cases.h"

#include <fmt/format.h>

#include "commands/effect_words.h"
#include "explore/findings.h"
#include "explore/open_scene.h"
#include "explore/prepare.h"
#include "shell/parse.h"
#include "shell/visitor.h"
#include "world/simulation.h"

namespace nacre::explore {

namespace {

// The words, if the line is one simple command of literal words.
std::vector<std::string> words_of(const SourceFile& file) {
  std::vector<std::string> words;
  const shell::ParseResult parsed = shell::parse_file(file, shell::Dialect::kSh);
  const auto& items = parsed.tree.program().items;
  if (!parsed.is_valid() || items.size() != 1) return {};
  const auto* simple = std::get_if<shell::SimpleCommand>(&items[0].command->node);
  if (simple == nullptr) return {};
  for (const shell::Word& word : simple->words) {
    if (!word.is_literal()) return {};
    words.emplace_back(word.literal());
  }
  return words;
}

}  // namespace

Result<Report> cases_of(const std::string& line) {
  const SourceFile file(line, line + "\n");
  const std::vector<std::string> words = words_of(file);
  if (words.empty()) return fail({}, "give one command whose words are literal");
  auto effect = commands::find_effect(simulate::builtin_library(), words);
  if (!effect)
    return fail({}, fmt::format("the card of {} does not tell what these words do", words[0]));
  World world = open_world();
  Given given;
  given.has_arguments = true;
  auto script = prepare(file, given, world);
  if (!script) return tl::unexpected<Error>(script.error());
  if (effect->kind != commands::Effect::kActs) {
    // A program of another name is no utility: the card is all that is known of it.
    const std::string path = fmt::format("/{}/card/{}", world::kRegisters, words[0]);
    add_file(world.tree, path, world::executable("card:" + words[0]), 0755);
    script->text = "\"$@\"\n";
    script->arguments = words;
    script->arguments[0] = path;
  }
  Budget budget;
  budget.max_rank = 8;
  Report report = report_on(*script, world, budget);
  report.script = line;
  report.arguments.clear();
  return report;
}

std::string show_cases(const Report& report) {
  std::string result = fmt::format("{}: {} cases{}\n", report.script, report.outcomes.size(),
                                   report.is_complete() ? "" : " (not all)");
  for (const Outcome& outcome : report.outcomes) {
    std::string changes = fmt::format("{}", fmt::join(outcome.changes, "; "));
    result +=
        fmt::format("  {:<6} {:<44} if {}\n", outcome.how(),
                    changes.empty() ? "changes nothing" : changes, condition_of(report, outcome));
  }
  return result;
}

}  // namespace nacre::explore
