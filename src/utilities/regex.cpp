#include "utilities/regex.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace nacre::utilities {

namespace {

constexpr size_t kMaxNesting = 500;
constexpr unsigned kMaxRepetitions = 1000;  // glibc needs the square of their number
constexpr size_t kMaxSize = 20'000;  // in characters, sets and groups, with counts written out

// Reads a pattern as far as needed to say what it costs; regcomp() finds its errors.
class Cost {
 public:
  Cost(std::string_view pattern, bool is_extended) : pattern_(pattern), is_extended_(is_extended) {
    groups_.push_back({});
    while (at_ < pattern_.size()) read();
    while (groups_.size() > 1) close();
  }
  [[nodiscard]] bool is_too_large() const {
    return deepest_ > kMaxNesting || repetitions_ > kMaxRepetitions ||
           groups_[0].before + groups_[0].last > kMaxSize;
  }
  [[nodiscard]] unsigned choices() const { return has_reference_ ? repetitions_ : 0; }

 private:
  struct Group {
    size_t before = 0;  // the size of all that it holds except for its last piece
    size_t last = 0;
  };

  void read() {
    char c = pattern_[at_++];
    bool is_operator = is_extended_;
    if (c == '\\' && at_ < pattern_.size()) {
      c = pattern_[at_++];
      is_operator = !is_extended_ || (c >= '1' && c <= '9');
      if (is_operator && c >= '1' && c <= '9') has_reference_ = true;
      if (is_operator && (c == '*' || c == '[')) is_operator = false;
    } else if (c == '*' || c == '[') {
      is_operator = true;
    }
    if (!is_operator) return add(1);
    switch (c) {
      case '(': open(); break;
      case ')': close(); break;
      case '{': count(); break;
      case '*':
      case '+': ++repetitions_; break;
      case '[': skip_set(); [[fallthrough]];
      default: add(1);
    }
  }
  void add(size_t size) {
    Group& group = groups_.back();
    group.before = std::min(group.before + group.last, 2 * kMaxSize);
    group.last = size;
  }
  void open() {
    groups_.push_back({});
    deepest_ = std::max(deepest_, groups_.size());
  }
  void close() {
    if (groups_.size() == 1) return;
    const Group group = groups_.back();
    groups_.pop_back();
    add(group.before + group.last + 1);
  }
  // {3}, {3,5}, {3,}: what is before it is written that often.
  void count() {
    const size_t end = pattern_.find('}', at_);
    if (end == std::string_view::npos) return;
    size_t largest = 1;
    const char* from = pattern_.data() + at_;
    const char* const last = pattern_.data() + end;
    while (from < last) {
      size_t number = 0;
      from = std::from_chars(from, last, number).ptr;
      largest = std::max(largest, std::min(number, kMaxSize));
      while (from < last && (*from < '0' || *from > '9')) ++from;
    }
    if (pattern_[end - 1] == ',' || pattern_.substr(at_, end - at_).ends_with(",\\"))
      ++repetitions_;
    Group& group = groups_.back();
    group.last = std::min(group.last * largest, 2 * kMaxSize);
    at_ = end + 1;
  }
  void skip_set() {
    if (at_ < pattern_.size() && pattern_[at_] == '^') ++at_;
    if (at_ < pattern_.size() && pattern_[at_] == ']') ++at_;
    while (at_ < pattern_.size() && pattern_[at_] != ']') {
      const bool is_class =
          pattern_[at_] == '[' && at_ + 1 < pattern_.size() &&
          std::string_view(":.=").find(pattern_[at_ + 1]) != std::string_view::npos;
      const size_t end = is_class ? pattern_.find(']', at_ + 2) : std::string_view::npos;
      at_ = end == std::string_view::npos ? at_ + 1 : end + 1;
    }
    if (at_ < pattern_.size()) ++at_;
  }

  std::string_view pattern_;
  bool is_extended_;
  size_t at_ = 0;
  std::vector<Group> groups_;
  size_t deepest_ = 0;
  unsigned repetitions_ = 0;
  bool has_reference_ = false;
};

// The part of `text` from `from` on, searched for the first `wanted` groups; offsets count from the
// start of `text`. `found` has room for one at least: it tells regexec() where to look.
bool execute(const regex_t& compiled, std::string_view text, size_t from,
             std::span<regmatch_t> found, size_t wanted) {
  const int flags = from > 0 ? REG_NOTBOL : 0;  // ^ is at the start of the text alone
#ifdef REG_STARTEND
  found[0].rm_so = static_cast<regoff_t>(from);
  found[0].rm_eo = static_cast<regoff_t>(text.size());
  return regexec(&compiled, text.data(), wanted, found.data(), flags | REG_STARTEND) == 0;
#else
  const std::string rest(text.substr(from));
  if (regexec(&compiled, rest.c_str(), wanted, found.data(), flags) != 0) return false;
  for (regmatch_t& each : found.first(wanted)) {
    if (each.rm_so < 0) continue;
    each.rm_so += static_cast<regoff_t>(from);
    each.rm_eo += static_cast<regoff_t>(from);
  }
  return true;
#endif
}

}  // namespace

std::optional<Regex> Regex::compile(const std::string& pattern, bool is_extended, bool ignores_case,
                                    std::string& error) {
  const Cost cost(pattern, is_extended);
  if (cost.is_too_large()) {
    error = "Regular expression too big";
    return std::nullopt;
  }
  auto* compiled = new regex_t();
  int flags = (is_extended ? REG_EXTENDED : 0) | (ignores_case ? REG_ICASE : 0);
  if (int failed = regcomp(compiled, pattern.c_str(), flags); failed != 0) {
    char message[256];
    regerror(failed, compiled, message, sizeof message);
    error = message;
    delete compiled;
    return std::nullopt;
  }
  return Regex(compiled, cost.choices());
}

// With back-references glibc tries every way to divide the text among the repetitions.
void Regex::check_work(std::string_view text) const {
  constexpr double kMaxWays = 1e9;
  if (choices_ > 1 && std::pow(static_cast<double>(text.size()), choices_) > kMaxWays)
    throw TooMuchWork();
}

std::optional<Match> Regex::search(std::string_view text, size_t from) const {
  check_work(text.substr(from));
  constexpr size_t kMaxGroups = 10;
  regmatch_t found[kMaxGroups];
  if (!execute(*compiled_, text, from, found, kMaxGroups)) return std::nullopt;
  Match match;
  for (size_t i = 0; i < std::min(kMaxGroups, compiled_->re_nsub + 1); ++i) {
    Match::Range range;
    if (found[i].rm_so >= 0) {
      range = {static_cast<size_t>(found[i].rm_so), static_cast<size_t>(found[i].rm_eo)};
    }
    match.groups.push_back(range);
  }
  return match;
}

bool Regex::matches(std::string_view text) const {
  check_work(text);
  regmatch_t found[1];
  return execute(*compiled_, text, 0, found, 0);
}

}  // namespace nacre::utilities
