#include "regular/print.h"

#include <doctest/doctest.h>

#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/parse_type.h"
#include "regular/print_term.h"
#include "regular/testing/oracle.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

Lang set(Context& cx, char first, char last) {
  return cx.set(CharSet::range(static_cast<Symbol>(first), static_cast<Symbol>(last)));
}
Lang any(Context& cx) { return star(cx.set(CharSet::of('\n').complement(cx.alphabet()))); }
Lang holding(Context& cx, std::string_view word) { return any(cx) + cx.literal(word) + any(cx); }

}  // namespace

TEST_CASE("sets are shown as people write them") {
  auto show = [](const CharSet& s) { return to_regex(s, Alphabet::kBytes); };
  CHECK(show(CharSet::of('\n').complement(Alphabet::kBytes)) == ".");
  CHECK(show(CharSet::of("\n,").complement(Alphabet::kBytes)) == "[^,]");
  CHECK(show(CharSet::range('a', 'z') | CharSet::range('0', '9') | CharSet::of("_-")) ==
        "[a-z0-9_-]");
  CHECK(show(CharSet::of('*')) == "\\*");
  CHECK(show(CharSet::of("]^")) == "[\\]\\^]");
  CHECK(show(CharSet()) == "{none}");
  CHECK(to_regex(CharSet::of(0xE9), Alphabet::kCodePoints) == "é");
  CHECK(to_regex(CharSet::of(0xE9), Alphabet::kBytes) == "\\xe9");
}

TEST_CASE("expressions come back as they were made") {
  Context cx;
  Lang digit = set(cx, '0', '9');
  Lang not_found = holding(cx, "404");
  CHECK(to_regex(not_found & holding(cx, "timeout")) == ".*404.*&.*timeout.*");
  CHECK(to_regex(plus(digit) + cx.literal(" ") + any(cx)) == "[0-9]+ .*");
  CHECK(to_regex(plus(cx.literal("ab"))) == "(ab)+");
  CHECK(to_regex(optional(cx.literal("-")) + repeat(digit, 2, kUnbounded)) == "-?[0-9]{2,}");
  CHECK(to_regex(any(cx) - holding(cx, "x")) == ".*&!(.*x.*)");
  CHECK(to_regex(cx.literal("aa(b)")) == "aa\\(b\\)");
  CHECK(to_regex(cx.epsilon()) == "()");
  CHECK(to_regex(cx.empty()) == "{none}");
  CHECK(to_regex(!cx.literal("a")) == "{any}&!(a)");
}

TEST_CASE("automata are turned into short regexes") {
  Context cx;
  Lang digit = set(cx, '0', '9');
  auto reshow = [](Lang a) { return to_regex(canonical(a)); };
  CHECK(reshow(plus(digit) + cx.literal(" ") + any(cx)) == "[0-9]+ .*");
  CHECK(reshow(repeat(digit, 1, 3) + cx.literal(":")) == "[0-9]{1,3}:");
  Lang field = star(cx.set(CharSet::of(",\n").complement(cx.alphabet())));
  CHECK(reshow(repeat(field + cx.literal(","), 4, 4) + field) == "([^,]*,){4}[^,]*");
  CHECK(reshow(cx.literal("until") | cx.literal("unless")) == "un(less|til)");
}

TEST_CASE("named types are folded back") {
  Context cx;
  Lang digit = set(cx, '0', '9');
  Lang octet = repeat(digit, 1, 3);
  Lang ip = repeat(octet + cx.literal("."), 3, 3) + octet;
  Lang number = plus(digit);
  std::vector<NamedLang> names = {{"ip", ip}, {"number", number}};
  PrintOptions options;
  options.names = names;
  CHECK(to_regex(ip, options) == "{ip}");
  CHECK(to_regex(ip + cx.literal(" ") + number, options) == "{ip} [0-9]+");
  CHECK(to_regex(canonical(ip), options) == "{ip}");

  std::vector<NamedLang> known = known_names(cx);
  options.names = known;
  Lang line = *parse_type(cx, "GET {url} from {ipv4}( .*)?");
  CHECK(to_regex(line, options) == "GET {url} from {ipv4}( .*)?");
}

TEST_CASE("what has no short regex gets a shape") {
  Context cx;
  std::vector<std::string> storage;
  for (uint32_t i = 0; i < 500; ++i) {
    storage.push_back("id" + std::to_string(i * 7919 % 1000) + ",x" + std::to_string(i * 31 % 97));
  }
  std::vector<std::string_view> words(storage.begin(), storage.end());
  Lang list = cx.words(words);
  CHECK(!to_regex(list));
  std::string shape = describe(list);
  CAPTURE(shape);
  CHECK(shape.find("2 fields separated by \",\"") != shape.npos);
  CHECK(shape.find("beginning with \"id\"") != shape.npos);
  CHECK(shape.find("such as \"id") != shape.npos);
}

TEST_CASE("rewriting for print keeps the language") {
  oracle::Random random(21);
  for (uint32_t round = 0; round < 600; ++round) {
    CAPTURE(round);
    Context cx;
    oracle::Sample s = oracle::random_sample(cx, random, 1 + round % 12);
    TermStore& terms = cx.terms();
    CHECK(equivalent(s.lang, Lang(cx, factored(terms, s.lang.id()))).yes());
    CHECK(equivalent(s.lang, Lang(cx, eliminate(terms, *to_dfa(s.lang).dfa))).yes());
  }
}

TEST_CASE("what is printed can be read back") {
  oracle::Random random(22);
  PrintOptions options;
  options.longest = 4000;
  for (uint32_t round = 0; round < 1500; ++round) {
    CAPTURE(round);
    Context cx;
    oracle::Sample s = oracle::random_sample(cx, random, 1 + round % 12);
    for (Lang lang : {s.lang, canonical(s.lang), !s.lang}) {
      auto text = to_regex(lang, options);
      if (!text) continue;
      CAPTURE(*text);
      auto again = parse_type(cx, *text);
      REQUIRE(again);
      CHECK(equivalent(lang, *again).yes());
    }
  }
}

TEST_CASE("awkward symbols can be read back") {
  for (Alphabet alphabet : {Alphabet::kBytes, Alphabet::kCodePoints}) {
    Context cx(alphabet);
    std::vector<Lang> langs;
    for (Symbol symbol = 0; symbol < 256; ++symbol) {
      Lang one = cx.set(CharSet::of(symbol));
      langs.push_back(one);
      langs.push_back(star(one) + cx.literal("reverse") + repeat(one, 2, 2));
      langs.push_back(cx.set(CharSet::of(symbol) | CharSet::of("-^]")));
      langs.push_back(cx.set(CharSet::of(symbol).complement(alphabet)));
      langs.push_back((any(cx) + one) & (one + any(cx)));
      langs.push_back(cx.literal("reverse") + (one | cx.literal("ab")));
    }
    if (alphabet == Alphabet::kCodePoints) {
      for (Symbol symbol : {0x100u, 0x3B1u, 0xD800u, 0xFFFDu, 0x10FFFFu, 0x1F600u}) {
        langs.push_back(cx.set(CharSet::of(symbol)));
        langs.push_back(cx.set(CharSet::range(symbol, 0x10FFFF)));
      }
    }
    for (Lang lang : langs) {
      auto text = to_regex(lang);
      REQUIRE(text);
      CAPTURE(*text);
      auto again = parse_type(cx, *text);
      REQUIRE(again);
      CHECK(equivalent(lang, *again).yes());
    }
  }
}
