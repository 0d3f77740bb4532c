#include "regular/tr_set.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>
#include <optional>

namespace nacre::regular {
namespace {

using Kind = TrElement::Kind;

// An operand whose repeats add up to more is refused, so that lists stay short.
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
  for (TrElement& element : set.elements) {
    // No other set is longer, so that more of the same character make no difference.
    element.count = std::min(element.count, kMaxLength / 2);
    length += element.bytes.size() * element.count;
    if (length > kMaxLength) {
      return fail({0, static_cast<uint32_t>(text.size())}, "too many characters in set");
    }
  }
  return set;
}

}  // namespace nacre::regular
