// nacre-explore: a script in every file system.
#include <emscripten.h>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "explore/findings.h"
#include "explore/open_scene.h"
#include "explore/prepare.h"
#include "explore/show.h"
#include "exports.h"

namespace nacre::web {
namespace {

std::string failed(const std::string& why) {
  return JsonWriter().begin_object().field("trouble", why).end_object().take();
}

std::string explored(const SourceFile& file, size_t runs) {
  explore::World start = explore::open_world();
  auto script = explore::prepare(file, {}, start);
  if (!script)
    return failed(fmt::format("line {}: {}", file.line_of(script.error().span.begin),
                              script.error().message));
  explore::Budget budget;
  budget.runs = runs;
  const explore::Report report = explore::report_on(*script, start, budget);
  explore::Budget again = budget;
  again.runs = std::min<size_t>(runs, 100);
  const auto findings = explore::all_findings(*script, report, again, 8);
  return explore::show_json(report, findings, {});
}

}  // namespace
}  // namespace nacre::web

using namespace nacre;

extern "C" {

// name, text, runs
EMSCRIPTEN_KEEPALIVE void nacre_explore(const char* bytes, size_t size) {
  auto in = web::read_texts(bytes, size);
  in.resize(3);
  web::answer(web::explored(SourceFile(in[0], in[1]), std::strtoul(in[2].c_str(), nullptr, 10)));
}

}  // extern "C"
