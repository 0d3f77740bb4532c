#include "shell/skim.h"

#include <doctest/doctest.h>
#include <string>

#include "shell/testing/corpus.h"
#include "shell/testing/deferral.h"

namespace nacre::shell {
namespace {

// What is skipped of a text that begins with a brace.
std::string skimmed(const std::string& text) {
  const auto end = end_of_braces(text, 0);
  return end ? text.substr(0, *end) : "in doubt";
}

TEST_CASE("the end of a group is found by its braces") {
  CHECK(skimmed("{ a; }\nb") == "{ a; }");
  CHECK(skimmed("{\n  a }\n}") == "in doubt");  // an argument
  CHECK(skimmed("{ if { a; }; then { b; } fi; }") == "{ if { a; }; then { b; } fi; }");
  CHECK(skimmed("{ ( { a; } ) }\n") == "{ ( { a; } ) }");
  CHECK(skimmed("{ echo {a,b} }x x} ${x} $}; }\n") == "{ echo {a,b} }x x} ${x} $}; }");
  CHECK(skimmed("{ echo {; }\n}\n") == "in doubt");
  CHECK(skimmed("{ case $x in {) a ;; esac; }\n") == "in doubt");
  CHECK(skimmed("{ a; } > file\n") == "in doubt");  // the parser reads what follows
  CHECK(skimmed("{ a; }; b\n") == "in doubt");
  CHECK(skimmed("{ a\n") == "in doubt");
}

TEST_CASE("braces in quotes and comments do not count") {
  CHECK(skimmed("{ a '\n}\n' \"\n}\n\" \\} }#;\n # it's a }\n}\nb") ==
        "{ a '\n}\n' \"\n}\n\" \\} }#;\n # it's a }\n}");
  CHECK(skimmed("{ a \"`b '}'`\" \"$(c)\" \"${d#e}\" $#; }\n") ==
        "{ a \"`b '}'`\" \"$(c)\" \"${d#e}\" $#; }");
  CHECK(skimmed("{ a `b \"c\"` $(d 'e'); }\n") == "{ a `b \"c\"` $(d 'e'); }");
}

TEST_CASE("what only the parser knows is left to it") {
  for (const std::string inside :
       {"cat <<E\n}\nE", "a $'b'", "a \"$(b \"c\")\"", "a \"`b \\\"c\\\"`\"", "a ${b#'c'}",
        "a \"${b#\"c\"}\"", "a `b \\`c\\``", "a `b \"\\$c\"`", "function b { c; }", "a 'b",
        "a \"$(case b in c) d;; esac)\""}) {
    CAPTURE(inside);
    CHECK(skimmed("{ " + inside + "\n}\n") == "in doubt");
  }
}

TEST_CASE("bodies that are read later are the same") {
  size_t deferred = 0, with_index = 0;
  for (const Script& script : find_scripts({"/usr/bin", "/usr/share/doc", "/etc"})) {
    const SourceFile file(script.path, read_file(script.path));
    const ParseOptions options{.dialect = script.dialect};
    const ParseResult whole = parse_file(file, options);
    CAPTURE(script.path);
    if (!whole.is_valid()) continue;
    CHECK(defers_faithfully(whole, options, deferred));
    const BodyIndex bodies(whole.tree.file(), options.dialect);
    CHECK(defers_faithfully(whole, options, with_index, &bodies));
  }
  CHECK(deferred > 20);  // Debian's own scripts, whatever else is installed
  CHECK(with_index >= deferred);
}

}  // namespace
}  // namespace nacre::shell
