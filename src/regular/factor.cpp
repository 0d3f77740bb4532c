// Making terms shorter without changing what they mean: alternatives with a common head or tail
// share it, stretches that repeat are counted.
#include <algorithm>
#include <unordered_map>

#include "regular/print_term.h"

namespace nacre::regular {
namespace {

using Ids = std::vector<TermId>;

class Factoring {
 public:
  explicit Factoring(TermStore& terms) : terms_(terms) {}

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
      case Op::kConcat: {
        Ids list = factors(id);
        for (TermId& factor : list) factor = run(factor);
        return rolled(factors(sequence(list)));
      }
      case Op::kStar: return terms_.make_star(run(TermId{t.a}));
      case Op::kRepeat: return terms_.make_repeat(run(TermId{t.a}), t.least, t.most);
      case Op::kComplement: return terms_.make_complement(run(TermId{t.a}));
      case Op::kIntersection: return terms_.make_intersection(each(id));
      case Op::kUnion: return alternatives(each(id));
      default: return id;
    }
  }

  Ids each(TermId id) {
    Ids parts(terms_.operands(id).begin(), terms_.operands(id).end());
    for (TermId& part : parts) part = run(part);
    return parts;
  }

  [[nodiscard]] Ids factors(TermId id) const {
    Ids list;
    Term t = terms_.term(id);
    for (; t.op == Op::kConcat; t = terms_.term(id)) {
      list.push_back(TermId{t.a});
      id = TermId{t.b};
    }
    if (id != TermStore::kEpsilon) list.push_back(id);
    return list;
  }

  TermId sequence(const Ids& list) {
    TermId result = TermStore::kEpsilon;
    for (size_t i = list.size(); i-- > 0;) result = terms_.make_concat(list[i], result);
    return result;
  }

  TermId alternatives(const Ids& parts) {
    std::vector<Ids> lists;
    for (TermId part : parts) lists.push_back(factors(part));
    join_common(lists, true);
    join_common(lists, false);
    join_counters(lists);
    Ids joined;
    for (const Ids& list : lists) joined.push_back(rolled(list));
    return terms_.make_union(joined);
  }

  // Alternatives with the same first (or last) factor become one.
  void join_common(std::vector<Ids>& lists, bool at_front) {
    std::vector<Ids> result;
    std::vector<bool> used(lists.size(), false);
    for (size_t i = 0; i < lists.size(); ++i) {
      if (used[i]) continue;
      std::vector<size_t> same = {i};
      for (size_t j = i + 1; j < lists.size() && !lists[i].empty(); ++j) {
        if (used[j] || lists[j].empty() || end_of(lists[i], at_front) != end_of(lists[j], at_front))
          continue;
        used[j] = true;
        same.push_back(j);
      }
      if (same.size() == 1) {
        result.push_back(lists[i]);
        continue;
      }
      TermId common = end_of(lists[i], at_front);
      Ids rests;
      for (size_t j : same) {
        lists[j].erase(at_front ? lists[j].begin() : lists[j].end() - 1);
        rests.push_back(sequence(lists[j]));
      }
      TermId rest = run(terms_.make_union(rests));
      result.push_back(
          factors(at_front ? terms_.make_concat(common, rest) : terms_.make_concat(rest, common)));
    }
    lists = std::move(result);
  }

  static TermId end_of(const Ids& list, bool at_front) {
    return at_front ? list.front() : list.back();
  }

  // x|x{2} is x{1,2}; () is x{0,0}.
  void join_counters(std::vector<Ids>& lists) {
    for (size_t i = 0; i < lists.size(); ++i) {
      for (size_t j = 0; j < lists.size(); ++j) {
        if (i == j || lists[i].size() != 1 || lists[j].size() != 1) continue;
        auto [base, least, most] = counter(lists[i][0]);
        auto [other, from, to] = counter(lists[j][0]);
        if (base != other || from < least || from > most + 1) continue;
        lists[i][0] = terms_.make_repeat(base, least, std::max(most, to));
        lists.erase(lists.begin() + static_cast<std::ptrdiff_t>(j));
        i = 0;
        j = 0;
      }
    }
  }

  struct Counter {
    TermId base;
    uint64_t least;
    uint64_t most;
  };

  [[nodiscard]] Counter counter(TermId id) const {
    Term t = terms_.term(id);
    if (t.op == Op::kRepeat) return {TermId{t.a}, t.least, t.most};
    return {id, 1, 1};
  }

  // Counts stretches of two factors or more that repeat at once: a.b.a.b. is (a.b.){2}.
  TermId rolled(const Ids& list) {
    Ids result;
    for (size_t i = 0; i < list.size();) {
      auto [length, count] = best_stretch(std::span(list).subspan(i));
      if (count == 1) {
        result.push_back(list[i++]);
        continue;
      }
      auto begin = list.begin() + static_cast<std::ptrdiff_t>(i);
      TermId stretch = sequence(Ids(begin, begin + static_cast<std::ptrdiff_t>(length)));
      result.push_back(terms_.make_repeat(stretch, count, count));
      i += count * length;
    }
    return sequence(result);
  }

  struct Stretch {
    size_t length;
    size_t count;
  };

  // The stretch at the front whose counting saves most text, if it saves enough to be worth it.
  [[nodiscard]] Stretch best_stretch(std::span<const TermId> list) const {
    constexpr size_t kLongest = 32;
    constexpr size_t kWorthwhile = 8;
    Stretch best{0, 1};
    size_t max_saved = kWorthwhile;
    for (size_t length = 2; length <= list.size() / 2 && length <= kLongest; ++length) {
      auto first = list.first(length);
      size_t count = 1;
      while ((count + 1) * length <= list.size() &&
             std::equal(first.begin(), first.end(), list.subspan(count * length).begin())) {
        ++count;
      }
      size_t text = 0;
      for (TermId factor : first) text += text_size(factor);
      if ((count - 1) * text <= max_saved) continue;
      max_saved = (count - 1) * text;
      best = {length, count};
    }
    return best;
  }

  // Roughly.
  [[nodiscard]] size_t text_size(TermId factor) const {
    Term t = terms_.term(factor);
    if (t.op != Op::kSet) return 6;
    return terms_.set(SetId{t.a}).size() == 1 ? 1 : 5;
  }

  TermStore& terms_;
  std::unordered_map<TermId, TermId> done_;
};

}  // namespace

TermId factored(TermStore& terms, TermId id) { return Factoring(terms).run(id); }

}  // namespace nacre::regular
