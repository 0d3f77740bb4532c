// From automata to regexes by eliminating one state after the other. The order decides the length:
// always the state whose elimination adds the least text (Delgado and Morais 2004).
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "regular/dfa.h"
#include "regular/print_term.h"

namespace nacre::regular {
namespace {

class Elimination {
 public:
  Elimination(TermStore& terms, const Dfa& dfa)
      : terms_(terms),
        start_(dfa.size()),
        final_(dfa.size() + 1),
        out_(dfa.size() + 2),
        in_(dfa.size() + 2) {
    connect(start_, 0, TermStore::kEpsilon);
    for (uint32_t state = 0; state < dfa.size(); ++state) {
      if (dfa.accepting[state] != 0) connect(state, final_, TermStore::kEpsilon);
      for (DfaArc arc : dfa.arcs_of(state)) {
        SetId set = terms.sets().intern(dfa.classes[arc.symbols]);
        connect(state, arc.target, terms.make_set(set));
      }
      states_.push_back(state);
    }
  }

  TermId run() {
    while (!states_.empty()) {
      auto cheapest = std::min_element(states_.begin(), states_.end(),
                                       [this](auto a, auto b) { return weight(a) < weight(b); });
      uint32_t state = *cheapest;
      states_.erase(cheapest);
      remove(state);
    }
    auto edge = out_[start_].find(final_);
    return edge == out_[start_].end() ? TermStore::kEmpty : edge->second;
  }

 private:
  using Edges = std::map<uint32_t, TermId>;  // by the other end

  void connect(uint32_t from, uint32_t to, TermId label) {
    auto [edge, is_new] = out_[from].emplace(to, label);
    if (!is_new) edge->second = factored(terms_, terms_.make_union(edge->second, label));
    in_[to][from] = edge->second;
    if (from < weights_.size()) weights_[from] = kUnknown;
    if (to < weights_.size()) weights_[to] = kUnknown;
  }

  double weight(uint32_t state) {
    if (weights_.size() <= state) weights_.resize(out_.size(), kUnknown);
    if (weights_[state] >= 0) return weights_[state];
    double loops = 0;
    double in_length = 0;
    double out_length = 0;
    double ins = 0;
    double outs = 0;
    for (auto [from, label] : in_[state]) {
      if (from == state) continue;
      ins += 1;
      in_length += length(label);
    }
    for (auto [to, label] : out_[state]) {
      if (to == state) {
        loops = length(label);
      } else {
        outs += 1;
        out_length += length(label);
      }
    }
    weights_[state] = in_length * (outs - 1) + out_length * (ins - 1) + loops * (ins * outs - 1);
    // Weights may be negative: a state without ways out costs less than nothing.
    weights_[state] = std::max(weights_[state], 0.0);
    return weights_[state];
  }

  void remove(uint32_t state) {
    Edges ins = std::move(in_[state]);
    Edges outs = std::move(out_[state]);
    TermId loop = TermStore::kEpsilon;
    if (auto self = outs.find(state); self != outs.end()) loop = terms_.make_star(self->second);
    for (auto [from, label] : ins) {
      if (from != state) out_[from].erase(state), forget(from);
    }
    for (auto [to, label] : outs) {
      if (to != state) in_[to].erase(state), forget(to);
    }
    for (auto [from, before] : ins) {
      if (from == state) continue;
      TermId through = terms_.make_concat(before, loop);
      for (auto [to, after] : outs) {
        if (to != state) connect(from, to, terms_.make_concat(through, after));
      }
    }
  }

  void forget(uint32_t state) {
    if (state < weights_.size()) weights_[state] = kUnknown;
  }

  // About how long the term is as text; grows with the tree, not with the shared graph.
  double length(TermId id) {
    if (auto known = lengths_.find(id); known != lengths_.end()) return known->second;
    Term t = terms_.term(id);
    double result = 1;
    switch (t.op) {
      case Op::kSet: {
        const CharSet& set = terms_.set(SetId{t.a});
        result = set.size() == 1 ? 1 : static_cast<double>(set.ranges().size()) * 3 + 2;
        break;
      }
      case Op::kConcat: result = length(TermId{t.a}) + length(TermId{t.b}); break;
      case Op::kStar: result = length(TermId{t.a}) + 2; break;
      case Op::kRepeat: result = length(TermId{t.a}) + 5; break;
      case Op::kUnion:
        result = 2;
        for (uint32_t i = 0; i < t.b; ++i) result += 1 + length(terms_.operands(id)[i]);
        break;
      default: break;
    }
    lengths_.emplace(id, result);
    return result;
  }

  static constexpr double kUnknown = -1;

  TermStore& terms_;
  uint32_t start_;
  uint32_t final_;
  std::vector<Edges> out_;
  std::vector<Edges> in_;
  std::vector<uint32_t> states_;
  std::vector<double> weights_;  // by state, kUnknown after a change around it
  std::unordered_map<TermId, double> lengths_;
};

}  // namespace

TermId eliminate(TermStore& terms, const Dfa& dfa) {
  return factored(terms, Elimination(terms, dfa).run());
}

}  // namespace nacre::regular
