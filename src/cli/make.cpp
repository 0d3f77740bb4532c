// `nacre make`: what a Makefile says, and what running it would do.
#include <cstdio>
#include <fmt/format.h>

#include "base/path.h"
#include "cli/host_scene.h"
#include "cli/output.h"
#include "cli/print_changes.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "make/dump.h"
#include "make/read.h"
#include "project/workspace.h"
#include "remake/verify_make.h"
#include "report/printable.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"print-data-base", 'p', "", "print the variables and rules as make reads them"},
    {"empty-environment", '\0', "", "with -p: ignore the environment"},
    {"jobs", 'j', "N", "run N recipes at once, interleaved line by line"},
    {"schedule", '\0', "N", "which of the orders that -j allows (default: 0, make's own)"},
    {"diff", 'd', "", "print what make would have changed"},
    {"verify", '\0', "",
     "try out whether a second make does nothing, and whether all orders of -j agree"},
};

constexpr std::string_view kDescription =
    "Runs a Makefile in a simulated world that starts as a snapshot of this system, in the "
    "directory of\nFILE; nothing of this system is touched. Commands that are not modelled succeed "
    "and write the words\nthey were called with to the file after -o; they are listed. Exit "
    "status: "
    "that of make (0 or 2); with\n--verify 0 if nothing was refuted, 1 if something was, 4 if "
    "something stays open.";

constexpr uint64_t kMaxBytes = uint64_t{1} << 28;

int print_database(const SourceFile& file, const make::ReadOptions& options) {
  const make::Database database = make::read_makefile(file, options);
  print_text(make::dump(database));
  for (const Diagnostic& each : database.findings) {
    fmt::print(stderr, "{}:{}: {} [{}]\n", report::printable(each.file.name()),
               each.file.position(each.span.begin).line, report::printable(each.message),
               each.code);
  }
  return database.is_accepted ? kClean : kFindings;
}

make::ReadOptions reading_options(const Arguments& arguments) {
  make::ReadOptions options;
  options.read_include = [](const std::string& name) -> std::optional<SourceFile> {
    auto included = read_source(host_files(), name, name, kMaxBytes);
    return included ? std::optional(*std::move(included)) : std::nullopt;
  };
  if (arguments.has("empty-environment")) options.environment.emplace();
  return options;
}

// Goals and NAME=value, as make takes them.
remake::MakeCall call_of(const Arguments& arguments) {
  remake::MakeCall call;
  const auto& operands = arguments.operands();
  for (size_t i = 1; i < operands.size(); i++) {
    const size_t equals = operands[i].find('=');
    if (equals == std::string::npos) {
      call.goals.push_back(operands[i]);
    } else {
      call.variables.emplace_back(operands[i].substr(0, equals), operands[i].substr(equals + 1));
    }
  }
  call.jobs = arguments.number("jobs").value_or(1);
  call.schedule = arguments.number("schedule").value_or(0);
  return call;
}

void tell_uninterpreted(const remake::MakeOutcome& outcome) {
  for (const std::string& name : outcome.uninterpreted) {
    fmt::print(stderr, "nacre make: '{}' is not modelled: taken to succeed\n", harmless(name));
  }
}

int simulate_make(const Arguments& arguments, const SourceFile& file, simulate::Scene& scene,
                  const commands::CardLibrary& cards) {
  remake::MakeOutcome outcome = remake::run_make(file, scene, cards, call_of(arguments));
  print_text(outcome.output);
  fmt::print(stderr, "{}", harmless(outcome.errors));
  if (arguments.has("diff")) print_text(describe_changes(scene.tree, outcome.tree));
  if (outcome.ran.empty() && outcome.status == 0) print_text("make: nothing to be done\n");
  tell_uninterpreted(outcome);
  return outcome.status;
}

constexpr int kSomethingOpen = 4;

int verify(const Arguments& arguments, const SourceFile& file, const simulate::Scene& scene,
           const commands::CardLibrary& cards) {
  const remake::MakeReport report = remake::verify_make(file, scene, cards, call_of(arguments));
  int status = kClean;
  for (const remake::MakeProperty& each : report.properties) {
    print_text(fmt::format("{}: {}{}\n", each.name, name_of(each.verdict),
                           each.witness.empty() ? "" : ": " + each.witness));
    if (each.verdict == remake::Verdict::kRefuted) status = kFindings;
    if (each.verdict == remake::Verdict::kOpen && status == kClean) status = kSomethingOpen;
  }
  tell_uninterpreted(report.first);
  return status;
}

int run_make(const Arguments& arguments) {
  if (arguments.operands().empty()) return complain("make", "expected a FILE");
  const std::string& path = arguments.operands()[0];
  auto file = read_operand(path, std::string(base_name(path)), kMaxBytes);
  if (!file)
    return complain("make", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  if (arguments.has("print-data-base")) return print_database(*file, reading_options(arguments));
  simulate::Scene scene = host_scene("/");
  const std::string directory = parent_path(absolute_path(host_files(), path));
  if (simulate::enter(scene, directory) != 0) {
    return complain("make", fmt::format("{}: cannot be entered", directory), kUnfinished);
  }
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), path));
  return arguments.has("verify") ? verify(arguments, *file, scene, *cards->library)
                                 : simulate_make(arguments, *file, scene, *cards->library);
}

constexpr Verb kVerb = {.name = "make",
                        .summary = "run a Makefile in a simulated world",
                        .operands = "FILE [GOAL | NAME=VALUE]...",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_make};

}  // namespace

const Verb& make_verb() { return kVerb; }

}  // namespace nacre::cli
