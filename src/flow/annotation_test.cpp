#include "flow/annotation.h"

#include <doctest/doctest.h>

using namespace nacre;
using namespace nacre::flow;

namespace {

Annotation read(std::string_view comment) {
  const AnnotationText text = read_annotation(comment, 100);
  INFO(comment, " ", text.problem);
  REQUIRE(text.annotation);
  return *text.annotation;
}

}  // namespace

TEST_CASE("an arrow joins a command and what it prints") {
  const Annotation note = read(R"(# @assume "cat $1" --> "[0-9]\t[A-Z]")");
  CHECK(note.kind == AnnotationKind::kAssume);
  CHECK(note.side == Side::kOutput);
  CHECK(note.subject == "cat $1");
  CHECK(note.type == R"([0-9]\t[A-Z])");
  CHECK(note.type_span == Span{124, 136});
}

TEST_CASE("a colon does the same, and the command needs no quotes before it") {
  for (const char* comment : {R"(#@assume "sort -n": "[0-9]+")", R"(# @assume sort -n : "[0-9]+")",
                              R"(## @assume_output 'sort -n': '[0-9]+')"}) {
    const Annotation note = read(comment);
    CHECK(note.subject == "sort -n");
    CHECK(note.type == "[0-9]+");
  }
}

TEST_CASE("the arrow shows how lines flow: a type before it is what the command reads") {
  const Annotation expected = read(R"(# @expect "[A-Z]+" --> "sort")");
  CHECK(expected.kind == AnnotationKind::kAssert);
  CHECK(expected.side == Side::kInput);
  CHECK(expected.subject == "sort");
  CHECK(expected.type == "[A-Z]+");
  CHECK(read(R"(# @assert_input "sort": "[A-Z]+")").subject == "sort");
}

TEST_CASE("quotes within a quoted text need no backslash") {
  const Annotation note = read(R"re(# @assume "echo "$x"" --> ""a" *: *\[.*\]")re");
  CHECK(note.subject == R"(echo "$x")");
  CHECK(note.type == R"("a" *: *\[.*\])");
  CHECK(read(R"(# @file "a: "b": "c": "[0-9]+")").subject == R"(a: "b)");
}

TEST_CASE("what speaks of the whole pipeline has a type only") {
  const Annotation note = read(R"(# @output_contains "a b")");
  CHECK(note.kind == AnnotationKind::kContains);
  CHECK(note.subject.empty());
  CHECK(note.type == "a b");
  CHECK(read("# @input \".*\"").side == Side::kInput);
}

TEST_CASE("types get names") {
  const Annotation note = read("# nacre type user-name = [a-z]+|root");
  CHECK(note.kind == AnnotationKind::kName);
  CHECK(note.subject == "user-name");
  CHECK(note.type == "[a-z]+|root");
}

TEST_CASE("comments of people and of other tools are no annotations") {
  for (const char* comment :
       {"# @param $1 the \"name\"", "# @file lib.sh", "# @output nothing", "# nacre type of thing",
        "# say \"@output\"", "#", "# @", "# @author \"me\"", "#!/bin/sh"}) {
    const AnnotationText text = read_annotation(comment, 0);
    CAPTURE(comment);
    CHECK(!text.annotation);
    CHECK(text.problem == "");
  }
}

TEST_CASE("a slip is told from a sentence") {
  for (const char* comment : {R"(# @asume "sort" --> "x")", R"(# @assume "sort")",
                              R"(# @output "x)", R"(# @var "x" "y")", "# nacre type a b = c"}) {
    const AnnotationText text = read_annotation(comment, 0);
    CAPTURE(comment);
    CHECK(!text.annotation);
    CHECK(text.problem != "");
  }
}
