// `nacre make`: what a Makefile says, and what running it would do.
#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "make/dump.h"
#include "make/read.h"
#include "report/printable.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"print-data-base", 'p', "", "print the variables and rules that make would have read"},
    {"empty-environment", '\0', "", "no variable comes from outside: conditions on them are known"},
};

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

int run_make(const Arguments& arguments) {
  if (arguments.operands().size() != 1) return complain("make", "expected one FILE");
  const std::string& path = arguments.operands()[0];
  auto file = read_operand(path, path, kMaxBytes);
  if (!file)
    return complain("make", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  make::ReadOptions options;
  options.read_include = [](const std::string& name) -> std::optional<SourceFile> {
    auto included = read_source(host_files(), name, name, kMaxBytes);
    return included ? std::optional(*std::move(included)) : std::nullopt;
  };
  if (arguments.has("empty-environment")) options.environment.emplace();
  return print_database(*file, options);
}

constexpr Verb kVerb = {.name = "make",
                        .summary = "read a Makefile as GNU make does",
                        .operands = "FILE",
                        .options = kOptions,
                        .run = run_make};

}  // namespace

const Verb& make_verb() { return kVerb; }

}  // namespace nacre::cli
