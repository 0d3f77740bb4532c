// `nacre purify`: a file made deterministic, idempotent and safe, with what was done and why.
#include "docker/purify.h"

#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "make/purify.h"
#include "project/language.h"
#include "project/workspace.h"
#include "prove/validated.h"
#include "report/diff.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"write", 'w', "", "write the result into FILE"},
    {"check", '\0', "", "print nothing; exit with 1 if something would change"},
    {"equal-only", '\0', "", "make only changes that are the same on every run"},
    {"kind", '\0', "shell|make|makefile|docker|dockerfile", "treat FILE as this language"},
    {"target", '\0', "posix-2017|posix-2024|dash|busybox|bash", "the shell that a script is for"},
    {"goal", '\0', "LIST", "posix, deterministic, idempotent, safe (default: all)"},
    {"diff", '\0', "", "print what would change instead of the whole text"},
    {"partial", '\0', "", "print the result even if a goal was not reached"},
    {"proof", '\0', "FILE", "write every change of a script with its obligations, as JSON"},
    {"worlds", '\0', "N",
     "compare a script before and after its equal changes in N worlds (default: 24)"},
    {"quiet", 'q', "", "do not print the list of changes"},
};

constexpr std::string_view kDescription =
    "Prints the purified file; what was changed, what was kept and why goes to standard error.\n"
    "Shell scripts, Makefiles and Dockerfiles. `-` is standard input. Exit status: 0 done, 1 "
    "refused "
    "(or,\nwith --check, something would change), 2 unreadable, 3 usage.";

constexpr uint64_t kMaxBytes = uint64_t{1} << 28;

void tell(const SourceFile& file, std::string_view what, const std::vector<Rewrite>& list) {
  for (const Rewrite& each : list) {
    std::string line = fmt::format("{}:{}: {}: {}", file.name(),
                                   file.position(each.place.begin).line, what, each.message);
    for (const Obligation& need : each.needs) {
      if (!need.is_discharged) line += fmt::format(" ({}: {})", name_of(need.kind), need.why);
    }
    if (!each.differs_when.empty() && what == "done") {
      line += each.kind == RewriteClass::kAssuming
                  ? fmt::format(" (assuming that {})", each.differs_when)
                  : fmt::format(" ({}; differs when {})", name_of(each.kind), each.differs_when);
    }
    fmt::print(stderr, "{}\n", harmless(line));
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    result.push_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

// Whole lines that differ; the nearest pair of equal lines ends each difference.
std::vector<Edit> line_edits(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before), new_lines = lines_of(after);
  constexpr size_t kWindow = 400;
  std::vector<Edit> edits;
  uint32_t offset = 0;
  for (size_t i = 0, j = 0; i < old_lines.size() || j < new_lines.size();) {
    if (i < old_lines.size() && j < new_lines.size() && old_lines[i] == new_lines[j]) {
      offset += static_cast<uint32_t>(old_lines[i++].size());
      j++;
      continue;
    }
    size_t skipped = old_lines.size() - i, added = new_lines.size() - j;
    for (size_t sum = 1; sum < std::min(skipped + added, kWindow); sum++) {
      for (size_t a = 0; a <= sum; a++) {
        const size_t b = sum - a;
        const bool meets = i + a < old_lines.size() && j + b < new_lines.size() &&
                           old_lines[i + a] == new_lines[j + b];
        if (!meets) continue;
        skipped = a;
        added = b;
        sum = kWindow;
        break;
      }
    }
    Edit edit{{offset, offset}, ""};
    for (size_t k = 0; k < skipped; k++)
      edit.span.end += static_cast<uint32_t>(old_lines[i + k].size());
    for (size_t k = 0; k < added; k++) edit.text += new_lines[j + k];
    offset = edit.span.end;
    i += skipped;
    j += added;
    edits.push_back(std::move(edit));
  }
  return edits;
}

int finish(const Arguments& arguments, const SourceFile& file, const Purified& result) {
  if (!arguments.has("quiet")) {
    tell(file, "done", result.done);
    tell(file, "kept", result.kept);
  }
  tell(file, "refused", result.refused);
  if (!result.refused.empty() && !arguments.has("partial")) return kFindings;
  if (arguments.has("check")) return result.text == file.bytes() ? kClean : kFindings;
  if (arguments.has("diff")) {
    print_text(report::unified_diff(file, line_edits(file.bytes(), result.text)));
    return kClean;
  }
  if (!arguments.has("write")) {
    print_text(result.text);
    return kClean;
  }
  auto written = rewrite_file(file.name(), file.bytes(), result.text);
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

int purify_script(const Arguments& arguments, const SourceFile& file,
                  const purify::Settings& settings, const commands::CardLibrary& cards) {
  constexpr unsigned kDefaultWorlds = 24;
  const prove::Validated validated = prove::purify_validated(
      file, settings, cards, arguments.number("worlds").value_or(kDefaultWorlds));
  for (const prove::Withdrawal& each : validated.withdrawn) {
    const std::string line = fmt::format(
        "{}:{}: withdrawn: {}: {} ({})", file.name(), file.line_of(each.rewrite.place.begin),
        each.rewrite.message, each.difference.what, each.difference.world);
    fmt::print(stderr, "{}\n", harmless(line));
  }
  if (arguments.has("proof")) {
    auto written = write_file(arguments.value("proof"), prove::proof_json(file, validated));
    if (!written) return complain("purify", written.error().message, kUnfinished);
  }
  return finish(arguments, file, validated.purified);
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
    return purify_script(arguments, *file, *settings, *cards->library);
  }
  const bool equal_only = arguments.has("equal-only");
  if (*language == project::Language::kMakefile) {
    make::PurifyOptions options;
    options.equal_only = equal_only;
    return finish(arguments, *file, make::purify(*file, *cards->library, options));
  }
  if (*language == project::Language::kDockerfile) {
    const docker::PurifyOptions options{.equal_only = equal_only};
    return finish(arguments, *file, docker::purify(*file, *cards->library, options));
  }
  return complain("purify", fmt::format("{}: {} files are not purified yet", path,
                                        project::name_of(*language)));
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
