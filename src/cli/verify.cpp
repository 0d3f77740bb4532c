// `nacre verify`: which properties a file has, each proved, refuted with a witness, or open.
#include "prove/verify.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/path.h"
#include "cli/host_scene.h"
#include "cli/make_call.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "layers/verify_docker.h"
#include "project/language.h"
#include "project/workspace.h"
#include "remake/verify_make.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"property", 'p', "NAMES", "check only these properties, separated by commas"},
    {"user", 'u', "NAME", "the user that idempotence-user runs as (default: user)"},
    {"against", '\0', "ORIGINAL", "also check that FILE does the same as ORIGINAL"},
    {"json", '\0', "", "print JSON"},
    {"checklist", '\0', "", "print a list with a mark for each property"},
    {"scene", 's', "DIR", "write witnesses into DIR as scenes, for nacre step --scene"},
    {"budget", 'b', "N", "stop each exploration after N runs (default: 250)"},
    {"allow-open", '\0', "", "exit with 0 if nothing is refuted"},
    {"kind", '\0', "shell|make|makefile|docker|dockerfile", "treat FILE as this language"},
};

constexpr std::string_view kDescription =
    "Prints for each property whether it is proved, refuted by a witness, or open, and why. Of a "
    "script:\ndeterminism, idempotence (root and an ordinary user), injection, toctou, "
    "termination, "
    "posix,\nundefined-variables, unchecked-failures; with --against, preservation. Of a Makefile, "
    "run in a\nsimulated world with the files as they are here, for a GOAL and NAME=VALUE as make "
    "takes them:\nsecond-make, idempotence, parallel, determinism. Of a Dockerfile: determinism, "
    "layers, user. Nothing is\nrun on this system.\n\n"
    "Exit status: 0 all proved; 1 some refuted; 4 none refuted but some open; 2 unreadable; 3 "
    "usage.";

constexpr uint64_t kMaxBytes = uint64_t{16} << 20;
constexpr int kSomeOpen = 4;
constexpr size_t kWorlds = 120;

std::string as_json(const SourceFile& file, const std::vector<Property>& findings) {
  JsonWriter json;
  json.begin_object();
  json.key("file").value(file.name());
  json.key("properties").begin_array();
  for (const Property& each : findings) {
    json.begin_object();
    json.key("property").value(each.property);
    json.key("verdict").value(name_of(each.verdict));
    json.key("reason").value(each.reason);
    if (!each.place.empty()) json.key("line").value(uint64_t{file.line_of(each.place.begin)});
    if (!each.witness.empty()) json.key(each.is_scene ? "scene" : "witness").value(each.witness);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

std::string as_text(const SourceFile& file, const std::vector<Property>& findings, bool is_list) {
  std::string result;
  for (const Property& each : findings) {
    if (is_list) {
      const char mark = each.verdict == Verdict::kProved    ? 'x'
                        : each.verdict == Verdict::kRefuted ? '!'
                                                            : ' ';
      result += fmt::format("- [{}] {}: {}\n", mark, each.property, each.reason);
      continue;
    }
    const std::string place =
        each.place.empty() ? "" : fmt::format("line {}: ", file.line_of(each.place.begin));
    result += fmt::format("{:<20} {:<8} {}{}\n", each.property, name_of(each.verdict), place,
                          each.reason);
    if (!each.witness.empty() && !each.is_scene)
      result += fmt::format("{:29} witness: {}\n", "", each.witness);
  }
  return result;
}

Result<bool> write_scenes(const std::string& directory, const std::vector<Property>& findings) {
  for (const Property& each : findings) {
    if (!each.is_scene) continue;
    auto written = write_file(fmt::format("{}/{}.json", directory, each.property), each.witness);
    if (!written) return written;
  }
  return true;
}

int status_of(const Arguments& arguments, const std::vector<Property>& findings) {
  int status = kClean;
  for (const Property& each : findings) {
    if (each.verdict == Verdict::kRefuted) return kFindings;
    if (each.verdict == Verdict::kOpen && !arguments.has("allow-open")) status = kSomeOpen;
  }
  return status;
}

Result<std::vector<Property>> verify_makefile(const Arguments& arguments, const SourceFile& file,
                                              const commands::CardLibrary& cards) {
  simulate::Scene scene = host_scene("/");
  const std::string directory = parent_path(absolute_path(host_files(), arguments.operands()[0]));
  if (simulate::enter(scene, directory) != 0)
    return fail({}, fmt::format("{}: cannot be entered", directory));
  // make runs in that directory, and knows the file by its name there.
  const SourceFile makefile(std::string(base_name(file.name())), std::string(file.bytes()));
  remake::MakeReport report = remake::verify_make(makefile, scene, cards, make_call(arguments));
  for (const std::string& name : report.first.uninterpreted)
    fmt::print(stderr, "nacre verify: '{}' is not modelled\n", harmless(name));
  return std::move(report.properties);
}

std::vector<Property> verify_dockerfile(const SourceFile& file,
                                        const commands::CardLibrary& cards) {
  layers::DockerReport report = layers::verify_docker(file, cards);
  for (const std::string& layer : report.layers)
    fmt::print(stderr, "nacre verify: {}\n", harmless(layer));
  return std::move(report.properties);
}

Result<std::vector<Property>> verify_script(const Arguments& arguments, const SourceFile& file,
                                            const commands::CardLibrary& cards) {
  prove::VerifyOptions options;
  options.user = arguments.value("user", "user");
  options.properties = arguments.list("property");
  if (auto runs = arguments.number("budget")) options.runs = *runs;
  std::vector<Property> found = prove::verify(file, cards, options);
  if (!arguments.has("against")) return found;
  const std::string other = arguments.value("against");
  auto original = read_operand(other, other, kMaxBytes);
  if (!original) return fail({}, fmt::format("{}: {}", other, original.error().message));
  found.push_back(prove::preserves(file, *original, cards, kWorlds));
  return found;
}

// Only those that are asked for; false: one of them is not a property of the file.
bool choose(const std::vector<std::string>& wanted, std::vector<Property>& found) {
  if (wanted.empty()) return true;
  const bool are_known = std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
    return std::any_of(found.begin(), found.end(),
                       [&](const Property& each) { return each.property == name; });
  });
  std::erase_if(found, [&](const Property& each) {
    return each.property != "preservation" &&
           std::find(wanted.begin(), wanted.end(), each.property) == wanted.end();
  });
  return are_known;
}

int run_verify(const Arguments& arguments) {
  if (arguments.operands().empty()) return complain("verify", "expected a FILE");
  const std::string& path = arguments.operands()[0];
  auto file = read_operand(path, path, kMaxBytes);
  if (!file)
    return complain("verify", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  const auto language = arguments.has("kind") ? project::language_named(arguments.value("kind"))
                                              : project::language_of(path, file->bytes());
  const bool is_makefile = language == project::Language::kMakefile;
  if (arguments.operands().size() > 1 && !is_makefile)
    return complain("verify", "expected one FILE; only a Makefile has goals");
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), path));
  auto findings = is_makefile ? verify_makefile(arguments, *file, *cards->library)
                  : language == project::Language::kDockerfile
                      ? Result<std::vector<Property>>(verify_dockerfile(*file, *cards->library))
                      : verify_script(arguments, *file, *cards->library);
  if (!findings) return complain("verify", findings.error().message, kUnfinished);
  if (!choose(arguments.list("property"), *findings))
    return complain("verify", "--property: there is no property of that name");
  if (arguments.has("scene")) {
    auto written = write_scenes(arguments.value("scene"), *findings);
    if (!written) return complain("verify", written.error().message, kUnfinished);
  }
  print_text(arguments.has("json") ? as_json(*file, *findings)
                                   : as_text(*file, *findings, arguments.has("checklist")));
  return status_of(arguments, *findings);
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
