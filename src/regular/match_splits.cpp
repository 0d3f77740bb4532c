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
  std::optional<size_t> first_condition_;  // after the first part: how many parts came before
  bool is_open_ = false;                   // the last part is a run of symbols and may go on
};

// The places in a chain of parts: (part, state) pairs, numbered.
class Chain {
 public:
  struct Spot {
    uint32_t part, state;
  };

  explicit Chain(const std::vector<MatchPattern::Part>& parts) : parts_(parts) {
    for (const MatchPattern::Part& part : parts) {
      offsets_.push_back(size_);
      size_ += static_cast<uint32_t>(part.dfa.accepts.size());
    }
  }

  [[nodiscard]] uint32_t size() const { return size_; }
  [[nodiscard]] uint32_t start() const { return parts_[0].dfa.starts[kEdge]; }
  [[nodiscard]] size_t class_count() const { return parts_[0].dfa.classes.size(); }

  // The spots reachable from a place by leaving parts.
  [[nodiscard]] std::vector<Spot> leave(uint32_t place) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), place);
    auto part = static_cast<uint32_t>(after - offsets_.begin()) - 1;
    std::vector<Spot> spots = {{part, place - offsets_[part]}};
    while (accepts(spots.back()) && ++part < parts_.size()) {
      spots.push_back({part, parts_[part].dfa.starts[kEdge]});
    }
    return spots;
  }
  [[nodiscard]] bool ends(Spot spot) const {
    return spot.part + 1 == parts_.size() && accepts(spot);
  }
  // The place after a symbol of class `c`, if the part can read it.
  [[nodiscard]] std::optional<uint32_t> read(Spot spot, uint32_t c) const {
    const uint32_t to = parts_[spot.part].dfa.step(spot.state, c);
    if (to == MatchDfa::kDead) return std::nullopt;
    return offsets_[spot.part] + to;
  }

 private:
  [[nodiscard]] bool accepts(Spot spot) const {
    return parts_[spot.part].dfa.accepts[spot.state] != 0;
  }

  const std::vector<MatchPattern::Part>& parts_;
  std::vector<uint32_t> offsets_;
  uint32_t size_ = 0;
};

// Two splits of one match, read side by side: pairs of places. A pair differs once a symbol went to
// different parts; its second place is then marked by adding the size of the chain.
class AmbiguityCheck {
 public:
  explicit AmbiguityCheck(const std::vector<MatchPattern::Part>& parts) : chain_(parts) {}

  bool run() {
    pairs_.number(chain_.start(), chain_.start());
    for (uint32_t next = 0; next < pairs_.size(); ++next) {
      if (next > kMaxPairs) return false;
      const auto [a, b] = pairs_[next];
      const bool differs = b >= chain_.size();
      const auto left = chain_.leave(a), right = chain_.leave(differs ? b - chain_.size() : b);
      if (differs && chain_.ends(left.back()) && chain_.ends(right.back())) return false;
      for (uint32_t c = 0; c < chain_.class_count(); ++c) read(left, right, differs, c);
    }
    return true;
  }

 private:
  using Spots = std::vector<Chain::Spot>;

  void read(const Spots& left, const Spots& right, bool differs, uint32_t c) {
    for (const Chain::Spot a : left) {
      const std::optional<uint32_t> to_a = chain_.read(a, c);
      if (!to_a) continue;
      for (const Chain::Spot b : right) {
        const std::optional<uint32_t> to_b = chain_.read(b, c);
        if (!to_b) continue;
        const uint32_t mark = differs || a.part != b.part ? chain_.size() : 0;
        pairs_.number(*to_a, *to_b + mark);
      }
    }
  }

  Chain chain_;
  PairTable pairs_;
};

// Can only one part read the next symbol, wherever the match stands?
bool is_deterministic(const Chain& chain) {
  for (uint32_t place = 0; place < chain.size(); ++place) {
    const auto spots = chain.leave(place);
    for (uint32_t c = 0; c < chain.class_count(); ++c) {
      const auto readers = std::count_if(spots.begin(), spots.end(), [&](Chain::Spot spot) {
        return chain.read(spot, c).has_value();
      });
      if (readers > 1) return false;
    }
  }
  return true;
}

// Do all words of the part have one length? Counts along any path; loops never have.
bool has_fixed_length(const MatchDfa& dfa) {
  std::vector<uint32_t> depth(dfa.accepts.size(), MatchDfa::kDead);
  std::vector<uint32_t> queue = {dfa.starts[kEdge]};
  depth[queue[0]] = 0;
  std::optional<uint32_t> length;
  for (size_t next = 0; next < queue.size(); ++next) {
    const uint32_t state = queue[next];
    if (dfa.accepts[state] != 0) {
      if (length && *length != depth[state]) return false;
      length = depth[state];
    }
    for (uint32_t c = 0; c < dfa.classes.size(); ++c) {
      const uint32_t to = dfa.step(state, c);
      if (to == MatchDfa::kDead) continue;
      if (depth[to] == MatchDfa::kDead) {
        depth[to] = depth[state] + 1;
        queue.push_back(to);
      } else if (depth[to] != depth[state] + 1) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Splits split(const Regex& regex) { return Splitter(regex).run(); }

// With at most one part that can vary, the longest match is the one that gives it most. If no two
// parts compete for a symbol, the tool has nothing to choose but where to stop.
bool finds_longest(const std::vector<MatchPattern::Part>& parts) {
  if (parts.empty()) return false;
  const auto variable = std::count_if(parts.begin(), parts.end(),
                                      [](const auto& part) { return !has_fixed_length(part.dfa); });
  return variable <= 1 || is_deterministic(Chain(parts));
}

bool is_unambiguous(const std::vector<MatchPattern::Part>& parts) {
  return parts.size() <= 1 || AmbiguityCheck(parts).run();
}

}  // namespace nacre::regular
