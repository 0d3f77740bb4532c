#include "shell/embedded.h"

#include <doctest/doctest.h>

using namespace nacre;
using namespace nacre::shell;

namespace {

ParseResult parse(std::string text) {
  return parse_file(SourceFile("test.sh", std::move(text)), Dialect::kBash);
}

// The texts of the first commands of all embedded programs.
std::vector<std::string> embedded_in(std::string text) {
  auto outer = parse(std::move(text));
  std::vector<std::string> result;
  for (const Embedded& inner : find_embedded(outer.tree)) {
    for (const Item& item : inner.program.tree.program().items) {
      result.emplace_back(inner.program.tree.text(item.command->span));
    }
  }
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("programs in strings are found and keep their place in the file") {
  CHECK(embedded_in("sh -c 'rm $1; ls'\n") == Texts{"rm $1", "ls"});
  CHECK(embedded_in("sudo -u x bash -ec \"ls \\$HOME\"\n") == Texts{"ls \\$HOME"});
  CHECK(embedded_in("find . -exec sh -c 'f \"$1\"' _ {} \\;\n") == Texts{"f \"$1\""});
  CHECK(embedded_in("xargs -n1 sh -c 'g $0'\n") == Texts{"g $0"});
  CHECK(embedded_in("trap 'rm -f \"$t\"' EXIT INT\n") == Texts{"rm -f \"$t\""});
  CHECK(embedded_in("eval \"x=1\" echo y\n") == Texts{"x=1\" echo y"});
  CHECK(embedded_in("ssh -p 22 host 'cd /x && ls'\n") == Texts{"cd /x && ls"});
  CHECK(embedded_in("busybox sh -c 'a'\n") == Texts{"a"});
}

TEST_CASE("what is no constant program is left alone") {
  CHECK(embedded_in("sh -c \"rm $x\"; sh script; trap - EXIT; trap 1 2; eval $y; ssh host\n")
            .empty());
  CHECK(embedded_in("echo sh file -c x\n").empty());
}

TEST_CASE("mistakes in a string are reported in the outer file") {
  std::string text = "echo\nsh -c 'if a; then'\n";
  auto outer = parse(text);
  auto found = find_embedded(outer.tree);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].program.is_valid());
  REQUIRE_FALSE(found[0].program.diagnostics.empty());
  CHECK(outer.tree.text(found[0].program.diagnostics[0].span) == "if");
}
