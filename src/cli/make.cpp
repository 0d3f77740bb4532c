// `nacre make`: what a Makefile says, and what running it would do.
#include <cstdio>
#include <fmt/format.h>

#include "base/path.h"
#include "cli/host_scene.h"
#include "cli/make_call.h"
#include "cli/output.h"
#include "cli/print_changes.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "make/dump.h"
#include "make/read.h"
#include "project/workspace.h"
#include "remake/run_make.h"
#include "report/printable.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"print-data-base", 'p', "", "print the variables and rules as make reads them"},
    {"empty-environment", '\0', "", "with -p: ignore the environment"},
    {"jobs", 'j', "N", "run N recipes at once, interleaved line by line"},
    {"schedule", '\0', "N", "which of the orders that -j allows (default: 0, make's own)"},
    {"diff", 'd', "", "print what make would have changed"},
};

constexpr std::string_view kDescription =
    "Runs a Makefile in a simulated world that starts as a snapshot of this system, in the "
    "directory of\nFILE; nothing of this system is touched. Commands that are not modelled succeed "
    "and write the words\nthey were called with to the file after -o; they are listed. Exit "
    "status: that of make (0 or 2).";

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

remake::MakeCall call_of(const Arguments& arguments) {
  remake::MakeCall call = make_call(arguments);
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
  return simulate_make(arguments, *file, scene, *cards->library);
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
