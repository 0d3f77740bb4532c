// For tests only: compares a transducer with the tool it stands for.
//
// For words w, the image of {w} must be exactly what the tool prints for w (or hold it, for inexact
// ones); for words v of the image of a random language L, some word of L in the pre-image of {v}
// must make the tool print v. Words go to the tool in batches, one line each.
#pragma once

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "regular/decide.h"
#include "regular/lang.h"
#include "regular/testing/tool_process.h"
#include "regular/transducer.h"

namespace nacre::regular {

using Words = std::vector<std::string>;

class RandomWords {
 public:
  RandomWords(uint32_t seed, std::string letters) : random_(seed), letters_(std::move(letters)) {}

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool flip() { return below(2) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& choices) {
    return choices[below(static_cast<uint32_t>(choices.size()))];
  }
  const std::string& letters() const { return letters_; }

  std::string word(uint32_t longest) {
    std::string word;
    for (uint32_t length = below(longest + 1); length > 0; --length) {
      word += letters_[below(static_cast<uint32_t>(letters_.size()))];
    }
    return word;
  }
  Words words(size_t count, uint32_t longest) {
    Words words = {""};
    while (words.size() < count) words.push_back(word(longest));
    return words;
  }
  // A random language over the letters.
  Lang language(Context& cx, int depth = 3) {
    if (depth == 0) return cx.literal(word(2));
    switch (below(5)) {
      case 0: return cx.set(CharSet::of(word(3) + letters_[0]));
      case 1: return star(language(cx, depth - 1));
      case 2: return language(cx, depth - 1) | language(cx, depth - 1);
      default: return language(cx, depth - 1) + language(cx, depth - 1);
    }
  }

 private:
  std::mt19937 random_;
  std::string letters_;
};

// What the tool prints for each word; several results, or none, are possible.
using Tool = std::function<std::vector<Words>(const Words&)>;

inline Words split_lines(const std::string& text) {
  Words lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Runs a tool that prints one line for each line.
inline Tool by_line(const Words& arguments) {
  return [arguments](const Words& words) {
    std::string input;
    for (const std::string& word : words) input += word + "\n";
    std::vector<Words> results;
    for (std::string& line : split_lines(run_tool(arguments, input).out)) results.push_back({line});
    return results;
  };
}

// grep -on prints LINE:MATCH.
inline Tool grep_only(Words arguments) {
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

inline std::string random_tokens(RandomWords& random, const Words& tokens, uint32_t most) {
  std::string text;
  for (uint32_t count = 1 + random.below(most); count > 0; --count) text += random.pick(tokens);
  return text;
}

inline void check_words(const Transducer& transducer, const Tool& tool, const Words& words) {
  const std::vector<Words> printed = tool(words);
  REQUIRE(printed.size() == words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    CAPTURE(words[i]);
    Context cx;
    const Lang actual = image(transducer, cx.literal(words[i]));
    Lang expected = cx.empty();
    for (const std::string& result : printed[i]) expected = expected | cx.literal(result);
    const Verdict verdict =
        transducer.is_exact() ? equivalent(expected, actual) : included(expected, actual);
    CAPTURE(verdict.witness);
    CHECK(verdict.yes());
    CHECK(actual.is_exact() == transducer.is_exact());
  }
}

inline void check_language(const Transducer& transducer, const Tool& tool, Lang language,
                           int samples) {
  Context& cx = language.context();
  Lang left = image(transducer, language);
  Words sources, results;
  for (; samples > 0; --samples) {
    const std::optional<std::string> result = shortest(left);
    if (!result) break;
    const auto source = shortest(preimage(transducer, cx.literal(*result)) & language);
    CAPTURE(*result);
    REQUIRE(source);
    sources.push_back(*source);
    results.push_back(*result);
    left = left - cx.literal(*result);
  }
  if (!transducer.is_exact() || sources.empty()) return;
  const std::vector<Words> printed = tool(sources);
  REQUIRE(printed.size() == sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    CAPTURE(sources[i]);
    CAPTURE(results[i]);
    CHECK(std::find(printed[i].begin(), printed[i].end(), results[i]) != printed[i].end());
  }
}

// Both, with random words and languages.
inline void check_transducer(const Transducer& transducer, const Tool& tool, RandomWords& random,
                             size_t words = 30, uint32_t longest = 7) {
  check_words(transducer, tool, random.words(words, longest));
  Context cx;
  check_language(transducer, tool, random.language(cx), 6);
}

}  // namespace nacre::regular
