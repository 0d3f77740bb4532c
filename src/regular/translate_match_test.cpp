#include "regular/translate_match.h"

#include <doctest/doctest.h>

#include "regular/parse_posix.h"
#include "regular/testing/tool_process.h"
#include "regular/testing/transducer_check.h"

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

namespace {

Result<MatchPattern> parsed(Context& cx, const std::string& text, PosixOptions options) {
  options.is_extended = true;
  const Result<Regex> regex = parse_posix(text, options);
  if (!regex) return tl::unexpected(regex.error());
  return match_pattern(cx, *regex);
}

// A text that sed or grep would take as no pattern is drawn again.
std::string random_regex(Context& cx, RandomWords& random, const Words& tokens,
                         const PosixOptions& options) {
  while (true) {
    std::string text = random_tokens(random, tokens, 6);
    const auto pattern = parsed(cx, text, options);
    if (pattern && pattern->whole.is_exact) return text;
  }
}

}  // namespace

TEST_CASE("anchors and word boundaries anywhere in the pattern hold as in sed") {
  RandomWords random(15, "ab -");
  static const Words kTokens = {"a",   "b",       "a*",  "[ab]+", "^",     "$",
                                "\\b", "\\B",     "\\<", "\\>",   "(^|b)", "(a|$)",
                                "-",   "( \\<)*", ".*",  "\\w+",  "b?",    "(^a)*"};
  for (int i = 0; i < 250; ++i) {
    Context cx;
    const PosixOptions options{.tool = PosixTool::kSed, .folds_case = random.below(4) == 0};
    const std::string text = random_regex(cx, random, kTokens, options);
    const Flags flags = random_flags(random);
    const std::string script = "s/" + text + "/<&>/" + flags.text + (options.folds_case ? "I" : "");
    CAPTURE(script);
    const Transducer sub =
        translate_match(*parsed(cx, text, options), *parse_sed_replacement("<&>", 0), flags.which);
    CHECK(sub.is_exact());
    check_transducer(sub, by_line({"sed", "-E", script}), random, 20);
  }
}

TEST_CASE("sed's M sees every line of the pattern space") {
  RandomWords random(16, "ab\n");
  static const Words kTokens = {"a", "b", "^", "$", "a*", "\\n", ".", "\\`", "\\'", "(^|b)"};
  for (int i = 0; i < 60; ++i) {
    Context cx;
    const PosixOptions options{.tool = PosixTool::kSed, .is_multiline = random.below(4) != 0};
    std::string text = random_regex(cx, random, kTokens, options);
    // Without M, glibc lets ^ hold after a newline that the match itself has read, and $ before
    // one.
    if (!options.is_multiline && text.find_first_of("^$") != std::string::npos) text = "^a*";
    const Flags flags = random_flags(random);
    const std::string script =
        "y/%/\\n/;s/" + text + "/-/" + flags.text + (options.is_multiline ? "M" : "") + ";y/\\n/%/";
    CAPTURE(script);
    const Tool sed = [&](const Words& words) {
      Words lines;
      for (std::string word : words) {
        std::replace(word.begin(), word.end(), '\n', '%');
        lines.push_back(word);
      }
      std::vector<Words> results = by_line({"sed", "-E", script})(lines);
      for (Words& result : results) std::replace(result[0].begin(), result[0].end(), '%', '\n');
      return results;
    };
    check_transducer(
        translate_match(*parsed(cx, text, options), replacement_text("-"), flags.which), sed,
        random, 20);
  }
}

TEST_CASE("grep -o knows -i, -w and -x") {
  RandomWords random(17, "abA -");
  static const Words kTokens = {"a",   "b", "a*",     "[ab]+", "^", "$",
                                "\\b", "-", "(a|ab)", "\\w",   "b?"};
  for (int i = 0; i < 150; ++i) {
    Context cx;
    PosixOptions options{.tool = PosixTool::kGrep, .folds_case = random.flip()};
    Words arguments = {"grep", "-onE"};
    if (options.folds_case) arguments.emplace_back("-i");
    if (random.flip()) {
      options.bounds = random.below(3) == 0 ? GrepBounds::kLine : GrepBounds::kWord;
      arguments.emplace_back(options.bounds == GrepBounds::kLine ? "-x" : "-w");
    }
    const std::string text = random_regex(cx, random, kTokens, options);
    arguments.insert(arguments.end(), {"-e", text});
    CAPTURE(text);
    CAPTURE(arguments.size());
    const Transducer extract = line_extract(*parsed(cx, text, options));
    CHECK(extract.is_exact());
    check_transducer(extract, grep_only(arguments), random, 20);
  }
}

TEST_CASE("groups are copied as sed copies them") {
  RandomWords random(18, "abc-");
  static const Words kTokens = {"a",      "b*",   "(a*)",     "(.)",     "(b|c)", "(.*)",  "-",
                                "(a|ab)", "(a?)", "([ab]+-)", "((a)b*)", "[^-]*", "(-?.)", "()"};
  static const Words kReplacements = {"\\1",    "<\\1>",       "\\1-\\2", "\\2\\1",
                                      "\\1\\1", "&\\1",        "\\u\\1x", "\\U\\1\\2",
                                      "\\2",    "[\\u\\1\\2]", "\\3\\E.", "\\u\\1\\2\\1"};
  int exact = 0, tried = 0;
  for (int i = 0; i < 300; ++i) {
    Context cx;
    const PosixOptions options{.tool = PosixTool::kSed};
    std::string text = random_regex(cx, random, kTokens, options);
    if (random.below(4) == 0) text = "^" + text;
    if (random.below(4) == 0) text += "$";
    const auto pattern = parsed(cx, text, options);
    const std::string& replacement = random.pick(kReplacements);
    const auto items =
        parse_sed_replacement(replacement, static_cast<uint32_t>(pattern->groups.size() - 1));
    if (!items) continue;
    const Flags flags = random_flags(random);
    const std::string script = "s/" + text + "/" + replacement + "/" + flags.text;
    CAPTURE(script);
    const Transducer sub = translate_match(*pattern, *items, flags.which);
    ++tried;
    exact += sub.is_exact() ? 1 : 0;
    check_transducer(sub, by_line({"sed", "-E", script}), random, 20);
  }
  CHECK(tried > 100);
  CHECK(exact * 3 > tried);
}

TEST_CASE("everyday uses of groups are exact") {
  Context cx;
  struct Use {
    std::string pattern, replacement, input, output;
  };
  const Use uses[] = {
      {"^([^:]*):.*$", "\\1", "root:x:0", "root"},
      {".*/([^/]*)$", "\\1", "/usr/bin/sed", "sed"},
      {"([0-9]+)-([0-9]+)", "\\1.\\2", "10-20", "10.20"},
      {"(.*)\\.tar\\.gz$", "\\1", "a.tar.gz", "a"},
      {"^[ \t]*(.*[^ \t])[ \t]*$", "\\1", "  a b ", "a b"},
      {"name=\"([^\"]*)\".*", "\\U\\1", "name=\"x\" y", "X"},
  };
  for (const Use& use : uses) {
    CAPTURE(use.pattern);
    const auto pattern = parsed(cx, use.pattern, {.tool = PosixTool::kSed});
    const auto items = parse_sed_replacement(use.replacement, 9);
    const Transducer sub = translate_match(*pattern, *items);
    CHECK(sub.is_exact());
    CHECK(equivalent(image(sub, cx.literal(use.input)), cx.literal(use.output)).yes());
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
