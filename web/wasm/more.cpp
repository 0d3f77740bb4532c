// What nacre-more has beside the functions of check.cpp: purify.
#include <emscripten.h>

#include "base/json_writer.h"
#include "docker/purify.h"
#include "exports.h"
#include "make/purify.h"
#include "project/language.h"
#include "purify/purify.h"
#include "workspace.h"

namespace nacre::web {
namespace {

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

// name, text
EMSCRIPTEN_KEEPALIVE const char* nacre_purify(const char* bytes, size_t size) {
  auto in = web::read_texts(bytes, size);
  in.resize(2);
  const SourceFile file = web::document(in[0], in[1]);
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
