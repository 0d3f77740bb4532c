// What the filters print, by input and words. The expected texts are those of the GNU utilities.
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "utilities/testing/run.h"
#include "utilities/utility.h"

namespace nacre::utilities {
namespace {

struct Case {
  std::vector<std::string> words;
  std::string_view input;
  std::string_view output;
  int status = 0;
};

void check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    CAPTURE(fmt::format("{}", fmt::join(each.words, " ")));
    CAPTURE(each.input);
    testing::Ran ran = testing::run(each.words, each.input);
    CHECK(ran.output == each.output);
    CHECK(ran.status == each.status);
  }
}

}  // namespace

TEST_CASE("cat and tac keep every byte") {
  check({{{"cat"}, "a\nb", "a\nb"},
         {{"cat", "-n"}, "a\nb\n", "     1\ta\n     2\tb\n"},
         {{"cat", "-A"}, "a\tb\n", "a^Ib$\n"},
         {{"tac"}, "a\nb\nc\n", "c\nb\na\n"},
         {{"tac"}, "a\nb", "ba\n"},
         {{"tac"}, "", ""},
         {{"tac"}, "\n\nx\n", "x\n\n\n"}});
}

TEST_CASE("head and tail count lines and bytes from both ends") {
  check({{{"head", "-n", "2"}, "1\n2\n3\n", "1\n2\n"},
         {{"head", "-n", "-1"}, "1\n2\n3\n", "1\n2\n"},
         {{"head", "-c", "3"}, "12345", "123"},
         {{"tail", "-n", "2"}, "1\n2\n3\n", "2\n3\n"},
         {{"tail", "-n", "+2"}, "1\n2\n3\n", "2\n3\n"},
         {{"tail", "-c", "2"}, "12345", "45"},
         {{"tail", "-n", "1"}, "1\n2", "2"}});
}

TEST_CASE("cut selects fields, characters and ranges") {
  check({{{"cut", "-d:", "-f2"}, "a:b:c\nplain\n", "b\nplain\n"},
         {{"cut", "-s", "-d:", "-f2"}, "a:b:c\nplain\n", "b\n"},
         {{"cut", "-c2-3"}, "abcd\n", "bc\n"},
         {{"cut", "-d,", "-f1,3", "--output-delimiter=-"}, "a,b,c\n", "a-c\n"},
         {{"cut", "--complement", "-d,", "-f2"}, "a,b,c\n", "a,c\n"}});
}

TEST_CASE("sort orders by keys and numbers") {
  check({{{"sort"}, "b\na\nB\n", "B\na\nb\n"},
         {{"sort", "-n"}, "10\n9\n-1\n", "-1\n9\n10\n"},
         {{"sort", "-rn", "-k2,2"}, "a 1\nb 3\nc 2\n", "b 3\nc 2\na 1\n"},
         {{"sort", "-u"}, "b\na\nb\n", "a\nb\n"},
         {{"sort", "-t:", "-k2"}, "x:2\ny:1\n", "y:1\nx:2\n"},
         {{"sort", "-c"}, "b\na\n", "", 1}});
}

TEST_CASE("uniq compares neighbours") {
  check({{{"uniq"}, "a\na\nb\na\n", "a\nb\na\n"},
         {{"uniq", "-c"}, "a\na\nb\n", "      2 a\n      1 b\n"},
         {{"uniq", "-d"}, "a\na\nb\n", "a\n"},
         {{"uniq", "-u"}, "a\na\nb\n", "b\n"}});
}

TEST_CASE("tr maps, deletes and squeezes") {
  check({{{"tr", "a-z", "A-Z"}, "abc1\n", "ABC1\n"},
         {{"tr", "-d", "[:digit:]"}, "a1b2\n", "ab\n"},
         {{"tr", "-s", " "}, "a   b\n", "a b\n"},
         {{"tr", "-cd", "a-z\n"}, "a-B-c\n", "ac\n"},
         {{"tr", "abc", "x"}, "aabbcc\n", "xxxxxx\n"}});
}

TEST_CASE("grep selects lines and tells by its status") {
  check({{{"grep", "b"}, "abc\nxyz\n", "abc\n"},
         {{"grep", "-v", "b"}, "abc\nxyz\n", "xyz\n"},
         {{"grep", "-c", "."}, "a\n\nb\n", "2\n"},
         {{"grep", "-o", "[0-9]*"}, "a12b3\n", "12\n3\n"},
         {{"grep", "-E", "^(a|b)+$"}, "abba\nabc\n", "abba\n"},
         {{"grep", "-F", "a.c"}, "a.c\nabc\n", "a.c\n"},
         {{"grep", "-w", "in"}, "in\nbin\nin_x\n", "in\n"},
         {{"grep", "none"}, "a\n", "", 1},
         {{"grep", "-q", "a"}, "a\n", ""}});
}

TEST_CASE("wc counts lines, words and bytes") {
  check({{{"wc", "-l"}, "a\nb", "1\n"},
         {{"wc", "-w"}, " a  b\nc ", "3\n"},
         {{"wc", "-c"}, "abc", "3\n"}});
}

TEST_CASE("expr computes, compares and matches") {
  check({{{"expr", "1", "+", "2", "*", "3"}, "", "7\n"},
         {{"expr", "abc", ":", "a\\(.\\)"}, "", "b\n"},
         {{"expr", "5", ">", "10"}, "", "0\n", 1},
         {{"expr", "length", "hello"}, "", "5\n"},
         {{"expr", "1", "/", "0"}, "", "", 2}});
}

TEST_CASE("what is not modelled is refused, never ignored") {
  testing::Ran ran = testing::run({"sort", "--random-sort"}, "b\na\n");
  CHECK(ran.status == kNotModelled);
  CHECK(ran.output.empty());
  CHECK_FALSE(ran.errors.empty());
}

}  // namespace nacre::utilities
