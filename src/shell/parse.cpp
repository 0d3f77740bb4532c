#include "shell/parse.h"

#include "shell/parser.h"

namespace nacre::shell {

namespace {

// Typical scripts need five to eight bytes of nodes for a byte of text.
constexpr size_t kNodesPerByte = 5;

}  // namespace

ParseResult parse_mapped(const SourceFile& file, std::string_view text, TextMap& map,
                         const ParseOptions& options) {
  Parser parser(file, {}, options, /*recovers=*/true);
  parser.set_map(&map);
  parser.set_text(text);
  Sequence program = parser.program();
  bool is_valid = parser.is_valid();
  auto diagnostics = parser.take_diagnostics();
  auto comments = parser.take_comments();
  Tree tree(file, options.dialect, 1, parser.take_arena(), program, std::move(comments),
            parser.commands_read());
  return {std::move(tree), std::move(diagnostics), is_valid};
}

ParseResult parse_file(SourceFile file, const ParseOptions& options) {
  Parser parser(file, file.bytes(), options, /*recovers=*/true);
  parser.expect_memory(std::max<size_t>(kNodesPerByte * file.bytes().size(), 1024));
  Sequence program = parser.program();
  bool is_valid = parser.is_valid();
  auto diagnostics = parser.take_diagnostics();
  auto comments = parser.take_comments();
  Tree tree(std::move(file), options.dialect, 1, parser.take_arena(), program, std::move(comments),
            parser.commands_read());
  return {std::move(tree), std::move(diagnostics), is_valid};
}

ParseResult parse_file(SourceFile file, Dialect dialect) {
  ParseOptions options;
  options.dialect = dialect;
  return parse_file(std::move(file), options);
}

}  // namespace nacre::shell
