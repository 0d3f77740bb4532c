#include "regular/line_select.h"

#include <doctest/doctest.h>

#include "regular/testing/tool_process.h"
#include "regular/testing/transducer_check.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

// One run of the tool per text: it sees the whole of it.
Tool whole_text(const Words& arguments) {
  return [arguments](const Words& texts) {
    std::vector<Words> results;
    for (const std::string& text : texts) results.push_back({run_tool(arguments, text).out});
    return results;
  };
}

Tool shell_words(const std::string& script) {
  return [script](const Words& texts) {
    std::vector<Words> results;
    for (const std::string& text : texts) {
      results.push_back({run_tool({"sh", "-c", script, "sh", text}, "").out});
    }
    return results;
  };
}

}  // namespace

TEST_CASE("head and tail take the lines they take") {
  RandomWords random(6, "ab\n\n");
  for (const uint64_t count : {0u, 1u, 2u, 3u}) {
    const std::string n = std::to_string(count);
    CAPTURE(n);
    const Alphabet bytes = Alphabet::kBytes;
    check_transducer(first_lines(bytes, count), whole_text({"head", "-n", n}), random, 20);
    check_transducer(last_lines(bytes, count), whole_text({"tail", "-n", n}), random, 20);
    check_transducer(without_last_lines(bytes, count), whole_text({"head", "-n", "-" + n}), random,
                     20);
    check_transducer(without_first_lines(bytes, count),
                     whole_text({"tail", "-n", "+" + std::to_string(count + 1)}), random, 20);
  }
}

TEST_CASE("command substitution strips trailing newlines") {
  RandomWords random(7, "ab\n\n");
  check_transducer(without_trailing_newlines(Alphabet::kBytes),
                   shell_words("x=$(printf %s \"$1\"); printf %s \"$x\""), random, 30);
}

TEST_CASE("a text has its lines") {
  RandomWords random(8, "ab\n");
  const Tool lines = [](const Words& texts) {
    std::vector<Words> results;
    for (const std::string& text : texts) results.push_back(split_lines(text));
    return results;
  };
  check_transducer(each_line(Alphabet::kBytes), lines, random, 50);
  Context cx;
  const Lang segments =
      image(each_line(Alphabet::kBytes, Pieces::kSegments), cx.literal("a\nbc\n"));
  CHECK(equivalent(segments, cx.literal("a") | cx.literal("bc") | cx.epsilon()).yes());
}

TEST_CASE("a reversal is rev") {
  RandomWords random(9, "abc");
  check_transducer(Transducer::reversal(), by_line({"rev"}), random);
}

TEST_CASE("counts beyond the budget give a superset") {
  Context cx;
  const Transducer many = first_lines(Alphabet::kBytes, 1u << 30);
  CHECK(!many.is_exact());
  CHECK(contains(image(many, cx.literal("a\nb\n")), "a\nb\n"));
}
