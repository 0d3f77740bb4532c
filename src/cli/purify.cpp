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

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"write", 'w', "", "write the result into FILE"},
    {"check", '\0', "", "print nothing; exit with 1 if something would change"},
    {"equal-only", '\0', "", "make only changes that are the same on every run"},
    {"kind", '\0', "makefile|dockerfile", "treat FILE as this language"},
    {"quiet", 'q', "", "do not say what was done"},
};

constexpr std::string_view kDescription =
    "Prints the purified file; what was changed, what was kept and why goes to standard error.\n"
    "Makefiles and Dockerfiles. `-` is standard input. Exit status: 0 done, 1 refused (or, with "
    "--check,\nsomething would change), 2 unreadable, 3 usage.";

constexpr uint64_t kMaxBytes = uint64_t{1} << 28;

void tell(const SourceFile& file, std::string_view what, const std::vector<Rewrite>& list) {
  for (const Rewrite& each : list) {
    std::string line = fmt::format("{}:{}: {}: {}", file.name(),
                                   file.position(each.place.begin).line, what, each.message);
    for (const Obligation& need : each.needs) {
      if (!need.is_discharged) line += fmt::format(" ({}: {})", name_of(need.kind), need.why);
    }
    if (!each.differs_when.empty() && what == "done") {
      const bool is_assumed = each.kind == RewriteClass::kAssuming;
      line += fmt::format(" ({}{} {})", name_of(each.kind), is_assumed ? "" : "; differs when",
                          each.differs_when);
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
  if (!result.refused.empty()) return kFindings;
  if (arguments.has("check")) return result.text == file.bytes() ? kClean : kFindings;
  if (!arguments.has("write")) {
    print_text(result.text);
    return kClean;
  }
  auto written = write_file(file.name(), result.text);
  if (written) return kClean;
  return complain("purify", written.error().message, kUnfinished);
}

// Nothing: the language has no purifier.
std::optional<Purified> purify(project::Language language, const SourceFile& file,
                               const commands::CardLibrary& cards, bool equal_only) {
  switch (language) {
    case project::Language::kMakefile: {
      make::PurifyOptions options;
      options.equal_only = equal_only;
      return make::purify(file, cards, options);
    }
    case project::Language::kDockerfile:
      return docker::purify(file, cards, {.equal_only = equal_only});
    default: return std::nullopt;
  }
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
  if (!language) {
    return complain("purify",
                    fmt::format("{}: the language is not known; give it with --kind", path));
  }
  project::Workspace workspace(host_files());
  const auto cards = workspace.cards_for(absolute_path(host_files(), path));
  const auto result = purify(*language, *file, *cards->library, arguments.has("equal-only"));
  if (!result) {
    return complain("purify", fmt::format("{}: {} files are not purified yet", path,
                                          project::name_of(*language)));
  }
  return finish(arguments, *file, *result);
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
