// Both directions are one exploration of pairs (term, state of the machine). For an image the term
// walks over what the machine reads, and the arcs of the product are labelled with what it emits;
// for a pre-image the term walks over what the machine emits, and the labels are what it reads.
// Either way the product is an Nfa, determinised at the end. Terms are walked nondeterministically
// for images (partial derivatives: any automaton of the input will do) and deterministically for
// pre-images (fewer pairs).
//
// When there are more pairs than the budget allows, new ones all become one state that accepts
// every word: a superset.

#include "regular/transducer.h"

#include <algorithm>
#include <optional>

#include "base/id_map.h"
#include "regular/dfa.h"
#include "regular/fst.h"
#include "regular/memo.h"
#include "regular/pair_table.h"
#include "regular/terms.h"

namespace nacre::regular {
namespace {

// The product automaton in the making: pairs are states, texts add states between them.
class Product {
 public:
  Product(const Fst& fst, Context& context, const Budget& budget)
      : fst_(fst), context_(context), terms_(context.terms()), budget_(budget) {
    nfa_.alphabet = context.alphabet();
    for (const CharSet& set : fst.sets) fst_sets_.push_back(terms_.sets().intern(set));
  }

  // `expand(pair)` adds the arcs of one pair and may call pair() for new ones.
  template <typename Expand>
  BoundedDfa run(TermId start, Expand expand) {
    nfa_.initial.push_back(state_of(raw(start), 0));
    for (uint32_t next = 0; next < pairs_.size(); ++next) {
      if (states_[next] != widened_) expand(pairs_[next]);
    }
    BoundedDfa result = determinise(nfa_, budget_);
    context_.spend(nfa_.accepting.size());
    result.is_exact = result.is_exact && !widened_ && fst_.is_exact;
    return result;
  }

  uint32_t state_of(uint32_t term, uint32_t state) {
    const uint32_t known = pairs_.size();
    const uint32_t pair = pairs_.number(term, state);
    if (pair == known) {
      const bool is_affordable = nfa_.accepting.size() < budget_.states;
      states_.push_back(is_affordable ? nfa_.add_state(false) : everything());
    }
    return states_[pair];
  }

  void arc(uint32_t from, SetId set, uint32_t to) { nfa_.arcs.push_back({from, label(set), to}); }
  void epsilon(uint32_t from, uint32_t to) { nfa_.epsilons.emplace_back(from, to); }
  void accept(uint32_t state) { nfa_.accepting[state] = 1; }
  uint32_t add_state() { return nfa_.add_state(false); }

  [[nodiscard]] const Fst& fst() const { return fst_; }
  [[nodiscard]] TermStore& terms() { return terms_; }
  [[nodiscard]] SetId fst_set(const Fst::Arc& arc) const { return fst_sets_[arc.set]; }

 private:
  uint32_t label(SetId set) {
    uint32_t& index = labels_[static_cast<uint64_t>(set)];
    if (index == IdMap::kAbsent) index = nfa_.add_set(terms_.set(set));
    return index;
  }

  uint32_t everything() {
    if (!widened_) {
      widened_ = nfa_.add_state(true);
      arc(*widened_, SetTable::kAll, *widened_);
    }
    return *widened_;
  }

  const Fst& fst_;
  Context& context_;
  TermStore& terms_;
  const Budget& budget_;
  Nfa nfa_;
  PairTable pairs_;
  std::vector<uint32_t> states_;  // of pairs
  IdMap labels_;                  // SetId -> index of the Nfa's set
  std::vector<SetId> fst_sets_;
  std::optional<uint32_t> widened_;
};

class Image {
 public:
  Image(const Fst& fst, Context& context, const Budget& budget) : product_(fst, context, budget) {}

  BoundedDfa run(TermId a) {
    return product_.run(a, [this](PairTable::Pair pair) { expand(pair); });
  }

 private:
  void expand(PairTable::Pair pair) {
    const auto [term, state] = pair;
    const Fst& fst = product_.fst();
    TermStore& terms = product_.terms();
    const uint32_t from = product_.state_of(term, state);
    for (const Arc& read : terms.arcs(TermId{term})) {
      for (const Fst::Arc& arc : fst.arcs_of(state)) {
        const SetId set = terms.sets().intersect(read.set, product_.fst_set(arc));
        if (set == SetTable::kNone) continue;
        emit(from, arc, set, product_.state_of(raw(read.target), arc.next));
      }
    }
    if (!terms.nullable(TermId{term})) return;
    for (const uint32_t insert : fst.finals_of(state)) product_.accept(emit_text(from, insert));
  }

  void emit(uint32_t from, const Fst::Arc& arc, SetId set, uint32_t to) {
    from = emit_text(from, arc.insert);
    if (arc.copy == Fst::kDrop) {
      product_.epsilon(from, to);
    } else {
      product_.arc(from, copied(arc, set), to);
    }
  }

  SetId copied(const Fst::Arc& arc, SetId set) {
    if (arc.copy == Fst::kSame) return set;
    const SymbolMap& map = product_.fst().maps[arc.copy - Fst::kMapped];
    return product_.terms().sets().intern(map.image(product_.terms().set(set)));
  }

  // The state after the text.
  uint32_t emit_text(uint32_t from, uint32_t insert) {
    for (const Piece& piece : product_.fst().inserts[insert]) {
      if (const auto* text = std::get_if<std::string>(&piece)) {
        for (const Symbol symbol : decode(*text, product_.fst().alphabet)) {
          const uint32_t to = product_.add_state();
          product_.arc(from, product_.terms().sets().intern(CharSet::of(symbol)), to);
          from = to;
        }
      } else {
        from = emit_word(from, *std::get<std::shared_ptr<const Dfa>>(piece));
      }
    }
    return from;
  }

  // The state after any word of the automaton.
  uint32_t emit_word(uint32_t from, const Dfa& dfa) {
    std::vector<uint32_t> copies(dfa.size());
    for (uint32_t& copy : copies) copy = product_.add_state();
    const uint32_t end = product_.add_state();
    product_.epsilon(from, copies[0]);
    for (uint32_t state = 0; state < dfa.size(); ++state) {
      for (const DfaArc arc : dfa.arcs_of(state)) {
        const SetId set = product_.terms().sets().intern(dfa.classes[arc.symbols]);
        product_.arc(copies[state], set, copies[arc.target]);
      }
      if (dfa.accepting[state]) product_.epsilon(copies[state], end);
    }
    return end;
  }

  Product product_;
};

class PreImage {
 public:
  PreImage(const Fst& fst, Context& context, const Budget& budget)
      : product_(fst, context, budget) {}

  BoundedDfa run(TermId b) {
    return product_.run(b, [this](PairTable::Pair pair) { expand(pair); });
  }

 private:
  using Terms = std::vector<TermId>;

  void expand(PairTable::Pair pair) {
    const auto [term, state] = pair;
    const uint32_t from = product_.state_of(term, state);
    for (const Fst::Arc& arc : product_.fst().arcs_of(state)) {
      for (const TermId after : read_text(TermId{term}, arc.insert)) read(from, arc, after);
    }
    for (const uint32_t insert : product_.fst().finals_of(state)) {
      for (const TermId after : read_text(TermId{term}, insert)) {
        if (product_.terms().nullable(after)) product_.accept(from);
      }
    }
  }

  void read(uint32_t from, const Fst::Arc& arc, TermId term) {
    const SetId set = product_.fst_set(arc);
    if (arc.copy == Fst::kDrop) {
      product_.arc(from, set, product_.state_of(raw(term), arc.next));
      return;
    }
    SetTable& sets = product_.terms().sets();
    for (const Arc& move : product_.terms().moves(term)) {
      const SetId both = sets.intersect(set, read_as(arc, move.set));
      if (both == SetTable::kNone) continue;
      product_.arc(from, both, product_.state_of(raw(move.target), arc.next));
    }
  }

  // The symbols that are copied as one of `set`.
  SetId read_as(const Fst::Arc& arc, SetId set) {
    if (arc.copy == Fst::kSame) return set;
    const SymbolMap& map = product_.fst().maps[arc.copy - Fst::kMapped];
    return product_.terms().sets().intern(map.preimage(product_.terms().set(set)));
  }

  // What the term can be after the text; nothing if it refuses it.
  Terms read_text(TermId term, uint32_t insert) {
    Terms current = {term};
    for (const Piece& piece : product_.fst().inserts[insert]) {
      if (const auto* text = std::get_if<std::string>(&piece)) {
        for (const Symbol symbol : decode(*text, product_.fst().alphabet)) {
          for (TermId& t : current) t = product_.terms().step(t, symbol);
          std::erase(current, TermStore::kEmpty);
        }
      } else {
        current = read_word(current, *std::get<std::shared_ptr<const Dfa>>(piece));
      }
    }
    return current;
  }

  Terms read_word(const Terms& starts, const Dfa& dfa) {
    PairTable seen;
    Terms ends;
    for (const TermId start : starts) seen.number(raw(start), 0);
    for (uint32_t next = 0; next < seen.size(); ++next) {
      const auto [term, state] = seen[next];
      if (dfa.accepting[state]) ends.push_back(TermId{term});
      for (const DfaArc arc : dfa.arcs_of(state)) {
        for (const Arc& move : product_.terms().moves(TermId{term})) {
          if (!product_.terms().set(move.set).intersects(dfa.classes[arc.symbols])) continue;
          seen.number(raw(move.target), arc.target);
        }
      }
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  Product product_;
};

// A superset of what is computed from something bounded by `bound`.
Bound widen(Bound bound) {
  return bound == Bound::kExact || bound == Bound::kSuperset ? Bound::kSuperset : Bound::kUnknown;
}

template <typename Direction>
Lang step(const Transducer::Step& step, Lang a, const Budget& budget) {
  const auto* fst = std::get_if<std::shared_ptr<const Fst>>(&step);
  if (!fst) return reverse(a);
  const Budget limited = a.context().limited(budget);
  const BoundedDfa result = Direction(**fst, a.context(), limited).run(a.id());
  const Lang lang = a.context().automaton(result.dfa);
  a.context().memo().dfas.try_emplace(lang.id(), BoundedDfa{result.dfa, true});
  return {a.context(), lang.id(), result.is_exact ? a.bound() : widen(a.bound())};
}

}  // namespace

Transducer::Transducer(Fst fst) : steps_{std::make_shared<const Fst>(std::move(fst))} {}

Transducer Transducer::reversal() {
  Transducer result;
  result.steps_.emplace_back(Reversal{});
  return result;
}

Transducer Transducer::then(const Transducer& next) const {
  Transducer result = *this;
  result.steps_.insert(result.steps_.end(), next.steps_.begin(), next.steps_.end());
  return result;
}

bool Transducer::is_exact() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const Step& step) {
    const auto* fst = std::get_if<std::shared_ptr<const Fst>>(&step);
    return !fst || (*fst)->is_exact;
  });
}

Lang image(const Transducer& transducer, Lang a, const Budget& budget) {
  for (const auto& each : transducer.steps()) a = step<Image>(each, a, budget);
  return a;
}

Lang preimage(const Transducer& transducer, Lang b, const Budget& budget) {
  const auto steps = transducer.steps();
  for (auto each = steps.rbegin(); each != steps.rend(); ++each)
    b = step<PreImage>(*each, b, budget);
  return b;
}

}  // namespace nacre::regular
