#include "regular/tr_set.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>
#include <optional>

namespace nacre::regular {
namespace {

using Kind = TrElement::Kind;

// An operand whose repeats add up to more is refused: nobody writes one, and lists stay short.
constexpr uint64_t kMaxLength = 1 << 16;

// One byte of the operand after unquoting. Only unescaped bytes can be part of a construct.
struct Quoted {
  uint8_t byte;
  bool is_escaped;
  uint32_t begin, end;
};

// In the C locale, so that the answer does not depend on who runs us.
bool in_class(std::string_view name, int c) {
  if (c > 127) return false;
  if (name == "alnum") return std::isalnum(c) != 0;
  if (name == "alpha") return std::isalpha(c) != 0;
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "cntrl") return c < 32 || c == 127;
  if (name == "digit") return c >= '0' && c <= '9';
  if (name == "graph") return c > 32 && c < 127;
  if (name == "lower") return c >= 'a' && c <= 'z';
  if (name == "print") return c >= 32 && c < 127;
  if (name == "punct") return std::ispunct(c) != 0;
  if (name == "space") return c == ' ' || (c >= '\t' && c <= '\r');
  if (name == "upper") return c >= 'A' && c <= 'Z';
  if (name == "xdigit") return std::isxdigit(c) != 0;
  return false;
}

uint8_t named_escape(char c) {
  switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return static_cast<uint8_t>(c);
  }
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Unquotes the operand; the first half of tr's reading.
class Unquoter {
 public:
  explicit Unquoter(std::string_view text) : text_(text) {}

  std::vector<Quoted> run(std::vector<Error>& warnings) {
    while (at_ < text_.size()) {
      const auto begin = static_cast<uint32_t>(at_);
      const bool is_escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
      const uint8_t byte = is_escaped ? escape(warnings) : plain(warnings);
      out_.push_back({byte, is_escaped, begin, static_cast<uint32_t>(at_)});
    }
    return std::move(out_);
  }

 private:
  uint8_t plain(std::vector<Error>& warnings) {
    if (text_[at_] == '\\') {
      warnings.push_back({{static_cast<uint32_t>(at_), static_cast<uint32_t>(at_ + 1)},
                          "an unescaped backslash at end of string is not portable"});
    }
    return static_cast<uint8_t>(text_[at_++]);
  }

  uint8_t escape(std::vector<Error>& warnings) {
    const size_t begin = at_++;
    if (!is_octal(text_[at_])) return named_escape(text_[at_++]);
    unsigned value = 0;
    for (int digits = 0; digits < 3 && at_ < text_.size() && is_octal(text_[at_]); ++digits) {
      const unsigned next = value * 8 + static_cast<unsigned>(text_[at_] - '0');
      if (next > 255) {
        warnings.push_back(
            {{static_cast<uint32_t>(begin), static_cast<uint32_t>(at_ + 1)},
             fmt::format(
                 "the ambiguous octal escape {} is being interpreted as the 2-byte sequence "
                 "\\0{}, {}",
                 text_.substr(begin, 4), text_.substr(begin + 1, 2), text_[at_])});
        break;
      }
      value = next;
      ++at_;
    }
    return static_cast<uint8_t>(value);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Quoted> out_;
};

// Recognises the constructs in the unquoted bytes; the second half.
class SetParser {
 public:
  explicit SetParser(std::vector<Quoted> bytes) : bytes_(std::move(bytes)) {}

  Result<std::vector<TrElement>> run() {
    // Every construct has at least three bytes; the last two cannot begin one.
    while (at_ + 2 < bytes_.size()) {
      const Result<bool> is_bracket = bracket();
      if (!is_bracket) return tl::unexpected(is_bracket.error());
      if (*is_bracket) continue;
      if (is(at_ + 1, '-')) {
        if (auto range = add_range(); !range) return tl::unexpected(range.error());
      } else {
        add_byte(bytes_[at_++].byte);
      }
    }
    for (; at_ < bytes_.size(); ++at_) add_byte(bytes_[at_].byte);
    return std::move(elements_);
  }

 private:
  [[nodiscard]] bool is(size_t i, char c) const {
    return i < bytes_.size() && bytes_[i].byte == static_cast<uint8_t>(c) && !bytes_[i].is_escaped;
  }
  [[nodiscard]] Span span(size_t first, size_t last) const {
    return {bytes_[first].begin, bytes_[last].end};
  }
  [[nodiscard]] std::string text(size_t first, size_t last) const {
    std::string result;
    for (size_t i = first; i < last; ++i) result += static_cast<char>(bytes_[i].byte);
    return result;
  }
  void add_byte(uint8_t byte) {
    elements_.push_back({Kind::kRange, std::string(1, static_cast<char>(byte)), 1});
  }

  Result<void> add_range() {
    const int first = bytes_[at_].byte;
    const int last = bytes_[at_ + 2].byte;
    if (last < first) {
      return fail(span(at_, at_ + 2),
                  fmt::format("range-endpoints of '{}-{}' are in reverse collating sequence order",
                              static_cast<char>(first), static_cast<char>(last)));
    }
    TrElement range;
    for (int c = first; c <= last; ++c) range.bytes += static_cast<char>(c);
    elements_.push_back(std::move(range));
    at_ += 3;
    return {};
  }

  // True if a bracket construct was read at at_.
  Result<bool> bracket() {
    if (!is(at_, '[')) return false;
    if (is(at_ + 1, ':') || is(at_ + 1, '=')) {
      const char delimiter = is(at_ + 1, ':') ? ':' : '=';
      if (const std::optional<size_t> close = closing(at_ + 2, delimiter)) {
        const Result<bool> named = named_construct(delimiter, *close);
        if (!named || *named) return named;
      }
    }
    return repeat();
  }

  // Index of the unescaped `delimiter` before an unescaped ']', at or after `i`.
  [[nodiscard]] std::optional<size_t> closing(size_t i, char delimiter) const {
    for (; i + 1 < bytes_.size(); ++i) {
      if (is(i, delimiter) && is(i + 1, ']')) return i;
    }
    return std::nullopt;
  }

  // [:class:] or [=c=]. False if tr reads it as a repeat instead, as in "[:*3]x:]".
  Result<bool> named_construct(char delimiter, size_t close) {
    const std::string name = text(at_ + 2, close);
    const Span where = span(at_, close + 1);
    if (name.empty()) {
      return fail(where, delimiter == ':' ? "missing character class name '[::]'"
                                          : "missing equivalence class character '[==]'");
    }
    const bool is_known =
        delimiter == ':' ? add_class(name) : name.size() == 1 && add_equivalence(name);
    if (!is_known) {
      if (looks_like_repeat(at_ + 2)) return false;
      return fail(where, delimiter == ':'
                             ? fmt::format("invalid character class '{}'", name)
                             : name + ": equivalence class operand must be a single character");
    }
    at_ = close + 2;
    return true;
  }

  bool add_class(const std::string& name) {
    TrElement element;
    for (int c = 0; c < 256; ++c) {
      if (in_class(name, c)) element.bytes += static_cast<char>(c);
    }
    element.kind = name == "upper"   ? Kind::kUpper
                   : name == "lower" ? Kind::kLower
                                     : Kind::kOtherClass;
    if (element.bytes.empty()) return false;
    elements_.push_back(std::move(element));
    return true;
  }

  bool add_equivalence(const std::string& name) {
    elements_.push_back({Kind::kEquivalence, name, 1});
    return true;
  }

  [[nodiscard]] bool looks_like_repeat(size_t i) const {
    if (!is(i, '*')) return false;
    for (++i; i < bytes_.size(); ++i) {
      if (std::isdigit(bytes_[i].byte) == 0) return is(i, ']');
    }
    return false;
  }

  // [c*] or [c*n]: decimal, or octal after a leading 0.
  Result<bool> repeat() {
    if (!is(at_ + 2, '*')) return false;
    size_t close = at_ + 3;
    while (close < bytes_.size() && !bytes_[close].is_escaped && bytes_[close].byte != ']') ++close;
    if (!is(close, ']')) return false;
    const std::string digits = text(at_ + 3, close);
    const std::optional<uint64_t> count = repeat_count(digits);
    if (!count) {
      return fail(span(at_, close),
                  fmt::format("invalid repeat count '{}' in [c*n] construct", digits));
    }
    elements_.push_back({Kind::kRepeat, text(at_ + 1, at_ + 2), *count});
    at_ = close + 1;
    return true;
  }

  static std::optional<uint64_t> repeat_count(std::string_view digits) {
    const unsigned base = digits.starts_with('0') ? 8 : 10;
    uint64_t count = 0;
    for (const char c : digits) {
      if (c < '0' || static_cast<unsigned>(c - '0') >= base) return std::nullopt;
      const auto digit = static_cast<uint64_t>(c - '0');
      if (count > (UINT64_MAX - digit) / base) return std::nullopt;
      count = count * base + digit;
    }
    return count;
  }

  std::vector<Quoted> bytes_;
  size_t at_ = 0;
  std::vector<TrElement> elements_;
};

}  // namespace

Result<TrSet> parse_tr_set(std::string_view text) {
  TrSet set;
  auto elements = SetParser(Unquoter(text).run(set.warnings)).run();
  if (!elements) return tl::unexpected(elements.error());
  set.elements = std::move(*elements);
  uint64_t length = 0;
  for (const TrElement& element : set.elements) {
    length += std::min(element.bytes.size() * element.count, kMaxLength);
    if (length > kMaxLength) {
      return fail({0, static_cast<uint32_t>(text.size())}, "too many characters in set");
    }
  }
  return set;
}

namespace {

// An operand laid out byte by byte, as tr walks through it.
struct Step {
  uint8_t byte;
  Kind kind;
  bool is_first;  // of its element
};

std::vector<Step> lay_out(const TrSet& set) {
  std::vector<Step> steps;
  for (const TrElement& element : set.elements) {
    bool is_first = true;
    for (uint64_t i = 0; i < element.count; ++i) {
      for (const char c : element.bytes) {
        steps.push_back({static_cast<uint8_t>(c), element.kind, is_first});
        is_first = false;
      }
    }
  }
  return steps;
}

bool is_case(Kind kind) { return kind == Kind::kUpper || kind == Kind::kLower; }
bool is_class(Kind kind) { return is_case(kind) || kind == Kind::kOtherClass; }

std::bitset<256> members(const std::vector<Step>& steps) {
  std::bitset<256> set;
  for (const Step& step : steps) set.set(step.byte);
  return set;
}

bool has(const TrSet& set, bool (*accepts)(const TrElement&)) {
  return std::any_of(set.elements.begin(), set.elements.end(), accepts);
}
bool is_fill(const TrElement& element) { return element.kind == Kind::kRepeat && !element.count; }

tl::unexpected<Error> refuse(std::string message) { return fail({}, std::move(message)); }

// The checks and the map of a translation, in the order of tr's own checks, so that of several
// mistakes the same one is reported.
class Translation {
 public:
  Translation(const TrSet& first, const TrSet& second, TrOptions options)
      : first_(first), second_(second), options_(options) {}

  Result<TrPlan> run() {
    for (auto check : {&Translation::check_second, &Translation::fill, &Translation::check_cases,
                       &Translation::extend, &Translation::check_complement}) {
      if (auto ok = (this->*check)(); !ok) return tl::unexpected(ok.error());
    }
    TrPlan plan;
    for (size_t c = 0; c < 256; ++c) plan.map[c] = static_cast<uint8_t>(c);
    if (options_.complements) {
      map_complement(plan);
    } else {
      map_pairs(plan);
    }
    if (options_.squeezes) plan.squeezed = members(to_);
    return plan;
  }

 private:
  Result<void> check_second() {
    from_ = lay_out(first_);
    if (options_.complements) {
      const std::bitset<256> named = members(from_);
      std::vector<Step> others;
      for (size_t c = 0; c < 256; ++c) {
        if (!named[c]) others.push_back({static_cast<uint8_t>(c), Kind::kRange, true});
      }
      from_ = std::move(others);
    }
    if (std::count_if(second_.elements.begin(), second_.elements.end(), is_fill) > 1) {
      return refuse("only one [c*] repeat construct may appear in string2");
    }
    if (has(second_, [](const TrElement& e) { return e.kind == Kind::kEquivalence; })) {
      return refuse("[=c=] expressions may not appear in string2 when translating");
    }
    if (has(second_, [](const TrElement& e) { return e.kind == Kind::kOtherClass; })) {
      return refuse(
          "when translating, the only character classes that may appear in string2 are 'upper' and "
          "'lower'");
    }
    return {};
  }

  // [c*] takes as many places as the first operand has left.
  Result<void> fill() {
    const size_t length = lay_out(second_).size();
    for (TrElement& element : second_.elements) {
      if (is_fill(element)) element.count = from_.size() > length ? from_.size() - length : 0;
    }
    to_ = lay_out(second_);
    return {};
  }

  // A case class in the second operand must face one in the first. Both then count as one byte.
  Result<void> check_cases() {
    if (options_.complements || !has(second_, [](const TrElement& e) { return is_class(e.kind); }))
      return {};
    size_t i = 0, j = 0;
    while (i < from_.size() && j < to_.size()) {
      const Step &from = from_[i], &to = to_[j];
      const bool converts = is_case(to.kind);
      if (converts && to.is_first && !(from.is_first && is_case(from.kind))) {
        return refuse("misaligned [:upper:] and/or [:lower:] construct");
      }
      i = converts ? end_of(from_, i) : i + 1;
      j = converts ? end_of(to_, j) : j + 1;
    }
    return j < to_.size() && to_[j].is_first && is_case(to_[j].kind)
               ? Result<void>(refuse("misaligned [:upper:] and/or [:lower:] construct"))
               : Result<void>{};
  }

  static size_t end_of(const std::vector<Step>& steps, size_t i) {
    for (++i; i < steps.size() && !steps[i].is_first;) ++i;
    return i;
  }

  // The last byte of a short second operand is repeated.
  Result<void> extend() {
    if (from_.size() <= to_.size() || options_.truncates) return {};
    if (to_.empty()) return refuse("when not truncating set1, string2 must be non-empty");
    if (is_class(to_.back().kind)) {
      return refuse(
          "when translating with string1 longer than string2, the latter string must not end with "
          "a "
          "character class");
    }
    to_.resize(from_.size(), Step{to_.back().byte, Kind::kRepeat, false});
    return {};
  }

  Result<void> check_complement() {
    if (!options_.complements ||
        !has(first_, [](const TrElement& e) { return is_class(e.kind); })) {
      return {};
    }
    if (to_.size() == from_.size() && members(to_).count() <= 1) return {};
    return refuse(
        "when translating with complemented character classes, string2 must map all characters in "
        "the domain to one");
  }

  void map_complement(TrPlan& plan) const {
    for (size_t i = 0; i < from_.size() && i < to_.size(); ++i)
      plan.map[from_[i].byte] = to_[i].byte;
  }

  void map_pairs(TrPlan& plan) const {
    size_t i = 0, j = 0;
    while (i < from_.size() && j < to_.size()) {
      const Step &from = from_[i], &to = to_[j];
      const bool converts = is_case(to.kind);
      if (!converts) {
        plan.map[from.byte] = to.byte;
      } else if (from.kind != to.kind) {
        convert_case(plan, to.kind);
      }
      i = converts ? end_of(from_, i) : i + 1;
      j = converts ? end_of(to_, j) : j + 1;
    }
  }

  static void convert_case(TrPlan& plan, Kind to) {
    for (size_t upper = 'A'; upper <= 'Z'; ++upper) {
      const size_t lower = upper - 'A' + 'a';
      if (to == Kind::kUpper) {
        plan.map[lower] = static_cast<uint8_t>(upper);
      } else {
        plan.map[upper] = static_cast<uint8_t>(lower);
      }
    }
  }

  const TrSet& first_;
  TrSet second_;
  TrOptions options_;
  std::vector<Step> from_, to_;
};

std::optional<std::string> wrong_operand_count(bool has_second, TrOptions options) {
  const bool needs_second = options.deletes == options.squeezes;
  const bool may_have_second = options.deletes <= options.squeezes;
  if (needs_second && !has_second) {
    return options.deletes ? "Two strings must be given when both deleting and squeezing repeats."
                           : "Two strings must be given when translating.";
  }
  if (has_second && !may_have_second) {
    return "Only one string may be given when deleting without squeezing repeats.";
  }
  return std::nullopt;
}

}  // namespace

Result<TrPlan> plan_tr(const TrSet& first, const TrSet* second, TrOptions options) {
  if (auto wrong = wrong_operand_count(second != nullptr, options)) return refuse(*wrong);
  if (has(first, is_fill)) {
    return refuse("the [c*] repeat construct may not appear in string1");
  }
  if (second && !options.deletes) return Translation(first, *second, options).run();
  if (second && has(*second, is_fill)) {
    return refuse("the [c*] construct may appear in string2 only when translating");
  }
  TrPlan plan;
  for (size_t c = 0; c < 256; ++c) plan.map[c] = static_cast<uint8_t>(c);
  std::bitset<256> named = members(lay_out(first));
  if (options.complements) named.flip();
  if (options.deletes) plan.removed = named;
  if (options.squeezes) plan.squeezed = second ? members(lay_out(*second)) : named;
  return plan;
}

}  // namespace nacre::regular
