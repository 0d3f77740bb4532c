#include "machine/pattern.h"

#include <cstdint>
#include <doctest/doctest.h>
#include <fnmatch.h>
#include <string>
#include <vector>

namespace nacre::machine {

TEST_CASE("patterns match like fnmatch, over all short patterns and texts") {
  // Every pattern of up to four of these characters against every text of up to three.
  const std::string pattern_alphabet = "ab*?[]!\\";
  const std::string text_alphabet = "ab]!";
  Locale locale;
  std::vector<std::string> texts = {""};
  for (size_t i = 0; i < texts.size() && texts[i].size() < 3; ++i) {
    for (char c : text_alphabet) texts.push_back(texts[i] + c);
  }
  std::vector<std::string> patterns = {""};
  size_t differences = 0;
  std::string example;
  for (size_t i = 0; i < patterns.size() && patterns[i].size() <= 4; ++i) {
    std::string pattern = patterns[i];
    if (pattern.size() < 4) {
      for (char c : pattern_alphabet) patterns.push_back(pattern + c);
    }
    // A backslash at the end, or an unclosed bracket with one, is not defined.
    if (pattern.find('\\') != std::string::npos &&
        (pattern.back() == '\\' || pattern.find('[') != std::string::npos)) {
      continue;
    }
    for (const std::string& text : texts) {
      bool ours = matches(pattern, text, locale);
      bool theirs = fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
      if (ours == theirs) continue;
      ++differences;
      example = pattern + " on " + text;
    }
  }
  INFO(example);
  CHECK(differences == 0);
}

TEST_CASE("prefixes and suffixes are removed, the shortest or the longest") {
  Locale c;
  CHECK(without_prefix("a/b/c", "*/", false, c) == "b/c");
  CHECK(without_prefix("a/b/c", "*/", true, c) == "c");
  CHECK(without_suffix("a.b.c", ".*", false, c) == "a.b");
  CHECK(without_suffix("a.b.c", ".*", true, c) == "a");
  CHECK(without_suffix("abab", "[a]?", false, c) == "ab");
  CHECK(without_suffix("abab", "?*", true, c).empty());
  CHECK(without_prefix("*x", "\\*", false, c) == "x");
  CHECK(without_prefix("abc", "b", false, c) == "abc");
}

TEST_CASE("removal is what trying every prefix and suffix gives") {
  Locale utf8("C.UTF-8", "C");
  std::vector<std::string> patterns = {""};
  for (size_t i = 0; patterns.size() < 1000; ++i) {
    for (const char* piece : {"a", "b", "*", "?", "[b]", "\\*"})
      patterns.push_back(patterns[i] + piece);
  }
  std::vector<std::string> texts = {
      "", "a", "ab", "bab*", "\xC3\xA4", "a\xC3\xA4", "\xC3\xA4\xFF?", "aab"};
  for (const std::string& pattern : patterns) {
    for (const std::string& text : texts) {
      std::vector<size_t> prefixes;  // ends of those that match
      std::vector<size_t> suffixes;  // starts
      for (size_t at = 0;; at += utf8.next(std::string_view(text).substr(at))) {
        if (matches(pattern, text.substr(0, at), utf8)) prefixes.push_back(at);
        if (matches(pattern, text.substr(at), utf8)) suffixes.push_back(at);
        if (at == text.size()) break;
      }
      auto cut_start = [&](size_t at) { return prefixes.empty() ? text : text.substr(at); };
      auto cut_end = [&](size_t at) { return suffixes.empty() ? text : text.substr(0, at); };
      INFO(pattern, " on ", text);
      CHECK(without_prefix(text, pattern, false, utf8) ==
            cut_start(prefixes.empty() ? 0 : prefixes.front()));
      CHECK(without_prefix(text, pattern, true, utf8) ==
            cut_start(prefixes.empty() ? 0 : prefixes.back()));
      CHECK(without_suffix(text, pattern, false, utf8) ==
            cut_end(suffixes.empty() ? 0 : suffixes.back()));
      CHECK(without_suffix(text, pattern, true, utf8) ==
            cut_end(suffixes.empty() ? 0 : suffixes.front()));
    }
  }
}

TEST_CASE("characters are those of the locale") {
  Locale utf8("C.UTF-8", "C");
  REQUIRE(utf8.is_utf8());
  CHECK(utf8.length("\xC3\xA4\xC3\xB6x\xFF") == 4);
  CHECK(matches("?", "\xC3\xA4", utf8));
  CHECK_FALSE(matches("?", "\xC3\xA4", Locale()));
  CHECK(matches("[[:upper:]]", "\xC3\x84", utf8));
  CHECK(matches("[\xC3\xA0-\xC3\xAF]", "\xC3\xA9", utf8));
}

}  // namespace nacre::machine

namespace nacre::machine {

TEST_CASE("groups of extended patterns") {
  const Locale locale;
  auto is_match = [&](std::string_view pattern, std::string_view text) {
    return matches(pattern, text, PatternRules(locale, true));
  };
  CHECK(is_match("@(foo|bar)", "bar"));
  CHECK_FALSE(is_match("@(foo|bar)", "foobar"));
  CHECK(is_match("+(foo|bar)", "foobar"));
  CHECK_FALSE(is_match("+(a)", ""));
  CHECK(is_match("*(a|b)c", "c"));
  CHECK(is_match("?(a)b", "b"));
  CHECK(is_match("!(*.c)", "x.h"));
  CHECK_FALSE(is_match("!(*.c)", "x.c"));
  CHECK(is_match("a+(b|@(c|d))e", "abcde"));
  CHECK(is_match("\\@(a)", "@(a)"));
  CHECK_FALSE(matches("@(a|b)", "a", PatternRules(locale)));  // not without extglob
  // Would take exponential time if every way were tried.
  CHECK_FALSE(is_match("+(a|aa|aaa)b", std::string(200, 'a')));
}

}  // namespace nacre::machine
