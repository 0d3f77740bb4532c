// What can be said about a text without running it, of both checking modules: nacre-check knows the
// shell (shell_only.cpp), nacre-more every language. Every function takes netstrings (exports.h)
// and answers in JSON.
#include "project/check.h"

#include <emscripten.h>

#include "base/codes.h"
#include "base/json_writer.h"
#include "exports.h"
#include "project/types.h"
#include "report/report.h"
#include "workspace.h"

namespace nacre::web {
namespace {

project::Settings settings(const std::string& shell) {
  project::Settings result;
  result.shell = shell;
  return result;
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
      project::check({web::document(in[0], in[1])}, web::settings(in[2]), web::workspace());
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
  const SourceFile file = web::document(in[0], in[1]);
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

}  // extern "C"
