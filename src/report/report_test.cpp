#include "report/report.h"

#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

#include "base/codes.h"
#include "base/edits.h"
#include "base/emitter.h"
#include "report/diff.h"
#include "report/fingerprint.h"
#include "report/printable.h"

using namespace nacre;
using namespace nacre::report;

namespace {

SourceFile script() {
  return {"dir/a file.sh", "#!/bin/sh\nx=\"<&>\"\n\tcat $x | \xE6\xBC\xA2 sort\x1B[2J\xFF\n"};
}

// Everything that a finding can have, and text that is hard to write in each format.
Report full_report() {
  SourceFile file = script();
  SourceFile other("lib.sh", "y=1\n");
  Diagnostic rich = finding("S004", file, {23, 25}, "unquoted \"<$x>\"\n & so on %, \x01\xFF");
  rich.confidence = Confidence::kCertain;
  rich.counterexample = "x='a b'";
  rich.notes = {{file, {10, 11}, "assigned here"}, {other, {0, 1}, "and here"}};
  rich.path = {{other, {0, 3}, "from here"}, {file, {10, 17}, "over there"}};
  rich.fixes = {{"quote it", {{{23, 23}, "\""}, {{25, 25}, "\""}}, true}};
  Diagnostic plain = finding("S005", file, {40, 41}, "odd byte");
  plain.severity = Severity::kStyle;
  Report report;
  report.findings = {plain, rich};
  sort_and_unify(report.findings);
  report.files = {"clean.sh", file.name()};
  report.version = "1.2.3";
  return report;
}

// A file with `content` that goes away with its owner.
class Temporary {
 public:
  explicit Temporary(const std::string& content) {
    int fd = mkstemp(path_);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
    close(fd);
  }
  ~Temporary() { unlink(path_); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  [[nodiscard]] std::string path() const { return path_; }

 private:
  char path_[32] = "/tmp/nacre-report-XXXXXX";
};

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

bool is_valid_json(const std::string& schema, const std::string& content) {
  Temporary file(content);
  return succeeds(fmt::format("python3 '{0}/tests/validate-json' '{0}/{1}' {2}", NACRE_SOURCE_DIR,
                              schema, file.path()));
}

bool is_valid_xml(const std::string& schema, const std::string& content) {
  Temporary file(content);
  return succeeds(fmt::format("xmllint --noout --relaxng '{}/tests/schemas/{}' {} 2>/dev/null",
                              NACRE_SOURCE_DIR, schema, file.path()));
}

}  // namespace

TEST_CASE("JSON formats keep to their schemas") {
  for (const Report& report : {full_report(), Report{}}) {
    CHECK(is_valid_json("docs/report.schema.json", json(report, {})));
    CHECK(is_valid_json("tests/schemas/sarif.schema.json", sarif(report, {})));
    CHECK(is_valid_json("tests/schemas/gitlab.schema.json", gitlab(report, {})));
  }
  CHECK_FALSE(is_valid_json("docs/report.schema.json", "{\"version\": 1}"));
  CHECK_FALSE(is_valid_json("tests/schemas/sarif.schema.json", "{\"version\": \"2.1.0\"}"));
}

TEST_CASE("XML formats keep to their grammars") {
  for (const Report& report : {full_report(), Report{}}) {
    CHECK(is_valid_xml("checkstyle.rng", checkstyle(report, {})));
    CHECK(is_valid_xml("junit.rng", junit(report, {})));
  }
  CHECK_FALSE(is_valid_xml("checkstyle.rng", "<checkstyle/>"));
}

TEST_CASE("jsonl has one line for each finding") {
  std::string lines = jsonl(full_report(), {});
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
}

TEST_CASE("gcc counts characters, not cells") {
  std::string lines = gcc(full_report(), {});
  CHECK(lines.starts_with("dir/a file.sh:3:6: error: unquoted"));
  CHECK(lines.find("dir/a file.sh:3:21: note: odd byte [S005]\n") != std::string::npos);
}

TEST_CASE("the text format shows the source, and no byte that commands a terminal") {
  Report report = full_report();
  std::string shown = text(report, {});
  CHECK(shown.find("    3 |         cat $x | \xE6\xBC\xA2 sort") != std::string::npos);
  CHECK(shown.find("      |             ^^\n") != std::string::npos);
  CHECK(shown.find("      | ~ assigned here\n") != std::string::npos);
  CHECK(shown.find("--> lib.sh:1:1") != std::string::npos);
  CHECK(shown.find("= counterexample: x='a b'\n") != std::string::npos);
  CHECK(shown.find("+ \\tcat \"$x\" |") != std::string::npos);
  CHECK(shown.find('\x1B') == std::string::npos);
  CHECK(valid_utf8(shown) == shown);
  CHECK(text(report, {.is_colored = true}).find("\x1B[1;31merror\x1B[0m") != std::string::npos);
}

TEST_CASE("a long line is cut around the finding") {
  std::string line(100'000, 'a');
  line[50'000] = 'X';
  Report report;
  report.findings = {finding("S005", SourceFile("f", line), {50'000, 50'001}, "here")};
  std::string shown = text(report, {});
  CHECK(shown.size() < 500);
  CHECK(shown.find("aX") != std::string::npos);
  size_t mark = shown.find('^');
  size_t x = shown.find('X');
  size_t mark_column = mark - shown.rfind('\n', mark);
  size_t x_column = x - shown.rfind('\n', x) - 2;  // the ellipsis takes 3 bytes and one cell
  CHECK(mark_column == x_column);
}

TEST_CASE("a fix in a long line is shown around its edits") {
  std::string line(1'000'000, 'a');
  line[500'000] = 'X';
  Report report;
  Diagnostic diagnostic = finding("S005", SourceFile("f", line + "\n"), {500'000, 500'001}, "here");
  diagnostic.fixes = {{"replace", {{{500'000, 500'001}, "YY"}}, true}};
  report.findings = {diagnostic};
  const std::string shown = text(report, {});
  CHECK(shown.size() < 1'000);
  CHECK(shown.find("- …aaa") != std::string::npos);
  CHECK(shown.find("aXa") != std::string::npos);
  CHECK(shown.find("aYYa") != std::string::npos);
  CHECK(shown.find("No newline") == std::string::npos);
}

TEST_CASE("no format lets a control character through") {
  const std::string bad =
      "a\x1B[31m\x07\x7F\xC2\x9B"
      "b\xFF.sh";
  Diagnostic diagnostic = finding("S005", SourceFile(bad, "x=" + bad + "\n"), {2, 5}, bad);
  diagnostic.counterexample = bad;
  diagnostic.notes = {{SourceFile(bad, bad), {0, 1}, bad}};
  diagnostic.fixes = {{bad, {{{2, 5}, bad}}, false}};
  Report report;
  report.findings = {diagnostic};
  report.files = {bad};
  for (const Format& format : formats()) {
    if (format.name == "diff") continue;  // which must be exact; the command line looks after it
    CAPTURE(format.name);
    for (const char c : format.render(report, {})) {
      const auto byte = static_cast<unsigned char>(c);
      REQUIRE((byte >= 0x20 || c == '\n' || c == '\t'));
      REQUIRE(byte != 0x7F);
    }
    CHECK(format.render(report, {}).find("\xC2\x9B") == std::string::npos);
  }
}

TEST_CASE("github says the worst first and stays within ten of a kind") {
  Report report;
  SourceFile file("a,b:c.sh", std::string(40, '\n'));
  for (uint32_t i = 0; i < 15; i++) {
    report.findings.push_back(finding("S005", file, {i, i}, "info"));
    report.findings.push_back(finding("S004", file, {i, i}, "bad\n100%"));
  }
  std::string lines = github(report, {});
  CHECK(lines.starts_with("::error file=a%2Cb%3Ac.sh,line=1,"));
  CHECK(lines.find("bad%0A100%25") != std::string::npos);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 21);
  CHECK(lines.ends_with("nacre: 30 findings, of which 10 are not annotated\n"));
}

TEST_CASE("fingerprints survive changes elsewhere and tell twins apart") {
  auto prints = [](const std::string& bytes) {
    SourceFile file("f", bytes);
    std::vector<Diagnostic> found;
    for (size_t at = bytes.find('X'); at != std::string::npos; at = bytes.find('X', at + 1)) {
      found.push_back(
          finding("S005", file, {static_cast<uint32_t>(at), static_cast<uint32_t>(at)}, "x"));
    }
    return fingerprints(found);
  };
  CHECK(prints("a X\n") == prints("new line\n  a  X\n"));
  CHECK(prints("a X\n") != prints("b X\n"));
  auto twins = prints("X\nX\n");
  CHECK(twins[0] != twins[1]);
}

TEST_CASE("patch makes of the old text what apply_edits makes") {
  const std::string bytes = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\nlast";
  const std::vector<std::vector<Edit>> cases = {
      {{{0, 3}, "ONE"}},    // a word
      {{{0, 4}, ""}},       // a whole line
      {{{4, 4}, "new\n"}},  // a line before another
      {{{3, 4}, " "}},      // joins two lines
      {{{52, 52}, "\n"}},   // the newline that was missing
      {{{0, 0}, "#!/bin/sh\n"}, {{52, 52}, "\nend\n"}},
      {{{0, 1}, "O"}, {{2, 3}, "E"}, {{48, 52}, "LAST"}},
      {{{8, 14}, "a\nb\nc\n"}, {{14, 19}, ""}},
  };
  for (const auto& edits : cases) {
    SourceFile file("f", bytes);
    std::string expected = apply_edits(file, edits);
    Temporary old(bytes);
    Temporary patch(unified_diff(file, edits));
    Temporary wanted(expected);
    INFO(unified_diff(file, edits));
    CHECK(succeeds(fmt::format("patch -s {} {} && cmp {} {}", old.path(), patch.path(), old.path(),
                               wanted.path())));
  }
}

TEST_CASE("fixes that touch each other are not made together") {
  SourceFile file("f", "abcdef");
  auto with_fix = [&](Span span, bool is_safe) {
    Diagnostic result = finding("S005", file, span, "x");
    result.fixes = {{"fix", {{span, "-"}}, is_safe}};
    return result;
  };
  std::vector<Diagnostic> found = {with_fix({0, 2}, true), with_fix({1, 3}, true),
                                   with_fix({2, 3}, true), with_fix({4, 5}, false)};
  CHECK(apply_edits(file, choose_edits(file, found, FixKind::kSafe)) == "--def");
  CHECK(apply_edits(file, choose_edits(file, found, FixKind::kAny)) == "--d-f");
}
