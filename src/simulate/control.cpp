#include "simulate/control.h"

#include <algorithm>
#include <fmt/format.h>

#include "machine/quote.h"

namespace nacre::simulate {
namespace {

using machine::Frame;
using machine::FrameKind;
using machine::Machine;
using machine::Node;
using machine::NodeKind;
using machine::Part;
using machine::PartKind;
using machine::Region;
using machine::Word;

std::string source_of(const Node& node, Span span) {
  if (span.begin < node.span.begin || span.end > node.span.end) return "";
  size_t begin = span.begin - node.span.begin;
  if (begin > node.text.size()) return "";
  return std::string(node.text.substr(begin, span.end - span.begin));
}

std::string source_of(const Part& part) {
  switch (part.kind) {
    case PartKind::kText: return std::string(part.text);
    case PartKind::kTilde: return "~" + std::string(part.text);
    case PartKind::kParameter: return std::string(part.parameter->text);
    case PartKind::kCommand:
      return part.body == nullptr ? "$()" : fmt::format("$({})", part.body->text);
    case PartKind::kArithmetic: return std::string(part.text);
  }
  return "";
}

std::string in_quotes(const std::string& text, Region region) {
  return region == Region::kQuoted ? "\"" + text + "\"" : text;
}

// What was written and is not expanded yet. Quotes are text parts of their own where they are
// empty.
std::string rest_of(const Word& word, size_t from) {
  std::string result;
  for (size_t i = from; i < word.parts.size(); ++i) {
    const Part& part = word.parts[i];
    bool is_mark = part.kind == PartKind::kText && part.text.empty() && word.parts.size() > 1;
    bool is_quoted = part.region == Region::kQuoted && part.kind != PartKind::kTilde;
    if (!is_mark) result += is_quoted ? in_quotes(source_of(part), part.region) : source_of(part);
  }
  return result;
}

// The regions of a word that begin with mark `from` and end before mark `to` and byte `end`.
std::string expanded(const Machine& machine, const Frame& frame, size_t to, size_t end) {
  std::string result;
  for (size_t i = frame.regions; i < std::min(to, machine.regions.size()); ++i) {
    const auto& mark = machine.regions[i];
    size_t stop = i + 1 < to && i + 1 < machine.regions.size() ? machine.regions[i + 1].begin : end;
    if (mark.begin < frame.text || mark.begin > stop) continue;
    if (mark.is_break) result += ' ';
    std::string piece = machine.text.substr(mark.begin, stop - mark.begin);
    bool is_complete = frame.index >= frame.word->parts.size();
    bool shows_quotes = mark.region == Region::kQuoted && is_complete;
    if (!piece.empty() || shows_quotes) result += in_quotes(piece, mark.region);
  }
  return result;
}

// The parts that have been expanded, the one in progress, then those that are still as written.
std::string progress_of(const Machine& machine, size_t at) {
  const Frame& frame = machine.frames[at];
  bool is_nested = at + 1 < machine.frames.size();
  if (!is_nested) {
    return expanded(machine, frame, machine.regions.size(), machine.text.size()) +
           rest_of(*frame.word, frame.index);
  }
  const Frame& next = machine.frames[at + 1];
  std::string done =
      expanded(machine, frame, next.regions, std::min(next.text, machine.text.size()));
  std::string output;
  if (next.kind == FrameKind::kCommandSubst)
    output = machine.text.substr(std::min(next.text, machine.text.size()));
  bool is_waiting = output.empty() && frame.index > 0;
  return done + output + rest_of(*frame.word, is_waiting ? frame.index - 1 : frame.index);
}

std::string word_state(const Machine& machine, size_t at) {
  const Frame& frame = machine.frames[at];
  bool is_split = machine.fine_steps && frame.mode == machine::ExpandMode::kFields && frame.pc > 1;
  if (!is_split) return progress_of(machine, at);
  std::string result;
  for (const auto& field : machine.pending_fields) {
    result += (result.empty() ? "" : " ") + field.shown;
  }
  return result;
}

// The word under expansion that directly belongs to the frame below `at`, if there is one.
std::optional<size_t> word_above(const Machine& machine, size_t at) {
  if (at + 1 >= machine.frames.size()) return std::nullopt;
  return machine.frames[at + 1].kind == FrameKind::kWord ? std::optional(at + 1) : std::nullopt;
}

// `frame.index` counts words that were begun; the last of them may be the one in progress.
std::string simple_text(const Machine& machine, size_t at) {
  const Frame& frame = machine.frames[at];
  const Node& node = *frame.node;
  std::vector<std::string> pieces;
  constexpr uint8_t kArguments = 0;
  constexpr uint8_t kAssignments = 3;
  bool in_arguments = frame.pc == kArguments;
  size_t assigned = frame.pc < kAssignments       ? 0
                    : frame.pc > kAssignments + 1 ? node.assignments.size()
                                                  : frame.index;
  std::optional<size_t> word = word_above(machine, at);
  for (size_t i = 0; i < node.assignments.size(); ++i) {
    bool is_current = word && frame.pc == kAssignments + 1 && i + 1 == assigned;
    const auto& assignment = node.assignments[i];
    std::string value = source_of(node, assignment.value.span);
    if (is_current)
      value = word_state(machine, *word);
    else if (i < assigned) {
      const std::string* now = machine.state.variables.get(assignment.name);
      if (now != nullptr) value = machine::quoted_if_needed(*now);
    }
    pieces.push_back(fmt::format("{}={}", machine.names().text(assignment.name), value));
  }
  size_t last = machine.fields.size();
  for (size_t i = frame.fields; i < last; ++i) {
    pieces.push_back(machine::quoted_if_needed(machine.fields[i]));
  }
  if (in_arguments) {
    if (word) pieces.push_back(word_state(machine, *word));
    for (size_t i = frame.index; i < node.words.size(); ++i) {
      pieces.push_back(source_of(node, node.words[i].span));
    }
  }
  for (size_t i = 0; i < node.redirects.size(); ++i) {
    pieces.push_back(source_of(node, node.redirects[i].target.span));
  }
  return fmt::format("{}", fmt::join(pieces, " "));
}

std::string for_text(const Machine& machine, size_t at) {
  const Frame& frame = machine.frames[at];
  const Node& node = *frame.node;
  std::string words;
  bool expands = frame.pc == 0;
  size_t from = frame.fields + (expands ? 0 : frame.index);
  for (size_t i = from; i < machine.fields.size(); ++i) {
    words += " " + machine::quoted_if_needed(machine.fields[i]);
  }
  if (expands) {
    if (auto word = word_above(machine, at)) words += " " + word_state(machine, *word);
    for (size_t i = frame.index; i < node.words.size(); ++i) {
      words += " " + source_of(node, node.words[i].span);
    }
  }
  return fmt::format("for {} in{}; do ... done", machine.names().text(node.name), words);
}

std::string first_lines(std::string_view text) {
  constexpr size_t kMost = 200;
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string result;
  for (char c : text.substr(0, kMost)) result += c == '\n' ? ' ' : c;
  return text.size() > kMost ? result + "..." : result;
}

}  // namespace

Control control_of(const Machine& machine) {
  Control control;
  control.line = machine.state.line;
  for (size_t i = machine.frames.size(); i-- > 0;) {
    const Frame& frame = machine.frames[i];
    if (frame.kind == FrameKind::kCommandSubst || frame.node == nullptr) continue;
    control.span = frame.node->span;
    control.line = frame.node->line != 0 ? frame.node->line : machine.state.line;
    if (frame.kind == FrameKind::kSimple) {
      control.text = simple_text(machine, i);
      control.is_new = frame.pc == 0 && frame.index == 0 && i + 1 == machine.frames.size();
    } else if (frame.kind == FrameKind::kFor) {
      control.text = for_text(machine, i);
    } else {
      control.text = first_lines(frame.node->text);
    }
    return control;
  }
  return control;
}

}  // namespace nacre::simulate
