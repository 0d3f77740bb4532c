#include "regular/match_splits.h"

#include <algorithm>

#include "regular/match_conditions.h"
#include "regular/pair_table.h"

namespace nacre::regular {
namespace {

// Patterns with more pieces are not worth following.
constexpr size_t kMaxParts = 64;
constexpr uint32_t kMaxPairs = 50'000;

class Splitter {
 public:
  explicit Splitter(const Regex& regex) : regex_(regex) {
    splits_.groups.resize(regex.group_count + 1);
  }

  Splits run() {
    visit(regex_.root());
    // A condition inside is not part of any piece: pieces alone then allow splits that it forbids,
    // and a longer piece may be one of those.
    if (first_condition_ && *first_condition_ < splits_.parts.size()) {
      for (Splits::Part& part : splits_.parts) part.is_longest_taken = false;
    }
    if (splits_.parts.size() > kMaxParts) {
      splits_.parts.clear();
      for (auto& group : splits_.groups) group.reset();
    }
    return std::move(splits_);
  }

 private:
  void visit(NodeId id) {
    if (const auto* sequence = regex_.get<regex::Sequence>(id)) {
      for (const NodeId child : regex_.children(*sequence)) visit(child);
    } else if (const auto* group = regex_.get<regex::Group>(id); group && !group->is_atomic) {
      visit_group(*group);
    } else if (regex_.get<regex::Assert>(id) || regex_.get<regex::Look>(id)) {
      // At the very start it concerns the whole match, whatever the split.
      if (!splits_.parts.empty() && !first_condition_) first_condition_ = splits_.parts.size();
      is_open_ = false;
    } else {
      add(id);
    }
  }

  void visit_group(const regex::Group& group) {
    if (group.index == 0) return visit(group.body);
    is_open_ = false;
    const auto begin = static_cast<uint32_t>(splits_.parts.size());
    visit(group.body);
    if (splits_.parts.size() == begin) splits_.parts.push_back({{group.body}, true});
    is_open_ = false;
    // A number that is given twice (branch reset) belongs to no one place.
    auto& range = splits_.groups[group.index];
    if (!range) range = PartRange{begin, static_cast<uint32_t>(splits_.parts.size())};
  }

  // Symbols that follow each other leave no choice: one part.
  void add(NodeId id) {
    const bool is_symbol = !one_symbol(regex_, id).empty();
    if (is_symbol && is_open_) {
      splits_.parts.back().nodes.push_back(id);
      return;
    }
    splits_.parts.push_back({{id}, takes_longest(id)});
    is_open_ = is_symbol;
  }

  // Of alternatives tools prefer the first rather than the longest; only where nothing but a greedy
  // repetition of symbols can vary is it surely the longest.
  [[nodiscard]] bool takes_longest(NodeId id) const {
    if (fixed_length(id)) return true;
    const auto* repeat = regex_.get<regex::Repeat>(id);
    return repeat && repeat->greed == regex::Greed::kGreedy &&
           !one_symbol(regex_, repeat->body).empty();
  }

  [[nodiscard]] std::optional<uint64_t> fixed_length(NodeId id) const {
    if (!one_symbol(regex_, id).empty()) return 1;
    if (regex_.get<regex::Empty>(id)) return 0;
    if (const auto* repeat = regex_.get<regex::Repeat>(id)) {
      const std::optional<uint64_t> body = fixed_length(repeat->body);
      if (!body || repeat->min != repeat->max) return std::nullopt;
      return *body * repeat->min;
    }
    if (const auto* choice = regex_.get<regex::Choice>(id)) {
      const auto children = regex_.children(*choice);
      const std::optional<uint64_t> first = fixed_length(children[0]);
      const bool is_same = std::all_of(children.begin(), children.end(),
                                       [&](NodeId child) { return fixed_length(child) == first; });
      return is_same ? first : std::nullopt;
    }
    if (const auto* group = regex_.get<regex::Group>(id)) return fixed_length(group->body);
    return std::nullopt;
  }

  const Regex& regex_;
  Splits splits_;
  std::optional<size_t> first_condition_;  // behind the first part: how many parts came before
  bool is_open_ = false;                   // the last part is a run of symbols and may go on
};

// Two splits of one match, read side by side: pairs of (part, state), numbered; a pair is different
// once a symbol went to different parts.
class AmbiguityCheck {
 public:
  explicit AmbiguityCheck(const std::vector<MatchPattern::Part>& parts) : parts_(parts) {
    for (const MatchPattern::Part& part : parts) {
      offsets_.push_back(count_);
      count_ += static_cast<uint32_t>(part.dfa.accepts.size());
    }
  }

  bool run() {
    const uint32_t start = parts_[0].dfa.starts[kEdge];
    pairs_.number(start, start);
    for (uint32_t next = 0; next < pairs_.size(); ++next) {
      if (next > kMaxPairs) return false;
      const auto [a, b] = pairs_[next];
      const bool differs = b >= count_;
      const auto left = leave(a), right = leave(differs ? b - count_ : b);
      if (differs && ends(left.back()) && ends(right.back())) return false;
      for (uint32_t c = 0; c < parts_[0].dfa.classes.size(); ++c) read(left, right, differs, c);
    }
    return true;
  }

 private:
  struct Spot {
    uint32_t part, state;
  };

  // The spots reachable by leaving parts.
  [[nodiscard]] std::vector<Spot> leave(uint32_t id) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), id);
    auto part = static_cast<uint32_t>(after - offsets_.begin()) - 1;
    std::vector<Spot> spots = {{part, id - offsets_[part]}};
    while (accepts(spots.back()) && ++part < parts_.size()) {
      spots.push_back({part, parts_[part].dfa.starts[kEdge]});
    }
    return spots;
  }
  [[nodiscard]] bool accepts(Spot spot) const {
    return parts_[spot.part].dfa.accepts[spot.state] != 0;
  }
  [[nodiscard]] bool ends(Spot spot) const {
    return spot.part + 1 == parts_.size() && accepts(spot);
  }

  void read(const std::vector<Spot>& left, const std::vector<Spot>& right, bool differs,
            uint32_t c) {
    for (const Spot a : left) {
      const uint32_t to_a = parts_[a.part].dfa.step(a.state, c);
      if (to_a == MatchDfa::kDead) continue;
      for (const Spot b : right) {
        const uint32_t to_b = parts_[b.part].dfa.step(b.state, c);
        if (to_b == MatchDfa::kDead) continue;
        const uint32_t mark = differs || a.part != b.part ? count_ : 0;
        pairs_.number(offsets_[a.part] + to_a, offsets_[b.part] + to_b + mark);
      }
    }
  }

  const std::vector<MatchPattern::Part>& parts_;
  std::vector<uint32_t> offsets_;
  uint32_t count_ = 0;
  PairTable pairs_;
};

}  // namespace

Splits split(const Regex& regex) { return Splitter(regex).run(); }

bool is_unambiguous(const std::vector<MatchPattern::Part>& parts) {
  return parts.size() <= 1 || AmbiguityCheck(parts).run();
}

}  // namespace nacre::regular
