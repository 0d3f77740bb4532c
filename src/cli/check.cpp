// `nacre check`: from the command line to a report.
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

#include "base/counted.h"
#include "base/read_source.h"
#include "cli/check_files.h"
#include "cli/show_types.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "project/analyse.h"
#include "report/baseline.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"format", 'f', "text|gcc|json|jsonl|sarif|checkstyle|junit|gitlab|github|diff",
     "how to report (text)"},
    {"output", 'o', "FILE", "write the report to FILE instead of standard output"},
    {"select", 'i', "CODES", "report only these codes, families or all: T101,X"},
    {"ignore", 'e', "CODES", "do not report these, beside those that the configuration ignores"},
    {"severity", 'S', "error|warning|info|style", "report nothing below this (style)"},
    {"shell", 's', "sh|dash|bash|ksh|busybox", "take every script for one of this shell"},
    {"kind", '\0', "shell|python|docker", "take every FILE for one of this language"},
    {"exit-zero", '\0', "", "exit with 0 even if there are findings"},
    {"statistics", '\0', "", "print how often each code is reported, instead of the findings"},
    {"baseline", '\0', "FILE", "do not report the findings that are in FILE"},
    {"write-baseline", '\0', "", "write all present findings to the file of --baseline"},
    {"diff", '\0', "", "print what --fix would change; the same as --format diff"},
    {"fix", '\0', "", "write the safe fixes into the files and report what remains"},
    {"unsafe-fixes", '\0', "", "let --fix also make changes that may alter what a script does"},
    {"jobs", 'j', "N", "check N files at once (one for each processor)"},
    {"stdin-filename", '\0', "NAME", "how to speak of `-`, and whose settings hold for it"},
    {"config", '\0', "FILE", "use this configuration instead of the nearest nacre.toml"},
    {"no-config", '\0', "", "use no configuration"},
    {"no-ignore", '\0', "", "in directories, also check what .gitignore leaves out"},
    {"show-files", '\0', "", "print the files that would be checked"},
    {"show-settings", '\0', "",
     "print the settings that hold for each FILE, and where they come from"},
    {"concretize", '\0', "",
     "look a second time, with the files and variables that the script reads as they are now"},
    {"show-types", '\0', "", "print each FILE with the types of its pipes and variables beside it"},
    {"color", '\0', "auto|always|never", "colour the text format (auto: on a terminal)"},
    {"quiet", 'q', "", "print nothing but the report"},
};

constexpr std::string_view kDescription =
    "A FILE is checked; a directory is searched for scripts, by extension or by their first line,\n"
    "leaving out what .gitignore leaves out; `-` is standard input. Nothing is executed.\n\n"
    "A finding is switched off by `# nacre disable=CODE -- reason` at the end of its line or on "
    "the\n"
    "line before. Exit status: 0 no findings, 1 findings, 2 a file could not be read, parsed or\n"
    "finished, 3 a wrong command line or configuration.";

int usage_error(std::string_view message) {
  fmt::print(stderr, "nacre check: {}\n", message);
  return kUsage;
}

std::optional<std::string> fixed_configuration(const Arguments& arguments) {
  if (arguments.has("config")) return arguments.value("config");
  return arguments.has("no-config") ? std::optional<std::string>("") : std::nullopt;
}

// What in the command line cannot be; empty if it can.
std::string find_contradiction(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  bool reads_stdin = std::find(operands.begin(), operands.end(), "-") != operands.end();
  if (operands.empty()) return "name the files or directories to check";
  if (arguments.has("fix") && reads_stdin) return "--fix cannot change standard input; use --diff";
  if (arguments.has("fix") && arguments.has("diff")) return "--fix and --diff exclude each other";
  if (arguments.has("write-baseline") && !arguments.has("baseline")) {
    return "--write-baseline needs --baseline FILE";
  }
  for (const char* option : {"select", "ignore"}) {
    for (const std::string& pattern : arguments.list(option)) {
      if (!is_code_pattern(pattern))
        return fmt::format("--{}: there is no code '{}'", option, pattern);
    }
  }
  return "";
}

project::Language kind_named(std::string_view name) {
  if (name == "docker") return project::Language::kDockerfile;
  return name == "python" ? project::Language::kPython : project::Language::kShell;
}

// The command line is stronger than the configuration.
void apply_command_line(const Arguments& arguments, project::Settings& settings) {
  if (arguments.has("select")) settings.choice.select = CodeSet(arguments.list("select"));
  std::vector<std::string> ignored = settings.choice.ignore.patterns();
  for (std::string& pattern : arguments.list("ignore")) ignored.push_back(std::move(pattern));
  settings.choice.ignore = CodeSet(std::move(ignored));
  if (auto severity = severity_named(arguments.value("severity"))) settings.threshold = *severity;
  if (arguments.has("shell")) settings.shell = arguments.value("shell");
  if (arguments.has("kind")) settings.language = kind_named(arguments.value("kind"));
  settings.concretizes = arguments.has("concretize");
}

std::string stdin_name(const Arguments& arguments) {
  return arguments.value("stdin-filename", "stdin");
}

Result<std::vector<FileTask>> plan_tasks(const Arguments& arguments) {
  project::Configurations configurations(fixed_configuration(arguments));
  project::DiscoverOptions options{!arguments.has("no-ignore"), project::is_analysed};
  auto targets = project::discover(arguments.operands(), options, configurations);
  if (!targets) return tl::unexpected(targets.error());
  std::vector<FileTask> tasks;
  for (project::Target& target : *targets) {
    std::string name = target.name == "-" ? stdin_name(arguments) : target.name;
    auto settings = configurations.for_file(project::absolute_path(name));
    if (!settings) return tl::unexpected(settings.error());
    apply_command_line(arguments, *settings);
    tasks.push_back({std::move(target), *std::move(settings)});
  }
  return tasks;
}

int show_files(const std::vector<FileTask>& tasks) {
  for (const FileTask& task : tasks) fmt::print("{}\n", task.target.name);
  return kClean;
}

int show_settings(const std::vector<FileTask>& tasks) {
  for (const FileTask& task : tasks) {
    const std::string& origin = task.settings.origin;
    fmt::print("# {}: {}\n{}\n", task.target.name,
               origin.empty() ? "no configuration file" : origin, to_toml(task.settings));
  }
  return kClean;
}

int show_types(const std::vector<FileTask>& tasks) {
  int status = kClean;
  for (const FileTask& task : tasks) {
    const std::string& name = task.target.name;
    auto file = name == "-" ? read_stdin("stdin", task.settings.max_bytes)
                            : read_source(name, name, task.settings.max_bytes);
    if (!file || !task.target.error.empty()) {
      fmt::print(stderr, "nacre check: {}: {}\n", name,
                 file ? task.target.error : file.error().message);
      status = kUnfinished;
      continue;
    }
    fmt::print("{}", with_types(*file, project::types_of(*file, task.settings)));
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
  auto file = read_source(path, path, uint64_t{1} << 30);
  if (!file) return fail({}, fmt::format("{}: {}", path, file.error().message));
  auto baseline = report::parse_baseline(*file);
  if (!baseline) return tl::unexpected(baseline.error());
  report.findings = report::without(*baseline, std::move(report.findings));
  return true;
}

std::string render(const Arguments& arguments, const report::Report& report) {
  if (arguments.has("statistics")) return report::statistics(report);
  std::string name = arguments.has("diff") ? "diff" : arguments.value("format", "text");
  return report::find_format(name)->render(report, {.is_colored = is_colored(arguments)});
}

Result<bool> write_report(const Arguments& arguments, const std::string& text) {
  if (arguments.has("output")) return write_file(arguments.value("output"), text);
  std::fwrite(text.data(), 1, text.size(), stdout);  // run() reports what could not be written
  return true;
}

// For people only: what was not looked at, and how much was.
void print_remarks(const Arguments& arguments, const CheckResult& result) {
  if (arguments.has("quiet")) return;
  for (const std::string& remark : result.remarks) fmt::print(stderr, "nacre: {}\n", remark);
  // A file that is refused has said so above.
  if (!result.report.is_finished && result.report.findings.empty() && result.remarks.empty())
    fmt::print(stderr, "nacre: not everything could be checked; what stopped it is not reported\n");
  if (result.fixed_files > 0)
    fmt::print(stderr, "nacre: fixed {}\n", counted(result.fixed_files, "file"));
  if (isatty(STDERR_FILENO) == 1) {
    fmt::print(stderr, "nacre: {}, {}\n", counted(result.report.files.size(), "file"),
               counted(result.report.findings.size(), "finding"));
  }
}

int exit_status(const Arguments& arguments, const report::Report& report) {
  if (!report.is_finished) return kUnfinished;
  return report.findings.empty() || arguments.has("exit-zero") ? kClean : kFindings;
}

int write_new_baseline(const Arguments& arguments, const CheckResult& result) {
  const auto& findings = result.report.findings;
  auto written = write_file(arguments.value("baseline"), report::write_baseline(findings));
  if (!written) return usage_error(written.error().message);
  fmt::print(stderr, "nacre: wrote {} to {}\n", counted(findings.size(), "finding"),
             arguments.value("baseline"));
  return result.report.is_finished ? kClean : kUnfinished;
}

int report_result(const Arguments& arguments, CheckResult result) {
  result.report.version = NACRE_VERSION;
  if (arguments.has("write-baseline")) return write_new_baseline(arguments, result);
  if (arguments.has("baseline")) {
    auto applied = apply_baseline(arguments.value("baseline"), result.report);
    if (!applied) return usage_error(applied.error().message);
  }
  auto written = write_report(arguments, render(arguments, result.report));
  print_remarks(arguments, result);
  if (written) return exit_status(arguments, result.report);
  fmt::print(stderr, "nacre check: {}\n", written.error().message);
  return kUnfinished;
}

int run_check(const Arguments& arguments) {
  std::string contradiction = find_contradiction(arguments);
  if (!contradiction.empty()) return usage_error(contradiction);
  auto tasks = plan_tasks(arguments);
  if (!tasks) return usage_error(tasks.error().message);
  if (arguments.has("show-files")) return show_files(*tasks);
  if (arguments.has("show-settings")) return show_settings(*tasks);
  if (arguments.has("show-types")) return show_types(*tasks);
  return report_result(arguments, check_files(*tasks, make_plan(arguments, tasks->size())));
}

constexpr Verb kVerb = {.name = "check",
                        .summary = "report what cannot work",
                        .operands = "FILE...",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_check};

}  // namespace

const Verb& check_verb() { return kVerb; }

}  // namespace nacre::cli
