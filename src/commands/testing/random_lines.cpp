#include "commands/testing/random_lines.h"

#include "regular/decide.h"

namespace nacre::commands {

namespace {

constexpr std::string_view kTroublesome[] = {
    "",          " ",          "\t",          "a",
    "A",         "b a",        "  a\tb  ",    "a:b:c",
    ":",         "::x",        "a,b",         "007",
    "0",         "10",         "9",           "-3",
    "+4",        "3.14",       "-.5",         "1e3",
    "0x1f",      "1K",         "2.5M",        "12abc",
    "\"q u\"",   "it's",       "back\\sl",    "\\n",
    "%s",        "-n",         "--",          "a=b",
    "/usr/bin",  "./x y.txt",  "file.tar.gz", "caf\xc3\xa9",
    "\xff\xfe",  "x\xc2\xa0y", "Jan",         "Feb 3",
    "a b c d e", "   7 word",  "aa",          "aaa bbb aaa",
    "foo",       "Foo bar",    "foobar foo",  "bar",
    "abcabc",    "[x]",        "a.b*c",       "a\rb",
    "x\x01y",    "2024-02-29", "192.168.0.1", "{\"a\":1}",
    "#c",        "a\tb\tc",    "1 2 3",       "3\t1\t2",
    "b",         "b 2",        "a 1",         "ab",
    "abc",       "$HOME",      "*",           "a/b/c",
    "key value",
};
constexpr std::string_view kLetters = "aabbcx019 :,.-/\t";

}  // namespace

std::string RandomLines::troublesome() {
  if (below(3) > 0) return std::string(kTroublesome[below(std::size(kTroublesome))]);
  std::string word;
  for (uint32_t length = below(9); length > 0; length--)
    word += kLetters[below(static_cast<uint32_t>(kLetters.size()))];
  return word;
}

// A letter that makes trouble, where the set has it; else any, ranges being equally likely.
std::optional<regular::Symbol> RandomLines::pick(const regular::CharSet& symbols) {
  const auto ranges = (symbols - regular::CharSet::of('\0')).ranges();
  if (ranges.empty()) return std::nullopt;
  const auto letter =
      static_cast<unsigned char>(kLetters[below(static_cast<uint32_t>(kLetters.size()))]);
  if (symbols.contains(letter) && below(4) > 0) return letter;
  const auto& range = ranges[below(static_cast<uint32_t>(ranges.size()))];
  return range.first + below(range.last - range.first + 1);
}

std::string RandomLines::member(Lang lang, uint32_t length) {
  std::string word;
  while (true) {
    const bool is_enough = word.size() >= length || below(length) == 0;
    if (is_enough) {
      // The shortest way out, which is empty where the word may end here.
      if (auto rest = regular::shortest(lang); rest) return word + *rest;
    }
    const auto symbol = pick(regular::first_symbols(lang));
    if (!symbol) return word;
    const Lang next = regular::derivative(lang, *symbol);
    if (regular::is_empty(next).yes()) continue;
    word += static_cast<char>(*symbol);
    lang = next;
  }
}

}  // namespace nacre::commands
