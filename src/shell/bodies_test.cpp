#include "shell/bodies.h"

#include <doctest/doctest.h>

#include "shell/testing/deferral.h"

namespace nacre::shell {
namespace {

// How many bodies are left out with an index, if what they hold stays the same.
size_t deferred(const std::string& text) {
  const SourceFile file("f", text);
  const ParseResult whole = parse_file(file, Dialect::kBash);
  REQUIRE(whole.is_valid());
  const BodyIndex bodies(file, Dialect::kBash);
  size_t count = 0;
  CHECK(defers_faithfully(whole, {.dialect = Dialect::kBash}, count, &bodies));
  return count;
}

TEST_CASE("bodies that the parser knows to end are left out, whatever they hold") {
  CHECK(deferred("f() {\n case $x in {) a ;; esac; }\n") == 1);
  CHECK(deferred("f() {\n cat <<E\n}\nE\n}\ng() { a; }\n") == 2);
  CHECK(deferred("if a; then\n f() {\n  echo {; }\n fi\n") == 1);
  CHECK(deferred("f() { g() { a }; }\n}\n") == 1);  // g is in it
}

TEST_CASE("what follows a body on its last line is read with it") {
  CHECK(deferred("f() { case x in a) ;; esac; } >file\n") == 0);
  CHECK(deferred("f() { case x in a) ;; esac; }; b\n") == 0);
  CHECK(deferred("f() { cat <<E; }\nbody\nE\n") == 0);
  CHECK(deferred("f() ( a )\ng() if a; then b; fi\n") == 0);
}

TEST_CASE("a text within the text has offsets of its own") {
  CHECK(deferred("a=`f() { case x in {) ;; esac; }\nf`\nf() { case x in {) ;; esac; }\n") == 1);
}

TEST_CASE("an index is made once for a content and a dialect") {
  BodyCache cache(10);
  const SourceFile a("a", "f() { a;}\n");
  CHECK(cache.index_of(a, Dialect::kSh) == cache.index_of({"b", "f() { a;}\n"}, Dialect::kSh));
  CHECK(cache.index_of(a, Dialect::kSh) != cache.index_of(a, Dialect::kBash));
  const SourceFile more("c", "g() { b;}\n");  // there is no room for it
  CHECK(cache.index_of(more, Dialect::kSh) != cache.index_of(more, Dialect::kSh));
  CHECK(cache.index_of(more, Dialect::kSh)->end_of(4) == 9);
}

}  // namespace
}  // namespace nacre::shell
