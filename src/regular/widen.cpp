#include "regular/widen.h"

#include <algorithm>
#include <unordered_map>

namespace nacre::regular {
namespace {

// Counters up to this stay as they are.
constexpr uint32_t kSmallCounter = 8;

// All operations walked through are monotone; complements are left alone, for a superset of their
// body would make them a subset.
class Widening {
 public:
  Widening(TermStore& terms, bool keeps_subtracted, bool relaxes_counters)
      : terms_(terms), keeps_subtracted_(keeps_subtracted), relaxes_counters_(relaxes_counters) {}

  TermId run(TermId id) {
    if (auto known = done_.find(id); known != done_.end()) return known->second;
    TermId result = rewrite(id);
    done_.emplace(id, result);
    return result;
  }

 private:
  TermId rewrite(TermId id) {
    Term t = terms_.term(id);
    switch (t.op) {
      case Op::kConcat: return rewrite_concat(id);
      case Op::kStar: return terms_.make_star(run(TermId{t.a}));
      case Op::kRepeat: {
        TermId body = run(TermId{t.a});
        if (!relaxes_counters_ || t.most <= kSmallCounter) {
          return terms_.make_repeat(body, t.least, t.most);
        }
        return terms_.make_repeat(body, std::min(t.least, kSmallCounter), kUnbounded);
      }
      case Op::kUnion: return terms_.make_union(each(id));
      case Op::kIntersection: return terms_.make_intersection(each(id));
      default: return id;
    }
  }

  TermId rewrite_concat(TermId id) {
    std::vector<TermId> factors;
    for (Term t = terms_.term(id); t.op == Op::kConcat; t = terms_.term(id)) {
      factors.push_back(run(TermId{t.a}));
      id = TermId{t.b};
    }
    TermId result = run(id);
    for (size_t i = factors.size(); i-- > 0;) result = terms_.make_concat(factors[i], result);
    return result;
  }

  std::vector<TermId> each(TermId id) {
    std::vector<TermId> parts(terms_.operands(id).begin(), terms_.operands(id).end());
    bool is_intersection = terms_.term(id).op == Op::kIntersection;
    if (is_intersection && keeps_subtracted_) {
      auto is_complement = [this](TermId part) { return terms_.term(part).op == Op::kComplement; };
      parts.erase(std::remove_if(parts.begin(), parts.end(), is_complement), parts.end());
    }
    for (TermId& part : parts) part = run(part);
    return parts;
  }

  TermStore& terms_;
  bool keeps_subtracted_;
  bool relaxes_counters_;
  std::unordered_map<TermId, TermId> done_;
};

}  // namespace

std::vector<TermId> widenings(TermStore& terms, TermId id) {
  std::vector<TermId> result;
  for (auto [keeps_subtracted, relaxes] : {std::pair(true, false), {false, true}, {true, true}}) {
    TermId wider = Widening(terms, keeps_subtracted, relaxes).run(id);
    if (wider != id && std::find(result.begin(), result.end(), wider) == result.end()) {
      result.push_back(wider);
    }
  }
  return result;
}

}  // namespace nacre::regular
