// A language in words, when no regex for it is short enough to read. Each statement is checked, not
// guessed: it holds for every word of the language.
#include <algorithm>
#include <fmt/core.h>

#include "regular/decide.h"
#include "regular/print.h"
#include "regular/words.h"

namespace nacre::regular {
namespace {

std::string quoted(std::string_view word) {
  std::string text = "\"";
  for (char c : word) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < ' ' || byte == 0x7F) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text + '"';
}

// What all words begin with.
std::string common_prefix(Lang a) {
  constexpr size_t kLongEnough = 40;
  std::string prefix;
  while (prefix.size() < kLongEnough && !is_nullable(a)) {
    CharSet first = first_symbols(a);
    if (first.size() != 1) break;
    append_symbol(prefix, first.min(), a.context().alphabet());
    a = derivative(a, first.min());
  }
  return prefix;
}

std::string backwards(const std::string& word, Alphabet alphabet) {
  std::string text;
  std::vector<Symbol> symbols = decode(word, alphabet);
  for (size_t i = symbols.size(); i-- > 0;) append_symbol(text, symbols[i], alphabet);
  return text;
}

// "3 fields separated by ','" if every word has the same number of some separator.
std::string fields(Lang a, const Budget& budget) {
  Context& cx = a.context();
  for (char separator : std::string_view(",;:\t|/ ")) {
    CharSet one = CharSet::of(static_cast<unsigned char>(separator));
    if (!symbols_of(a).contains(one)) continue;
    Lang field = star(cx.set(one.complement(cx.alphabet())));
    auto example = shortest(a, budget);
    if (!example) return "";
    auto count = static_cast<uint32_t>(std::count(example->begin(), example->end(), separator));
    Lang exactly = field + repeat(cx.set(one) + field, count, count);
    if (count > 0 && included(a, exactly, budget).yes()) {
      return fmt::format("{} fields separated by {}", count + 1, quoted({&separator, 1}));
    }
  }
  return "";
}

std::string length(Lang a, const Budget& budget) {
  LengthSet lengths = lengths_of(a, budget);
  uint32_t least = lengths.least();
  uint32_t most = lengths.most();
  if (least == most) return fmt::format("{} characters", least);
  if (most != kUnbounded) return fmt::format("{} to {} characters", least, most);
  return least > 0 ? fmt::format("at least {} characters", least) : "";
}

std::string symbols(Lang a) {
  constexpr size_t kReadable = 24;
  CharSet set = symbols_of(a);
  std::string text = to_regex(set, a.context().alphabet());
  bool says_little = text.size() > kReadable || text == "." || set.contains('\n');
  return says_little ? "" : "of " + text;
}

}  // namespace

std::string describe(Lang a, const PrintOptions& options) {
  if (auto regex = to_regex(a, options)) return *regex;
  Verdict nothing = is_empty(a, options.budget);
  if (nothing.yes()) return "[]";
  Alphabet alphabet = a.context().alphabet();
  std::vector<std::string> facts;
  auto say = [&](std::string fact) {
    if (!fact.empty()) facts.push_back(std::move(fact));
  };
  say(fields(a, options.budget));
  say(length(a, options.budget));
  say(symbols(a));
  if (std::string prefix = common_prefix(a); !prefix.empty())
    say("beginning with " + quoted(prefix));
  std::string suffix = backwards(common_prefix(reverse(a)), alphabet);
  if (!suffix.empty()) say("ending with " + quoted(suffix));
  std::string examples;
  for (const std::string& word : examples_of(a, 2, options.budget)) {
    examples += examples.empty() ? "such as " : " or ";
    examples += quoted(word);
  }
  say(examples);
  std::string text;
  for (const std::string& fact : facts) text += (text.empty() ? "" : ", ") + fact;
  return "<" + (text.empty() ? "no short description" : text) + ">";
}

}  // namespace nacre::regular
