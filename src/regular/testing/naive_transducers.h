// For tests and fuzzing only: a transducer with its parameters, a word, and what comes out of it by
// the plainest means, all drawn from a string of bytes. check() compares the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regular/decide.h"
#include "regular/field_select.h"
#include "regular/strip.h"
#include "regular/transducer.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"

namespace nacre::regular {

class NaiveTransducers {
 public:
  explicit NaiveTransducers(std::string_view bytes) : bytes_(bytes) {}

  // False, and why() says so, if the image of a word is not what it must be, or the pre-image of a
  // result lacks the word.
  bool check() {
    const auto [transducer, results] = draw();
    Lang expected = cx_.empty();
    for (const std::string& result : results) expected = expected | cx_.literal(result);
    const Lang actual = image(transducer, cx_.literal(word_));
    const Verdict verdict =
        transducer.is_exact() ? equivalent(expected, actual) : included(expected, actual);
    if (!verdict.yes()) return fail("image", verdict.witness);
    for (const std::string& result : results) {
      if (!contains(preimage(transducer, cx_.literal(result)), word_)) {
        return fail("pre-image", result);
      }
    }
    return true;
  }

  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  struct Case {
    Transducer transducer;
    std::vector<std::string> results;
  };

  bool fail(const std::string& what, const std::string& witness) {
    why_ = what + " of operation " + std::to_string(operation_) + " on '" + word_ +
           "' is wrong about '" + witness + "'";
    return false;
  }

  uint32_t below(uint32_t limit) {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte % limit;
  }
  char letter() { return "ab:-"[below(4)]; }
  std::string letters(uint32_t most) {
    std::string result;
    for (uint32_t length = below(most + 1); length > 0; --length) result += letter();
    return result;
  }

  Lang pattern(int depth) {
    switch (depth == 0 ? 0 : below(6)) {
      case 0: return cx_.literal(std::string(1, letter()));
      case 1: return cx_.set(CharSet::of(letters(3)) | CharSet::of('a'));
      case 2: return star(pattern(depth - 1));
      case 3: return optional(pattern(depth - 1));
      case 4: {
        const Lang left = pattern(depth - 1);
        return left | pattern(depth - 1);
      }
      default: {
        const Lang left = pattern(depth - 1);
        return left + pattern(depth - 1);
      }
    }
  }

  NumberList list() {
    std::string text = std::to_string(1 + below(4));
    if (below(2) != 0) text += "-";
    if (below(2) != 0) text += "," + std::to_string(1 + below(6));
    return *parse_number_list(text, ListKind::kFields);
  }

  Case draw() {
    operation_ = below(6);
    Case result = operation_ == 0   ? draw_translation()
                  : operation_ == 1 ? draw_fields()
                  : operation_ == 2 ? draw_positions()
                  : operation_ == 3 ? draw_replacement()
                  : operation_ == 4 ? draw_extraction()
                                    : draw_strip();
    return result;
  }

  Case draw_translation() {
    TrPlan plan;
    for (size_t c = 0; c < 256; ++c) plan.map[c] = static_cast<uint8_t>(c);
    for (const char c : {'a', 'b', ':', '-'}) {
      plan.map[static_cast<unsigned char>(c)] = static_cast<uint8_t>(letter());
    }
    for (const char c : letters(1)) plan.removed.set(static_cast<unsigned char>(c));
    for (const char c : letters(3)) plan.squeezed.set(static_cast<unsigned char>(c));
    word_ = letters(10);
    std::string result;
    for (const char c : word_) {
      const auto byte = static_cast<unsigned char>(c);
      const auto to = static_cast<char>(plan.map[byte]);
      const bool repeats = !result.empty() && result.back() == to;
      if (!plan.removed[byte] && !(repeats && plan.squeezed[plan.map[byte]])) result += to;
    }
    return {translate_chars(plan), {result}};
  }

  static bool selects(const NumberList& list, uint64_t number) {
    for (const NumberRange range : list) {
      if (range.first <= number && number <= range.last) return true;
    }
    return false;
  }

  Case draw_fields() {
    FieldOptions options;
    options.delimiter = ':';
    options.list = below(2) != 0 ? complement(list()) : list();
    options.only_delimited = below(2) != 0;
    if (below(2) != 0) options.output_delimiter = letters(2);
    word_ = letters(12);
    const Transducer transducer = field_select(options);
    if (word_.find(':') == std::string::npos) {
      if (options.only_delimited) return {transducer, {}};
      return {transducer, {word_}};
    }
    std::string result;
    bool has_printed = false;
    uint64_t number = 0;
    for (size_t begin = 0; begin <= word_.size();) {
      const size_t end = std::min(word_.find(':', begin), word_.size());
      if (selects(options.list, ++number)) {
        if (has_printed) result += options.output_delimiter.value_or(":");
        result += word_.substr(begin, end - begin);
        has_printed = true;
      }
      begin = end + 1;
    }
    return {transducer, {result}};
  }

  Case draw_positions() {
    PositionOptions options;
    options.list = list();
    word_ = letters(8);
    std::string result;
    for (size_t i = 0; i < word_.size(); ++i) {
      if (selects(options.list, i + 1)) result += word_[i];
    }
    return {position_select(options), {result}};
  }

  std::optional<size_t> longest_at(Lang language, size_t begin) {
    for (size_t length = word_.size() - begin + 1; length-- > 0;) {
      if (contains(language, std::string_view(word_).substr(begin, length))) return length;
    }
    return std::nullopt;
  }

  Case draw_replacement() {
    const Lang language = pattern(3);
    const Occurrence which{1 + below(3), below(2) != 0};
    const bool keeps = below(2) != 0;
    const std::string text = letters(2);
    word_ = letters(8);
    Replacement replacement = replacement_text(text);
    if (keeps) replacement.push_back({"", 0, {}, {}});
    std::string result;
    size_t at = 0, after = std::string::npos;
    uint64_t seen = 0;
    bool is_done = false;
    while (at <= word_.size()) {
      const std::optional<size_t> length = is_done ? std::nullopt : longest_at(language, at);
      const bool is_match = length && !(*length == 0 && at == after);
      const std::string match = word_.substr(at, is_match ? *length : 0);
      if (is_match && ++seen >= which.number) {
        result += text + (keeps ? match : "");
        is_done = !which.is_global;
      } else {
        result += match;
      }
      at += match.size();
      if (match.empty()) {
        if (at < word_.size()) result += word_[at];
        ++at;
      } else {
        after = at;
      }
    }
    return {translate_match(match_pattern(language), replacement, which), {result}};
  }

  Case draw_extraction() {
    const Lang language = pattern(3);
    word_ = letters(8);
    std::vector<std::string> results;
    for (size_t at = 0; at < word_.size();) {
      const size_t length = longest_at(language, at).value_or(0);
      if (length > 0) results.push_back(word_.substr(at, length));
      at += std::max<size_t>(length, 1);
    }
    return {line_extract(match_pattern(language)), results};
  }

  Case draw_strip() {
    const Lang language = pattern(3);
    const bool is_prefix = below(2) != 0;
    const Extreme extreme = below(2) != 0 ? Extreme::kShortest : Extreme::kLongest;
    word_ = letters(8);
    std::string result = word_;
    for (size_t i = 0; i <= word_.size(); ++i) {
      const size_t length = extreme == Extreme::kShortest ? i : word_.size() - i;
      const size_t begin = is_prefix ? 0 : word_.size() - length;
      if (!contains(language, std::string_view(word_).substr(begin, length))) continue;
      result = is_prefix ? word_.substr(length) : word_.substr(0, begin);
      break;
    }
    const Transducer transducer =
        is_prefix ? strip_prefix(language, extreme) : strip_suffix(language, extreme);
    return {transducer, {result}};
  }

  Context cx_;
  std::string_view bytes_;
  uint32_t operation_ = 0;
  std::string word_;
  std::string why_;
};

}  // namespace nacre::regular
