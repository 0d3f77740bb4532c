#include "docker/edits.h"

#include <algorithm>
#include <fmt/format.h>

namespace nacre::docker {

namespace {

// The value of a flag is the next word.
bool has_word_of_its_own(const GivenFlag& flag) {
  return !flag.value.empty() && flag.span.size() < flag.word.size() + flag.value.size();
}

bool has_operand_between(const Usage& usage, uint32_t begin, uint32_t end) {
  return std::any_of(usage.operands.begin(), usage.operands.end(), [&](const Argument& each) {
    return each.span.begin >= begin && each.span.begin < end;
  });
}

}  // namespace

bool stands_as(const File& file, const Script& script, const Call& call) {
  return script.step->instruction->form == Form::kShell &&
         file.source.text(call.name_span) == call.name;
}

std::optional<Edit> add_option(const Script& script, const Usage& usage, std::string_view option) {
  if (script.step->instruction->form == Form::kJson || usage.operands.empty()) return std::nullopt;
  uint32_t at = usage.operands[0].span.end;
  for (const GivenFlag& flag : usage.flags) {
    if (flag.span.begin < at) continue;
    if (has_word_of_its_own(flag) || has_operand_between(usage, at, flag.span.begin)) break;
    at = flag.span.end;
  }
  return Edit{{at, at}, " " + std::string(option)};
}

std::optional<Edit> append_command(const File& file, const Script& script,
                                   std::string_view command) {
  const Instruction& run = *script.step->instruction;
  const auto& items = script.program().tree.program().items;
  if (run.form == Form::kJson || !script.program().is_valid() || items.empty()) return std::nullopt;
  if (items.back().terminator == shell::Terminator::kBackground) return std::nullopt;
  if (script.is_document) {
    // Without `set -e` the status of the document would become that of the new last line.
    const HereDocument& document = run.here_documents[0];
    if (!script.has_errexit || !document.is_terminated) return std::nullopt;
    return Edit{{document.body.end, document.body.end}, std::string(command) + "\n"};
  }
  if (!run.here_documents.empty()) return std::nullopt;
  const uint32_t at = items.back().command->span.end;
  return Edit{{at, at}, fmt::format(" {}\n    && {}", file.escape, command)};
}

}  // namespace nacre::docker
