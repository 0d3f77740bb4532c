// `nacre ast`: the tree of a script.
#include <cstdio>
#include <fmt/format.h>

#include "base/read_source.h"
#include "cli/verb.h"
#include "shell/dump.h"
#include "shell/outline.h"
#include "shell/parse.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"json", '\0', "", "print JSON: kind, span, attributes and children of each node"},
    {"dot", '\0', "", "print a graph for Graphviz"},
    {"shell", 's', "sh|dash|bash|ksh|busybox", "take the script for one of this shell"},
};

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

void print_errors(const shell::ParseResult& parsed) {
  const SourceFile& file = parsed.tree.file();
  for (const Diagnostic& diagnostic : parsed.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    Position position = file.position(diagnostic.span.begin);
    fmt::print(stderr, "{}:{}:{}: {}\n", file.name(), position.line, position.column,
               diagnostic.message);
  }
}

int run_ast(const Arguments& arguments) {
  if (arguments.operands().size() != 1 || (arguments.has("json") && arguments.has("dot"))) {
    fmt::print(stderr, "nacre ast: give one FILE, and at most one of --json and --dot\n");
    return kUsage;
  }
  const std::string& path = arguments.operands()[0];
  auto file = path == "-" ? read_stdin("-", kMaxBytes) : read_source(path, path, kMaxBytes);
  if (!file) {
    fmt::print(stderr, "nacre ast: {}: {}\n", path, file.error().message);
    return kUnfinished;
  }
  auto dialect = arguments.has("shell") ? shell::dialect_named(arguments.value("shell"))
                                        : shell::detect_dialect(*file);
  auto parsed = shell::parse_file(*file, dialect.value_or(shell::Dialect::kSh));
  std::string text = arguments.has("json")  ? outline_json(outline(parsed.tree))
                     : arguments.has("dot") ? outline_dot(outline(parsed.tree))
                                            : shell::dump(parsed.tree);
  std::fwrite(text.data(), 1, text.size(), stdout);
  print_errors(parsed);
  return parsed.is_valid() ? kClean : kFindings;
}

constexpr Verb kVerb = {
    .name = "ast",
    .summary = "print the syntax tree of a script",
    .operands = "FILE",
    .description =
        "Prints the tree as nested lists, JSON or a graph. `-` is standard input. A script "
        "with syntax\nerrors still has a tree; the errors go to standard error and the "
        "exit status is 1.",
    .options = kOptions,
    .run = run_ast,
};

}  // namespace

const Verb& ast_verb() { return kVerb; }

}  // namespace nacre::cli
