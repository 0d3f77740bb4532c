// The trace as JSON. Written by hand: it is long, and made of a few shapes only.
#include <fmt/format.h>

#include "simulate/trace.h"

namespace nacre::simulate {
namespace {

// The length of the UTF-8 sequence at `at`; 0 if there is none.
size_t sequence_at(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(at);
  size_t size = first < 0x80                    ? 1
                : first >= 0xC2 && first < 0xE0 ? 2
                : first >= 0xE0 && first < 0xF0 ? 3
                : first >= 0xF0 && first < 0xF5 ? 4
                                                : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  bool is_overlong =
      (first == 0xE0 && byte(at + 1) < 0xA0) || (first == 0xF0 && byte(at + 1) < 0x90);
  bool is_surrogate = first == 0xED && byte(at + 1) >= 0xA0;
  bool is_beyond = first == 0xF4 && byte(at + 1) >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : size;
}

// Bytes that are not UTF-8 become U+FFFD: JSON has no others.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    size_t size = sequence_at(text, i);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (size == 0) {
      result += "\xEF\xBF\xBD";
    } else {
      result += text.substr(i, size);
    }
    i += std::max<size_t>(size, 1);
  }
  return result + "\"";
}

std::string value(const std::optional<std::string>& text) { return text ? quoted(*text) : "null"; }

template <typename List, typename Show>
std::string list(const List& items, Show&& show) {
  std::string result = "[";
  for (const auto& item : items) result += (result.size() > 1 ? ", " : "") + show(item);
  return result + "]";
}

std::string object(const std::map<std::string, std::string>& values) {
  std::string result = "{";
  for (const auto& [name, text] : values) {
    result += fmt::format("{}{}: {}", result.size() > 1 ? ", " : "", quoted(name), quoted(text));
  }
  return result + "}";
}

std::string control(const machine::Control& control) {
  return fmt::format(R"({{"text": {}, "fields": {}, "line": {}, "span": [{}, {}]}})",
                     quoted(control.text), list(control.fields, quoted), control.line,
                     control.span.begin, control.span.end);
}

std::string value_change(const ValueChange& change) {
  return fmt::format(R"({{"name": {}, "before": {}, "after": {}}})", quoted(change.name),
                     value(change.before), value(change.after));
}

std::string file_state(const std::optional<FileState>& file) {
  if (!file) return "null";
  return fmt::format(
      R"({{"kind": {}, "mode": "{:04o}", "owner": {}, "group": {}, "contents": {}}})",
      quoted(file->kind), file->mode, file->owner, file->group, quoted(file->contents));
}

std::string file_change(const FileChange& change) {
  return fmt::format(R"({{"path": {}, "before": {}, "after": {}}})", quoted(change.path),
                     file_state(change.before), file_state(change.after));
}

std::string record(const Record& step) {
  return fmt::format(
      R"({{"step": {}, "process": {}, "parent": {}, "rule": "{}", "kind": "{}", "before": {}, "after": {}, )"
      R"("status": {}, "variables": {}, "descriptors": {}, "files": {}, "output": {}, "errors": {}}})",
      step.number, step.pid, step.parent, machine::name_of(step.rule),
      step.is_expansion ? "expansion" : "evaluation", control(step.before), control(step.after),
      step.status, list(step.variables, value_change), list(step.descriptors, value_change),
      list(step.files, file_change), quoted(step.output), quoted(step.errors));
}

std::string_view ending_name(world::Ending ending) {
  switch (ending) {
    case world::Ending::kFinished: return "finished";
    case world::Ending::kOutOfFuel: return "out of fuel";
    case world::Ending::kDeadlock: return "deadlock";
    case world::Ending::kPaused: break;
  }
  return "paused";
}

}  // namespace

std::string outcome_json(const Scene& scene, Outcome& outcome) {
  world::FileTree before = scene.tree;
  return fmt::format(
      "{{\"ending\": \"{}\", \"status\": {}, \"trouble\": {},\n\"files\": {},\n"
      "\"output\": {}, \"errors\": {}}}\n",
      ending_name(outcome.ending), outcome.status, quoted(describe(outcome, scene)),
      list(file_changes(before, outcome.tree), file_change), quoted(outcome.output),
      quoted(outcome.errors));
}

std::string trace_json(Tracer& tracer) {
  while (tracer.advance()) {
  }
  TraceEnd end = tracer.end();
  std::string result = fmt::format(
      "{{\"version\": 1,\n\"script\": {{\"name\": {}, \"text\": {}}},\n"
      "\"start\": {{\"variables\": {}, \"descriptors\": {}}},\n\"steps\": [",
      quoted(tracer.scene().script_name), quoted(tracer.scene().script),
      object(tracer.first_variables()), object(tracer.first_descriptors()));
  bool is_first = true;
  for (const Record& step : tracer.records()) {
    result += (is_first ? "\n" : ",\n") + record(step);
    is_first = false;
  }
  result += fmt::format(
      "\n],\n\"end\": {{\"ending\": \"{}\", \"status\": {}, \"trouble\": {}, \"variables\": {},\n"
      "\"files\": {},\n\"output\": {}, \"errors\": {}}}}}\n",
      ending_name(end.ending), end.status, quoted(end.trouble), object(end.variables),
      list(end.files, file_change), quoted(end.output), quoted(end.errors));
  return result;
}

}  // namespace nacre::simulate
