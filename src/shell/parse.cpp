#include "shell/parse.h"

#include "shell/parser.h"

namespace nacre::shell {

ParseResult parse_all(Parser& parser, const SourceFile& file, Dialect dialect) {
  Sequence program = parser.program();
  bool is_valid = parser.is_valid();
  auto diagnostics = parser.take_diagnostics();
  auto comments = parser.take_comments();
  Tree tree(file, dialect, 1, parser.take_arena(), program, std::move(comments),
            parser.commands_read());
  return {std::move(tree), std::move(diagnostics), is_valid};
}

ParseResult parse_file(const SourceFile& file, const ParseOptions& options) {
  Parser parser(file, file.bytes(), options, /*recovers=*/true);
  parser.expect_text(file.bytes().size());
  return parse_all(parser, file, options.dialect);
}

ParseResult parse_file(const SourceFile& file, Dialect dialect) {
  ParseOptions options;
  options.dialect = dialect;
  return parse_file(file, options);
}

}  // namespace nacre::shell
