#include "regular/translate_chars.h"

#include <doctest/doctest.h>

#include "regular/testing/tool_process.h"
#include "regular/testing/transducer_check.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

struct TrCall {
  TrOptions options;
  std::string first;
  std::optional<std::string> second;

  [[nodiscard]] Words arguments() const {
    Words result = {"tr"};
    if (options.complements) result.emplace_back("-c");
    if (options.deletes) result.emplace_back("-d");
    if (options.squeezes) result.emplace_back("-s");
    if (options.truncates) result.emplace_back("-t");
    result.emplace_back("--");
    result.push_back(first);
    if (second) result.push_back(*second);
    return result;
  }
  [[nodiscard]] Result<TrPlan> plan() const {
    const Result<TrSet> from = parse_tr_set(first);
    if (!from) return tl::unexpected(from.error());
    if (!second) return plan_tr(*from, nullptr, options);
    const Result<TrSet> to = parse_tr_set(*second);
    if (!to) return tl::unexpected(to.error());
    return plan_tr(*from, &*to, options);
  }
};

std::string translated(const TrPlan& plan, std::string_view word) {
  std::string result;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (plan.removed[byte]) continue;
    const auto to = static_cast<char>(plan.map[byte]);
    if (plan.squeezed[plan.map[byte]] && !result.empty() && result.back() == to) continue;
    result += to;
  }
  return result;
}

std::string random_set(RandomWords& random) {
  static const Words kTokens = {
      "a",         "b",         "c",         "z",      "-",        "[",     "]",       "*",
      ":",         "=",         "\\",        "a-c",    "x-z",      "\\101", "\\n",     "[:upper:]",
      "[:lower:]", "[:digit:]", "[:alpha:]", "[=a=]",  "[x*]",     "[y*3]", "[y*010]", "A-Z",
      "a-z",       "0-9",       "\\-",       "[=ab=]", "[:nope:]", "\\\\",  "[b*a]",   "\\400"};
  std::string set;
  for (uint32_t count = random.below(4); count > 0; --count) set += random.pick(kTokens);
  return set;
}

// tr's message without its name, quotes made plain, lines joined.
std::string message_of(const ToolRun& run) {
  std::string text = run.err.substr(std::min<size_t>(run.err.size(), 4));
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) plain += text[i] == '\n' ? ' ' : text[i];
  return plain;
}

}  // namespace

TEST_CASE("every byte fares as with tr, and what tr refuses is refused with its words") {
  RandomWords random(1, "abc");
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  bytes += "aabbccAA00  --[[]]::==**\\\\xxyyzz" + bytes + "zz";
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    TrCall call{{random.flip(), random.below(4) == 0, random.flip(), random.below(4) == 0},
                random_set(random),
                {}};
    if (random.below(4) != 0) call.second = random_set(random);
    const ToolRun real = run_tool(call.arguments(), bytes);
    const Result<TrPlan> plan = call.plan();
    CAPTURE(call.first);
    CAPTURE(call.second.value_or("(none)"));
    CAPTURE(call.arguments().size());
    CAPTURE(real.err);
    CHECK((real.status == 0) == plan.has_value());
    if (plan) {
      CHECK(translated(*plan, bytes) == real.out);
    } else {
      ++refused;
      CAPTURE(plan.error().message);
      // tr counts its operands before it reads them.
      const bool is_count =
          real.err.find(" operand ") != std::string::npos && plan.error().span != Span{};
      if (!is_count) CHECK(message_of(real).find(plan.error().message) != std::string::npos);
    }
  }
  CHECK(refused > 50);
}

TEST_CASE("images and pre-images agree with tr") {
  RandomWords random(2, "aab c1-");
  for (int i = 0; i < 60; ++i) {
    TrCall call{{random.flip(), random.below(3) == 0, random.flip(), random.below(6) == 0},
                random.word(3) + "a",
                {}};
    if (call.options.deletes == call.options.squeezes || random.flip()) {
      call.second = random.word(2) + "b";
    }
    const Result<TrPlan> plan = call.plan();
    if (!plan) continue;
    const auto tool = [&](const Words& words) {
      std::vector<Words> results;
      for (const std::string& word : words) results.push_back({translated(*plan, word)});
      return results;
    };
    check_transducer(translate_chars(*plan), tool, random);
  }
}

TEST_CASE("languages are translated, not letters") {
  Context cx;
  const Lang lower = plus(cx.set(CharSet::range('a', 'z')));
  const Lang upper = plus(cx.set(CharSet::range('A', 'Z')));
  const Transducer to_upper =
      convert_case(Alphabet::kBytes, SymbolMap::ascii_upper(), Extent::kAll);
  CHECK(equivalent(image(to_upper, lower), upper).yes());
  CHECK(is_empty(preimage(to_upper, lower)).yes());
  const Transducer capital =
      convert_case(Alphabet::kBytes, SymbolMap::ascii_upper(), Extent::kFirst);
  CHECK(contains(image(capital, lower), "Abc"));
  CHECK(!contains(image(capital, lower), "abc"));

  Context unicode(Alphabet::kCodePoints);
  const Transducer lowered =
      convert_case(Alphabet::kCodePoints, SymbolMap::unicode_lower(), Extent::kAll);
  CHECK(equivalent(image(lowered, unicode.literal("ÄÉ")), unicode.literal("äé")).yes());
}

TEST_CASE("tr -s keeps what RT's example needs") {
  Context cx;
  const Result<TrSet> blank = parse_tr_set("_");
  const Result<TrPlan> plan = plan_tr(*blank, nullptr, {.squeezes = true});
  const Lang input = star(cx.literal("_b_"));
  const Lang squeezed = optional(cx.literal("_") + plus(cx.literal("b_")));
  CHECK(equivalent(image(translate_chars(*plan), input), squeezed).yes());
}
