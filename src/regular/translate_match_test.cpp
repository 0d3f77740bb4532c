#include "regular/translate_match.h"

#include <doctest/doctest.h>

#include "regular/tool_process.h"
#include "regular/transducer_check.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

// A pattern as a language and as the ERE that sed and grep read.
struct Pattern {
  Lang language;
  std::string text;
};

Pattern random_pattern(Context& cx, RandomWords& random, int depth) {
  if (depth == 0) {
    const char letter = random.letters()[random.below(2)];
    if (random.below(4) == 0) return {cx.set(CharSet::of("ab")), "[ab]"};
    return {cx.literal(std::string(1, letter)), std::string(1, letter)};
  }
  const Pattern a = random_pattern(cx, random, depth - 1);
  const Pattern b = random_pattern(cx, random, depth - 1);
  switch (random.below(6)) {
    case 0: return {star(a.language), "(" + a.text + ")*"};
    case 1: return {optional(a.language), "(" + a.text + ")?"};
    case 2: return {a.language | b.language, "(" + a.text + "|" + b.text + ")"};
    default: return {a.language + b.language, a.text + b.text};
  }
}

Tool by_line(const Words& arguments) {
  return [arguments](const Words& words) {
    std::string input;
    for (const std::string& word : words) input += word + "\n";
    std::vector<Words> results;
    for (std::string& line : split_lines(run_tool(arguments, input).out)) results.push_back({line});
    return results;
  };
}

// grep -on prints LINE:MATCH.
Tool grep_only(Words arguments) {
  return [arguments = std::move(arguments)](const Words& words) {
    std::string input;
    for (const std::string& word : words) input += word + "\n";
    std::vector<Words> results(words.size());
    for (const std::string& line : split_lines(run_tool(arguments, input).out)) {
      const size_t colon = line.find(':');
      results[std::stoul(line.substr(0, colon)) - 1].push_back(line.substr(colon + 1));
    }
    return results;
  };
}

struct Flags {
  Occurrence which;
  std::string text;
};

Flags random_flags(RandomWords& random) {
  Flags flags;
  if (random.below(3) == 0) {
    flags.which.number = 1 + random.below(3);
    flags.text = std::to_string(flags.which.number);
  }
  if (random.flip()) {
    flags.which.is_global = true;
    flags.text += "g";
  }
  return flags;
}

}  // namespace

TEST_CASE("texts replace matches as sed's s does") {
  RandomWords random(10, "abc");
  for (int i = 0; i < 150; ++i) {
    Context cx;
    const Pattern pattern = random_pattern(cx, random, 3);
    const Flags flags = random_flags(random);
    static const Words kTexts = {"", "x", "ab", "<&>", "&"};
    const std::string& text = random.pick(kTexts);
    const std::string script = "s/" + pattern.text + "/" + text + "/" + flags.text;
    CAPTURE(script);
    const auto replacement = parse_sed_replacement(text, 0);
    const Transducer sub =
        translate_match(match_pattern(pattern.language), *replacement, flags.which);
    CHECK(sub.is_exact());
    check_transducer(sub, by_line({"sed", "-E", script}), random, 20);
  }
}

TEST_CASE("anchored patterns replace as sed's ^ and $ do") {
  RandomWords random(11, "abc");
  for (int i = 0; i < 60; ++i) {
    Context cx;
    const Pattern pattern = random_pattern(cx, random, 3);
    const Flags flags = random_flags(random);
    const bool at_start = random.flip();
    const std::string script =
        (at_start ? "s/^(" + pattern.text + ")/" : "s/(" + pattern.text + ")$/") + "-/" +
        flags.text;
    CAPTURE(script);
    const MatchPattern match =
        anchored(match_pattern(pattern.language), at_start ? Anchor::kStart : Anchor::kEnd);
    check_transducer(translate_match(match, replacement_text("-"), flags.which),
                     by_line({"sed", "-E", script}), random, 20);
  }
}

TEST_CASE("matches are extracted as by grep -o") {
  RandomWords random(12, "abc");
  for (int i = 0; i < 100; ++i) {
    Context cx;
    const Pattern pattern = random_pattern(cx, random, 3);
    CAPTURE(pattern.text);
    const Transducer extract = line_extract(match_pattern(pattern.language));
    CHECK(extract.is_exact());
    check_transducer(extract, grep_only({"grep", "-onE", pattern.text}), random, 20);
  }
}

TEST_CASE("what RT approximates is exact") {
  Context cx;
  const Lang any = star(cx.set(CharSet::all(Alphabet::kBytes) - CharSet::of('\n')));
  const Lang greedy = cx.literal("a") + any + cx.literal("b");
  const Transducer all =
      translate_match(match_pattern(greedy), replacement_text("c"), {.is_global = true});
  CHECK(equivalent(image(all, cx.literal("abab")), cx.literal("c")).yes());
  const Transducer trim = translate_match(
      anchored(match_pattern(star(cx.literal(" "))), Anchor::kEnd), replacement_text(""));
  CHECK(equivalent(image(trim, any), any - (any + cx.literal(" "))).yes());
}

TEST_CASE("a budget that does not suffice gives a superset") {
  Context cx;
  RandomWords random(13, "abc");
  const Budget small{.states = 6};
  for (int i = 0; i < 40; ++i) {
    const Pattern pattern = random_pattern(cx, random, 3);
    const Flags flags = random_flags(random);
    const MatchPattern match = match_pattern(pattern.language);
    const Transducer exact = translate_match(match, replacement_text("-"), flags.which);
    const Transducer wide = translate_match(match, replacement_text("-"), flags.which, small);
    const Lang language = random.language(cx);
    CHECK(included(image(exact, language), image(wide, language)).yes());
    CHECK(included(preimage(exact, language), preimage(wide, language)).yes());
    CHECK(included(image(exact, language), image(exact, language, small)).yes());
  }
}

TEST_CASE("the right side of s is read as sed reads it") {
  RandomWords random(14, "abAB");
  static const Words kTokens = {"a",      "Bc",   "&",   "\\0",  "\\&",  "\\n",   "\\t",
                                "\\U",    "\\L",  "\\u", "\\l",  "\\E",  "\\x41", "\\d066",
                                "\\o103", "\\cA", "\\q", "\\\\", "\\xg", "-"};
  Context cx;
  const MatchPattern match = match_pattern(plus(cx.set(CharSet::of("abAB"))));
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (uint32_t count = random.below(5); count > 0; --count) text += random.pick(kTokens);
    CAPTURE(text);
    const ToolRun real = run_tool({"sed", "-z", "-E", "s/[abAB]+/" + text + "/"}, "-aBAb-");
    const auto replacement = parse_sed_replacement(text, 0);
    REQUIRE(replacement);
    const Lang result = image(translate_match(match, *replacement), cx.literal("-aBAb-"));
    CHECK(contains(result, real.out));
    if (result.is_exact()) CHECK(equivalent(result, cx.literal(real.out)).yes());
  }
  CHECK(parse_sed_replacement("\\3", 2).error().message ==
        "invalid reference \\3 on `s' command's RHS");
}
