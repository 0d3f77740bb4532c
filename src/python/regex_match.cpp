#include "python/regex_match.h"

#include <functional>

namespace nacre::python {
namespace {

namespace rx = regular::regex;
using regular::NodeId;
using regular::Regex;

class Matcher {
 public:
  Matcher(const Regex& regex, const std::vector<uint32_t>& subject, bool is_whole, uint64_t steps)
      : regex_(regex), subject_(subject), is_whole_(is_whole), steps_(steps) {
    groups_.resize(regex.group_count + 1);
  }

  bool at(size_t start) {
    std::fill(groups_.begin(), groups_.end(), std::nullopt);
    return run(regex_.root(), start, [&](size_t end) {
      if (is_whole_ && end != subject_.size()) return false;
      groups_[0] = {start, end};
      return true;
    });
  }

  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  [[nodiscard]] RegexMatch result() const { return {groups_}; }

 private:
  using Then = std::function<bool(size_t)>;

  bool run(NodeId id, size_t at, const Then& then) {
    if (is_exhausted_ || steps_ == 0 || depth_ > kMaxDepth) {
      is_exhausted_ = true;
      return false;
    }
    --steps_;
    ++depth_;
    const bool result =
        std::visit([&](const auto& node) { return match(node, at, then); }, regex_.node(id));
    --depth_;
    return result;
  }

  bool one(bool fits, size_t at, const Then& then) { return fits && then(at + 1); }

  bool match(const rx::Empty&, size_t at, const Then& then) { return then(at); }
  bool match(const rx::Nothing&, size_t, const Then&) { return false; }
  bool match(const rx::Literal& node, size_t at, const Then& then) {
    return one(at < subject_.size() && subject_[at] == node.character, at, then);
  }
  bool match(const rx::Class& node, size_t at, const Then& then) {
    return one(at < subject_.size() && regex_.set(node).contains(subject_[at]), at, then);
  }
  bool match(const rx::Sequence& node, size_t at, const Then& then) {
    return sequence(regex_.children(node), 0, at, then);
  }
  bool sequence(std::span<const NodeId> items, size_t index, size_t at, const Then& then) {
    if (index == items.size()) return then(at);
    return run(items[index], at,
               [&, index](size_t next) { return sequence(items, index + 1, next, then); });
  }
  bool match(const rx::Choice& node, size_t at, const Then& then) {
    for (NodeId item : regex_.children(node)) {
      if (run(item, at, then)) return true;
    }
    return false;
  }
  bool match(const rx::Repeat& node, size_t at, const Then& then) {
    return repeat(node, 0, at, ~size_t{0}, then);
  }
  bool repeat(const rx::Repeat& node, uint32_t count, size_t at, size_t before, const Then& then) {
    auto more = [&] {
      // An empty round beyond the least number leads nowhere.
      if (count >= node.max || (count >= node.min && at == before)) return false;
      return run(node.body, at,
                 [&, count, at](size_t next) { return repeat(node, count + 1, next, at, then); });
    };
    if (count < node.min) return more();
    if (node.greed == rx::Greed::kPossessive) is_exhausted_ = true;
    if (node.greed == rx::Greed::kLazy) return then(at) || more();
    return more() || (!is_exhausted_ && then(at));
  }
  bool match(const rx::Group& node, size_t at, const Then& then) {
    if (node.is_atomic) is_exhausted_ = true;
    if (node.index == 0) return run(node.body, at, then);
    const auto kept = groups_[node.index];
    const bool matched = run(node.body, at, [&, at](size_t end) {
      const auto inner = groups_[node.index];
      groups_[node.index] = {at, end};
      if (then(end)) return true;
      groups_[node.index] = inner;
      return false;
    });
    if (!matched) groups_[node.index] = kept;
    return matched;
  }
  [[nodiscard]] bool is_word(size_t at) const {
    return at < subject_.size() && regex_.word.contains(subject_[at]);
  }
  bool match(const rx::Assert& node, size_t at, const Then& then) {
    const size_t size = subject_.size();
    const bool is_boundary = is_word(at) != (at > 0 && is_word(at - 1));
    bool holds = false;
    switch (node.position) {
      case rx::Position::kSubjectStart: holds = at == 0; break;
      case rx::Position::kSubjectEnd: holds = at == size; break;
      case rx::Position::kFinalLineEnd:
        holds = at == size || (at + 1 == size && subject_[at] == '\n');
        break;
      case rx::Position::kLineStart: holds = at == 0 || subject_[at - 1] == '\n'; break;
      case rx::Position::kLineEnd: holds = at == size || subject_[at] == '\n'; break;
      case rx::Position::kWordBoundary: holds = is_boundary; break;
      case rx::Position::kNotWordBoundary: holds = !is_boundary && size > 0; break;
      case rx::Position::kWordStart: holds = is_boundary && is_word(at); break;
      case rx::Position::kWordEnd: holds = is_boundary && !is_word(at); break;
      case rx::Position::kMatchStart: is_exhausted_ = true; break;
    }
    return holds && then(at);
  }
  bool match(const rx::Look& node, size_t at, const Then& then) {
    if (node.is_behind) {
      is_exhausted_ = true;
      return false;
    }
    const auto kept = groups_;
    const bool found = run(node.body, at, [](size_t) { return true; });
    if (node.is_negative || !found) groups_ = kept;
    return found != node.is_negative && then(at);
  }
  bool match(const rx::BackReference& node, size_t at, const Then& then) {
    const auto group = groups_[node.group];
    if (node.folds_case) is_exhausted_ = true;
    if (!group) return false;
    const size_t length = group->second - group->first;
    if (at + length > subject_.size()) return false;
    for (size_t i = 0; i < length; ++i) {
      if (subject_[group->first + i] != subject_[at + i]) return false;
    }
    return then(at + length);
  }
  template <typename Other>
  bool match(const Other&, size_t, const Then&) {
    is_exhausted_ = true;
    return false;
  }

  static constexpr size_t kMaxDepth = 2'000;
  const Regex& regex_;
  const std::vector<uint32_t>& subject_;
  bool is_whole_;
  uint64_t steps_;
  size_t depth_ = 0;
  bool is_exhausted_ = false;
  std::vector<std::optional<std::pair<size_t, size_t>>> groups_;
};

}  // namespace

RegexOutcome match_regex(const Regex& regex, const std::vector<uint32_t>& subject, size_t start,
                         bool is_search, bool is_whole, uint64_t steps) {
  Matcher matcher(regex, subject, is_whole, steps);
  for (size_t at = start; at <= subject.size(); ++at) {
    if (matcher.at(at)) return {matcher.result(), matcher.is_exhausted()};
    if (matcher.is_exhausted()) return {std::nullopt, true};
    if (!is_search) break;
  }
  return {std::nullopt, false};
}

}  // namespace nacre::python
