// `nacre verify`: what holds of a script in every world.
#include "prove/verify.h"

#include <cstdio>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "project/workspace.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"property", 'p', "NAMES", "only these, with commas between them"},
    {"user", 'u', "NAME", "the ordinary user of idempotence-user (user)"},
    {"against", '\0', "ORIGINAL", "also: does FILE do what ORIGINAL does"},
    {"json", '\0', "", "print JSON"},
    {"checklist", '\0', "", "print a list with a mark for each property"},
    {"scene", 's', "DIR", "write the witnesses that are scenes into DIR, for nacre step --scene"},
    {"budget", 'b', "N", "stop each exploration after N runs (250)"},
    {"allow-open", '\0', "", "exit with 0 if nothing is refuted"},
};

constexpr std::string_view kDescription =
    "Prints for each property whether it is proved, refuted by a witness, or open, and why:\n"
    "determinism, idempotence (root and an ordinary user), injection, toctou, termination, posix,\n"
    "undefined-variables, unchecked-failures; with --against, preservation. Nothing is run on "
    "this\n"
    "system.\n\n"
    "Exit status: 0 all proved; 1 some refuted; 4 none refuted but some open; 2 unreadable; 3 "
    "usage.";

constexpr uint64_t kMaxBytes = uint64_t{16} << 20;
constexpr int kSomeOpen = 4;
constexpr size_t kWorlds = 120;

std::string as_json(const SourceFile& file, const std::vector<prove::Finding>& findings) {
  JsonWriter json;
  json.begin_object();
  json.key("file").value(file.name());
  json.key("properties").begin_array();
  for (const prove::Finding& each : findings) {
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

std::string as_text(const SourceFile& file, const std::vector<prove::Finding>& findings,
                    bool is_list) {
  std::string result;
  for (const prove::Finding& each : findings) {
    if (is_list) {
      const char mark = each.verdict == prove::Verdict::kProved    ? 'x'
                        : each.verdict == prove::Verdict::kRefuted ? '!'
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

Result<bool> write_scenes(const std::string& directory,
                          const std::vector<prove::Finding>& findings) {
  for (const prove::Finding& each : findings) {
    if (!each.is_scene) continue;
    auto written = write_file(fmt::format("{}/{}.json", directory, each.property), each.witness);
    if (!written) return written;
  }
  return true;
}

int status_of(const Arguments& arguments, const std::vector<prove::Finding>& findings) {
  int status = kClean;
  for (const prove::Finding& each : findings) {
    if (each.verdict == prove::Verdict::kRefuted) return kFindings;
    if (each.verdict == prove::Verdict::kOpen && !arguments.has("allow-open")) status = kSomeOpen;
  }
  return status;
}

int run_verify(const Arguments& arguments) {
  if (arguments.operands().size() != 1) return complain("verify", "expected one FILE");
  const std::string& path = arguments.operands()[0];
  auto file = read_operand(path, path, kMaxBytes);
  if (!file)
    return complain("verify", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), path));
  prove::VerifyOptions options;
  options.user = arguments.value("user", "user");
  options.properties = arguments.list("property");
  if (auto runs = arguments.number("budget")) options.runs = *runs;
  std::vector<prove::Finding> findings = prove::verify(*file, *cards->library, options);
  if (!options.properties.empty() && findings.empty())
    return complain("verify", "--property: there is no property of that name");
  if (arguments.has("against")) {
    const std::string other = arguments.value("against");
    auto original = read_operand(other, other, kMaxBytes);
    if (!original)
      return complain("verify", fmt::format("{}: {}", other, original.error().message),
                      kUnfinished);
    findings.push_back(prove::preserves(*file, *original, *cards->library, kWorlds));
  }
  if (arguments.has("scene")) {
    auto written = write_scenes(arguments.value("scene"), findings);
    if (!written) return complain("verify", written.error().message, kUnfinished);
  }
  print_text(arguments.has("json") ? as_json(*file, findings)
                                   : as_text(*file, findings, arguments.has("checklist")));
  return status_of(arguments, findings);
}

constexpr Verb kVerb = {.name = "verify",
                        .summary = "prove or refute properties of a script",
                        .operands = "FILE",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_verify};

}  // namespace

const Verb& verify_verb() { return kVerb; }

}  // namespace nacre::cli
