#include "flow/annotations.h"

#include <doctest/doctest.h>

#include "flow/check.h"
#include "shell/parse.h"

using namespace nacre;

namespace {

// The codes that are reported, with a blank between.
std::string codes(std::string script) {
  const auto parsed =
      shell::parse_file(SourceFile("test.sh", std::move(script)), shell::Dialect::kBash);
  const commands::CardLibrary cards;
  std::string result;
  for (const Diagnostic& each : flow::check(parsed.tree, cards).findings)
    result += (result.empty() ? "" : " ") + each.code;
  return result;
}

}  // namespace

TEST_CASE("an assumption replaces what is inferred") {
  CHECK(codes("# @assume \"foo\" --> \"[a-z]+\"\nfoo | grep '[0-9]'") == "T102");
  CHECK(codes("# @assume \"foo\" --> \"[a-z]+ [0-9]+\"\nfoo | cut -d' ' -f2 | sort -n") == "");
  CHECK(codes("# @assume \"foo\" --> \"[a-z]+ [0-9]+\"\nfoo | cut -d' ' -f1 | sort -n") == "T101");
}

TEST_CASE("a command is found by its words, however it is quoted") {
  for (const char* subject :
       {R"(tr "a b" x)", R"(tr 'a b' x)", R"(tr \"a b\" x)", R"(tr a\ b x)"}) {
    CAPTURE(subject);
    CHECK(codes(std::string("# @assume \"") + subject +
                "\" --> \"[a-z]+\"\ncat f | tr 'a b' x | grep 1") == "T102");
  }
  CHECK(codes("# @assume \"foo $1\" --> \"a\"\nfoo \"${1}\" 2>/dev/null | grep b") == "T102");
  CHECK(codes("# @assume \"foo 2>&1\" --> \"a\"\nfoo | grep b") == "S021");
}

TEST_CASE("assertions ask, also of what nothing is known of") {
  CHECK(codes("# @output \"[0-9]+\"\nfoo | grep -o '[0-9]*'") == "");
  CHECK(codes("# @output \"[0-9]+\"\nfoo | grep '[0-9]'") == "T203");
  CHECK(codes("# @expect \"[a-y]*\" --> \"sort\"\nfoo | tr -cd 'a-z\\n' | sort") == "T203");
  CHECK(codes("# @expect \"[a-z]*\" --> \"sort\"\nfoo | tr -cd 'a-z\\n' | sort") == "");
  CHECK(codes("# @output \".*main.*\"\nfoo | grep -q main") == "");
  CHECK(codes("# @output \"main\"\nfoo | grep -q main") == "T203");
}

TEST_CASE("an assertion sees what is assumed at the same place") {
  CHECK(codes("# @assume \"foo\" --> \"[0-9]+\"\n# @output \"[0-9]+\"\nfoo") == "");
}

TEST_CASE("what is demanded must be able to occur") {
  CHECK(codes("# @assume \"uname -s\" --> \"SunOS|Linux\"\n# @output_contains \"SunOS\"\n"
              "uname -s | grep solaris") == "T204 T102");
  CHECK(codes("# @output_contains \"a .*\"\nfoo | grep '^a '") == "");
  CHECK(codes("# @output_contains \"a.*\"\nfoo | tr -d '\\t;'") == "");  // `.` is ordinary text
}

TEST_CASE("a type with newlines is of the whole stream") {
  CHECK(codes("# @output \"[^\\n]*\\n?\"\nfoo | head -n 1") == "");
  CHECK(codes("# @output \"[^\\n]*\\n?\"\nfoo | grep x") == "T203");
  CHECK(codes("# @file \"f\": \"NAME\\n([0-9]+\\n)*\"\ntail -n +2 f | grep '[A-Z]'") == "T102");
  CHECK(codes("# @file \"f\": \"FLy\\nAMy\"\n# @output \"FLAM\"\ncut -c 1-2 f | tr -d '\\n'") ==
        "");
  CHECK(codes("# @file \"f\": \"FLy\\nAMy\"\n# @output \"FLA\"\ncut -c 1-2 f | tr -d '\\n'") ==
        "T203");
}

TEST_CASE("annotations hold within statements, substitutions and bodies") {
  CHECK(codes("x=$(\n# @output \"[0-9]\"\nfoo)") == "T203");
  CHECK(codes("# @output \"[0-9]\"\nx=$(foo)") == "T203");
  CHECK(codes("# @output \"[0-9]\"\nx=\"$(foo | head -1 | grep -o '^[0-9]')\"") == "");
  CHECK(codes("f() {\n  # @assume \"foo\" --> \"a\"\n  foo | grep b\n}") == "T102");
  CHECK(codes("foo |\n  # @assume \"foo\" --> \"a\"\n  grep b") == "T102");
}

TEST_CASE("types have names, which may build on each other") {
  CHECK(codes("# nacre type id = [0-9]+\n# nacre type pair = {id}:{id}\n\n"
              "# @assume \"foo\" --> \"{pair}\"\nfoo | grep x") == "T102");
  CHECK(codes("# @assume \"foo\" --> \"{no_such}\"\nfoo") == "S020");
}

TEST_CASE("an annotation that matches nothing is reported") {
  CHECK(codes("# @assume \"bar\" --> \"a\"\nfoo | grep b") == "S021");
  CHECK(codes("# @assume \"foo\" --> \"[a\"\nfoo | grep b") == "S020");
  CHECK(codes("foo\n# @output \"a\"\n") == "S021");
  CHECK(codes("# @file \"nowhere\": \"a\"\nfoo") == "S021");
  CHECK(codes("# @var \"$x\": \"a\"\n") == "S021");
}

TEST_CASE("what an assumption leaves open is not held against the script") {
  const std::string assumed = "# @assume \"foo\" --> \"Size: [0-9]+\\r?|~(Size.*)\"\n";
  const std::string asserted = "# @output \"[0-9]+\"\n";
  CHECK(codes(assumed + asserted + "foo | grep -i '^size: ' | cut -d' ' -f2 | tr -d '\\r'") == "");
  CHECK(codes(assumed + asserted + "foo | grep -i '^size: ' | cut -d' ' -f2") == "T203");
  CHECK(codes(assumed + "foo | grep '^Size: [A-Z]'") == "T102");
}

TEST_CASE("what a process substitution prints is what its reader reads") {
  CHECK(codes("grep x < <(seq 3)") == "T102");
  CHECK(codes("cat <(seq 3) | grep x") == "T102");
  CHECK(codes("cat <(seq 3) - | grep x") == "");
}

TEST_CASE("an empty line of an unknown command is not held against the script") {
  const std::string output = "# @output \"[^ ]+\"\n";
  CHECK(codes(output + "foo | tr -d ' '") == "");
  CHECK(codes(output + "foo | tr -d 'x'") == "T203");
  CHECK(codes(output + "cut -d: -f5 /etc/passwd") == "T203");
}

TEST_CASE("an assumption of a command with its errors is of both") {
  CHECK(codes("# @assume \"foo 2>&1\" --> \"a\"\nfoo 2>&1 | grep b") == "T102");
  CHECK(codes("# @assume \"foo\" --> \"a\"\nfoo |& grep b") == "T102");
  CHECK(codes("foo 2>&1 | grep b") == "");
}

TEST_CASE("awk keeps whole numbers whole, and a sum of nothing is no counterexample") {
  const std::string numbers = "# @assume \"foo\" --> \"[0-9]+\"\n# @output \"[0-9]+\"\nfoo | ";
  CHECK(codes(numbers + "awk '{s += $1} END {print s}'") == "");
  CHECK(codes(numbers + "awk '{print int($1 / 1024)}'") == "");
  CHECK(codes(numbers + "awk '{n++} END {print n}'") == "");
  CHECK(codes(numbers + "awk '{print $1 - 1}'") == "T203");
  CHECK(codes(numbers + "awk '{print $1 / 2}'") == "T203");
}

TEST_CASE("a program that ends after its first line prints one") {
  const std::string lines = "# @assume \"foo\" --> \"(a [0-9]+\\n)+\"\n# @output \"[^\\n]*\\n?\"\n";
  CHECK(codes(lines + "foo | awk '/^a/ {print $2; exit}'") == "");
  CHECK(codes(lines + "foo | awk '/^a/ {print $2}'") == "T203");
  CHECK(codes(lines + "foo | awk '/^a/ {print $2; if (NR > 3) exit}'") == "T203");
}

TEST_CASE("what is only said not to be is no counterexample through a field of awk either") {
  const std::string lines = "# @assume \"foo\" --> \"ii [0-9]+|~(ii .*)\"\n# @output \"[0-9]+\"\n";
  CHECK(codes(lines + "foo | grep '^ii' | awk '{print $2}'") == "");
  CHECK(codes(lines + "foo | grep '^ii' | awk '{print $1}'") == "T203");
}
