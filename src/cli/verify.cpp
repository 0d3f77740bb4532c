// `nacre verify`: which properties a file has, each proved, refuted with a witness, or open.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/path.h"
#include "base/property.h"
#include "cli/host_scene.h"
#include "cli/make_call.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "layers/verify_docker.h"
#include "project/language.h"
#include "project/workspace.h"
#include "remake/verify_make.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"property", '\0', "NAME,...", "only these properties"},
    {"json", 'j', "", "print the verdicts as JSON"},
    {"allow-open", '\0', "", "exit with 0 if nothing is refuted"},
    {"kind", '\0', "makefile|dockerfile", "treat FILE as this language"},
};

constexpr std::string_view kDescription =
    "Decides properties of a Makefile (second-make, idempotence, parallel, determinism) by running "
    "it in\na simulated world that starts as a snapshot of this system, and of a Dockerfile "
    "(determinism, layers,\nuser) by its stages and by running its RUN bodies in a small simulated "
    "system. Nothing of this system\nis touched. A GOAL or NAME=VALUE is given to make. Each "
    "verdict "
    "is proved (with what is assumed),\nrefuted (with a witness) or open (with the reason). Exit "
    "status: 0 all proved, 1 some refuted, 4 none\nrefuted but some open, 2 unreadable, 3 usage.";

constexpr uint64_t kMaxBytes = uint64_t{1} << 28;
constexpr int kSomethingOpen = 4;

struct Verified {
  std::vector<Property> properties;
  std::vector<std::string> remarks;
};

Result<Verified> verify_makefile(const Arguments& arguments, const SourceFile& file,
                                 const commands::CardLibrary& cards) {
  simulate::Scene scene = host_scene("/");
  const std::string directory = parent_path(absolute_path(host_files(), arguments.operands()[0]));
  if (simulate::enter(scene, directory) != 0)
    return fail({}, fmt::format("{}: cannot be entered", directory));
  remake::MakeCall call = make_call(arguments);
  remake::MakeReport report = remake::verify_make(file, scene, cards, call);
  Verified result{std::move(report.properties), {}};
  for (const std::string& name : report.first.uninterpreted)
    result.remarks.push_back(fmt::format("'{}' is not modelled", name));
  return result;
}

Result<Verified> verify_file(const Arguments& arguments, const SourceFile& file,
                             project::Language language) {
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), arguments.operands()[0]));
  if (language == project::Language::kMakefile)
    return verify_makefile(arguments, file, *cards->library);
  if (language == project::Language::kDockerfile) {
    layers::DockerReport report = layers::verify_docker(file, *cards->library);
    return Verified{std::move(report.properties), std::move(report.layers)};
  }
  return fail({}, fmt::format("{} files are not verified yet", project::name_of(language)));
}

void print_json(const SourceFile& file, const Verified& result) {
  JsonWriter json(JsonWriter::Shape::kIndented);
  json.begin_object().field("file", file.name()).key("properties").begin_array();
  for (const Property& each : result.properties) {
    json.begin_object().field("property", each.name).field("verdict", name_of(each.verdict));
    json.field("reason", each.reason);
    json.key("witness");
    each.witness.empty() ? json.null() : json.value(each.witness);
    json.end_object();
  }
  json.end_array().key("remarks").begin_array();
  for (const std::string& each : result.remarks) json.value(each);
  json.end_array().end_object();
  print_text(json.take() + "\n");
}

void print_lines(const Verified& result) {
  for (const Property& each : result.properties) {
    std::string line = fmt::format("{}: {}: {}", each.name, name_of(each.verdict), each.reason);
    if (!each.witness.empty()) line += "\n  witness: " + each.witness;
    print_text(harmless(line) + "\n");
  }
  for (const std::string& each : result.remarks)
    fmt::print(stderr, "nacre verify: {}\n", harmless(each));
}

int status_of(const Verified& result, bool allows_open) {
  const auto has = [&](Verdict verdict) {
    return std::any_of(result.properties.begin(), result.properties.end(),
                       [&](const Property& each) { return each.verdict == verdict; });
  };
  if (has(Verdict::kRefuted)) return kFindings;
  return has(Verdict::kOpen) && !allows_open ? kSomethingOpen : kClean;
}

// An error names what is not a property of the file.
Result<void> choose(const std::vector<std::string>& wanted, Verified& result) {
  if (wanted.empty()) return {};
  for (const std::string& name : wanted) {
    const bool is_known = std::any_of(result.properties.begin(), result.properties.end(),
                                      [&](const Property& each) { return each.name == name; });
    if (!is_known) return fail({}, fmt::format("'{}' is not a property of this file", name));
  }
  std::erase_if(result.properties, [&](const Property& each) {
    return std::find(wanted.begin(), wanted.end(), each.name) == wanted.end();
  });
  return {};
}

int run_verify(const Arguments& arguments) {
  if (arguments.operands().empty()) return complain("verify", "expected a FILE");
  const std::string& path = arguments.operands()[0];
  auto file = read_operand(path, std::string(base_name(path)), kMaxBytes);
  if (!file)
    return complain("verify", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  const auto language = arguments.has("kind") ? project::language_named(arguments.value("kind"))
                                              : project::language_of(path, file->bytes());
  if (!language)
    return complain("verify",
                    fmt::format("{}: the language is not known; give it with --kind", path));
  auto result = verify_file(arguments, *file, *language);
  if (!result) return complain("verify", fmt::format("{}: {}", path, result.error().message));
  if (auto chosen = choose(arguments.list("property"), *result); !chosen)
    return complain("verify", chosen.error().message);
  arguments.has("json") ? print_json(*file, *result) : print_lines(*result);
  return status_of(*result, arguments.has("allow-open"));
}

constexpr Verb kVerb = {.name = "verify",
                        .summary = "prove or refute properties of a file",
                        .operands = "FILE [GOAL | NAME=VALUE]...",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_verify};

}  // namespace

const Verb& verify_verb() { return kVerb; }

}  // namespace nacre::cli
