// `nacre ast`: the tree of a script.
#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "report/printable.h"
#include "shell/dump.h"
#include "shell/outline.h"
#include "shell/parse.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"json", '\0', "", "print JSON: kind, span, attributes and children of each node"},
    {"dot", '\0', "", "print a graph for Graphviz"},
    {"shell", 's', "sh|dash|bash|ksh|busybox", "treat the script as this dialect"},
};

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

void print_errors(const shell::ParseResult& parsed) {
  const SourceFile& file = parsed.tree.file();
  for (const Diagnostic& diagnostic : parsed.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    Position position = file.position(diagnostic.span.begin);
    fmt::print(stderr, "{}:{}:{}: {}\n", report::printable(file.name()), position.line,
               position.column, report::printable(diagnostic.message));
  }
}

int run_ast(const Arguments& arguments) {
  if (arguments.operands().size() != 1 || (arguments.has("json") && arguments.has("dot"))) {
    return complain("ast", "expected one FILE, and at most one of --json and --dot");
  }
  const std::string& path = arguments.operands()[0];
  auto file = read_operand(path, path, kMaxBytes);
  if (!file) return complain("ast", fmt::format("{}: {}", path, file.error().message), kUnfinished);
  auto dialect = arguments.has("shell") ? shell::dialect_named(arguments.value("shell"))
                                        : shell::detect_dialect(*file);
  auto parsed = shell::parse_file(*file, dialect.value_or(shell::Dialect::kSh));
  std::string text = arguments.has("json")  ? outline_json(outline(parsed.tree))
                     : arguments.has("dot") ? outline_dot(outline(parsed.tree))
                                            : shell::dump(parsed.tree);
  print_text(text);
  print_errors(parsed);
  return parsed.is_valid() ? kClean : kFindings;
}

constexpr Verb kVerb = {
    .name = "ast",
    .summary = "print the syntax tree of a script",
    .operands = "FILE",
    .description =
        "Prints the tree as nested lists, JSON or a graph. `-` is standard input. A script "
        "with syntax\nerrors still has a tree; the errors are printed to standard error and the "
        "exit status is 1.",
    .options = kOptions,
    .run = run_ast,
};

}  // namespace

const Verb& ast_verb() { return kVerb; }

}  // namespace nacre::cli
