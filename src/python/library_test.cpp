// The standard library as far as it makes strings: paths, dates, UUIDs, tables of characters.
#include <doctest/doctest.h>
#include <string>

#include "python/check.h"

using namespace nacre::python;

namespace {

FunctionReport last(const std::string& source) {
  FileReport report = check_python(
      "import datetime, os, uuid\nfrom pathlib import Path\nfrom nacre_types import lang\n" +
      source);
  REQUIRE_FALSE(report.functions.empty());
  return std::move(report.functions.back());
}

// The verdict on a function of a string of this type with this result.
Verdict verdict(const std::string& type, const std::string& result, const std::string& expression) {
  return last("def f(s: lang(r'" + type + "')) -> lang(r'" + result + "'):\n    return " +
              expression + "\n")
      .verdict;
}

}  // namespace

TEST_CASE("paths are known by their strings") {
  CHECK(verdict("[a-z]+", "data/[a-z]+", "str(Path('data') / s)") == Verdict::kVerified);
  CHECK(verdict("[a-z]+", "data/[a-z]+", "str(Path('data/') / s)") == Verdict::kVerified);
  CHECK(verdict("/?[a-z]+", "data/[a-z]+", "str(Path('data') / s)") == Verdict::kRejected);
  CHECK(verdict("[a-z]+/[a-z]+\\.txt", "[a-z]+\\.txt", "Path(s).name") == Verdict::kVerified);
  CHECK(verdict("[a-z]+/[a-z]+\\.txt", "\\.txt", "Path(s).suffix") == Verdict::kVerified);
  CHECK(verdict("[a-z]+(\\.txt)?", "\\.txt", "Path(s).suffix") == Verdict::kRejected);
  CHECK(verdict("[a-z]+/[a-z]+\\.txt", "[a-z]+", "Path(s).stem") == Verdict::kVerified);
  CHECK(verdict("[a-z]+/[a-z]+", "[a-z]+", "str(Path(s).parent)") == Verdict::kVerified);
  CHECK(verdict("[a-z]+", "data/[a-z]+", "os.path.join('data', s)") == Verdict::kVerified);
  CHECK(verdict("[a-z]+\\.py", "\\.py", "os.path.splitext(s)[1]") == Verdict::kVerified);
  CHECK(verdict("\\.?[a-z]+", "\\.[a-z]+|", "os.path.splitext(s)[1]") == Verdict::kVerified);
}

TEST_CASE("dates are written by their format") {
  CHECK(verdict("a", "[0-9]{8}", "datetime.date.today().strftime('%Y%m%d')") == Verdict::kVerified);
  CHECK(verdict("a", "[0-9]{6}", "datetime.date.today().strftime('%Y%m%d')") != Verdict::kVerified);
  CHECK(verdict("a", "[0-9]{4}-[01][0-9]-[0-3][0-9]", "datetime.date.today().isoformat()") ==
        Verdict::kVerified);
  CHECK(verdict("a", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "str(uuid.uuid4())") ==
        Verdict::kVerified);
  CHECK(verdict("a", "[0-9a-f]{32}", "uuid.uuid4().hex") == Verdict::kVerified);
  const std::string parse = "datetime.datetime.strptime(s, '%Y-%m-%d').strftime('%Y')";
  CHECK(verdict("[0-9]{4}-[01][0-9]-[0-3][0-9]", "[0-9]{4}", parse) != Verdict::kRejected);
  CHECK(verdict("[0-9]{4}/[01][0-9]", "[0-9]{4}", parse) == Verdict::kRejected);
}

TEST_CASE("tables of characters") {
  CHECK(verdict("[ab]*", "[xy]*", "s.translate(str.maketrans('ab', 'xy'))") == Verdict::kVerified);
  CHECK(verdict("[ab-]*", "[ab]*", "s.translate({ord('-'): None})") == Verdict::kVerified);
  CHECK(verdict("[abc]*", "[xy]*", "s.translate(str.maketrans('ab', 'xy'))") == Verdict::kRejected);
  CHECK(verdict("[a-z\\t]*", "[a-z ]*", "s.expandtabs()") == Verdict::kVerified);
  CHECK(verdict("[A-Z]*", "[a-z]*", "s.casefold()") == Verdict::kVerified);
}

TEST_CASE("what can fail for reasons that no type tells is not verified without saying so") {
  CHECK(last("def f(s: lang(r'[0-9]+')) -> lang(r'a*'):\n    return 'a' * int(s)\n")
            .assumptions.size() >= 1);
  CHECK(last("def f(s: lang(r'a*')) -> lang(r'a*'):\n    return f(s)\n").assumptions.size() == 1);
  CHECK(last("def f(s: lang(r'.')) -> bytes:\n    return s.encode()\n").assumptions.size() == 1);
}
