#include "shell/checked_commands.h"

#include <doctest/doctest.h>

#include "shell/parse.h"
#include "shell/visitor.h"

namespace nacre::shell {

namespace {

// The words of the simple commands that are checked.
std::string checked_in(const std::string& text) {
  const ParseResult result = parse_file(SourceFile("x", text), Dialect::kSh);
  const CheckedCommands found = checked_commands(result.tree.program());
  std::string names;
  walk(result.tree.program(), Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<SimpleCommand>(&command.node);
         if (simple == nullptr || !found.contains(&command)) return;
         names += std::string(names.empty() ? "" : " ") + std::string(simple->words[0].literal());
       }});
  return names;
}

}  // namespace

TEST_CASE("a command whose failure only ends the program is not checked") {
  CHECK(checked_in("a; b && c | d").empty());
  CHECK(checked_in("a || b && c") == "a");
  CHECK(checked_in("a && b || c") == "a b");
  CHECK(checked_in("for x in 1 2; do a; done").empty());
}

TEST_CASE("conditions and negations look at the status, also through groups") {
  CHECK(checked_in("if a && b; then c; elif d; then e; fi") == "a b d");
  CHECK(checked_in("while a; do b; done") == "a");
  CHECK(checked_in("! a && b") == "a");
  CHECK(checked_in("{ a; b; } || c") == "a b");
  CHECK(checked_in("( a && b ) || c") == "a b");
}

}  // namespace nacre::shell
