// `nacre explore`: every outcome of a script over an unknown file system.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

#include "cli/explore_packages.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/read_operand.h"
#include "cli/scene_options.h"
#include "cli/watchdog.h"
#include "cli/write_file.h"
#include "explore/open_scene.h"
#include "explore/prepare.h"
#include "explore/scene_file.h"
#include "explore/show.h"
#include "report/report.h"

namespace nacre::cli {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{16} << 20;

constexpr Option kOptions[] = {
    {"format", 'f', "text|json|html|dot|gcc|sarif|jsonl|checkstyle|junit|gitlab|github",
     "output format (default: text)"},
    {"all", 'a', "", "show outcomes that need an unlikely file system, too"},
    {"deep", 'd', "", "also try links, named pipes and files that cannot be read"},
    {"user", 'u', "NAME", "user who runs the script: root (default), user, a name or a number"},
    {"fs", '\0', "FILE",
     "known paths, one per line: / at the end for a directory, ! in front if absent"},
    {"arg", '\0', "N=TYPE", "the N-th argument is some word of TYPE"},
    {"var", '\0', "NAME=TYPE", "the variable NAME is some word of TYPE"},
    {"unset", '\0', "NAME", "the variable or argument NAME is not set"},
    {"twice", 't', "", "run the script a second time in every resulting world, not only in a few"},
    {"budget", 'b', "N", "stop after N runs (default: 2000)"},
    {"package", 'p', "DIR", "explore a package, or each package in a directory, instead of FILE"},
    {"scenario", '\0', "NAME", "with --package: play only these scenarios (default: all)"},
    {"report", '\0', "DIR",
     "with --package: write one document per package; existing ones are kept"},
    {"jobs", 'j', "N", "with --package: explore N packages in parallel"},
    {"save", 's', "DIR", "write a scene for each outcome, for nacre run and nacre step"},
};

constexpr std::string_view kDescription =
    R"(Runs the script FILE repeatedly in simulated worlds. Each time the script looks at a file whose state
is open, each possible answer becomes a run of its own, until all combinations were tried or the
limit of runs is reached. Nothing of this system is touched. Prints the outcomes: how the script
ends, what it has changed, and in which worlds.

Without ARGUMENTS, different arguments are tried, too. The report says `complete` only if nothing was
cut off, assumed or tried only by examples. The exit status is 0 without findings of warning or above, 1
with some, 2 if the script could not be explored.)";

Result<std::optional<std::string>> value_of(const std::string& type) {
  auto word = explore::word_of_type(type);
  if (!word) return fail({}, fmt::format("'{}': {}", type, word.error().message));
  return std::optional<std::string>(std::move(*word));
}

Result<explore::Given> given_by(const ScriptCall& call) {
  explore::Given given;
  given.user = call.options.value("user", "root");
  given.is_deep = call.options.has("deep");
  given.arguments = call.arguments;
  given.has_arguments = !call.arguments.empty();
  for (std::string_view option : {"arg", "var"}) {
    for (const std::string& text : call.options.all(option)) {
      const size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0)
        return fail({}, fmt::format("--{} needs a name, '=' and a type", option));
      auto value = value_of(text.substr(equals + 1));
      if (!value) return fail({}, value.error().message);
      given.values[text.substr(0, equals)] = *value;
    }
  }
  for (const std::string& name : call.options.all("unset")) given.values[name] = std::nullopt;
  return given;
}

Result<std::vector<std::string>> save_scenes(const std::string& directory,
                                             const explore::Script& script,
                                             const explore::World& start,
                                             const explore::Report& report) {
  std::vector<std::string> names;
  std::error_code problem;
  std::filesystem::create_directories(directory, problem);
  const std::string base = std::filesystem::path(script.name).filename().string();
  for (size_t i = 0; i < report.outcomes.size(); ++i) {
    const explore::Outcome& outcome = report.outcomes[i];
    names.push_back(fmt::format("{}/{}.{}.json", directory, base, i + 1));
    auto written = write_file(
        names.back(), explore::scene_json(script, start, outcome.decisions, outcome.after.memory));
    if (!written) return fail({}, fmt::format("{}: {}", names.back(), written.error().message));
  }
  return names;
}

struct Explored {
  explore::Report report;
  std::vector<explore::Finding> findings;
  explore::ShowOptions shown;
  explore::World start;
};

Result<Explored> explore_script(const ScriptCall& call, const SourceFile& file) {
  Explored result;
  explore::World start = explore::open_world();
  if (call.options.has("fs")) {
    const std::string path = call.options.value("fs");
    auto facts = read_operand(path, path, kMaxBytes);
    if (!facts) return fail({}, fmt::format("{}: {}", path, facts.error().message));
    if (auto added = explore::add_facts(start, facts->bytes()); !added) {
      return fail({}, fmt::format("{}:{}: {}", path, facts->line_of(added.error().span.begin),
                                  added.error().message));
    }
  }
  auto given = given_by(call);
  if (!given) return fail({}, given.error().message);
  auto script = explore::prepare(file, *given, start);
  if (!script) {
    result.report.script = file.name();
    result.report.refusal =
        fmt::format("line {}: {}", file.line_of(script.error().span.begin), script.error().message);
    return result;
  }
  explore::Budget budget;
  if (auto runs = call.options.number("budget")) budget.runs = *runs;
  result.report = explore::report_on(*script, start, budget);
  constexpr size_t kFewWorlds = 8;
  const bool is_thorough = call.options.has("twice");
  explore::Budget again = budget;
  if (!is_thorough) again.runs = std::min<size_t>(budget.runs, 100);
  result.findings = explore::all_findings(*script, result.report, again,
                                          is_thorough ? result.report.outcomes.size() : kFewWorlds);
  result.shown.shows_all = call.options.has("all");
  if (call.options.has("save")) {
    auto names = save_scenes(call.options.value("save"), *script, start, result.report);
    if (!names) return fail({}, names.error().message);
    result.shown.scenes = std::move(*names);
  }
  result.start = std::move(start);
  return result;
}

std::vector<Diagnostic> diagnostics_of(const Explored& explored, const SourceFile& file) {
  std::vector<Diagnostic> result;
  for (const explore::Finding& finding : explored.findings) {
    Diagnostic diagnostic = explore::diagnostic_of(finding, file);
    const bool is_unlikely = diagnostic.severity == Severity::kStyle;
    if (!is_unlikely || explored.shown.shows_all) result.push_back(std::move(diagnostic));
  }
  return result;
}

std::string rendered(const std::string& format, const Explored& explored, const SourceFile& file) {
  if (format == "text")
    return explore::show_text(explored.report, explored.findings, explored.shown);
  if (format == "json")
    return explore::show_json(explored.report, explored.findings, explored.shown);
  if (format == "html")
    return explore::show_html(explored.report, explored.start, explored.findings, explored.shown);
  if (format == "dot") return explore::show_dot(explored.report);
  report::Report report;
  report.findings = diagnostics_of(explored, file);
  report.files = {std::string(file.name())};
  report.version = NACRE_VERSION;
  report.is_finished = explored.report.refusal.empty();
  return report::find_format(format)->render(report, {});
}

int run_explore(int argc, char** argv);

constexpr Verb kVerb = {.name = "explore",
                        .summary = "run a script over every possible file system",
                        .operands = "[FILE [ARGUMENT...]]",
                        .description = kDescription,
                        .options = kOptions,
                        .run_raw = run_explore};

int run_explore(int argc, char** argv) {
  watchdog::start(argc, argv);
  if (auto words = parse(kVerb, argc, argv); words && *words && (*words)->has("package")) {
    if ((*words)->operands().empty()) return explore_packages(**words);
    return complain("explore", "give a FILE or --package, not both");
  }
  auto call = parse_script_call(kVerb, argc, argv);
  if (!call) return complain_about_usage("explore", call.error().message);
  if (!*call) return kClean;
  const std::string& path = (*call)->file;
  auto file = read_operand(path, path, kMaxBytes);
  if (!file)
    return complain("explore", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  auto explored = explore_script(**call, *file);
  if (!explored) return complain("explore", explored.error().message);
  print_text(rendered((*call)->options.value("format", "text"), *explored, *file));
  if (std::fflush(stdout) != 0) return kUnfinished;
  if (!explored->report.refusal.empty()) return kUnfinished;
  for (const Diagnostic& each : diagnostics_of(*explored, *file)) {
    if (each.severity == Severity::kWarning || each.severity == Severity::kError) return kFindings;
  }
  return kClean;
}

}  // namespace

const Verb& explore_verb() { return kVerb; }

}  // namespace nacre::cli
