#include "machine/word_progress.h"

#include <algorithm>
#include <fmt/format.h>

namespace nacre::machine {
namespace {

std::string written(const Part& part) {
  switch (part.kind) {
    case PartKind::kText: return std::string(part.text);
    case PartKind::kTilde: return "~" + std::string(part.text);
    case PartKind::kParameter: return std::string(part.parameter->text);
    case PartKind::kCommand:
      return part.body == nullptr ? "$()" : fmt::format("$({})", part.body->text);
    case PartKind::kProcess:
    case PartKind::kArithmetic: return std::string(part.text);
  }
  return "";
}

std::string marked(const std::string& text, bool is_quoted, QuoteMarks marks) {
  return is_quoted && marks == QuoteMarks::kShown ? "\"" + text + "\"" : text;
}

// What was written and is not expanded yet. Quotes are text parts of their own where they are
// empty.
std::string rest_of(const Word& word, size_t from, QuoteMarks marks) {
  std::string result;
  for (size_t i = from; i < word.parts.size(); ++i) {
    const Part& part = word.parts[i];
    bool is_mark = part.kind == PartKind::kText && part.text.empty() && word.parts.size() > 1;
    bool is_quoted = part.region == Region::kQuoted && part.kind != PartKind::kTilde;
    if (!is_mark) result += marked(written(part), is_quoted, marks);
  }
  return result;
}

// What the word's frame has expanded before mark `to` and byte `end`.
std::string expanded(const Machine& machine, const Frame& frame, size_t to, size_t end,
                     QuoteMarks marks) {
  const auto& self = frame.as<WordFrame>();
  bool is_complete = self.next >= self.word->parts.size();
  to = std::min(to, machine.regions.size());
  std::string result;
  for (size_t i = frame.base.regions; i < to; ++i) {
    const Machine::Mark& mark = machine.regions[i];
    size_t stop = i + 1 < to ? machine.regions[i + 1].begin : end;
    if (mark.begin < frame.base.text || mark.begin > stop) continue;
    if (mark.is_break) result += ' ';
    std::string piece = machine.text.substr(mark.begin, stop - mark.begin);
    bool is_quoted = mark.region == Region::kQuoted;
    if (!piece.empty() || (is_quoted && is_complete)) result += marked(piece, is_quoted, marks);
  }
  return result;
}

// ${x op word} or $((word)) while its word is expanded by the frame at `at`.
std::string operator_progress(const Machine& machine, const Part& part, size_t at) {
  if (part.kind == PartKind::kArithmetic) {
    return "$((" + word_progress(machine, at, QuoteMarks::kHidden) + "))";
  }
  std::string_view text = part.parameter->text;
  const auto& self = machine.frames[at - 1].as<ParameterFrame>();
  if (self.phase != ParameterFrame::Phase::kArgument || part.parameter->argument == nullptr) {
    return std::string(text);
  }
  std::string inner = word_progress(machine, at);
  std::string_view operand = part.parameter->argument->written;
  if (text.size() <= operand.size() || !text.substr(0, text.size() - 1).ends_with(operand)) {
    return std::string(text);
  }
  return fmt::format("{}{}}}", text.substr(0, text.size() - 1 - operand.size()), inner);
}

// The part that the frame above `at` is busy with.
std::string part_in_progress(const Machine& machine, size_t at, QuoteMarks marks) {
  const Frame& above = machine.frames[at + 1];
  const auto& self = machine.frames[at].as<WordFrame>();
  const Part& part = self.word->parts[self.next - 1];
  if (above.is<WordFrame>()) return word_progress(machine, at + 1, marks);
  if (above.is<ParameterFrame>() && word_above(machine, at + 1)) {
    return operator_progress(machine, part, at + 2);
  }
  size_t begin = std::min(above.base.text, machine.text.size());
  std::string output = machine.text.substr(begin);
  bool has_output = above.is<CommandSubstFrame>() && !output.empty();
  std::string shown = has_output ? output : written(part);
  return marked(shown, part.region == Region::kQuoted, marks);
}

std::string intermediate_fields(const Machine& machine) {
  std::string result;
  for (const Machine::PendingField& field : machine.pending_fields) {
    result += fmt::format("{}‹{}›", result.empty() ? "" : " ", field.shown);
  }
  return result;
}

}  // namespace

std::string word_progress(const Machine& machine, size_t at, QuoteMarks marks) {
  const Frame& frame = machine.frames[at];
  const auto& self = frame.as<WordFrame>();
  if (self.phase > WordFrame::Phase::kSplit && self.mode == ExpandMode::kFields) {
    return intermediate_fields(machine);
  }
  if (at + 1 == machine.frames.size() || self.next == 0) {
    return expanded(machine, frame, machine.regions.size(), machine.text.size(), marks) +
           rest_of(*self.word, self.next, marks);
  }
  const Frame& above = machine.frames[at + 1];
  size_t end = std::min(above.base.text, machine.text.size());
  return expanded(machine, frame, above.base.regions, end, marks) +
         part_in_progress(machine, at, marks) + rest_of(*self.word, self.next, marks);
}

std::optional<std::string> word_above(const Machine& machine, size_t at, QuoteMarks marks) {
  if (at + 1 >= machine.frames.size() || !machine.frames[at + 1].is<WordFrame>()) {
    return std::nullopt;
  }
  return word_progress(machine, at + 1, marks);
}

}  // namespace nacre::machine
