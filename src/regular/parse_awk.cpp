#include "regular/parse_awk.h"

#include <string>
#include <vector>

#include "regular/char_classes.h"
#include "regular/pattern_reader.h"
#include "regular/posix_parser.h"

namespace nacre::regular {
namespace {

PosixDialect dialect_of(const AwkOptions& options) {
  const bool mawk = options.awk == Awk::kMawk;
  PosixDialect dialect;
  dialect.alphabet = options.alphabet;
  dialect.is_extended = true;
  dialect.folds_case = options.folds_case;
  dialect.case_reading = CaseReading::kBoth;
  dialect.has_gnu_escapes = !mawk;
  dialect.has_back_references = false;
  dialect.has_intervals = !mawk;
  dialect.leading_operator = mawk ? LeadingOperator::kRefused : LeadingOperator::kLiteral;
  dialect.repeats_anchors = !mawk;
  dialect.bad_interval_is_literal = true;
  dialect.lone_close_is_literal = true;
  dialect.refuses_empty = mawk;
  dialect.trailing_backslash_is_literal = mawk;
  dialect.has_class_escapes = true;
  dialect.has_posix_brackets = !mawk;
  return dialect;
}

// awk undoes its escapes before the regex is compiled.
class EscapeRewriter {
 public:
  EscapeRewriter(std::string_view pattern, Awk awk) : pattern_(pattern), awk_(awk) {}

  void run() {
    while (pos_ < pattern_.size()) {
      if (pattern_[pos_] == '\\' && pos_ + 1 < pattern_.size()) {
        rewrite_escape();
      } else {
        put(pattern_[pos_], 1);
      }
    }
    origin_.push_back(static_cast<uint32_t>(pattern_.size()));
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<uint32_t>& origin() const { return origin_; }

 private:
  void rewrite_escape() {
    static constexpr std::string_view kLetters = "abfnrtv";
    static constexpr std::string_view kControls = "\a\b\f\n\r\t\v";
    const char c = pattern_[pos_ + 1];
    if (const size_t at = kLetters.find(c); at != std::string_view::npos) {
      put(kControls[at], 2);
    } else if (c >= '0' && c <= '7') {
      number(1, 3, 8);
    } else if (c == 'x') {
      number(2, 2, 16);
    } else if (c == '8' || c == '9' || c == '/' || c == '"') {
      put(c, 2);
    } else if (c == 'y' && awk_ == Awk::kGawk) {
      put('\\', 1);
      put('b', 1);
    } else {
      put('\\', 1);
      put(c, 1);
    }
  }

  // Up to `most` digits from pos_ + `from` on.
  void number(uint32_t from, uint32_t most, int base) {
    int value = 0;
    uint32_t length = 0;
    for (; length < most && pos_ + from + length < pattern_.size(); ++length) {
      const int digit = digit_of(pattern_[pos_ + from + length]);
      if (digit < 0 || digit >= base) break;
      value = value * base + digit;
    }
    if (length == 0) return put(pattern_[pos_ + 1], 2);
    const auto c = static_cast<char>(value & 0xFF);
    // In mawk a character given by number is never an operator; in gawk it is.
    const bool is_special = std::string_view("()|*+?.^$\\[]/-").find(c) != std::string_view::npos;
    if (is_special && awk_ == Awk::kMawk) put('\\', 0);
    put(c, from + length);
  }

  static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }

  // One byte of the result for the next `consumed` bytes of the pattern.
  void put(char c, uint32_t consumed) {
    text_.push_back(c);
    origin_.push_back(pos_);
    pos_ += consumed;
  }

  std::string_view pattern_;
  Awk awk_;
  uint32_t pos_ = 0;
  std::string text_;
  std::vector<uint32_t> origin_;
};

}  // namespace

Result<Regex> parse_awk(std::string_view pattern, const AwkOptions& options) {
  RegexBuilder builder(options.alphabet, Priority::kLongest);
  builder.regex().word = word_characters(options.alphabet);
  EscapeRewriter rewriter(pattern, options.awk);
  rewriter.run();
  const PatternReader reader(rewriter.text(), options.alphabet, &rewriter.origin());
  const Result<NodeId> root = parse_posix_dialect(reader, dialect_of(options), builder);
  if (!root) return tl::unexpected(root.error());
  if (builder.too_deep()) {
    return fail({0, static_cast<uint32_t>(pattern.size())}, "Regular expression too deeply nested");
  }
  return builder.finish(*root);
}

}  // namespace nacre::regular
