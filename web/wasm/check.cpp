// nacre-check: what can be said about a text without running it. Every function takes netstrings
// (exports.h) and answers in JSON.
#include "project/check.h"

#include <emscripten.h>

#include "base/codes.h"
#include "base/json_writer.h"
#include "base/memory_files.h"
#include "docker/purify.h"
#include "exports.h"
#include "make/purify.h"
#include "project/types.h"
#include "purify/purify.h"
#include "report/report.h"

namespace nacre::web {
namespace {

// One workspace for all checks: what is known of the cards is made once.
project::Workspace& workspace() {
  static MemoryFiles files;
  static project::Workspace result(files, "");
  return result;
}

project::Settings settings(const std::string& shell) {
  project::Settings result;
  result.shell = shell;
  return result;
}

void write_rewrites(JsonWriter& json, std::string_view key, const SourceFile& file,
                    const std::vector<Rewrite>& list) {
  json.key(key).begin_array();
  for (const Rewrite& each : list) {
    json.begin_object().field("name", each.name).field("class", name_of(each.kind));
    json.field("line", file.position(each.place.begin).line).field("message", each.message);
    json.field("differs_when", each.differs_when).key("needs").begin_array();
    for (const Obligation& need : each.needs) {
      json.begin_object().field("kind", name_of(need.kind));
      json.field("discharged", need.is_discharged).field("why", need.why).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

Purified purified(const SourceFile& file, project::Language language) {
  const commands::CardLibrary& cards =
      *workspace().cards_for("/" + std::string(file.name()))->library;
  if (language == project::Language::kMakefile) return make::purify(file, cards, {});
  if (language == project::Language::kDockerfile) return docker::purify(file, cards);
  purify::Settings settings;
  if (auto dialect = purify::dialect_of(file)) settings.dialect = *dialect;
  return purify::purify(file, settings, cards);
}

}  // namespace
}  // namespace nacre::web

using namespace nacre;

extern "C" {

// name, text, shell ("": what the text says)
EMSCRIPTEN_KEEPALIVE const char* nacre_check(const char* bytes, size_t size) {
  auto in = web::read_texts(bytes, size);
  in.resize(3);
  const project::Checked checked =
      project::check({SourceFile(in[0], in[1])}, web::settings(in[2]), web::workspace());
  report::Report report;
  report.findings = checked.findings;
  report.files = {in[0]};
  report.version = NACRE_VERSION;
  report.is_finished = checked.ending == project::Ending::kFinished;
  return web::answer(report::json(report, {}));
}

// name, text, shell
EMSCRIPTEN_KEEPALIVE const char* nacre_types(const char* bytes, size_t size) {
  auto in = web::read_texts(bytes, size);
  in.resize(3);
  const SourceFile file(in[0], in[1]);
  JsonWriter json;
  json.begin_array();
  for (const project::TypeAt& each :
       project::types_of(file, web::settings(in[2]), web::workspace())) {
    json.begin_object().field("begin", each.span.begin).field("end", each.span.end);
    json.field("variable", each.is_variable).field("read", each.is_read).field("name", each.name);
    json.field("input", each.input ? each.input() : std::string());
    json.field("output", each.output ? each.output() : std::string()).end_object();
  }
  return web::answer(json.end_array().take());
}

// code
EMSCRIPTEN_KEEPALIVE const char* nacre_explain(const char* bytes, size_t size) {
  auto in = web::read_texts(bytes, size);
  in.resize(1);
  const Code* code = find_code(in[0]);
  return web::answer(code != nullptr ? std::string(code->page) : std::string());
}

// name, text
EMSCRIPTEN_KEEPALIVE const char* nacre_purify(const char* bytes, size_t size) {
  auto in = web::read_texts(bytes, size);
  in.resize(2);
  const SourceFile file(in[0], in[1]);
  const auto language = project::language_of(in[0], in[1]).value_or(project::Language::kShell);
  JsonWriter json;
  if (language == project::Language::kPython) {
    json.begin_object().field("refusal", "Python files are not purified").end_object();
    return web::answer(json.take());
  }
  const Purified result = web::purified(file, language);
  json.begin_object().field("text", result.text);
  web::write_rewrites(json, "done", file, result.done);
  web::write_rewrites(json, "kept", file, result.kept);
  web::write_rewrites(json, "refused", file, result.refused);
  return web::answer(json.end_object().take());
}

}  // extern "C"
