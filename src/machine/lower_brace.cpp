// Brace expansion of bash: it looks at the text of a word only, so it is done before a word runs.
#include "machine/lower_word.h"

namespace nacre::machine {
namespace {

constexpr size_t kMaxWords = 100'000;  // of one word; with more its braces stay as they are

using Parts = std::vector<sh::Part>;

class BraceExpansion {
 public:
  explicit BraceExpansion(shell::Arena& arena) : arena_(arena) {}

  // All words that the parts stand for; nothing if there are too many.
  std::vector<Parts> expand(std::span<const sh::Part> from) {
    std::vector<Parts> result(1);
    for (const sh::Part& part : from) {
      if (part.kind != sh::PartKind::kBrace) {
        for (Parts& word : result) word.push_back(part);
        continue;
      }
      result = product(result, alternatives(part.brace()));
      if (is_too_long_) return {};
    }
    return result;
  }

 private:
  std::vector<Parts> product(const std::vector<Parts>& left, const std::vector<Parts>& right) {
    is_too_long_ |= left.size() * right.size() > kMaxWords;
    std::vector<Parts> result;
    if (is_too_long_) return result;
    for (const Parts& before : left) {
      for (const Parts& after : right) {
        result.push_back(before);
        result.back().insert(result.back().end(), after.begin(), after.end());
      }
    }
    return result;
  }

  std::vector<Parts> alternatives(const sh::Brace& brace) {
    std::vector<Parts> result;
    if (brace.form == sh::BraceForm::kList) {
      for (const sh::Word& word : brace.alternatives) {
        for (Parts& parts : expand(word.parts())) result.push_back(std::move(parts));
      }
      return result;
    }
    int64_t step = brace.step < 0 ? -brace.step : brace.step;
    auto distance = static_cast<uint64_t>(brace.first < brace.last ? brace.last - brace.first
                                                                   : brace.first - brace.last);
    is_too_long_ |= distance / static_cast<uint64_t>(step) > kMaxWords;
    if (is_too_long_) return result;
    bool rises = brace.first <= brace.last;
    for (uint64_t i = 0; i <= distance; i += static_cast<uint64_t>(step)) {
      int64_t value =
          rises ? brace.first + static_cast<int64_t>(i) : brace.first - static_cast<int64_t>(i);
      std::string text = item(brace, value);
      // To bash the backslash of {Z..a} quotes nothing and goes.
      bool is_backslash = text == "\\";
      result.push_back({literal(is_backslash ? "" : text)});
      if (is_backslash) result.back()[0].kind = sh::PartKind::kSingleQuoted;
    }
    return result;
  }

  static std::string item(const sh::Brace& brace, int64_t value) {
    if (brace.form == sh::BraceForm::kCharacters) return {static_cast<char>(value)};
    std::string digits = std::to_string(value < 0 ? -value : value);
    size_t width = brace.width > (value < 0 ? 1u : 0u) ? brace.width - (value < 0 ? 1u : 0u) : 0;
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    return (value < 0 ? "-" : "") + digits;
  }

  sh::Part literal(const std::string& text) {
    std::string_view kept = arena_.copy(std::string_view(text));
    sh::Part part;
    part.kind = sh::PartKind::kLiteral;
    part.bytes = kept.data();
    part.size = static_cast<uint32_t>(kept.size());
    return part;
  }

  shell::Arena& arena_;
  bool is_too_long_ = false;
};

}  // namespace

void WordLowering::add_braced(const sh::Word& from, std::vector<Word>& to) {
  std::vector<Parts> words = BraceExpansion(code_.arena).expand(from.parts());
  if (words.empty()) {
    to.push_back(word(from, {}));
    return;
  }
  for (const Parts& parts : words) {
    Word lowered = word_of(parts, from.span, {});
    // `{a,}` makes an empty word, which goes; "" stays.
    if (lowered.parts.empty()) continue;
    to.push_back(lowered);
  }
}

}  // namespace nacre::machine
