#include "regular/strip.h"

#include <doctest/doctest.h>

#include "regular/testing/tool_process.h"
#include "regular/testing/transducer_check.h"
#include "regular/translate_match.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

// A shell pattern and its language.
struct Glob {
  Lang language;
  std::string text;
};

Glob random_glob(Context& cx, RandomWords& random) {
  Glob glob{cx.epsilon(), ""};
  for (uint32_t count = 1 + random.below(4); count > 0; --count) {
    switch (random.below(5)) {
      case 0:
        glob.language = glob.language + cx.all();
        glob.text += "*";
        break;
      case 1:
        glob.language = glob.language + cx.set(CharSet::all(Alphabet::kBytes));
        glob.text += "?";
        break;
      case 2:
        glob.language = glob.language + cx.set(CharSet::of("ab"));
        glob.text += "[ab]";
        break;
      default: {
        const char letter = random.letters()[random.below(3)];
        glob.language = glob.language + cx.literal(std::string(1, letter));
        glob.text += letter;
      }
    }
  }
  return glob;
}

// Bash's extended patterns can match the empty string. (Its ?(a) does not match an empty value, for
// a check of lengths takes the ? for a character; we do what the pattern means.)
Glob random_extended_glob(Context& cx, RandomWords& random) {
  const Glob glob = random_glob(cx, random);
  if (random.flip()) return glob;
  return {star(glob.language), "*(" + glob.text + ")"};
}

// Runs a shell once for all words; the script prints what becomes of "$x".
Tool shell(const std::string& name, const std::string& script) {
  return [name, script](const Words& words) {
    Words arguments = {name, "-c", "for x do " + script + "; printf '%s\\n' \"$y\"; done", name};
    if (name == "bash") arguments.insert(arguments.begin() + 1, {"-O", "extglob"});
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<Words> results;
    for (std::string& line : split_lines(run_tool(arguments, "").out)) results.push_back({line});
    return results;
  };
}

}  // namespace

TEST_CASE("prefixes and suffixes go as in the shell") {
  RandomWords random(20, "abc");
  for (int i = 0; i < 80; ++i) {
    Context cx;
    const Glob glob = random_glob(cx, random);
    const bool is_prefix = random.flip();
    const Extreme extreme = random.flip() ? Extreme::kShortest : Extreme::kLongest;
    std::string operation = is_prefix ? "#" : "%";
    if (extreme == Extreme::kLongest) operation += operation;
    const std::string script = "y=${x" + operation + glob.text + "}";
    CAPTURE(script);
    const Transducer strip =
        is_prefix ? strip_prefix(glob.language, extreme) : strip_suffix(glob.language, extreme);
    CHECK(strip.is_exact());
    check_transducer(strip, shell(random.flip() ? "dash" : "bash", script), random);
  }
}

TEST_CASE("bash replaces patterns in its own way") {
  RandomWords random(21, "abc");
  for (int i = 0; i < 80; ++i) {
    Context cx;
    const Glob glob = random_extended_glob(cx, random);
    BashReplacement how;
    std::string operation = "/";
    switch (random.below(4)) {
      case 0: break;
      case 1: how.is_global = true, operation = "//"; break;
      case 2: how.anchor = Anchor::kStart, operation = "/#"; break;
      default: how.anchor = Anchor::kEnd, operation = "/%"; break;
    }
    const std::string script = "y=${x" + operation + glob.text + "/<&>}";
    CAPTURE(script);
    const Transducer replace = replace_pattern(
        glob.language, {{"<", {}, {}, {}}, {"", 0, {}, {}}, {">", {}, {}, {}}}, how);
    CHECK(replace.is_exact());
    check_transducer(replace, shell("bash", script), random);
  }
}

TEST_CASE("basename and extension") {
  Context cx;
  const Lang any = cx.all();
  const Lang path =
      star(cx.literal("/") + plus(cx.set(CharSet::range('a', 'z')))) + cx.literal("/x.tar.gz");
  const Lang base = image(strip_prefix(any + cx.literal("/"), Extreme::kLongest), path);
  CHECK(equivalent(base, cx.literal("x.tar.gz")).yes());
  const Lang extension = cx.literal(".") + any;
  CHECK(contains(image(strip_suffix(extension, Extreme::kShortest), base), "x.tar"));
  CHECK(contains(image(strip_suffix(extension, Extreme::kLongest), base), "x"));
}

TEST_CASE("what cannot be afforded may go or stay") {
  Context cx;
  const Lang pattern = cx.all() + cx.literal("a") + repeat(cx.set(CharSet::of("ab")), 20, 20);
  const Budget small{.steps = 1000, .states = 50};
  for (const Extreme extreme : {Extreme::kShortest, Extreme::kLongest}) {
    for (const bool is_prefix : {true, false}) {
      const Transducer strip =
          is_prefix ? strip_prefix(pattern, extreme, small) : strip_suffix(pattern, extreme, small);
      CHECK(!strip.is_exact());
      const Lang result = image(strip, cx.literal("abc"));
      CHECK(contains(result, "abc"));
      CHECK(result.bound() == Bound::kSuperset);
    }
  }
}
