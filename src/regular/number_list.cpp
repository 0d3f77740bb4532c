// LIST of cut(1): the reader of GNU coreutils' set-fields.c, with its messages.

#include <algorithm>
#include <fmt/core.h>
#include <optional>

#include "regular/field_select.h"

namespace nacre::regular {
namespace {

class ListReader {
 public:
  ListReader(std::string_view text, ListKind kind)
      : text_(text), is_fields_(kind == ListKind::kFields) {}

  Result<NumberList> run() {
    for (size_t begin = 0; begin <= text_.size();) {
      const size_t end = std::min(text_.find_first_of(", \t", begin), text_.size());
      if (auto error = read_item(begin, end)) return tl::unexpected(*error);
      begin = end + 1;
    }
    return merged();
  }

 private:
  static constexpr uint64_t kTooLarge = NumberRange::kNoEnd;

  static Error refuse(size_t begin, size_t end, std::string message) {
    return {{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, std::move(message)};
  }

  // N, N-, -M or N-M, checked from left to right as cut does, so that of several mistakes the same
  // one is reported.
  std::optional<Error> read_item(size_t begin, size_t end) {
    size_t at = begin;
    const Result<uint64_t> first = read_value(at, end);
    if (!first) return first.error();
    if (at == end) return add(begin, end, *first, *first);
    if (text_[at] != '-') return wrong_symbol(at);
    const bool has_first = at > begin;
    if (has_first && *first == 0) return from_one(begin, end);
    const size_t dash = at++;
    const Result<uint64_t> last = read_value(at, end);
    if (!last) return last.error();
    if (at < end && text_[at] == '-') {
      return refuse(begin, end,
                    is_fields_ ? "invalid field range" : "invalid byte or character range");
    }
    if (at < end) return wrong_symbol(at);
    const bool has_last = at > dash + 1;
    if (!has_first && !has_last) return refuse(begin, end, "invalid range with no endpoint: -");
    return add(begin, end, has_first ? *first : 1, has_last ? *last : NumberRange::kNoEnd);
  }

  std::optional<Error> add(size_t begin, size_t end, uint64_t first, uint64_t last) {
    if (first == 0) return from_one(begin, end);
    if (last < first) return refuse(begin, end, "invalid decreasing range");
    list_.push_back({first, last});
    return std::nullopt;
  }

  [[nodiscard]] Error wrong_symbol(size_t at) const {
    return refuse(
        at, text_.size(),
        fmt::format("invalid {} '{}'", is_fields_ ? "field value" : "byte/character position",
                    text_.substr(at)));
  }

  [[nodiscard]] Error from_one(size_t begin, size_t end) const {
    return refuse(
        begin, end,
        is_fields_ ? "fields are numbered from 1" : "byte/character positions are numbered from 1");
  }

  // The digits from `at` on; 0 if there are none.
  Result<uint64_t> read_value(size_t& at, size_t end) const {
    const size_t begin = at;
    uint64_t number = 0;
    for (; at < end && text_[at] >= '0' && text_[at] <= '9'; ++at) {
      const auto digit = static_cast<uint64_t>(text_[at] - '0');
      if (number > (kTooLarge - digit) / 10 || number * 10 + digit == kTooLarge) {
        return tl::unexpected(
            refuse(begin, end,
                   fmt::format("{} '{}' is too large",
                               is_fields_ ? "field number" : "byte/character offset",
                               text_.substr(begin, end - begin))));
      }
      number = number * 10 + digit;
    }
    return number;
  }

  NumberList merged() {
    std::sort(list_.begin(), list_.end(),
              [](NumberRange a, NumberRange b) { return a.first < b.first; });
    NumberList result;
    for (const NumberRange range : list_) {
      if (!result.empty() && range.first <= result.back().last) {
        result.back().last = std::max(result.back().last, range.last);
      } else {
        result.push_back(range);
      }
    }
    return result;
  }

  std::string_view text_;
  bool is_fields_;
  NumberList list_;
};

}  // namespace

Result<NumberList> parse_number_list(std::string_view text, ListKind kind) {
  return ListReader(text, kind).run();
}

NumberList complement(const NumberList& list) {
  NumberList result;
  uint64_t next = 1;
  for (const NumberRange range : list) {
    if (next < range.first) result.push_back({next, range.first - 1});
    if (range.last == NumberRange::kNoEnd) return result;
    next = range.last + 1;
  }
  result.push_back({next, NumberRange::kNoEnd});
  return result;
}

}  // namespace nacre::regular
