// `nacre purify`: a file made deterministic, idempotent and safe, with what was done and why.
#include "purify/purify.h"

#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "make/purify.h"
#include "project/language.h"
#include "project/workspace.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"write", 'w', "", "write the result into FILE"},
    {"check", '\0', "", "print nothing; exit with 1 if something would change"},
    {"equal-only", '\0', "", "make only changes that are the same on every run"},
    {"kind", '\0', "shell|make|makefile", "treat FILE as this language"},
    {"target", '\0', "posix-2017|posix-2024|dash|busybox|bash", "the shell that a script is for"},
    {"goal", '\0', "LIST", "posix, deterministic, idempotent, safe (all of them)"},
    {"diff", '\0', "", "print what would change instead of the whole text"},
    {"partial", '\0', "", "print what was reached where a goal was not"},
    {"proof", '\0', "FILE", "write every change with its obligations, as JSON"},
    {"quiet", 'q', "", "do not say what was done"},
};

constexpr std::string_view kDescription =
    "Prints the purified file; what was changed, what was kept and why goes to standard error.\n"
    "Shell scripts and Makefiles. `-` is standard input. Exit status: 0 done, 1 refused (or, with "
    "--check, "
    "something\nwould change), 2 unreadable, 3 usage.";

constexpr uint64_t kMaxBytes = uint64_t{1} << 28;

void tell(const SourceFile& file, std::string_view what, const std::vector<Rewrite>& list) {
  for (const Rewrite& each : list) {
    std::string line = fmt::format("{}:{}: {}: {}", file.name(),
                                   file.position(each.place.begin).line, what, each.message);
    for (const Obligation& need : each.needs) {
      if (!need.is_discharged) line += fmt::format(" ({}: {})", name_of(need.kind), need.why);
    }
    if (!each.differs_when.empty() && what == "done") {
      line += fmt::format(" ({}; differs when {})", name_of(each.kind), each.differs_when);
    }
    fmt::print(stderr, "{}\n", harmless(line));
  }
}

int finish(const Arguments& arguments, const SourceFile& file, const Purified& result) {
  if (!arguments.has("quiet")) {
    tell(file, "done", result.done);
    tell(file, "kept", result.kept);
  }
  tell(file, "refused", result.refused);
  if (!result.refused.empty() && !arguments.has("partial")) return kFindings;
  if (arguments.has("check")) return result.text == file.bytes() ? kClean : kFindings;
  if (!arguments.has("write")) {
    print_text(result.text);
    return kClean;
  }
  auto written = write_file(file.name(), result.text);
  if (written) return kClean;
  return complain("purify", written.error().message, kUnfinished);
}

Result<purify::Settings> settings_of(const Arguments& arguments, const SourceFile& file) {
  purify::Settings settings;
  const auto dialect = purify::dialect_of(file);
  if (!dialect)
    return fail({}, fmt::format("{}: not a script of a shell that is known", file.name()));
  settings.dialect = *dialect;
  settings.equal_only = arguments.has("equal-only");
  settings.target = *purify::target_named(arguments.value("target", "posix-2017"));
  if (arguments.has("goal")) settings.goals = 0;
  for (const std::string& name : arguments.list("goal")) {
    const auto goal = purify::goal_named(name);
    if (!goal) return fail({}, fmt::format("--goal: there is no goal '{}'", name));
    settings.goals |= *goal;
  }
  return settings;
}

int run_purify(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.size() != 1 || (arguments.has("write") && operands[0] == "-")) {
    return complain("purify", "expected one FILE; standard input cannot be written");
  }
  const std::string& path = operands[0];
  auto file = read_operand(path, path, kMaxBytes);
  if (!file) {
    return complain("purify", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  }
  const auto language = arguments.has("kind") ? project::language_named(arguments.value("kind"))
                                              : project::language_of(path, file->bytes());
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), path));
  if (!language || *language == project::Language::kShell) {
    auto settings = settings_of(arguments, *file);
    if (!settings) return complain("purify", settings.error().message);
    return finish(arguments, *file, purify::purify(*file, *settings, *cards->library));
  }
  if (language != project::Language::kMakefile) {
    return complain("purify",
                    fmt::format("{}: only shell scripts and Makefiles are purified", path));
  }
  make::PurifyOptions options;
  options.equal_only = arguments.has("equal-only");
  return finish(arguments, *file, make::purify(*file, *cards->library, options));
}

constexpr Verb kVerb = {.name = "purify",
                        .summary = "make a file deterministic and idempotent",
                        .operands = "FILE",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_purify};

}  // namespace

const Verb& purify_verb() { return kVerb; }

}  // namespace nacre::cli
