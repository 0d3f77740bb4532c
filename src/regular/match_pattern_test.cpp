#include "regular/match_pattern.h"

#include <doctest/doctest.h>

#include "regular/parse_pcre.h"
#include "regular/parse_python.h"
#include "regular/testing/tool_process.h"
#include "regular/testing/transducer_check.h"
#include "regular/translate_match.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

const Words kTokens = {"a",      "b",  "a*",  "[ab]+", "^",     "$",      "\\b",   "-",
                       "(a|ab)", "b?", "a*?", "\\w+",  "(?=b)", "(?<!-)", "[^b]*", "(?:a|b)"};

}  // namespace

TEST_CASE("grep -oP finds what Perl's priorities choose") {
  RandomWords random(40, "ab -");
  int exact = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string text = random_tokens(random, kTokens, 5);
    CAPTURE(text);
    const Result<Regex> regex = parse_pcre(text);
    REQUIRE(regex);
    Context cx;
    const LowerOptions lines{.subject = all_but_newline(Alphabet::kBytes)};
    const Transducer extract = line_extract(*match_pattern(cx, *regex, lines));
    exact += extract.is_exact() ? 1 : 0;
    check_transducer(extract, grep_only({"grep", "-onP", "-e", text}), random, 20);
  }
  CHECK(exact > 50);
}

TEST_CASE("Python's re.sub replaces empty matches everywhere") {
  RandomWords random(41, "ab -");
  if (!has_tool("python3")) {
    MESSAGE("skipped: there is no python3");
    return;
  }
  const std::string program =
      "import re,sys\nfor l in sys.stdin: print(re.sub(sys.argv[1], '<\\\\g<0>>', l[:-1], "
      "count=int(sys.argv[2])))";
  int exact = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string text = random_tokens(random, kTokens, 5);
    CAPTURE(text);
    const Result<Regex> regex = parse_python(text, {.is_bytes = true});
    REQUIRE(regex);
    Context cx;
    const LowerOptions lines{.subject = all_but_newline(Alphabet::kBytes)};
    const Occurrence which{.is_global = random.flip(), .empty_matches = EmptyMatches::kEverywhere};
    const Transducer sub =
        translate_match(*match_pattern(cx, *regex, lines), *parse_sed_replacement("<&>", 0), which);
    exact += sub.is_exact() ? 1 : 0;
    check_transducer(sub, by_line({"python3", "-c", program, text, which.is_global ? "0" : "1"}),
                     random, 20);
  }
  CHECK(exact > 10);
}
