#include "docker/facts.h"

namespace nacre::docker {

namespace {

// The command that a step starts when the image runs, in shell form; null: there is none.
const Instruction* started_by(const Instruction& instruction) {
  const bool is_check = instruction.keyword == Keyword::kHealthcheck;
  const bool starts =
      instruction.keyword == Keyword::kCmd || instruction.keyword == Keyword::kEntrypoint;
  const Instruction* command = is_check ? instruction.inner.get() : &instruction;
  if ((!is_check && !starts) || command == nullptr) return nullptr;
  return command->form == Form::kShell && !command->words.empty() ? command : nullptr;
}

}  // namespace

std::unique_ptr<Facts> gather_facts(const SourceFile& source, const commands::CardLibrary& cards,
                                    const GatherOptions& options) {
  auto facts = std::make_unique<Facts>();
  facts->file = parse(source);
  if (options.reads_pragmas) facts->pragmas = read_pragmas(facts->file);
  facts->stages = find_stages(facts->file, facts->pragmas.shells);
  for (const Step& step : facts->stages.steps) {
    const bool is_run = step.instruction->keyword == Keyword::kRun;
    const Instruction* command = started_by(*step.instruction);
    if (!is_run && command == nullptr) continue;
    facts->is_exhausted = facts->scripts.size() + facts->commands.size() >= options.max_scripts;
    if (facts->is_exhausted) break;
    const Step* read = &step;
    if (command != nullptr) {
      read = &facts->command_steps.emplace_back(step);
      facts->command_steps.back().instruction = command;
    }
    if (auto script = read_script(facts->stages, *read, cards))
      (is_run ? facts->scripts : facts->commands).push_back(std::move(script));
  }
  return facts;
}

}  // namespace nacre::docker
