#include "commands/sed_lines.h"

#include <algorithm>

namespace nacre::sed {

namespace {

using commands::kManyLines;
using commands::LineCount;

// The lines that the addresses select, if these are numbers; `$` alone is one line, wherever it is.
std::optional<Lines> numbered(const Command& command) {
  if (!command.first) return Lines{};
  if (command.first->kind != Address::Kind::kLine || command.first->line == 0) return std::nullopt;
  const uint64_t first = command.first->line;
  if (!command.second) return Lines{first, first};
  switch (command.second->kind) {
    case Address::Kind::kLine: return Lines{first, std::max(first, command.second->line)};
    case Address::Kind::kLast: return Lines{first, kManyLines};
    case Address::Kind::kPlus: return Lines{first, first + command.second->line};
    default: return std::nullopt;
  }
}

// At most how many lines of the input the command runs on.
uint64_t max_runs(const Command& command, uint64_t input) {
  const bool is_last =
      command.first && !command.second && command.first->kind == Address::Kind::kLast;
  if (command.is_negated) return input;
  if (is_last) return std::min<uint64_t>(input, 1);
  const auto lines = numbered(command);
  if (!lines || lines->last == kManyLines) return input;
  return std::min(input, lines->last - lines->first + 1);
}

// At most how many lines are left by a command that deletes.
uint64_t max_left(const Command& command, uint64_t input) {
  if (!command.is_negated) return input;
  Command kept = command;
  kept.is_negated = false;
  return max_runs(kept, input);
}

bool makes_newlines(const Command& command) {
  const Substitution& substitution = command.substitution;
  return substitution.executes || substitution.replacement.find("\\n") != std::string::npos ||
         substitution.replacement.find('\n') != std::string::npos ||
         command.to.find('\n') != std::string::npos;
}

uint64_t sum(uint64_t a, uint64_t b) { return a > kManyLines - b ? kManyLines : a + b; }

}  // namespace

Runs runs_on(const Command& command, Lines lines) {
  const auto selected = numbered(command);
  if (!selected) return Runs::kMaybe;
  Runs result = Runs::kMaybe;
  if (lines.first >= selected->first && lines.last <= selected->last) result = Runs::kAlways;
  if (lines.last < selected->first || lines.first > selected->last) result = Runs::kNo;
  if (!command.is_negated || result == Runs::kMaybe) return result;
  return result == Runs::kNo ? Runs::kAlways : Runs::kNo;
}

bool is_linewise(const Program& program) {
  return std::all_of(program.commands.begin(), program.commands.end(), [](const Command& command) {
    return std::string_view("nNDgGhHxeRrF").find(command.name) == std::string_view::npos;
  });
}

bool cuts_ends(const Program& program) {
  return std::all_of(program.commands.begin(), program.commands.end(), [](const Command& command) {
    const Substitution& substitution = command.substitution;
    const std::string_view pattern = substitution.pattern.source;
    return command.name == 's' && !command.first && substitution.replacement.empty() &&
           !pattern.starts_with('^') && (pattern.ends_with(".*") || pattern.ends_with("$"));
  });
}

LineCount lines_printed(const Program& program, bool is_silent, LineCount input) {
  if (!is_linewise(program)) return {};
  bool drops = is_silent, jumps = false;
  uint64_t printed = 0;
  // What a block's own addresses say is left out: less is printed than this allows for.
  for (const Command& command : program.commands) {
    switch (command.name) {
      case 'q':
      case 'Q':
        if (command.first && !command.second && !command.is_negated &&
            command.first->kind == Address::Kind::kLine) {
          input.most = std::min(input.most, command.first->line);
        }
        drops = true;
        break;
      case 'd':
        if (program.commands.size() == 1) input.most = max_left(command, input.most);
        drops = true;
        break;
      case 's':
      case 'y':
        if (makes_newlines(command)) return {};
        if (command.substitution.prints) printed = sum(printed, max_runs(command, input.most));
        break;
      case 'p': printed = sum(printed, max_runs(command, input.most)); break;
      case 'b':
      case 't':
      case 'T': jumps = true; break;
      case '{':
      case '}':
      case ':':
      case 'w': break;
      default: return {};
    }
  }
  if (jumps && printed != 0) return {};
  return {drops ? 0 : input.least, is_silent ? printed : sum(input.most, printed)};
}

}  // namespace nacre::sed
