// `nacre check`: from the command line to a report.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <thread>
#include <unistd.h>

#include "base/counted.h"
#include "cli/check_files.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/show_types.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "explore/confirm.h"
#include "project/analyses.h"
#include "project/types.h"
#include "purify/profiles.h"
#include "report/baseline.h"

namespace nacre::cli {

namespace {

constexpr size_t kMaxConfirmRuns = 400;

constexpr Option kOptions[] = {
    {"format", 'f', "text|gcc|json|jsonl|sarif|checkstyle|junit|gitlab|github|diff",
     "report format (default: text)"},
    {"output", 'o', "FILE", "write the report to FILE instead of stdout"},
    {"select", 'i', "CODES", "report only these codes or families, e.g. T101,X"},
    {"ignore", 'e', "CODES",
     "do not report these codes, in addition to those ignored in the configuration"},
    {"severity", 'S', "error|warning|info|style", "minimum severity to report (default: style)"},
    {"shell", 's', "sh|dash|bash|ksh|busybox", "treat every script as this dialect"},
    {"target", '\0', "NAMES",
     "with lint: systems and shells that the scripts are for, e.g. busybox,bash-3.2"},
    {"kind", '\0', "shell|make|makefile|docker|dockerfile|python",
     "treat every FILE as this language, and take only its files from directories"},
    {"exit-zero", '\0', "", "exit with status 0 even if there are findings"},
    {"statistics", '\0', "", "print the number of findings per code instead of the findings"},
    {"baseline", '\0', "FILE", "do not report findings listed in FILE"},
    {"write-baseline", '\0', "", "write all current findings to the file given with --baseline"},
    {"diff", '\0', "", "print the changes that --fix would make (same as --format diff)"},
    {"fix", '\0', "", "apply safe fixes to the files and report what remains"},
    {"unsafe-fixes", '\0', "", "let --fix also apply fixes that may change behaviour"},
    {"jobs", 'j', "N", "check N files in parallel (default: one per processor)"},
    {"stdin-filename", '\0', "NAME",
     "file name to use for stdin in reports and when looking up settings"},
    {"config", '\0', "FILE", "use this configuration instead of the nearest nacre.toml"},
    {"no-config", '\0', "", "ignore configuration files"},
    {"no-ignore", '\0', "", "in directories, also check files excluded by .gitignore"},
    {"show-files", '\0', "", "print the files that would be checked"},
    {"show-settings", '\0', "", "print the settings of each FILE and where they come from"},
    {"confirm", '\0', "",
     "search simulated worlds for a run that reaches each finding about files"},
    {"concretize", '\0', "", "run a second pass using the current files and environment"},
    {"show-types", '\0', "", "print each FILE annotated with the types of its pipes and variables"},
    {"color", '\0', "auto|always|never", "colour the text format (default: auto, on a terminal)"},
    {"quiet", 'q', "", "print only the report"},
};

constexpr std::string_view kDescription =
    "Finds bugs without running anything. A directory is searched for scripts, recognised by\n"
    "extension or `#!` line; files excluded by .gitignore are skipped. `-` is standard input.\n\n"
    "To suppress a finding, write `# nacre disable=CODE -- reason` at the end of its line or on "
    "the\n"
    "line before it.\n\n"
    "Exit status: 0: no findings; 1: findings; 2: a file could not be read, parsed or fully\n"
    "analysed; 3: invalid command line or configuration.";

int usage_error(std::string_view message) { return complain("check", message); }

std::optional<std::string> fixed_configuration(const Arguments& arguments) {
  if (arguments.has("config")) return arguments.value("config");
  return arguments.has("no-config") ? std::optional<std::string>("") : std::nullopt;
}

// What is wrong with the command line; empty if nothing is.
std::string find_contradiction(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  bool reads_stdin = std::find(operands.begin(), operands.end(), "-") != operands.end();
  if (operands.empty()) return "expected files or directories to check";
  if (arguments.has("fix") && reads_stdin) return "--fix cannot change stdin; use --diff";
  if (arguments.has("fix") && arguments.has("diff"))
    return "--fix and --diff cannot be used together";
  if (arguments.has("write-baseline") && !arguments.has("baseline")) {
    return "--write-baseline needs --baseline FILE";
  }
  for (const char* option : {"select", "ignore"}) {
    for (const std::string& pattern : arguments.list(option)) {
      if (!is_code_pattern(pattern)) return fmt::format("--{}: unknown code '{}'", option, pattern);
    }
  }
  return "";
}

// The command line is stronger than the configuration.
void apply_command_line(const Arguments& arguments, std::string_view verb,
                        project::Settings& settings) {
  settings.verb = verb;
  if (arguments.has("select")) settings.choice.select = CodeSet(arguments.list("select"));
  std::vector<std::string> ignored = settings.choice.ignore.patterns();
  for (std::string& pattern : arguments.list("ignore")) ignored.push_back(std::move(pattern));
  settings.choice.ignore = CodeSet(std::move(ignored));
  if (auto severity = severity_named(arguments.value("severity"))) settings.threshold = *severity;
  if (arguments.has("shell")) settings.shell = arguments.value("shell");
  if (arguments.has("target")) settings.targets = arguments.list("target");
  settings.concretizes = arguments.has("concretize");
}

std::string stdin_name(const Arguments& arguments) {
  return arguments.value("stdin-filename", "stdin");
}

Result<std::vector<FileTask>> plan_tasks(const Arguments& arguments, std::string_view verb,
                                         project::Workspace& workspace) {
  const auto kind = project::language_named(arguments.value("kind"));
  const auto is_analysed = [&](project::Language language) {
    return (!kind || language == *kind) && project::find_analysis(language, verb) != nullptr;
  };
  project::DiscoverOptions options{!arguments.has("no-ignore"), is_analysed};
  auto targets = project::discover(arguments.operands(), options, workspace);
  if (!targets) return tl::unexpected(targets.error());
  std::vector<FileTask> tasks;
  for (project::Target& target : *targets) {
    std::string name = target.name == "-" ? stdin_name(arguments) : target.name;
    auto settings = workspace.settings_for(absolute_path(workspace.files(), name), kind);
    if (!settings) return tl::unexpected(settings.error());
    apply_command_line(arguments, verb, *settings);
    tasks.push_back({std::move(target), *std::move(settings), kind});
  }
  return tasks;
}

int show_files(const std::vector<FileTask>& tasks) {
  for (const FileTask& task : tasks) print_text(task.target.name + "\n");
  return kClean;
}

int show_settings(const std::vector<FileTask>& tasks) {
  for (const FileTask& task : tasks) {
    const std::string& origin = task.settings.origin;
    print_text(fmt::format("# {}: {}\n{}\n", task.target.name,
                           origin.empty() ? "no configuration file" : origin,
                           to_toml(task.settings)));
  }
  return kClean;
}

int show_types(const std::vector<FileTask>& tasks, project::Workspace& workspace) {
  int status = kClean;
  for (const FileTask& task : tasks) {
    const std::string& name = task.target.name;
    auto file = read_operand(name, name == "-" ? "stdin" : name, task.settings.max_bytes);
    if (!file || !task.target.error.empty()) {
      const std::string& reason = file ? task.target.error : file.error().message;
      status = complain("check", fmt::format("{}: {}", name, reason), kUnfinished);
      continue;
    }
    print_text(with_types(*file, project::types_of(*file, task.settings, workspace)));
  }
  return status;
}

bool is_colored(const Arguments& arguments) {
  std::string when = arguments.value("color", "auto");
  if (when != "auto") return when == "always";
  const char* no_color = std::getenv("NO_COLOR");
  bool is_unwanted = no_color != nullptr && *no_color != '\0';
  return !is_unwanted && !arguments.has("output") && isatty(STDOUT_FILENO) == 1;
}

CheckPlan make_plan(const Arguments& arguments, size_t files) {
  CheckPlan plan;
  if (files > 1) {  // to ask how many processors there are takes a while
    plan.threads =
        std::max(1u, arguments.number("jobs").value_or(std::thread::hardware_concurrency()));
  }
  plan.fixes = arguments.has("fix");
  plan.fix_kind = arguments.has("unsafe-fixes") ? FixKind::kAny : FixKind::kSafe;
  plan.stdin_name = stdin_name(arguments);
  return plan;
}

Result<bool> apply_baseline(const std::string& path, report::Report& report) {
  auto file = read_operand(path, path, uint64_t{1} << 30);
  if (!file) return fail({}, fmt::format("{}: {}", path, file.error().message));
  auto baseline = report::parse_baseline(*file);
  if (!baseline) return tl::unexpected(baseline.error());
  report.findings = report::without(*baseline, std::move(report.findings));
  return true;
}

std::string format_of(const Arguments& arguments) {
  return arguments.has("diff") ? "diff" : arguments.value("format", "text");
}

std::string render(const Arguments& arguments, const report::Report& report) {
  if (arguments.has("statistics")) return report::statistics(report);
  return report::find_format(format_of(arguments))
      ->render(report, {.is_colored = is_colored(arguments)});
}

Result<bool> write_report(const Arguments& arguments, const std::string& text) {
  if (arguments.has("output")) return write_file(arguments.value("output"), text);
  // The formats for people and for terminals have no control characters but those of colours.
  if (format_of(arguments) == "diff")
    print_text(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);  // run() reports what could not be written
  return true;
}

// "7 findings in 3 files, 4 fixable with --fix; run `nacre explain CODE` for details"
std::string summary(const report::Report& report) {
  const auto& findings = report.findings;
  std::set<std::string_view> files;
  size_t fixable = 0;
  for (const Diagnostic& finding : findings) {
    files.insert(finding.file.name());
    fixable += std::any_of(finding.fixes.begin(), finding.fixes.end(),
                           [](const Fix& fix) { return fix.is_safe; });
  }
  if (findings.empty())
    return fmt::format("no findings in {}", counted(report.files.size(), "file"));
  return fmt::format("{} in {}{}; run `nacre explain CODE` for details",
                     counted(findings.size(), "finding"), counted(files.size(), "file"),
                     fixable > 0 ? fmt::format(", {} fixable with --fix", fixable) : "");
}

// For people only: what was not analysed, and a summary.
void print_remarks(const Arguments& arguments, const CheckResult& result) {
  if (arguments.has("quiet")) return;
  for (const std::string& remark : result.remarks) complain("", remark);
  // A file that is refused has said so above.
  if (!result.report.is_finished && result.report.findings.empty() && result.remarks.empty())
    complain("",
             "analysis incomplete; the cause was filtered out by --select, --ignore or --severity");
  if (result.fixed_files > 0)
    complain("", fmt::format("fixed {}", counted(result.fixed_files, "file")));
  if (isatty(STDERR_FILENO) == 1) complain("", summary(result.report));
}

int exit_status(const Arguments& arguments, const report::Report& report) {
  if (!report.is_finished) return kUnfinished;
  return report.findings.empty() || arguments.has("exit-zero") ? kClean : kFindings;
}

int write_new_baseline(const Arguments& arguments, const CheckResult& result) {
  const auto& findings = result.report.findings;
  auto written = write_file(arguments.value("baseline"), report::write_baseline(findings));
  if (!written) return usage_error(written.error().message);
  complain("", fmt::format("wrote {} to {}", counted(findings.size(), "finding"),
                           arguments.value("baseline")));
  return result.report.is_finished ? kClean : kUnfinished;
}

int report_result(const Arguments& arguments, CheckResult result) {
  result.report.version = NACRE_VERSION;
  if (arguments.has("write-baseline")) return write_new_baseline(arguments, result);
  if (arguments.has("baseline")) {
    auto applied = apply_baseline(arguments.value("baseline"), result.report);
    if (!applied) return usage_error(applied.error().message);
  }
  if (arguments.has("confirm")) {
    explore::Budget budget;
    budget.runs = kMaxConfirmRuns;
    explore::confirm(result.report.findings, budget);
  }
  auto written = write_report(arguments, render(arguments, result.report));
  print_remarks(arguments, result);
  if (written) return exit_status(arguments, result.report);
  return complain("check", written.error().message, kUnfinished);
}

int run_verb(const Arguments& arguments, std::string_view verb) {
  std::string contradiction = find_contradiction(arguments);
  if (!contradiction.empty()) return usage_error(contradiction);
  if (arguments.has("target") && verb != "lint") return usage_error("--target is for nacre lint");
  for (const std::string& name : arguments.list("target")) {
    if (purify::profile_named(name) == nullptr)
      return usage_error(fmt::format("unknown target '{}'", name));
  }
  project::Workspace workspace(host_files(), fixed_configuration(arguments));
  auto tasks = plan_tasks(arguments, verb, workspace);
  if (!tasks) return usage_error(tasks.error().message);
  if (arguments.has("show-files")) return show_files(*tasks);
  if (arguments.has("show-settings")) return show_settings(*tasks);
  if (arguments.has("show-types")) return show_types(*tasks, workspace);
  return report_result(arguments,
                       check_files(*tasks, make_plan(arguments, tasks->size()), workspace));
}

int run_check(const Arguments& arguments) { return run_verb(arguments, "check"); }
int run_lint(const Arguments& arguments) { return run_verb(arguments, "lint"); }

constexpr std::string_view kLintDescription =
    "Reports what `nacre check` reports, and code that gives another result on each run (N), fails "
    "or\n"
    "changes something on a second run (I), races with other processes (R), runs text from "
    "outside\n"
    "as code (J106, J107), or needs what a system of --target lacks (P1). Same options, formats,\n"
    "suppressions and exit status as `nacre check`.";

constexpr Verb kLintVerb = {
    .name = "lint",
    .summary = "check, and report what is not deterministic, idempotent or free of races",
    .operands = "FILE...",
    .description = kLintDescription,
    .options = kOptions,
    .run = run_lint};

constexpr Verb kVerb = {.name = "check",
                        .summary = "find bugs in scripts without running them",
                        .operands = "FILE...",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_check};

}  // namespace

const Verb& check_verb() { return kVerb; }
const Verb& lint_verb() { return kLintVerb; }

}  // namespace nacre::cli
