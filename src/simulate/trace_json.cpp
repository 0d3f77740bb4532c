// The trace as JSON (docs/step.schema.json).
#include <fmt/format.h>

#include "base/json_writer.h"
#include "simulate/trace.h"

namespace nacre::simulate {
namespace {

void write_object(JsonWriter& json, std::string_view key,
                  const std::map<std::string, std::string>& values) {
  json.key(key).begin_object();
  for (const auto& [name, text] : values) json.field(name, text);
  json.end_object();
}

void write_control(JsonWriter& json, std::string_view key, const machine::Control& control) {
  json.key(key).begin_object().field("text", control.text).key("fields").begin_array();
  for (const std::string& field : control.fields) json.value(field);
  json.end_array().field("line", control.line);
  json.key("span").begin_array().value(control.span.begin).value(control.span.end).end_array();
  json.end_object();
}

void write_values(JsonWriter& json, std::string_view key, const std::vector<ValueChange>& changes) {
  json.key(key).begin_array();
  for (const ValueChange& change : changes) {
    json.begin_object().field("name", change.name).field("before", change.before);
    json.field("after", change.after).end_object();
  }
  json.end_array();
}

void write_file(JsonWriter& json, std::string_view key, const std::optional<FileState>& file) {
  json.key(key);
  if (!file) {
    json.null();
    return;
  }
  json.begin_object().field("kind", file->kind).field("mode", fmt::format("{:04o}", file->mode));
  json.field("owner", file->owner).field("group", file->group);
  json.field("contents", file->contents).end_object();
}

void write_files(JsonWriter& json, const std::vector<FileChange>& changes) {
  json.key("files").begin_array();
  for (const FileChange& change : changes) {
    json.begin_object().field("path", change.path);
    write_file(json, "before", change.before);
    write_file(json, "after", change.after);
    json.end_object();
  }
  json.end_array();
}

void write_step(JsonWriter& json, const Record& step) {
  json.line_break().begin_object().field("step", step.number).field("process", step.pid);
  json.field("parent", step.parent).field("rule", machine::name_of(step.rule));
  json.field("kind", step.is_expansion ? "expansion" : "evaluation");
  write_control(json, "before", step.before);
  write_control(json, "after", step.after);
  json.field("status", step.status);
  write_values(json, "variables", step.variables);
  write_values(json, "descriptors", step.descriptors);
  write_files(json, step.files);
  json.field("output", step.output).field("errors", step.errors).end_object();
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
  JsonWriter json;
  json.begin_object().field("ending", ending_name(outcome.ending));
  json.field("status", outcome.status).field("trouble", describe(outcome, scene)).line_break();
  write_files(json, file_changes(before, outcome.tree));
  json.line_break().field("output", outcome.output).field("errors", outcome.errors).end_object();
  return json.take() + "\n";
}

std::string trace_json(Tracer& tracer) {
  while (tracer.advance()) {
  }
  const TraceEnd end = tracer.end();
  JsonWriter json;
  json.begin_object().field("version", 1).line_break().key("script").begin_object();
  json.field("name", tracer.scene().script_name).field("text", tracer.scene().script).end_object();
  json.line_break().key("start").begin_object();
  write_object(json, "variables", tracer.first_variables());
  write_object(json, "descriptors", tracer.first_descriptors());
  json.end_object().line_break().key("steps").begin_array();
  for (const Record& step : tracer.records()) write_step(json, step);
  json.line_break().end_array().line_break().key("end").begin_object();
  json.field("ending", ending_name(end.ending)).field("status", end.status);
  json.field("trouble", end.trouble);
  write_object(json, "variables", end.variables);
  json.line_break();
  write_files(json, end.files);
  json.line_break().field("output", end.output).field("errors", end.errors).end_object();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace nacre::simulate
